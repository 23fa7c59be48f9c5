//! [`Explained`]: the lines behind a figure of a scenario, or why there are none.

use alloc_results::{BenchId, Metric, Ratio};

use crate::figure::Statistic;
use crate::sites::attribute::Sites;
use crate::sites::diff::SiteDiff;

/// The lines behind a figure of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The bench.
    pub bench: BenchId,
    /// The scenario's full name.
    pub scenario: String,
    /// The name as reports show it.
    pub label: String,
    /// The metric.
    pub metric: Metric,
    /// The statistic.
    pub statistic: Statistic,
    /// Whether the figure breaks a limit.
    pub is_failure: bool,
    /// The figure in the run that was judged, if the sites are those of a second run.
    pub judged: Option<Ratio>,
    /// Whether reports show call stacks as well.
    pub shows_stacks: bool,
    /// The lines.
    pub found: Result<Found, Unexplained>,
}

/// The lines of one side or of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The sites of the run.
    Sites {
        /// The sites.
        sites: Sites,
        /// Why they are not compared with a base, if they should be.
        no_base: Option<String>,
    },
    /// The sites and those of a base.
    Compared {
        /// The name of the base: `main (4f8762a1c0)`.
        base: String,
        /// The differences.
        diff: Box<SiteDiff>,
    },
}

/// Why a figure has no sites.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unexplained {
    /// The sites don't add up to the counters of their run.
    Inexact,
    /// The executable is another one than the one that measured.
    Rebuilt,
    /// The target has no call stacks.
    Target(String),
    /// The metric has no sites: one of C code.
    Metric,
    /// The second run did not follow live blocks.
    NoLiveBlocks,
    /// The second run has no sites of the scenario: the reason.
    NotMeasured(String),
}

impl Found {
    /// The sites of the run.
    #[must_use]
    pub fn sites(&self) -> &Sites {
        match self {
            Self::Sites { sites, .. } => sites,
            Self::Compared { diff, .. } => &diff.head,
        }
    }
}
