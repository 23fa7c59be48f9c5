//! [`Figures`]: the figures of a measurement, without its value, and [`AssertedMetric`], which
//! finds one of them.

use std::fmt;

use alloc_results::{Definition, Metric, Reading};
use counting_alloc::{FirstOperations, Measured, Mode, Scope, Tally};

use crate::sites::Captured;

/// The figures that a report shows of one measurement.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    pub(super) scope: Scope,
    pub(super) mode: Mode,
    pub(super) polls: u64,
    pub(super) tally: Tally,
    pub(super) reading: Reading,
    /// `None` for a phase: only the whole window has it.
    pub(super) foreign: Option<Tally>,
    /// `None` for a phase.
    pub(super) uncounted: Option<Tally>,
    pub(super) first: Option<FirstOperations>,
    /// The call stacks, or those of all repeats if only requirements on them together are broken.
    pub(super) sites: Captured,
}

impl Figures {
    pub(super) fn from_measured<T>(measured: &Measured<T>, sites: Captured) -> Self {
        Self {
            scope: measured.scope,
            mode: measured.mode,
            polls: measured.polls,
            tally: measured.tally,
            reading: measured.into(),
            foreign: Some(measured.foreign),
            uncounted: Some(measured.uncounted),
            first: measured.first,
            sites,
        }
    }

    /// The figures of a phase of a window, or of what is outside all phases.
    pub(super) fn of_phase<T>(whole: &Measured<T>, tally: Tally) -> Self {
        let reading = Reading::new(tally, None);
        Self {
            tally,
            reading,
            foreign: None,
            uncounted: None,
            first: None,
            ..Self::from_measured(whole, Captured::NONE)
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
    pub(super) fn value(self, figures: &Figures) -> Option<i128> {
        match self {
            Self::Counted(metric) => metric.value(&figures.reading),
            Self::ForeignAllocs => Some(figures.foreign?.allocs.into()),
        }
    }
}

impl fmt::Display for AssertedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
