//! [`Selection`]: the part of the workspace that a command was asked to measure.

/// The part of the workspace that a command was asked to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// All benches. A gate that matches no scenario fails.
    Whole,
    /// Some benches. A gate that matches none of their scenarios is skipped, and the report says
    /// so.
    Selected,
    /// Some scenarios of some or all benches. A judgement that needs other scenarios does not
    /// fail.
    Scenarios {
        /// How many scenarios of the benches were left out; at least one.
        left_out: usize,
    },
}

impl Selection {
    /// How many scenarios of the measured benches were left out.
    #[must_use]
    pub const fn left_out(self) -> usize {
        match self {
            Self::Whole | Self::Selected => 0,
            Self::Scenarios { left_out } => left_out,
        }
    }
}
