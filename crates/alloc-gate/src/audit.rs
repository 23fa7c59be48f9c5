//! [`audit`]: proves that gates can fail. For each comparison of each rule and each
//! scenario that it judges, the audit alters a copy of the results as little as
//! possible so that the comparison no longer holds. [`evaluate`](crate::evaluate())
//! then has to fail the gate.
//!
//! The audit computes limits and altered figures itself, because it checks the code
//! that judges.

use std::sync::Arc;

use alloc_results::{Location, Ratio};

use crate::audit::workbench::Workbench;
use crate::diagnostic::Place;
use crate::evaluation::{Absence, GateSummary, Overrides, Skip, Verdict};
use crate::figure::{Exact, GrowthClass, Measure, Statistic};
use crate::judge::{Inputs, evaluate};
use crate::named::named;
use crate::requirement::{Comparison, Requirement};
use crate::results::Origin;
use crate::rules::Rule;

mod limits;
mod line;
mod loose_limits;
mod moves;
mod open_waivers;
mod planned_breach;
mod records;
mod series;
mod target;
mod workbench;

/// The most scenarios for which each comparison is broken. The audit only counts the
/// others.
pub const MOST_SCENARIOS: usize = 32;

/// Which gates can fail, and other weaknesses of a suite.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The path of the rules' file, as given.
    pub config_file: String,
    /// The gates, in the order of the file.
    pub gates: Vec<GateAudit>,
    /// The waivers without an end or without a limit.
    pub open_waivers: Vec<OpenWaiver>,
    /// The limits far from the measured figures.
    pub loose_limits: Vec<LooseLimit>,
    /// The number of measured scenarios.
    pub scenarios: usize,
    /// Where, when and from which sources each bench measured.
    pub origins: Arc<[Origin]>,
    /// What decided about the run besides the workspace and the command line; the caller
    /// knows it.
    pub overrides: Overrides,
}

/// A gate and the proofs of its rules.
#[derive(Clone, Debug)]
pub struct GateAudit {
    /// Its name.
    pub name: String,
    /// Its place in the rules' file.
    pub place: Place,
    /// Why the gate is skipped, if it is. Nothing can be proved of it then.
    pub skip: Option<Skip>,
    /// The rules, in the order of the file.
    pub rules: Vec<RuleAudit>,
}

/// A rule and the proofs of its comparisons.
#[derive(Clone, Debug)]
pub struct RuleAudit {
    /// The rule.
    pub rule: Rule,
    /// Its comparisons, in the order of the requirement.
    pub comparisons: Vec<ComparisonAudit>,
}

/// A comparison, and the attempts to break it.
#[derive(Clone, Debug)]
pub struct ComparisonAudit {
    /// The comparison.
    pub comparison: Comparison,
    /// A proof for each scenario or series.
    pub proofs: Vec<Proof>,
    /// The number of scenarios beyond [`MOST_SCENARIOS`].
    pub left_out: usize,
}

/// An attempt to break a comparison on a scenario or a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The name of the scenario or series.
    pub scenario: String,
    /// Where it was registered.
    pub location: Location,
    /// The breaches, one for each direction in which the comparison can be broken.
    pub breaches: Vec<Breach>,
    /// The result.
    pub found: Found,
}

/// An alteration of the results, and the verdict on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The figure that was measured.
    pub before: Figure,
    /// The figure of the altered results.
    pub after: Figure,
    /// The number of altered iterations, or batches of the timed pass, for a figure;
    /// the number of altered scenarios for growth.
    pub changed: u64,
    /// The verdict on the altered results.
    pub verdict: Verdict,
}

/// The figure of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A figure of a scenario.
    Value(Ratio),
    /// The growth of a series.
    Growth(GrowthClass),
}

/// The result of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Each breach was caught: the verdict was `fail`, and the check failed.
    Caught,
    /// The comparison fails on the unaltered results, so nothing was injected.
    Failing,
    /// A breach was not caught.
    Missed,
    /// No results can break the comparison.
    Unbreakable(Why),
    /// This run can't show whether the comparison can be broken.
    Inconclusive(Inconclusive),
}

/// Why no results can break a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The comparison fails only outside the range of figures that records can have.
    Range(Box<OutOfRange>),
    /// The limit is the scenario's own figure, so both change together.
    Itself,
    /// No points of records grow faster.
    Growth,
}

/// A limit outside the range of figures that records can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// The value of the limit.
    pub limit: Exact,
    /// The smallest figure of a record, if the comparison needs a smaller one to fail.
    pub least: Option<Exact>,
    /// The largest figure of a record, if the comparison needs a larger one to fail.
    pub most: Option<Exact>,
}

/// Why a run can't show whether a comparison can be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inconclusive {
    /// A figure or a limit is missing.
    Missing(Absence),
    /// A waiver allows the smallest breach.
    Waived,
    /// Another comparison of the requirement fails on the unaltered results.
    Hidden,
    /// The limit is computed from a figure that changes with the limited one.
    Coupled,
}

/// A limit far from the measured figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooseLimit {
    /// The gate's name.
    pub gate: String,
    /// The rule as it is.
    pub rule: Rule,
    /// The scenario with the worst figure.
    pub scenario: String,
    /// The worst figure.
    pub worst: Ratio,
    /// The tightest requirement that the worst figure meets, if it can be written.
    pub tightened: Option<Requirement>,
}

/// A waiver in force that has no end, or allows any figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenWaiver {
    /// The gate's name.
    pub gate: String,
    /// Where the waiver stands.
    pub place: Place,
    /// Whether it has an `until`.
    pub has_end: bool,
    /// The figures that it is for; never empty.
    pub hides: Vec<HiddenFigure>,
}

/// A figure of an [`OpenWaiver`], and the failures that the waiver would hide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenFigure {
    /// The name of the scenario or series.
    pub scenario: String,
    /// The metric.
    pub metric: Measure,
    /// The statistic of the metric.
    pub statistic: Statistic,
    /// The gate's requirement.
    pub required: Requirement,
    /// The waiver's.
    pub allowed: Requirement,
    /// Whether the waiver sets no limit where the gate sets one, so that any failure is hidden.
    pub is_unlimited: bool,
}

named! {
    /// The status of a comparison, or the worst one in a rule or gate.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum AuditStatus {
        /// It failed with a breach.
        Proved = "proved",
        /// It fails on the unaltered results.
        Failing = "failing",
        /// This run can't show whether it can fail.
        Inconclusive = "not-proved",
        /// It can't fail, or did not fail with a breach.
        CannotFail = "cannot-fail",
    }
}

named! {
    /// The result of an audit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum AuditOutcome {
        /// Every rule can fail, as far as this run can show.
        Proved = "proved",
        /// A gate has a comparison that can't fail.
        CannotFail = "cannot-fail",
        /// The run could not prove anything.
        NothingAudited = "nothing-audited",
    }
}

/// Breaks each comparison of each gate in a copy of the results.
#[must_use]
pub fn audit(inputs: &Inputs<'_>) -> Audit {
    let baseline = inputs.moved_baseline();
    let inputs = &Inputs {
        baseline: baseline.as_deref(),
        ..*inputs
    };
    let real = evaluate(inputs);
    let mut workbench = Workbench::new(inputs);
    let gates = real.gates.iter().enumerate();
    let gates = gates
        .map(|(index, summary)| gate(index, summary, inputs, &mut workbench))
        .collect();
    Audit {
        config_file: inputs.config.file().to_owned(),
        gates,
        open_waivers: open_waivers::find(inputs, &real.gates),
        loose_limits: loose_limits::find(inputs.config, &real.gates),
        scenarios: real.scenarios.len(),
        origins: real.origins,
        overrides: real.overrides,
    }
}

fn gate(
    index: usize,
    summary: &GateSummary,
    inputs: &Inputs<'_>,
    workbench: &mut Workbench<'_>,
) -> GateAudit {
    let gate = &inputs.config.gates[index];
    workbench.set_gate(index);
    let rules = gate.rules.iter().map(|rule| {
        let comparisons = rule.requirement.comparisons().iter();
        RuleAudit {
            rule: rule.clone(),
            comparisons: comparisons
                .map(|comparison| workbench.audit(rule, comparison, summary))
                .collect(),
        }
    });
    GateAudit {
        name: gate.name.clone(),
        place: gate.place,
        rules: rules.collect(),
        skip: summary.skip.clone(),
    }
}

impl Audit {
    /// The result of the audit.
    #[must_use]
    pub fn outcome(&self) -> AuditOutcome {
        let statuses = || self.gates.iter().map(GateAudit::status);
        if statuses().any(|status| status == AuditStatus::CannotFail) {
            AuditOutcome::CannotFail
        } else if self
            .rules()
            .all(|rule| rule.status() == AuditStatus::Inconclusive)
        {
            AuditOutcome::NothingAudited
        } else {
            AuditOutcome::Proved
        }
    }

    /// The rules of all gates.
    pub fn rules(&self) -> impl Iterator<Item = &RuleAudit> {
        self.gates.iter().flat_map(|gate| &gate.rules)
    }

    /// All injected breaches.
    pub fn breaches(&self) -> impl Iterator<Item = &Breach> {
        self.rules().flat_map(RuleAudit::breaches)
    }
}

impl GateAudit {
    /// The worst status of its rules; `Inconclusive` without rules.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        let statuses = self.rules.iter().map(RuleAudit::status);
        statuses.max().unwrap_or(AuditStatus::Inconclusive)
    }
}

impl RuleAudit {
    /// The worst status of its comparisons; `Inconclusive` without comparisons.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        let statuses = self.comparisons.iter().map(ComparisonAudit::status);
        statuses.max().unwrap_or(AuditStatus::Inconclusive)
    }

    /// The breaches of all its comparisons.
    pub fn breaches(&self) -> impl Iterator<Item = &Breach> {
        let proofs = self.comparisons.iter().flat_map(|c| &c.proofs);
        proofs.flat_map(|proof| &proof.breaches)
    }
}

impl ComparisonAudit {
    /// The status. One caught breach proves the comparison, and one missed breach
    /// disproves it.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        let any = |is: fn(&Found) -> bool| self.proofs.iter().any(|proof| is(&proof.found));
        if any(|found| *found == Found::Missed) {
            AuditStatus::CannotFail
        } else if any(|found| *found == Found::Failing) {
            AuditStatus::Failing
        } else if any(|found| *found == Found::Caught) {
            AuditStatus::Proved
        } else if self.proofs.is_empty() || any(|found| matches!(found, Found::Inconclusive(_))) {
            AuditStatus::Inconclusive
        } else {
            AuditStatus::CannotFail
        }
    }
}

#[cfg(test)]
mod tests;
