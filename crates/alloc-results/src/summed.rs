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

    /// The sum over the counted pass; `None` when it was not measured.
    #[must_use]
    pub fn total(self, record: &ScenarioRecord) -> Option<u64> {
        match self {
            Self::ForeignAllocs => Some(record.foreign.allocs),
            Self::UncountedAllocs => Some(record.outside.as_ref()?.uncounted.allocs),
        }
    }

    /// The sum in place.
    pub fn total_mut(self, record: &mut ScenarioRecord) -> Option<&mut u64> {
        match self {
            Self::ForeignAllocs => Some(&mut record.foreign.allocs),
            Self::UncountedAllocs => Some(&mut record.outside.as_mut()?.uncounted.allocs),
        }
    }

    /// The value of the first call; `None` when it was not measured.
    #[must_use]
    pub fn first(self, record: &ScenarioRecord) -> Option<u64> {
        let outside = record.outside.as_ref()?;
        Some(match self {
            Self::ForeignAllocs => outside.foreign_first.allocs,
            Self::UncountedAllocs => outside.uncounted_first.allocs,
        })
    }

    /// The value of the first call in place.
    pub fn first_mut(self, record: &mut ScenarioRecord) -> Option<&mut u64> {
        let outside = record.outside.as_mut()?;
        Some(match self {
            Self::ForeignAllocs => &mut outside.foreign_first.allocs,
            Self::UncountedAllocs => &mut outside.uncounted_first.allocs,
        })
    }

    /// The exact mean per iteration; `None` when it was not measured.
    #[must_use]
    pub fn mean(self, record: &ScenarioRecord) -> Option<Ratio> {
        Ratio::new(self.total(record)?.into(), record.iterations)
    }
}
