//! [`AssertedMetric`]: a metric of an assertion, and its value in a measurement.

use std::fmt;
use std::str::FromStr;

use alloc_results::{Definition, Metric};

use super::figures::Figures;

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

    pub(super) const fn definition(self) -> &'static Definition {
        match self {
            Self::Counted(metric) => metric.definition(),
            Self::ForeignAllocs => &Definition::FOREIGN_ALLOCS,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        self.definition().name
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

/// By name. The error is `()`, since the caller has the text.
impl FromStr for AssertedMetric {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::all().find(|metric| metric.name() == name).ok_or(())
    }
}
