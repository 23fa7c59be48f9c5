//! [`Explained`]: a figure of a scenario with the lines behind it, or why there are none.

use std::fmt;

use alloc_results::{BenchId, Metric, Ratio};

use crate::figure::Statistic;
use crate::sites::attribute::Sites;
use crate::sites::diff::SiteDiff;
use crate::sites::site::ScenarioSites;

/// A figure of a scenario, with the lines behind it.
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
    /// The figure in the run that was judged, if it is one of the scenario and not of a series,
    /// and the sites are those of a second run.
    pub judged: Option<Ratio>,
    /// The figures of the baseline, in the same statistic.
    pub accepted: Vec<(Metric, Ratio)>,
    /// Whether reports show call stacks as well.
    pub shows_stacks: bool,
    /// The lines.
    pub found: Result<Found, Unexplained>,
}

impl Explained {
    /// A figure whose lines were not looked for yet.
    #[must_use]
    pub fn new(bench: &BenchId, scenario: &str, metric: Metric, statistic: Statistic) -> Self {
        Self {
            bench: bench.clone(),
            scenario: scenario.to_owned(),
            label: scenario.to_owned(),
            metric,
            statistic,
            is_failure: false,
            judged: None,
            accepted: Vec::new(),
            shows_stacks: false,
            found: Err(Unexplained::Because(String::from("nothing was run"))),
        }
    }

    /// The figure of a metric in the baseline.
    pub(crate) fn accepted(&self, metric: Metric) -> Option<Ratio> {
        let mut accepted = self.accepted.iter();
        accepted
            .find(|(one, _)| *one == metric)
            .map(|(_, figure)| *figure)
    }
}

/// The lines of one side or of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The sites of the run.
    Sites {
        /// The sites.
        sites: Box<Sites>,
        /// The commit since which lines count as edited: `main (4f8762a1c0)`.
        since: Option<String>,
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
pub enum Unexplained {
    /// The sites don't add up to the counters of their run, which is a bug.
    Inexact,
    /// The reason.
    Because(String),
}

impl fmt::Display for Unexplained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inexact => "they don't add up to the counters; please report this bug",
            Self::Because(reason) => reason,
        })
    }
}

impl Unexplained {
    /// Why call stacks tell nothing about a metric; `None` if they do.
    #[must_use]
    pub fn of_metric(metric: Metric, sites: &ScenarioSites) -> Option<Self> {
        let because = |why: &str| Some(Self::Because(why.to_owned()));
        let samples = sites.all_samples().filter(|one| !one.rows.is_empty());
        let befores: Vec<_> = samples.map(|one| one.before).collect();
        let mut followed = befores.iter().flatten();
        if metric != Metric::PeakBytes {
            None
        } else if befores.contains(&None) {
            because("live blocks were not followed")
        } else if followed.any(|before| before.peak_bytes.is_none()) {
            because("the blocks that were live at the peak are not known")
        } else {
            None
        }
    }
}

impl Found {
    /// The name of the commit since which lines count as edited.
    pub(crate) fn since(&self) -> Option<&str> {
        match self {
            Self::Sites { since, .. } => since.as_deref(),
            Self::Compared { base, .. } => Some(base),
        }
    }

    /// The sites of the run.
    #[must_use]
    pub fn sites(&self) -> &Sites {
        match self {
            Self::Sites { sites, .. } => sites,
            Self::Compared { diff, .. } => &diff.head,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::{BeforeRow, SampleSites, SiteRow};

    use super::*;

    #[test]
    fn peaks_are_known_if_those_of_all_iterations_are() {
        let sample = |before: Option<Option<i64>>| SampleSites {
            rows: vec![SiteRow::default()],
            before: before.map(|peak_bytes| BeforeRow {
                peak_bytes,
                ..BeforeRow::default()
            }),
        };
        let [known, open, not_followed] = [Some(Some(-8)), Some(None), None].map(sample);
        let nothing = SampleSites::default();
        let not_known = "the blocks that were live at the peak are not known";
        for (first, other, expected) in [
            (&known, &nothing, None),
            (
                &known,
                &open,
                Some(Unexplained::Because(not_known.to_owned())),
            ),
            (
                &open,
                &not_followed,
                Some(Unexplained::Because(
                    "live blocks were not followed".to_owned(),
                )),
            ),
        ] {
            let sites = ScenarioSites {
                first: first.clone(),
                samples: vec![(other.clone(), 1)],
                ..ScenarioSites::default()
            };
            assert_eq!(Unexplained::of_metric(Metric::PeakBytes, &sites), expected);
            assert_eq!(Unexplained::of_metric(Metric::Allocs, &sites), None);
        }
    }
}
