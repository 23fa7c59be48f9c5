//! [`Failure`]: the verdicts on a scenario, or on those of a sweep, that are a problem, and which
//! figures explain them; and [`Subjects`]: the measured scenarios that judgements are on.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use alloc_results::{BenchId, Metric, Ratio};
use indexmap::IndexMap;

use crate::baseline::AcceptedScenario;
use crate::evaluation::{Evaluation, GateSummary, InBaseline, Judgement, Ruling, Verdict};
use crate::figure::{Measure, Statistic};
use crate::growth::GrowthClass;
use crate::requirement::{Limit, Requirement};
use crate::results::MeasuredScenario;
use crate::results::axis::{base_name, series_name};
use crate::results::names::IdRef;
use crate::sites::Explained;

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

    /// The numbers of the scenarios that a judgement is on: of one, or of those of a series.
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

    /// The accepted figure of an explained scenario.
    pub(crate) fn accepted(&self, explained: &Explained, metric: Metric) -> Option<Ratio> {
        let &number = self.by_id.get(&(&explained.bench, &*explained.scenario))?;
        let metric = Measure::from(metric);
        accepted_figure(self.evaluation, number, &metric, explained.statistic)
    }

    /// The accepted figure that a judgement's is compared with, whether or not its limit is one
    /// of the baseline.
    pub(crate) fn before(&self, judgement: &Judgement) -> Option<Ratio> {
        let &number = self.by_id.get(&judgement.id())?;
        accepted_figure(
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

/// A figure of the scenario in the baseline.
pub(crate) fn accepted_figure(
    evaluation: &Evaluation,
    number: usize,
    metric: &Measure,
    statistic: Statistic,
) -> Option<Ratio> {
    let accepted: &AcceptedScenario = match evaluation.accepted.get(number)? {
        InBaseline::Accepted(accepted) => accepted,
        InBaseline::NoEnvironment { .. } | InBaseline::New => return None,
    };
    accepted.figure_of(metric, statistic)
}

/// A judgement with its gate.
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

/// How far a figure is beyond its limit: the factor, and the difference. Only orders depend on
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

/// What fails. A better figure of it, such as one of a series that grows too fast, is no
/// improvement.
pub(crate) fn worse<'e>(
    evaluation: &'e Evaluation,
    subjects: &Subjects<'_>,
) -> HashSet<Subject<'e>> {
    let judgements = evaluation.gates.iter().flat_map(|gate| &gate.judgements);
    let failed = judgements.filter(|one| one.verdict == Verdict::Fail);
    failed.map(|one| subject(one, subjects)).collect()
}

/// The figures that explain the failures: the worst one of each scenario or sweep, the worst
/// first, of which a call stack can tell something.
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

    /// The worst figure of which a call stack can tell something, of those that come first. Of a
    /// series it is the last point.
    pub(crate) fn to_explain(&self, subjects: &Subjects<'_>) -> Option<Explained> {
        let judged = self.judged.iter().filter(|_| self.verdict == Verdict::Fail);
        let attributable = judged.filter_map(|(_, judgement)| {
            let metric = judgement.metric.of_operations()?;
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

/// Which figures are explained first: a line that makes a block also makes others resize and free
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
        // A figure that grows too fast exceeds every limit somewhere.
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
        Limit::Baseline(Some(_)) | Limit::Scenario(_) => computed?.value,
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
