//! [`Evaluation`]: the result of [`evaluate`](crate::evaluate()), as data. A failed gate is a
//! result, not an error.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;
use std::{fmt, slice};

use alloc_results::{BenchId, Location, Metric, Ratio};
use indexmap::IndexMap;

use crate::baseline::AcceptedScenario;
use crate::diagnostic::{Code, Diagnostic, Level, Place};
use crate::growth::{Growth, GrowthClass};
use crate::measure::{Measure, Statistic};
use crate::requirement::{Comparison, Limit, Requirement};
use crate::results::names::{IdRef, base_name, series_name};
use crate::results::{MeasuredScenario, Origin};
use crate::rules::Reaction;
use crate::sites::Explained;

/// All verdicts and findings of a run.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The path of the rules' file, as given.
    pub config_file: String,
    /// The gates, in the order of the file.
    pub gates: Vec<GateSummary>,
    /// Problems that are not verdicts.
    pub findings: Vec<Diagnostic>,
    /// The measured scenarios, in order.
    pub scenarios: Arc<[MeasuredScenario]>,
    /// The numbers of the scenarios with a value that fails the check.
    pub failed: BTreeSet<usize>,
    /// The numbers of the judged scenarios that keep blocks in each iteration, while no gate limits
    /// what they keep.
    pub keeping: Vec<usize>,
    /// What the baseline has of each of the scenarios; empty without a baseline. Reports show what
    /// changed.
    pub accepted: Vec<InBaseline>,
    /// Where, when and from which sources each bench measured.
    pub origins: Arc<[Origin]>,
    /// The lines behind values, see [`Evaluation::with_sites`].
    pub explained: Vec<Explained>,
    /// The number of scenarios that the user left out; nothing is reported about them.
    pub left_out: usize,
    /// The number of benches that the rules name and leave out here, by `run = false` or a `when`.
    /// The caller adds it.
    pub benches_left_out: usize,
    /// The policy's reaction to stale verdicts.
    pub stale: Reaction,
    /// Whether the values of the baseline were accepted. Those of a commit were measured, and
    /// `accept` approves changes to them.
    pub is_acceptable: bool,
}

/// What the baseline has of a measured scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InBaseline {
    /// Nothing, because it has no values of the scenario's environment.
    NoEnvironment,
    /// Nothing, because the scenario is new.
    New,
    /// These values.
    Accepted(Box<AcceptedScenario>),
}

#[derive(Clone, Debug)]
pub struct GateSummary {
    /// The gate's name.
    pub name: String,
    /// Why the gate exists.
    pub reason: Option<String>,
    /// The place of the gate in the rules' file.
    pub place: Place,
    /// The number of scenarios that the gate judges. A series of scenarios has only one
    /// judgement.
    pub scenarios: usize,
    /// A judgement for each requirement on each scenario. Of very many, the worst and the first.
    pub judgements: Vec<Judgement>,
    /// The number of other judgements.
    pub left_out: usize,
    /// The patterns that match no measured scenario, unless only a part of the benches was
    /// selected, and the scenarios that could not be measured.
    pub unmatched: Vec<Diagnostic>,
    /// Why the gate is skipped, if it is.
    pub skip: Option<Diagnostic>,
    /// The worst of all its verdicts.
    pub verdict: Verdict,
}

named! {
    /// The result of the whole check, with its name in the JSON report.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Outcome {
        /// Everything was measured and every gate holds.
        Held = "held",
        /// A gate failed or lacks something, or a finding is denied.
        Failed = "failed",
        /// No gate applied to anything.
        NothingJudged = "nothing-judged",
    }
}

/// The number of gates by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Gates that were judged: all except the skipped ones.
    pub judged: usize,
    /// Gates that hold.
    pub passed: usize,
    /// Gates that don't hold.
    pub failed: usize,
    /// Gates with a value or a scenario missing.
    pub missing: usize,
    /// Gates with values better than the baseline.
    pub stale: usize,
    /// Gates that don't apply, for any reason.
    pub skipped: usize,
    /// Skipped gates whose scenarios were not selected.
    pub not_selected: usize,
    /// Findings that fail the check.
    pub denied: usize,
    /// Scenarios that were measured.
    pub scenarios: usize,
}

impl Evaluation {
    /// This evaluation with the lines behind some values, which reports show below the
    /// scenarios that fail.
    #[must_use]
    pub fn with_sites(mut self, mut explained: Vec<Explained>) -> Self {
        let subjects = Subjects::new(&self);
        for one in &mut explained {
            let accepted =
                Metric::ALL.map(|metric| Some((metric, subjects.accepted(one, metric)?)));
            one.accepted = accepted.into_iter().flatten().collect();
        }
        self.explained = explained;
        self
    }

    /// All diagnostics, each once: what gates lack, and the findings.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<&Diagnostic> {
        let lacking = self.gates.iter().flat_map(|gate| {
            let details = gate
                .judgements
                .iter()
                .filter_map(|one| one.details.as_ref());
            let missing = details.filter_map(|details| details.missing.as_deref());
            missing.chain(&gate.unmatched)
        });
        let mut said = HashSet::new();
        let all = lacking.chain(&self.findings);
        all.filter(|one| said.insert((one.code, &one.message)))
            .collect()
    }

    /// The result of the whole check.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let tally = self.tally();
        if tally.denied > 0 || self.gates.iter().any(|gate| self.fails(gate.verdict)) {
            Outcome::Failed
        } else if tally.judged == 0 {
            Outcome::NothingJudged
        } else {
            Outcome::Held
        }
    }

    /// Whether a verdict is a problem, and whether it fails the check.
    #[must_use]
    pub fn level(&self, verdict: Verdict) -> Option<Level> {
        match verdict {
            Verdict::Fail | Verdict::Missing(_) => Some(Level::Deny),
            Verdict::Stale => Some(match self.stale {
                Reaction::Deny => Level::Deny,
                Reaction::Warn | Reaction::Allow => Level::Warn,
            }),
            Verdict::Pass | Verdict::Skipped => None,
        }
    }

    pub(crate) fn fails(&self, verdict: Verdict) -> bool {
        self.level(verdict) == Some(Level::Deny)
    }

    /// The number of gates by verdict.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally::of_all(slice::from_ref(self))
    }
}

impl Outcome {
    /// The result of the checks of several environments: the worst one. An environment in
    /// which nothing was judged is not made up for by another.
    #[must_use]
    pub fn of_all(evaluations: &[Evaluation]) -> Self {
        let outcomes: Vec<Self> = evaluations.iter().map(Evaluation::outcome).collect();
        if outcomes.contains(&Self::Failed) {
            Self::Failed
        } else if outcomes.contains(&Self::NothingJudged) || outcomes.is_empty() {
            Self::NothingJudged
        } else {
            Self::Held
        }
    }
}

impl Tally {
    /// The numbers of several environments together.
    #[must_use]
    pub fn of_all(evaluations: &[Evaluation]) -> Self {
        let mut tally = Self::default();
        for evaluation in evaluations {
            let denied = evaluation.findings.iter();
            tally.denied += denied.filter(|one| one.level == Level::Deny).count();
            tally.scenarios += evaluation.scenarios.len();
        }
        for gate in evaluations.iter().flat_map(|evaluation| &evaluation.gates) {
            let count = match gate.verdict {
                Verdict::Skipped => &mut tally.skipped,
                Verdict::Pass => &mut tally.passed,
                Verdict::Stale => &mut tally.stale,
                Verdict::Missing(_) => &mut tally.missing,
                Verdict::Fail => &mut tally.failed,
            };
            *count += 1;
            tally.judged += usize::from(gate.verdict != Verdict::Skipped);
            let skip = gate.skip.as_ref().map(|skip| skip.code);
            let not_selected = [Some(Code::NotSelected), Some(Code::OthersNotSelected)];
            tally.not_selected += usize::from(not_selected.contains(&skip));
        }
        tally
    }
}

/// The result of one requirement on one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The scenario's full name; for a series, the name with `*` for the value of its axis.
    pub scenario: String,
    /// The scenario's bench.
    pub bench: BenchId,
    /// The prefix of the name in reports; see
    /// [`MeasuredScenario`](crate::MeasuredScenario::qualifier).
    pub qualifier: String,
    /// Where the scenario was registered.
    pub location: Location,
    pub metric: Measure,
    pub statistic: Statistic,
    pub requirement: Arc<Requirement>,
    /// The place of the requirement in the rules' file.
    pub place: Place,
    /// The verdict with its reasons.
    pub ruling: Ruling,
}

/// What was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The value; `None` if it was not measured.
    pub measured: Option<Ratio>,
    /// The value in the baseline, if the requirement needs it and the baseline has it.
    pub baseline: Option<Ratio>,
    /// The number of the comparison that decided, if one did: of several that fail, the first.
    pub decisive: Option<usize>,
    /// Further data that few judgements have.
    pub details: Option<Box<Details>>,
    pub verdict: Verdict,
}

/// Further data that few judgements have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The computed limit of the decisive comparison, or else of the last one.
    pub computed: ComputedLimit,
    /// The comparisons that fail after the decisive one.
    pub also_broken: Vec<BrokenComparison>,
    pub growth: Option<Growth>,
    /// The points of a growth that can't be determined.
    pub points: Vec<(u64, Ratio)>,
    /// The value of the first call, if a limit of zero holds although the first call is above
    /// it, and no rule of the gate limits the first call.
    pub first_call: Option<Ratio>,
    /// What is missing for a verdict.
    pub missing: Option<Box<Diagnostic>>,
    /// The scenario's first operations, if a requirement on them fails.
    pub first_operations: Option<Box<str>>,
}

/// A limit that the rules don't have as a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputedLimit {
    /// The limit; `None` if it is not known, or is the value in the baseline.
    pub value: Option<Ratio>,
    /// The other value that it is computed from.
    pub reference: Option<ReferencedValue>,
}

/// The value of another scenario, which a limit is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferencedValue {
    /// The scenario as reports show it.
    pub scenario: String,
    /// The value; `None` if it was not measured.
    pub value: Option<Ratio>,
}

/// Another comparison that fails, besides the decisive one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenComparison {
    pub number: usize,
    pub computed: ComputedLimit,
}

impl Deref for Judgement {
    type Target = Ruling;

    fn deref(&self) -> &Ruling {
        &self.ruling
    }
}

impl Judgement {
    /// The scenario's name as reports show it: with its bench if other benches have the name
    /// too.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.scenario)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.scenario)
    }

    /// The comparison that decided, if one did.
    #[must_use]
    pub fn decisive(&self) -> Option<&Comparison> {
        self.requirement.comparisons().get(self.decisive?)
    }

    /// All comparisons that fail, if the verdict is that the requirement does not hold.
    pub fn broken(&self) -> impl Iterator<Item = &Comparison> {
        let fails = self.verdict == Verdict::Fail;
        let first = self.decisive.filter(|_| fails);
        let others = self.details.iter().flat_map(|found| &found.also_broken);
        let numbers = first.into_iter().chain(others.map(|one| one.number));
        numbers.filter_map(|number| self.requirement.comparisons().get(number))
    }
}

impl Ruling {
    /// A value before it is compared with anything.
    pub(crate) fn new(measured: Option<Ratio>) -> Self {
        Self {
            measured,
            baseline: None,
            decisive: None,
            details: None,
            verdict: Verdict::Skipped,
        }
    }

    /// The growth of the value, for a requirement on growth that was judged.
    #[must_use]
    pub fn growth(&self) -> Option<&Growth> {
        self.details.as_ref()?.growth.as_ref()
    }
}

/// The result of a requirement or of a gate, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Does not apply to the selected scenarios.
    Skipped,
    /// Holds.
    Pass,
    /// Holds, but the value is better than the baseline, so losing the improvement would go
    /// unnoticed. A pass if the policy allows it.
    Stale,
    /// The value is missing, or the value to compare it with.
    Missing(Code),
    /// Does not hold.
    Fail,
}

impl Verdict {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Pass => "pass",
            Self::Stale => "stale",
            Self::Missing(_) => "missing",
            Self::Fail => "fail",
        }
    }

    /// Why there is no verdict on a value, if there is none.
    #[must_use]
    pub const fn absence(self) -> Option<Code> {
        match self {
            Self::Missing(code) => Some(code),
            Self::Skipped | Self::Pass | Self::Stale | Self::Fail => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The measured scenarios by their bench and name.
pub(crate) struct Subjects<'e> {
    evaluation: &'e Evaluation,
    by_id: HashMap<IdRef<'e>, usize>,
    /// The numbers of the scenarios of each series, by bench and name.
    series: HashMap<&'e BenchId, HashMap<String, Vec<usize>>>,
}

impl<'e> Subjects<'e> {
    pub(crate) fn new(evaluation: &'e Evaluation) -> Self {
        let scenarios = evaluation.scenarios.iter().enumerate();
        let by_id = scenarios
            .clone()
            .map(|(number, measured)| (measured.id(), number));
        let mut series: HashMap<_, HashMap<String, Vec<usize>>> = HashMap::new();
        for (number, MeasuredScenario { bench, record, .. }) in scenarios {
            for axis in &record.axes {
                let name = series_name(&record.name, &record.axes, Some(&axis.axis));
                let of_bench = series.entry(bench).or_default();
                of_bench.entry(name).or_default().push(number);
            }
        }
        Self {
            evaluation,
            by_id: by_id.collect(),
            series,
        }
    }

    /// The indices of the scenarios that were judged: one, or all of a series.
    pub(crate) fn of(&self, judgement: &Judgement) -> Vec<usize> {
        if let Some(&number) = self.by_id.get(&judgement.id()) {
            return vec![number];
        }
        let of_bench = self.series.get(&judgement.bench);
        let members = of_bench.and_then(|series| series.get(&judgement.scenario));
        members.cloned().unwrap_or_default()
    }

    /// The measured scenarios that a judgement is on.
    pub(crate) fn measured(
        &self,
        judgement: &Judgement,
    ) -> impl Iterator<Item = &'e MeasuredScenario> {
        let numbers = self.of(judgement).into_iter();
        numbers.filter_map(|number| self.evaluation.scenarios.get(number))
    }

    /// The name that all points of the judgement's sweep share: the scenario's without its axes.
    pub(crate) fn base_of<'j>(&self, judgement: &'j Judgement) -> &'j str {
        let Some(measured) = self.measured(judgement).next() else {
            return &judgement.scenario;
        };
        let base = base_name(&measured.record.name, &measured.record.axes);
        judgement.scenario.get(..base.len()).unwrap_or_default()
    }

    pub(crate) fn accepted(&self, explained: &Explained, metric: Metric) -> Option<Ratio> {
        let &number = self.by_id.get(&(&explained.bench, &*explained.scenario))?;
        let metric = Measure::from(metric);
        accepted_value(self.evaluation, number, &metric, explained.statistic)
    }

    /// The accepted value that a judgement's is compared with, whether or not its limit is one
    /// of the baseline.
    pub(crate) fn before(&self, judgement: &Judgement) -> Option<Ratio> {
        let &number = self.by_id.get(&judgement.id())?;
        accepted_value(
            self.evaluation,
            number,
            &judgement.metric,
            judgement.statistic,
        )
    }
}

/// Whether the baseline has other scenarios of this environment, but not this one.
pub(crate) fn is_new(evaluation: &Evaluation, number: usize) -> bool {
    evaluation.accepted.get(number) == Some(&InBaseline::New)
}

/// A value of the scenario in the baseline.
pub(crate) fn accepted_value(
    evaluation: &Evaluation,
    number: usize,
    metric: &Measure,
    statistic: Statistic,
) -> Option<Ratio> {
    let accepted: &AcceptedScenario = match evaluation.accepted.get(number)? {
        InBaseline::Accepted(accepted) => accepted,
        InBaseline::NoEnvironment | InBaseline::New => return None,
    };
    accepted.value_of(metric, statistic)
}

pub(crate) type Judged<'e> = (&'e GateSummary, &'e Judgement);

/// What a scenario, or the scenarios of a sweep, do not meet.
pub(crate) struct Failure<'e> {
    /// The verdict on all of it: failed or stale.
    pub(crate) verdict: Verdict,
    /// The name that all scenarios share: without the axes.
    pub(crate) base: &'e str,
    /// At least one.
    pub(crate) judged: Vec<Judged<'e>>,
}

/// How far a value is beyond its limit: the factor, and the difference. Only orders depend on
/// it.
pub(crate) type Excess = (f64, f64);

/// All failures, and then what is stale; the worst first.
pub(crate) fn failures<'e>(
    evaluation: &'e Evaluation,
    subjects: &Subjects<'_>,
) -> Vec<Failure<'e>> {
    let mut groups: IndexMap<(Verdict, &BenchId, &str), Vec<Judged<'_>>> = IndexMap::new();
    let worse = worse(evaluation, subjects);
    for gate in &evaluation.gates {
        for judgement in &gate.judgements {
            let verdict = judgement.verdict;
            match verdict {
                Verdict::Fail => {}
                Verdict::Stale if !worse.contains(&subject(judgement, subjects)) => {}
                Verdict::Stale | Verdict::Skipped | Verdict::Pass | Verdict::Missing(_) => continue,
            }
            let key = (verdict, &judgement.bench, subjects.base_of(judgement));
            groups.entry(key).or_default().push((gate, judgement));
        }
    }
    let failures = groups
        .into_iter()
        .map(|((verdict, _, base), judged)| Failure {
            verdict,
            base,
            judged,
        });
    let mut failures: Vec<Failure<'_>> = failures.collect();
    failures.sort_by(|one, other| {
        let by_verdict = other.verdict.cmp(&one.verdict);
        by_verdict.then_with(|| more(&other.excess(), &one.excess()))
    });
    failures
}

/// A metric of a scenario, or of all points of its sweep.
pub(crate) type Subject<'j> = (&'j BenchId, &'j str, &'j Measure);

pub(crate) fn subject<'j>(judgement: &'j Judgement, subjects: &Subjects<'_>) -> Subject<'j> {
    (
        &judgement.bench,
        subjects.base_of(judgement),
        &judgement.metric,
    )
}

/// What fails. A better value of it, such as one of a series that grows too fast, is no
/// improvement.
pub(crate) fn worse<'e>(
    evaluation: &'e Evaluation,
    subjects: &Subjects<'_>,
) -> HashSet<Subject<'e>> {
    let judgements = evaluation.gates.iter().flat_map(|gate| &gate.judgements);
    let failed = judgements.filter(|one| one.verdict == Verdict::Fail);
    failed.map(|one| subject(one, subjects)).collect()
}

/// The worst value of each failed scenario or sweep that call stacks can explain, the worst first.
#[must_use]
pub fn to_explain(evaluation: &Evaluation) -> Vec<Explained> {
    let subjects = Subjects::new(evaluation);
    let failures = failures(evaluation, &subjects).into_iter();
    failures
        .filter_map(|failure| failure.to_explain(&subjects))
        .collect()
}

impl Failure<'_> {
    fn excess(&self) -> Excess {
        let all = self.judged.iter().map(|(_, judgement)| excess(judgement));
        all.max_by(more).unwrap_or_default()
    }

    /// The worst of the first values that call stacks can explain. Of a
    /// series it is the last point.
    pub(crate) fn to_explain(&self, subjects: &Subjects<'_>) -> Option<Explained> {
        let judged = self.judged.iter().filter(|_| self.verdict == Verdict::Fail);
        let attributable = judged.filter_map(|(_, judgement)| {
            let metric = judgement.metric.counted()?;
            Some((metric, judgement))
        });
        let (metric, judgement) = attributable.max_by(|(metric, one), (other_metric, other)| {
            let by_order = order(*other_metric).cmp(&order(*metric));
            by_order.then_with(|| more(&excess(one), &excess(other)))
        })?;
        let scenario = subjects.measured(judgement).last()?;
        // Lines have no elements, and a series shows the lines of one point.
        let statistic = match judgement.statistic {
            Statistic::PerElement | Statistic::Growth => Statistic::Mean,
            statistic @ (Statistic::Mean | Statistic::Max | Statistic::First) => statistic,
        };
        let (bench, name) = (&judgement.bench, &scenario.record.name);
        let is_it = judgement.statistic == statistic;
        Some(Explained {
            label: scenario.label(),
            is_failure: true,
            judged: judgement.measured.filter(|_| is_it),
            ..Explained::new(bench, name, metric, statistic)
        })
    }
}

/// Which values are explained first: a line that makes a block also makes others resize and free
/// it.
fn order(metric: Metric) -> usize {
    const LATER: [Metric; 2] = [Metric::Reallocs, Metric::Deallocs];
    LATER
        .iter()
        .position(|one| *one == metric)
        .map_or(0, |at| at + 1)
}

pub(crate) fn more(one: &Excess, other: &Excess) -> Ordering {
    one.0
        .total_cmp(&other.0)
        .then_with(|| one.1.total_cmp(&other.1))
}

pub(crate) fn excess(judgement: &Judgement) -> Excess {
    excess_of(&judgement.requirement, judgement)
}

pub(crate) fn excess_of(requirement: &Requirement, ruling: &Ruling) -> Excess {
    if let Some(growth) = ruling.growth() {
        // A value that grows too fast exceeds every limit somewhere.
        let class = GrowthClass::ALL.iter().position(|one| *one == growth.class);
        return (f64::INFINITY, class.unwrap_or_default() as f64);
    }
    let computed = ruling.details.as_ref().map(|found| &found.computed);
    let decisive = ruling
        .decisive
        .and_then(|number| requirement.comparisons().get(number));
    let limit = decisive.and_then(|one| match &one.limit {
        Limit::Number(amount) => Some(amount.value()),
        Limit::Baseline(None) => ruling.baseline,
        Limit::Baseline(Some(_)) | Limit::Scenario(..) => computed?.value,
        Limit::Growth(_) => None,
    });
    let (Some(limit), Some(measured)) = (limit, ruling.measured) else {
        return (0.0, 0.0);
    };
    let (limit, measured) = (limit.to_f64(), measured.to_f64());
    let factor = |over: f64, under: f64| {
        if under > 0.0 {
            over / under
        } else {
            f64::INFINITY
        }
    };
    let difference = (measured - limit).abs();
    if measured >= limit {
        (factor(measured, limit), difference)
    } else {
        (factor(limit, measured), difference)
    }
}
