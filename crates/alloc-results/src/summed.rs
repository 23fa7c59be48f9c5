//! [`SummedMetric`]: the metrics of which only the sum over all iterations is recorded.

use alloc_requirement::Definition;

use crate::ratio::Ratio;
use crate::record::ScenarioRecord;

/// A metric of the operations that the figures of a scenario leave out. Only the sum
/// over all iterations and the value of the first call are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SummedMetric {
    /// `foreign-allocs`: allocations of other threads.
    ForeignAllocs,
    /// `uncounted-allocs`: allocations that `uncounted` excluded.
    UncountedAllocs,
}

impl SummedMetric {
    /// All of them, in the order of tables and messages.
    pub const ALL: [Self; 2] = [Self::ForeignAllocs, Self::UncountedAllocs];

    /// All properties of the metric.
    #[must_use]
    pub const fn definition(self) -> &'static Definition {
        match self {
            Self::ForeignAllocs => &Definition::FOREIGN_ALLOCS,
            Self::UncountedAllocs => &Definition::UNCOUNTED_ALLOCS,
        }
    }

    /// The sum over the counted pass.
    #[must_use]
    pub fn total(self, record: &ScenarioRecord) -> u64 {
        match self {
            Self::ForeignAllocs => record.foreign.allocs,
            Self::UncountedAllocs => record.outside.uncounted.allocs,
        }
    }

    /// The sum in place.
    pub fn total_mut(self, record: &mut ScenarioRecord) -> &mut u64 {
        match self {
            Self::ForeignAllocs => &mut record.foreign.allocs,
            Self::UncountedAllocs => &mut record.outside.uncounted.allocs,
        }
    }

    /// The value of the first call.
    #[must_use]
    pub fn first(self, record: &ScenarioRecord) -> u64 {
        match self {
            Self::ForeignAllocs => record.outside.foreign_first.allocs,
            Self::UncountedAllocs => record.outside.uncounted_first.allocs,
        }
    }

    /// The value of the first call in place.
    pub fn first_mut(self, record: &mut ScenarioRecord) -> &mut u64 {
        match self {
            Self::ForeignAllocs => &mut record.outside.foreign_first.allocs,
            Self::UncountedAllocs => &mut record.outside.uncounted_first.allocs,
        }
    }

    /// The exact mean per iteration; `None` without iterations.
    #[must_use]
    pub fn mean(self, record: &ScenarioRecord) -> Option<Ratio> {
        Ratio::new(self.total(record).into(), record.iterations)
    }
}
