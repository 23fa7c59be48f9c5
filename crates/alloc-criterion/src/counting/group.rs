//! [`BenchmarkGroup`]: benches with the same settings.

use std::panic::Location;
use std::time::Duration;

use alloc_scenario::adapter::{Call, Called};
use criterion::measurement::{Measurement, WallTime};
use criterion::{PlotConfiguration, SamplingMode, Throughput};

use super::passes::{bench, no_effect};
use super::settings::checked_size;
use super::{Bencher, BenchmarkId, Criterion, IntoBenchmarkId};

/// The axis of parameters that are numbers.
const AXIS: &str = "parameter";

/// Benches with the same settings, which are called `GROUP/FUNCTION/PARAMETER`.
#[derive(Debug)]
pub struct BenchmarkGroup<'a, M: Measurement = WallTime> {
    name: String,
    sample_size: Option<u64>,
    throughput: Option<Throughput>,
    criterion: std::marker::PhantomData<&'a mut Criterion<M>>,
}

impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    pub(super) fn new(criterion: &'a mut Criterion<M>, name: String) -> Self {
        assert!(!name.is_empty(), "the name of a group must not be empty");
        Self {
            name,
            sample_size: criterion.sample_size,
            throughput: None,
            criterion: std::marker::PhantomData,
        }
    }

    /// Sets the number of counted iterations; 100 by default and at most. A tenth of it is the
    /// warm-up.
    ///
    /// # Panics
    ///
    /// If it is below 10, as in criterion.
    pub fn sample_size(&mut self, samples: usize) -> &mut Self {
        self.sample_size = Some(checked_size(samples));
        self
    }

    /// Sets the elements and bytes that an iteration works on, for counts per element and per
    /// byte. Bits count as bytes, rounded up.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    /// Is about time, and has no effect on counts.
    pub fn warm_up_time(&mut self, _: Duration) -> &mut Self {
        self
    }

    /// Is about time, and has no effect on counts.
    pub fn measurement_time(&mut self, _: Duration) -> &mut Self {
        self
    }

    /// Is about time, and has no effect on counts.
    pub fn nresamples(&mut self, _: usize) -> &mut Self {
        self
    }

    /// Is about time, and has no effect on counts.
    pub fn noise_threshold(&mut self, _: f64) -> &mut Self {
        self
    }

    /// Is about time, and has no effect on counts.
    pub fn confidence_level(&mut self, _: f64) -> &mut Self {
        self
    }

    /// Is about time, and has no effect on counts.
    pub fn significance_level(&mut self, _: f64) -> &mut Self {
        self
    }

    /// Is about time, and has no effect on counts.
    pub fn sampling_mode(&mut self, _: SamplingMode) -> &mut Self {
        self
    }

    /// Has no effect on counts, which a note says.
    pub fn plot_config(&mut self, _: PlotConfiguration) -> &mut Self {
        no_effect("plot_config");
        self
    }

    /// Adds a bench.
    #[track_caller]
    pub fn bench_function<ID: IntoBenchmarkId, F>(&mut self, id: ID, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.add(&id.into_benchmark_id(), |b| f(b));
        self
    }

    /// Adds a bench of a function with an input. A parameter that is a number is an axis.
    #[track_caller]
    pub fn bench_with_input<ID: IntoBenchmarkId, F, I>(
        &mut self,
        id: ID,
        input: &I,
        mut f: F,
    ) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        self.add(&id.into_benchmark_id(), |b| f(b, input));
        self
    }

    /// Ends the group.
    pub fn finish(self) {}

    #[track_caller]
    pub(super) fn add(&self, id: &BenchmarkId, f: impl FnOnce(&mut Bencher<'_, M>)) {
        let mut called = Called::new(&id.name(&self.name), Location::caller());
        if *id != BenchmarkId::no_function() {
            called = called.group(&self.name);
        }
        if let Some(number) = id.number() {
            called = called.axis(AXIS, number);
        }
        bench(called, |call: &mut Call| {
            f(&mut Bencher::new(
                call,
                self.sample_size,
                self.throughput.as_ref(),
            ));
        });
    }
}
