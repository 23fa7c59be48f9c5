//! [`Evaluation`]: what [`evaluate`](crate::evaluate()) found, as data. A failure
//! is a result here and no error; reporters write it down and decide nothing.

use std::fmt;
use std::sync::Arc;

use alloc_results::{BenchId, Location, Ratio, UnavailableScenario};

use crate::config::Reaction;
use crate::diagnostic::Place;
use crate::measurements::Measured;
use crate::pivot::{PivotTable, TableRemark};
use crate::{Bound, Comparison, Date, Growth, Measure, Requirement, Statistic};

/// All verdicts of a run.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The rules' file, as it was given.
    pub config_file: String,
    /// The gates, in the order of the file.
    pub gates: Vec<GateSummary>,
    /// What else was noticed.
    pub findings: Vec<Finding>,
    /// What was measured, in order, for tables.
    pub scenarios: Arc<[Measured]>,
    /// The tables that the rules ask for.
    pub tables: Vec<PivotTable>,
    /// How many scenarios a person left out, so that nothing is said of them.
    pub left_out: usize,
    /// What the policy says of stale verdicts.
    pub stale: Reaction,
    /// Whether the baseline is one that `accept` can replace. A git ref is not.
    pub is_acceptable: bool,
}

/// A gate and its verdicts.
#[derive(Clone, Debug)]
pub struct GateSummary {
    /// Its name.
    pub name: String,
    /// Why it exists.
    pub reason: Option<String>,
    /// Where it stands in the rules' file.
    pub place: Place,
    /// How many scenarios it judges; a series of them has but one judgement.
    pub scenarios: usize,
    /// Each requirement on each scenario.
    pub judgements: Vec<Judgement>,
    /// The patterns whose scenarios are missing, with their places: nothing that
    /// was measured matches them. None when a part of the benches was selected,
    /// since the others may have them.
    pub unmatched: Vec<(String, Place)>,
    /// The scenarios that it is about and that could not be measured, each with the
    /// reason.
    pub unavailable: Vec<UnavailableScenario>,
    /// Whether it excludes some of what its patterns match.
    pub excludes: bool,
    /// Why it is skipped, where that is the verdict.
    pub skip: Option<Skip>,
    /// The worst of all.
    pub verdict: Verdict,
}

/// One requirement on one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The scenario's full name.
    pub scenario: String,
    /// The bench that it belongs to.
    pub bench: BenchId,
    /// Where it was registered.
    pub location: Location,
    /// What is judged.
    pub metric: Measure,
    /// Which figure of it.
    pub statistic: Statistic,
    /// What the figure has to be.
    pub requirement: Arc<Requirement>,
    /// Where the requirement stands in the rules' file.
    pub place: Place,
    /// The figure; `None` when it was not measured.
    pub measured: Option<Ratio>,
    /// The figure in the baseline, where the requirement asks for it and it is
    /// there.
    pub baseline: Option<Ratio>,
    /// Which comparison of the requirement decided, where one did.
    pub decisive: Option<usize>,
    /// What else there is to say, where there is.
    pub details: Option<Box<Details>>,
    /// The waiver that was asked, where the requirement does not hold and one is
    /// in force. Whether that one holds is the verdict.
    pub waiver: Option<Box<WaiverNote>>,
    /// The verdict.
    pub verdict: Verdict,
}

/// What few judgements have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// What the limit of the comparison that decided, or else of the last one,
    /// comes to, where it has to be worked out.
    pub limit: Option<Bound>,
    /// The other scenario of the same comparison, and the figure there.
    pub reference: Option<(String, Option<Ratio>)>,
    /// How the figure grows, of a requirement on growth.
    pub growth: Option<Growth>,
    /// The points that are too few or too near to each other to tell that.
    pub points: Vec<(u64, Ratio)>,
    /// The requirement that the figures of all scenarios of the rule meet, where
    /// they are far better than this one.
    pub tightened: Option<Requirement>,
}

impl Judgement {
    /// The comparison that decided, where one did.
    #[must_use]
    pub fn decisive(&self) -> Option<&Comparison> {
        self.requirement.comparisons().get(self.decisive?)
    }

    /// How the figure grows, of a requirement on growth that was judged.
    #[must_use]
    pub fn growth(&self) -> Option<&Growth> {
        self.details.as_ref()?.growth.as_ref()
    }
}

/// A waiver of a judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaiverNote {
    /// What it requires instead.
    pub requirement: Arc<Requirement>,
    /// Where that stands in the rules' file.
    pub place: Place,
    /// Why it exists.
    pub reason: String,
    /// Where it is worked on.
    pub issue: Option<String>,
    /// The last day on which it holds.
    pub until: Option<Date>,
}

/// Why a gate is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skip {
    /// A person selected some benches, and none of its scenarios.
    NotSelected,
    /// A person selected some scenarios, and not those that its own are compared
    /// with.
    OthersNotSelected,
    /// Its `when` does not hold.
    When {
        /// The `when`, as it is written.
        condition: String,
        /// The target that it does not hold for.
        target: String,
        /// Whether debug assertions were compiled in, where it asks for them.
        debug_assertions: Option<bool>,
    },
    /// Its `rustc` does not hold.
    Rustc {
        /// The `rustc`, as it is written.
        requirement: String,
        /// The compiler that it does not hold for.
        rustc: String,
    },
    /// Nothing says whether it applies; a denied finding says so as well.
    Unanswered,
}

/// What became of a requirement or of a gate, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It does not apply to what was selected.
    Skipped,
    /// It holds.
    Pass,
    /// It does not hold, and a waiver in force allows that.
    Waived,
    /// It holds, and the figure is better than the baseline: the improvement
    /// would be lost again unnoticed. A pass where the policy allows it.
    Stale,
    /// There is nothing to judge, or nothing to judge it by.
    Missing(Absence),
    /// It does not hold.
    Fail,
}

/// What is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Absence {
    /// The metric was not measured in the scenario.
    Metric,
    /// The scenario measures it in another unit than the rules declare.
    Unit,
    /// The baseline has nothing of the environment.
    Environment,
    /// The baseline does not have the scenario, or not this metric of it.
    Baseline,
    /// The baseline's total is over another number of iterations.
    Iterations,
    /// The scenario does not say on how many elements it works, or works on none.
    Elements,
    /// The scenario that the limit refers to was not measured, or not this figure
    /// of it.
    Reference,
    /// The scenario has no axis of whole numbers to grow over, or several.
    Axis,
    /// There are too few points to tell how the figure grows.
    Points,
    /// The points lie too near to each other for that.
    Span,
    /// The scenario could not be measured where its bench ran.
    Unavailable,
    /// No scenario matches.
    Scenario,
}

/// Something beside the verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it fails the check.
    pub level: Level,
    /// What it is.
    pub remark: Remark,
}

/// Whether a finding fails the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// It does.
    Deny,
    /// It does not, and is shown.
    Warn,
}

/// What was noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// No gate applies to the scenario.
    Ungated {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
    },
    /// The iterations of the scenario differ.
    Nondeterministic {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
        /// The metrics that differ, with the smallest and the largest value.
        ranges: Vec<(String, i128, i128)>,
    },
    /// Other threads allocated while a scenario of thread scope was counted, and
    /// no figure has that.
    Foreign {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
        /// What the others allocated in all counted iterations together.
        allocs: u64,
        /// What they gave back.
        deallocs: u64,
        /// The number of counted iterations.
        iterations: u64,
    },
    /// The scenario panicked, and so was not measured.
    Panicked {
        /// The full name.
        scenario: String,
        /// Where it was registered.
        location: Location,
        /// What it said.
        message: String,
    },
    /// A filter left scenarios out of a bench.
    Filtered,
    /// The baseline has the scenario for this environment, and nothing measured
    /// it.
    Unmeasured {
        /// The full name.
        scenario: String,
        /// The bench that had it.
        bench: BenchId,
    },
    /// The baseline's figures are of another compiler.
    OtherToolchain {
        /// The compiler that the baseline was measured with.
        accepted: String,
        /// The compiler of this run.
        here: String,
    },
    /// The baseline's page does not show its data.
    StaleDocument {
        /// The page, as the rules name it.
        file: String,
    },
    /// The baseline's page is not there.
    NoDocument {
        /// The page, as the rules name it.
        file: String,
    },
    /// Something about where a rule applies.
    Scope(ScopeRemark),
    /// Something about a table.
    Table(TableRemark),
}

/// What was noticed about where rules apply. Places are in the rules' file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeRemark {
    /// What a gate excludes is not there.
    UnmatchedExclude {
        /// The gate's name.
        gate: String,
        /// The glob.
        pattern: String,
        /// Where the glob stands.
        place: Place,
    },
    /// Nothing says whether a gate or a waiver applies.
    Unanswered {
        /// Which one, in words.
        owner: String,
        /// Its condition.
        condition: String,
        /// What nothing is known of: a target or a compiler.
        about: String,
        /// Where it stands.
        place: Place,
    },
    /// A waiver's last day is over.
    ExpiredWaiver {
        /// The gate that it is of.
        gate: String,
        /// Its last day.
        until: Date,
        /// Why it was there.
        reason: String,
        /// Where it was to be worked on.
        issue: Option<String>,
        /// Where it stands.
        place: Place,
    },
    /// A waiver of what holds without it.
    IdleWaiver {
        /// The gate that it is of.
        gate: String,
        /// Where it stands.
        place: Place,
    },
    /// A waiver for scenarios that the gate does not judge.
    UnmatchedWaiver {
        /// The gate that it is of.
        gate: String,
        /// The glob.
        pattern: String,
        /// Where the glob stands.
        place: Place,
    },
}

/// What the check comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Everything was measured and every gate held.
    Held,
    /// Something was broken, missing, or found and denied.
    Failed,
    /// No gate applied to anything: nothing was proved.
    NothingJudged,
}

/// How many gates came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Gates that were judged: all but the skipped ones.
    pub judged: usize,
    /// Gates that hold.
    pub passed: usize,
    /// Gates that don't.
    pub failed: usize,
    /// Gates that lack something.
    pub missing: usize,
    /// Gates that hold but for what is waived.
    pub waived: usize,
    /// Gates that hold by more than they should.
    pub stale: usize,
    /// Gates that don't apply, for whatever reason.
    pub skipped: usize,
    /// Those of them that don't apply because nobody selected their scenarios.
    pub not_selected: usize,
    /// Findings that fail the check.
    pub denied: usize,
    /// Scenarios that were measured.
    pub scenarios: usize,
}

impl Evaluation {
    /// What the check comes to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let tally = self.tally();
        let stale_fails = self.stale == Reaction::Deny && tally.stale > 0;
        if tally.failed + tally.missing + tally.denied > 0 || stale_fails {
            Outcome::Failed
        } else if tally.judged == 0 {
            Outcome::NothingJudged
        } else {
            Outcome::Held
        }
    }

    /// How many gates came to what.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally {
            scenarios: self.scenarios.len(),
            denied: self
                .findings
                .iter()
                .filter(|finding| finding.level == Level::Deny)
                .count(),
            ..Tally::default()
        };
        for gate in &self.gates {
            let count = match gate.verdict {
                Verdict::Skipped => &mut tally.skipped,
                Verdict::Pass => &mut tally.passed,
                Verdict::Waived => &mut tally.waived,
                Verdict::Stale => &mut tally.stale,
                Verdict::Missing(_) => &mut tally.missing,
                Verdict::Fail => &mut tally.failed,
            };
            *count += 1;
            let is_selected =
                !matches!(gate.skip, Some(Skip::NotSelected | Skip::OthersNotSelected));
            tally.not_selected += usize::from(!is_selected);
        }
        tally.judged = self.gates.len() - tally.skipped;
        tally
    }
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Pass => "pass",
            Self::Waived => "waived",
            Self::Stale => "stale",
            Self::Missing(_) => "missing",
            Self::Fail => "fail",
        }
    }
}

impl Absence {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Unit => "unit",
            Self::Environment => "baseline-environment",
            Self::Baseline => "baseline-figure",
            Self::Iterations => "baseline-iterations",
            Self::Elements => "elements",
            Self::Reference => "reference",
            Self::Axis => "axis",
            Self::Points => "points",
            Self::Span => "span",
            Self::Unavailable => "unavailable",
            Self::Scenario => "scenario",
        }
    }
}

impl Remark {
    /// The stable code; `design/gates.md` has a heading for each.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Ungated { .. } => "ungated-scenario",
            Self::Nondeterministic { .. } => "nondeterministic-scenario",
            Self::Foreign { .. } => "foreign-allocations",
            Self::Panicked { .. } => "panicked-scenario",
            Self::Filtered => "filtered-results",
            Self::Unmeasured { .. } => "unmeasured-scenario",
            Self::OtherToolchain { .. } => "other-toolchain",
            Self::StaleDocument { .. } => "stale-document",
            Self::NoDocument { .. } => "no-document",
            Self::Scope(remark) => remark.code(),
            Self::Table(remark) => remark.code(),
        }
    }

    /// All codes.
    pub const CODES: [&'static str; 19] = [
        "ungated-scenario",
        "nondeterministic-scenario",
        "foreign-allocations",
        "panicked-scenario",
        "filtered-results",
        "unmeasured-scenario",
        "other-toolchain",
        "stale-document",
        "no-document",
        "unmatched-exclude",
        "unanswered-condition",
        "expired-waiver",
        "idle-waiver",
        "unmatched-waiver",
        "table-unmatched-pattern",
        "table-missing-axis",
        "table-ambiguous-cell",
        "table-missing-baseline",
        "table-no-history",
    ];
}

impl ScopeRemark {
    const fn code(&self) -> &'static str {
        match self {
            Self::UnmatchedExclude { .. } => "unmatched-exclude",
            Self::Unanswered { .. } => "unanswered-condition",
            Self::ExpiredWaiver { .. } => "expired-waiver",
            Self::IdleWaiver { .. } => "idle-waiver",
            Self::UnmatchedWaiver { .. } => "unmatched-waiver",
        }
    }
}

impl GateSummary {
    /// The worst of its verdicts; without any, it is skipped.
    pub(crate) fn worst(&self) -> Verdict {
        let missing = (!self.unmatched.is_empty()).then_some(Verdict::Missing(Absence::Scenario));
        let is_available = self.unavailable.is_empty();
        let unavailable = (!is_available).then_some(Verdict::Missing(Absence::Unavailable));
        let verdicts = self.judgements.iter().map(|judgement| judgement.verdict);
        verdicts
            .chain(missing)
            .chain(unavailable)
            .max()
            .unwrap_or(Verdict::Skipped)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn every_code_has_its_own_heading_in_the_page_and_no_other_stands_there() {
        let page = include_str!("../../../design/gates.md");
        let is_code = |heading: &&str| {
            let mut characters = heading.chars();
            characters.all(|c| c == '-' || c.is_ascii_lowercase())
        };
        let headings: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix("### "))
            .filter(is_code)
            .collect();
        let codes = Code::ALL.iter().map(|code| code.name());
        let codes: BTreeSet<&str> = codes.chain(Remark::CODES).collect();
        assert_eq!(headings.iter().copied().collect::<BTreeSet<_>>(), codes);
        assert_eq!(headings.len(), codes.len(), "each once");
    }
}
