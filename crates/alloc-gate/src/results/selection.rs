//! [`Selection`]: how much of the workspace a person asked for.

use std::collections::BTreeSet;

use alloc_results::{BenchId, Distribution, Metric, Scope};

/// How much of the workspace was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// All benches: a gate that matches nothing is missing its scenarios.
    Whole,
    /// A person selected some benches: a gate that matches nothing of them is
    /// skipped, and the report says so.
    Selected,
    /// A person selected some scenarios, of all benches or of some: beside that,
    /// what a judgement needs of the others is not missing.
    Scenarios {
        /// How many of the benches' scenarios were left out; at least one.
        left_out: usize,
    },
}

impl Selection {
    /// How many scenarios a person left out of benches that were measured.
    #[must_use]
    pub const fn left_out(self) -> usize {
        match self {
            Self::Whole | Self::Selected => 0,
            Self::Scenarios { left_out } => left_out,
        }
    }
}
