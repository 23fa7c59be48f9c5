//! [`Operation`]: a scenario with its body, and how it is measured at each point.
//! [`Swept`] hides the types of its closures, as the suite keeps and runs it.

use alloc_results::{Metric, ScenarioRecord, Unit, check_custom_names};
use counting_alloc::{LazyOutput, Sites};

use super::axis::Points;
use super::{Definition, Settings};
use crate::failure::NotMeasured;
use crate::measure::{Check, Opening, Runner};
use crate::own_metrics::ReadMetric;
use crate::plan::{Plan, QUICK_ITERATIONS, QUICK_WARMUP};
use crate::selection::Entry;

/// A scenario at all its points.
pub(crate) trait Swept {
    /// The first problem with the names of the scenario's own metrics.
    fn misnamed(&self) -> Option<String>;

    /// Whether the scenario is measured in a process of its own.
    fn is_fresh(&self) -> bool;

    /// Measures at the point of this index. Without a plan, in the smoke test, runs one iteration
    /// with its checks instead.
    fn run(
        &mut self,
        index: usize,
        entry: &Entry,
        usual: Option<&Plan>,
    ) -> Result<Option<ScenarioRecord>, NotMeasured>;
}

/// A scenario with its body. Closures that inspect the output can still be added.
///
/// The points have the type `P` and the output has the type `O`.
#[must_use = "the suite registers what the closure returns"]
pub struct Operation<'a, P, O> {
    points: Points<P>,
    settings: Settings,
    runner: Box<dyn Runner<P, O> + 'a>,
    checks: Vec<Check<'a, O>>,
    /// The names and units of the scenario's own metrics.
    metrics: Vec<(String, Unit)>,
    /// The closures that take these metrics from an output, in the same order.
    readers: Vec<ReadMetric<'a, O>>,
}

impl<'a, P, O> Operation<'a, P, O> {
    pub(crate) fn new(
        points: Points<P>,
        settings: Settings,
        runner: impl Runner<P, O> + 'a,
    ) -> Self {
        Self {
            points,
            settings,
            runner: Box::new(runner),
            checks: Vec::new(),
            metrics: Vec::new(),
            readers: Vec::new(),
        }
    }

    /// Checks the output of one more call, after all measuring and in the smoke test.
    /// If `check` panics, the scenario fails.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("parse", |b| {
    ///     b.run(|()| "7;8;9".split(';').map(str::parse::<u8>).collect::<Result<Vec<_>, _>>())
    ///         .verify(|numbers| assert_eq!(numbers, &Ok(vec![7, 8, 9])))
    /// });
    /// ```
    pub fn verify(mut self, check: impl Fn(&O) + 'a) -> Self {
        self.checks.push(Box::new(check));
        self
    }

    /// Adds a metric: a value of the output in each iteration, such as the encoded length,
    /// the number of decoded rows or of refused requests.
    ///
    /// `value` gets the output of the first call and of each iteration of the warm-up
    /// and the counted pass, before the output is dropped. Its allocations are not
    /// counted, and the timed pass does not call it. On several threads it runs on each
    /// thread, so it has to be `Sync`, and the value of an iteration is the sum over
    /// the threads.
    ///
    /// `name` is the name in results and in gates.toml: lower-case letters, digits and
    /// hyphens. A name that is used twice or reserved is an error of
    /// [`Suite::finish`](crate::Suite::finish).
    ///
    /// ```no_run
    /// use alloc_scenario::{Suite, Unit};
    ///
    /// let mut suite = Suite::from_args();
    /// suite.scenario_with("encode", |b| {
    ///     b.run(|()| format!("{:08x}", 48_879).into_bytes())
    ///         .metric("encoded-bytes", Unit::Bytes, |bytes| bytes.len() as i64)
    /// });
    /// ```
    pub fn metric(mut self, name: &str, unit: Unit, value: impl Fn(&O) -> i64 + Sync + 'a) -> Self {
        self.metrics.push((name.to_owned(), unit));
        self.readers.push(Box::new(value));
        self
    }

    /// The plan with the scenario's own settings.
    fn plan(&self, usual: &Plan) -> Plan {
        let settings = &self.settings;
        let iterations = settings.iterations.unwrap_or(usual.iterations);
        Plan {
            scope: settings.scope,
            output_drop: settings.output_drop,
            warmup: usual.capped(settings.warmup.unwrap_or(usual.warmup), QUICK_WARMUP),
            iterations: usual.capped(iterations, QUICK_ITERATIONS),
            is_timed: !settings.is_untimed && usual.is_timed && !usual.sites,
            limit: settings.timeout.or(usual.limit),
            has_own_limit: settings.timeout.is_some(),
            sites: usual.sites && Sites::AVAILABLE,
            ..*usual
        }
    }

    /// Runs one iteration with the checks, and the metrics if it `reads_metrics`.
    fn check(&mut self, index: usize, reads_metrics: bool) {
        let readers = if reads_metrics {
            &self.readers[..]
        } else {
            &[]
        };
        let opening = Opening {
            output_drop: self.settings.output_drop,
            readers,
            checks: &self.checks,
            then: &mut |calls| calls.once(),
        };
        self.runner.open(&self.points[index].value, opening);
    }
}

const NEGATIVE: &str = "`elements` or `bytes` returned a number that is negative or too large";

impl<P, O> Swept for Operation<'_, P, O> {
    fn misnamed(&self) -> Option<String> {
        check_custom_names(self.metrics.iter().map(|(name, _)| &**name)).err()
    }

    fn is_fresh(&self) -> bool {
        self.settings.fresh
    }

    fn run(
        &mut self,
        index: usize,
        entry: &Entry,
        usual: Option<&Plan>,
    ) -> Result<Option<ScenarioRecord>, NotMeasured> {
        let Some(usual) = usual else {
            self.check(index, true);
            return Ok(None);
        };
        let plan = self.plan(usual);
        if plan.iterations == 0 {
            return Err("the number of iterations is zero; set it to at least one".into());
        }
        let point = &self.points[index];
        if point.is_negative {
            return Err(NEGATIVE.into());
        }
        let threads = self.runner.threads(&point.value);
        if threads == 0 {
            return Err("the number of threads is zero; set it to at least one".into());
        }
        let measured = self
            .runner
            .measure(&point.value, entry, &plan, &self.readers);
        let (mut record, custom) = measured?;
        record.threads = threads as u64;
        record.work = point.work;
        let allocs = record.distribution(Metric::Allocs);
        let allocates = allocs.is_none_or(|allocs| allocs.max() > 0);
        let mut lazy = LazyOutput::in_type::<O>().filter(|_| !allocates);
        // Another harness measures such a call without a word.
        if let Some(lazy) = lazy.take_if(|_| !usual.is_called) {
            return Err(format!("measured nothing: {lazy}").into());
        }
        if !self.checks.is_empty() {
            self.check(index, false);
        }
        record.metrics = custom.finish(&self.metrics)?;
        let note = self.settings.note.clone();
        let note = note.or_else(|| Some(format!("measured nothing: {}", lazy?)));
        record.note = note.map(Box::new);
        if usual.sites && record.sites.is_none() {
            // As the end of a sentence.
            record.sites_unavailable = Some(Box::new(if plan.sites {
                String::from("not exact: another thread worked as an iteration began or ended")
            } else {
                format!("not available on {}", env!("ALLOC_SCENARIO_TARGET"))
            }));
        }
        Ok(Some(record))
    }
}

impl<'a, P: 'a, O: 'a> From<Operation<'a, P, O>> for Definition<'a> {
    fn from(operation: Operation<'a, P, O>) -> Self {
        let coordinates = operation.points.iter().map(|point| point.axes.clone());
        Self {
            points: coordinates.collect(),
            body: Ok(Box::new(operation)),
        }
    }
}
