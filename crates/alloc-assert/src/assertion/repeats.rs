//! [`Repeats`]: the results of many repeats of one operation, for the report of a
//! failure.

use counting_alloc::Tally;

use super::requirements::{Requirement, Requirements, Statistic};

/// The results of all repeats.
pub(super) struct Repeats {
    /// The number of repeats.
    pub(super) repeats: u64,
    /// The number of calls before the repeats.
    pub(super) warm_up: u64,
    /// The operations of the first call, if there was a warm-up.
    pub(super) cold: Option<Tally>,
    /// The repeat whose figures are shown, from 1.
    pub(super) shown: u64,
    /// The number of repeats that broke a requirement, and how many may.
    pub(super) broken: u64,
    pub(super) exceptions: u64,
    /// The results for each requirement.
    pub(super) by_requirement: Vec<RequirementRepeats>,
}

/// The results of all repeats for one requirement.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequirementRepeats {
    /// The number of repeats that broke it.
    pub(super) broken: u64,
    /// The first repeat that broke it, from 1.
    pub(super) first_broken: Option<u64>,
    /// The least and the greatest value of its metric, if it was measured.
    pub(super) range: Option<(i128, i128)>,
    /// The sum of its metric; `None` if it was not measured.
    pub(super) sum: Option<i128>,
}

impl RequirementRepeats {
    /// Before the first repeat.
    pub(super) const NONE: Self = Self {
        broken: 0,
        first_broken: None,
        range: None,
        sum: Some(0),
    };
}

impl Repeats {
    /// The requirements on all repeats together that don't hold, with their sums.
    pub(super) fn broken_together<'r>(
        &'r self,
        requirements: &'r Requirements<'_>,
    ) -> impl Iterator<Item = (&'r Requirement, Option<i128>)> {
        let list = requirements.list.iter().zip(&self.by_requirement);
        list.filter(|(one, repeated)| {
            let holds = |sum| one.holds_over(sum, self.repeats);
            one.statistic != Statistic::Each && !repeated.sum.is_some_and(holds)
        })
        .map(|(one, repeated)| (one, repeated.sum))
    }
}
