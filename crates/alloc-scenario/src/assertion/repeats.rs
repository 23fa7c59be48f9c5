//! [`Repeats`]: the results of many repeats of one operation, for the report of a
//! failure.

use counting_alloc::Tally;

/// The results of all repeats.
pub(super) struct Repeats {
    /// The number of repeats.
    pub(super) repeats: u64,
    /// The number of calls before the repeats.
    pub(super) warm_up: u64,
    /// The operations of the first call, if there was a warm-up.
    pub(super) cold: Option<Tally>,
    /// The first repeat that broke a requirement, from 1.
    pub(super) first_broken: u64,
    /// The results for each requirement.
    pub(super) by_requirement: Vec<RequirementRepeats>,
}

/// The results of all repeats for one requirement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RequirementRepeats {
    /// The number of repeats that broke it.
    pub(super) broken: u64,
    /// The first repeat that broke it, from 1.
    pub(super) first_broken: Option<u64>,
    /// The least and the greatest value of its metric, if it was measured.
    pub(super) range: Option<(i128, i128)>,
}
