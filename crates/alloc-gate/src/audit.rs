//! [`audit`]: proves that gates can fail. For each comparison of each rule and
//! each scenario that it judges, the smallest breach is put into a copy of the
//! results, and [`evaluate`](crate::evaluate()) has to see it.
//!
//! What a limit comes to is worked out here once more, and whether a figure meets
//! it is not asked of the code that is audited. How it is shown is not known here.

use crate::audit::proof::Workbench;
use crate::diagnostic::Place;
use crate::evaluation::Absence;
use crate::evaluation::FindingKind;
use crate::evaluation::GateSummary;
use crate::evaluation::Skip;
use crate::evaluation::Verdict;
use crate::figure::GrowthClass;
use crate::figure::Measure;
use crate::figure::Statistic;
use crate::judge::Inputs;
use crate::judge::evaluate;
use crate::requirement::Comparison;
use crate::requirement::Requirement;
use crate::rules::Reaction;
use alloc_results::Location;
use alloc_results::Ratio;

mod injection;
mod limits;
mod loose_limits;
mod moves;
mod proof;
mod series;
mod target;

/// A breach is injected for this many scenarios of each comparison at most; in a
/// larger suite the rest is counted.
pub const MOST_SCENARIOS: usize = 32;

/// Which gates can fail, and what else makes a suite weaker than it looks.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The rules' file, as it was given.
    pub config_file: String,
    /// The gates, in the order of the file.
    pub gates: Vec<GateAudit>,
    /// The scenarios that nothing gates.
    pub ungated: Vec<(String, Location)>,
    /// The waivers that hide nothing: the gate's name, and where the waiver stands.
    pub idle_waivers: Vec<(String, Place)>,
    /// The limits far from reality.
    pub loose_limits: Vec<LooseLimit>,
    /// How many scenarios were measured.
    pub scenarios: usize,
}

/// A gate and the proofs of its rules.
#[derive(Clone, Debug)]
pub struct GateAudit {
    /// Its name.
    pub name: String,
    /// Where it stands in the rules' file.
    pub place: Place,
    /// Why it is skipped, where it is: nothing can be proved of it here.
    pub skip: Option<Skip>,
    /// The rules, in the order of the file.
    pub rules: Vec<RuleAudit>,
}

/// A rule and the proofs of its comparisons.
#[derive(Clone, Debug)]
pub struct RuleAudit {
    /// What is judged.
    pub metric: Measure,
    /// Which figure of it.
    pub statistic: Statistic,
    /// What the figure has to be.
    pub requirement: Requirement,
    /// Where it stands in the rules' file.
    pub place: Place,
    /// Its comparisons, as they stand there.
    pub comparisons: Vec<ComparisonAudit>,
}

/// A comparison, and what came of breaking it.
#[derive(Clone, Debug)]
pub struct ComparisonAudit {
    /// Which one.
    pub comparison: Comparison,
    /// A proof for each scenario or series.
    pub proofs: Vec<Proof>,
    /// For how many more none was tried.
    pub left_out: usize,
}

/// What came of breaking a comparison on a scenario or a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Its name.
    pub scenario: String,
    /// Where it was registered.
    pub location: Location,
    /// What was injected, for each direction in which the comparison can be broken.
    pub mutations: Vec<Mutation>,
    /// What it shows.
    pub found: Found,
}

/// A change of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// The figure that was measured.
    pub before: Figure,
    /// The figure that the results were made to have.
    pub after: Figure,
    /// How many iterations were changed, or batches of the timed pass, for a
    /// figure; how many scenarios, for growth.
    pub changed: u64,
    /// The verdict on the judgement then.
    pub verdict: Verdict,
}

/// What a comparison is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A figure of a scenario.
    Value(Ratio),
    /// How a series grows.
    Growth(GrowthClass),
}

/// What a proof shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Each breach was seen: the verdict was `fail`, and the check failed.
    Caught,
    /// It fails on the results as they are, so it need not be broken.
    Failing,
    /// A breach was not seen.
    Missed,
    /// No results could break it.
    OutOfReach(Why),
    /// It can't be told here.
    Inconclusive(Inconclusive),
}

/// Why no results could break a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The figures of records don't go so far.
    Range {
        /// What the limit comes to.
        limit: String,
        /// The least figure that records can have here, where that is in the way.
        least: Option<String>,
        /// The largest.
        most: Option<String>,
    },
    /// The limit is the scenario's own figure, and moves with it.
    Itself,
    /// No points grow faster.
    Growth,
}

/// Why it can't be told whether a comparison can be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inconclusive {
    /// Something is missing.
    Missing(Absence),
    /// A waiver allows the smallest breach.
    Waived,
    /// Another comparison of the requirement fails already.
    Hidden,
}

/// A limit far from reality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooseLimit {
    /// The gate's name.
    pub gate: String,
    /// What is judged.
    pub metric: Measure,
    /// Which figure of it.
    pub statistic: Statistic,
    /// The requirement as it is.
    pub requirement: Requirement,
    /// Where it stands in the rules' file.
    pub place: Place,
    /// The scenario with the worst figure.
    pub scenario: String,
    /// That figure.
    pub worst: Ratio,
    /// The requirement that it just meets, where it can be written.
    pub tightened: Option<Requirement>,
}

/// What is known of a comparison, and so of a rule and of a gate: the worst wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuditStatus {
    /// It was seen to fail with a breach.
    Proved,
    /// It fails on the results as they are.
    Failing,
    /// Nothing could be proved here.
    Inconclusive,
    /// It can't fail, or was not seen to.
    CannotFail,
}

/// What an audit comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuditOutcome {
    /// Whatever could be proved here, was.
    Proved,
    /// A gate has a comparison that can't fail.
    CannotFail,
    /// There was nothing to prove anything with.
    NothingAudited,
}

/// Breaks each comparison of each gate in a copy of the results.
#[must_use]
pub fn audit(inputs: &Inputs<'_>) -> Audit {
    let mut config = inputs.config.clone();
    // What is not mentioned elsewhere is an audit's business.
    for reaction in [&mut config.policy.ungated, &mut config.policy.stale] {
        if *reaction == Reaction::Allow {
            *reaction = Reaction::Warn;
        }
    }
    let real = evaluate(&Inputs {
        config: &config,
        ..*inputs
    });
    let mut workbench = Workbench::new(inputs);
    let gates = real.gates.iter().enumerate();
    let gates = gates
        .map(|(index, summary)| gate(index, summary, inputs, &mut workbench))
        .collect();
    let mut audit = Audit {
        config_file: inputs.config.file().to_owned(),
        gates,
        ungated: Vec::new(),
        idle_waivers: Vec::new(),
        loose_limits: loose_limits::find(inputs.config, &real.gates),
        scenarios: real.scenarios.len(),
    };
    for finding in real.findings {
        match finding.kind {
            FindingKind::Ungated { scenario, location } => audit.ungated.push((scenario, location)),
            FindingKind::IdleWaiver { gate, place } => {
                audit.idle_waivers.push((gate, place));
            }
            FindingKind::Nondeterministic { .. }
            | FindingKind::Foreign { .. }
            | FindingKind::Panicked { .. }
            | FindingKind::Filtered
            | FindingKind::Unmeasured { .. }
            | FindingKind::OtherToolchain { .. }
            | FindingKind::StaleDocument { .. }
            | FindingKind::NoDocument { .. }
            | FindingKind::UnmatchedExclude { .. }
            | FindingKind::UnansweredCondition { .. }
            | FindingKind::ExpiredWaiver { .. }
            | FindingKind::UnmatchedWaiver { .. }
            | FindingKind::TableUnmatchedPattern { .. }
            | FindingKind::TableMissingAxis { .. }
            | FindingKind::TableAmbiguousCells { .. }
            | FindingKind::TableMissingBaseline { .. }
            | FindingKind::TableNoHistory { .. } => {}
        }
    }
    audit
}

fn gate(
    index: usize,
    summary: &GateSummary,
    inputs: &Inputs<'_>,
    workbench: &mut Workbench<'_>,
) -> GateAudit {
    let gate = &inputs.config.gates[index];
    workbench.take(index);
    let rules = gate.rules.iter().map(|rule| {
        let comparisons = rule.requirement.comparisons().iter();
        RuleAudit {
            metric: rule.metric.clone(),
            statistic: rule.statistic,
            requirement: rule.requirement.as_ref().clone(),
            place: rule.place,
            comparisons: comparisons
                .map(|comparison| workbench.compare(rule, comparison, summary))
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
    /// What it comes to.
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

    /// All mutations that were injected.
    pub fn mutations(&self) -> impl Iterator<Item = &Mutation> {
        self.rules().flat_map(RuleAudit::mutations)
    }
}

impl GateAudit {
    /// The worst of its rules; nothing is told of one without any.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        let statuses = self.rules.iter().map(RuleAudit::status);
        statuses.max().unwrap_or(AuditStatus::Inconclusive)
    }
}

impl RuleAudit {
    /// The worst of its comparisons.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        let statuses = self.comparisons.iter().map(ComparisonAudit::status);
        statuses.max().unwrap_or(AuditStatus::Inconclusive)
    }

    /// The mutations of all its comparisons.
    pub fn mutations(&self) -> impl Iterator<Item = &Mutation> {
        let proofs = self.comparisons.iter().flat_map(|c| &c.proofs);
        proofs.flat_map(|proof| &proof.mutations)
    }
}

impl ComparisonAudit {
    /// What is known: one scenario that breaks it is enough, and one breach that
    /// was not seen is too much.
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
