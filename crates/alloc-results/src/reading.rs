//! [`Reading`]: the numbers of one iteration, from which metrics are computed.

use counting_alloc::{Measured, Tally};

/// The numbers of one iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub struct Reading {
    /// The operations.
    pub counts: Tally,
    /// The most bytes live at once above the level at the beginning; `null`
    /// where it was not measured.
    pub peak_bytes: Option<u64>,
}

impl Reading {
    /// A reading of the calls that were served. A reading has no others.
    #[must_use]
    pub const fn new(tally: Tally, peak_bytes: Option<u64>) -> Self {
        Self {
            counts: Tally { failed: 0, ..tally },
            peak_bytes,
        }
    }
}

impl<T> From<&Measured<T>> for Reading {
    fn from(measured: &Measured<T>) -> Self {
        Self::new(measured.tally, measured.peak_bytes)
    }
}
