//! [`Subjects`]: the measured scenarios that judgements are on, with their accepted figures.

use std::collections::HashMap;

use alloc_results::{BenchId, Metric, Ratio};

use crate::baseline::AcceptedScenario;
use crate::evaluation::{Evaluation, InBaseline, Judgement};
use crate::figure::{Measure, Statistic};
use crate::results::MeasuredScenario;
use crate::results::axis::{base_name, series_name};
use crate::results::scenario_id::IdRef;
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
