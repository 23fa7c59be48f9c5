//! A scenario over all points of its axes, without the types of its closures:
//! what the suite keeps and runs.

use std::fmt;

use alloc_results::{AxisValue, CustomMetric, Work};
use counting_alloc::MeasureError;

use crate::axis::Points;
use crate::measure::{Passes, Plan, Runner};
use crate::settings::Settings;

/// Numbers of iterations of scenarios that don't set their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Defaults {
    pub(crate) warmup: u64,
    pub(crate) iterations: u64,
}

/// A scenario at all its points.
pub(crate) trait Swept {
    /// The coordinates of each point, in order.
    fn points(&self) -> Vec<Vec<AxisValue>>;

    /// Measures at the point of this index.
    fn measure(&mut self, index: usize, defaults: Defaults) -> Result<Measurement, Failure>;

    /// One iteration at the point of this index, with its checks.
    fn smoke(&mut self, index: usize);
}

/// What the record of a scenario needs beside its name.
#[derive(Debug)]
pub(crate) struct Measurement {
    pub(crate) plan: Plan,
    pub(crate) threads: u64,
    pub(crate) work: Work,
    pub(crate) passes: Passes,
    pub(crate) metrics: Vec<CustomMetric>,
    pub(crate) note: Option<String>,
}

/// Why a scenario has no counts, panics apart.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The counter can't be read.
    Counter(MeasureError),
    /// `elements` or `bytes` is negative.
    NegativeWork,
    /// The counted pass has no iteration.
    NoIterations,
    /// There is no thread to run on.
    NoThreads,
}

type Check<'a, O> = Box<dyn Fn(&O) + 'a>;
type Figure<'a, O> = Box<dyn Fn(&O) -> i64 + 'a>;

/// A scenario with points of type `P` and an output of type `O`.
pub(crate) struct Sweep<'a, P, O> {
    points: Points<P>,
    settings: Settings<'a, P>,
    runner: Box<dyn Runner<P, Output = O> + 'a>,
    checks: Vec<Check<'a, O>>,
    metrics: Vec<(String, String, Figure<'a, O>)>,
}

impl<'a, P, O> Sweep<'a, P, O> {
    pub(crate) fn new(
        points: Points<P>,
        settings: Settings<'a, P>,
        runner: impl Runner<P, Output = O> + 'a,
    ) -> Self {
        Self {
            points,
            settings,
            runner: Box::new(runner),
            checks: Vec::new(),
            metrics: Vec::new(),
        }
    }

    pub(crate) fn verify(&mut self, check: Check<'a, O>) {
        self.checks.push(check);
    }

    pub(crate) fn metric(&mut self, name: &str, unit: &str, value: Figure<'a, O>) {
        self.metrics.push((name.to_owned(), unit.to_owned(), value));
    }

    fn plan(&self, defaults: Defaults) -> Plan {
        Plan {
            scope: self.settings.scope,
            output_drop: self.settings.output_drop,
            warmup: self.settings.warmup.unwrap_or(defaults.warmup),
            iterations: self.settings.iterations.unwrap_or(defaults.iterations),
        }
    }

    fn work(&self, point: &P) -> Result<Work, Failure> {
        let number = |work: &Option<crate::settings::Work<'_, P>>| {
            work.as_ref()
                .map(|work| work(point).ok_or(Failure::NegativeWork))
                .transpose()
        };
        Ok(Work {
            elements: number(&self.settings.elements)?,
            bytes: number(&self.settings.bytes)?,
        })
    }

    fn check(&mut self, index: usize) -> Vec<CustomMetric> {
        let output = self.runner.once(&self.points[index].1);
        for check in &self.checks {
            check(&output);
        }
        self.metrics
            .iter()
            .map(|(name, unit, value)| CustomMetric {
                name: name.clone(),
                unit: unit.clone(),
                value: value(&output),
            })
            .collect()
    }
}

impl<P, O> Swept for Sweep<'_, P, O> {
    fn points(&self) -> Vec<Vec<AxisValue>> {
        let coordinates = self.points.iter().map(|(coordinates, _)| coordinates);
        coordinates.cloned().collect()
    }

    fn measure(&mut self, index: usize, defaults: Defaults) -> Result<Measurement, Failure> {
        let plan = self.plan(defaults);
        if plan.iterations == 0 {
            return Err(Failure::NoIterations);
        }
        let point = &self.points[index].1;
        let work = self.work(point)?;
        let threads = self.runner.threads(point);
        if threads == 0 {
            return Err(Failure::NoThreads);
        }
        let passes = self
            .runner
            .measure(point, &plan)
            .map_err(Failure::Counter)?;
        let metrics = if self.checks.is_empty() && self.metrics.is_empty() {
            Vec::new()
        } else {
            self.check(index)
        };
        Ok(Measurement {
            plan,
            threads,
            work,
            passes,
            metrics,
            note: self.settings.note.clone(),
        })
    }

    fn smoke(&mut self, index: usize) {
        self.check(index);
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counter(error) => error.fmt(f),
            Self::NegativeWork => {
                f.write_str("`elements` or `bytes` returned a number that is not a count")
            }
            Self::NoIterations => {
                f.write_str("zero iterations measure nothing; ask for one at least")
            }
            Self::NoThreads => f.write_str("zero threads run nothing; ask for one at least"),
        }
    }
}
