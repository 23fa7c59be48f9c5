//! [`Measurement`]: the counts of a measurement without its value, and [`AssertedMetric`], which
//! finds one of them.

use std::fmt;

use alloc_results::{Definition, Metric, Reading};
use counting_alloc::{FirstOperations, Measured, Scope, Tally};

use crate::sites::Captured;

/// What a report shows of a measurement.
#[derive(Clone, Debug)]
pub(super) struct Measurement {
    pub(super) scope: Scope,
    pub(super) reading: Reading,
    /// `None` for a phase: only the whole window has it.
    pub(super) foreign: Option<Tally>,
    /// Zero for a phase.
    pub(super) uncounted: Tally,
    pub(super) first: Option<FirstOperations>,
    /// The call stacks; of all repeats if only requirements on all of them are broken.
    pub(super) sites: Captured,
}

impl Measurement {
    pub(super) fn new<T>(measured: &Measured<T>, sites: Captured) -> Self {
        Self {
            scope: measured.scope,
            reading: measured.into(),
            foreign: Some(measured.foreign),
            uncounted: measured.uncounted,
            first: measured.first,
            sites,
        }
    }

    /// A phase of a window, or what is outside all phases.
    pub(super) fn of_phase<T>(whole: &Measured<T>, tally: Tally) -> Self {
        Self {
            scope: whole.scope,
            reading: Reading::new(tally, None),
            foreign: None,
            uncounted: Tally::ZERO,
            first: None,
            sites: Captured::NONE,
        }
    }
}

/// A metric that an assertion can limit: a counted one, or what those leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssertedMetric {
    Counted(Metric),
    ForeignAllocs,
}

impl AssertedMetric {
    /// All metrics, in the order of messages.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let counted = Metric::ALL.into_iter().map(Self::Counted);
        counted.chain([Self::ForeignAllocs])
    }

    /// The metric of this name.
    pub(super) fn called(name: &str) -> Option<Self> {
        Self::all().find(|metric| metric.name() == name)
    }

    pub(super) const fn definition(self) -> &'static Definition {
        match self {
            Self::Counted(metric) => metric.definition(),
            Self::ForeignAllocs => &Definition::FOREIGN_ALLOCS,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        self.definition().name
    }

    /// The counted metric, if it is one.
    pub(super) const fn counted(self) -> Option<Metric> {
        match self {
            Self::Counted(metric) => Some(metric),
            Self::ForeignAllocs => None,
        }
    }

    /// The value; `None` when it was not measured.
    pub(super) fn value(self, measurement: &Measurement) -> Option<i128> {
        match self {
            Self::Counted(metric) => metric.value(&measurement.reading),
            Self::ForeignAllocs => Some(measurement.foreign?.allocs.into()),
        }
    }
}

impl fmt::Display for AssertedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
