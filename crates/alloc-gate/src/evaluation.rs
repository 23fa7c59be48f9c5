//! [`Evaluation`]: what [`evaluate`](crate::evaluate()) found, as data. A failure
//! is a result here and no error; reporters write it down and decide nothing.

mod finding;
mod judgement;
mod table;

use std::sync::Arc;

use alloc_results::UnavailableScenario;
pub use finding::{Finding, FindingKind, Level, ScopeRemark, TableRemark};
pub use judgement::{Absence, Details, Judgement, Verdict, WaiverNote};
pub use table::{
    Compared, Content, Crowding, Gap, PivotCell, PivotColumn, PivotHistory, PivotRow, PivotTable,
    Tables,
};

use crate::diagnostic::Place;
use crate::results::MeasuredScenario;
use crate::rules::Reaction;

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
    pub scenarios: Arc<[MeasuredScenario]>,
    /// The tables that the rules ask for, see [`Evaluation::with_tables`].
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
    /// The same, with the tables that the rules ask for, and what was noticed about
    /// those.
    #[must_use]
    pub fn with_tables(mut self, tables: Tables) -> Self {
        self.tables = tables.tables;
        self.findings.extend(tables.findings);
        self
    }

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
        let codes: BTreeSet<&str> = codes.chain(FindingKind::CODES).collect();
        assert_eq!(headings.iter().copied().collect::<BTreeSet<_>>(), codes);
        assert_eq!(headings.len(), codes.len(), "each once");
    }
}
