//! [`Criterion`]: the benches of a group's functions, with their settings.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::path::Path;
use std::time::Duration;

use criterion::measurement::{Measurement, WallTime};
use criterion::profiler::Profiler;
use criterion::{BenchmarkFilter, PlottingBackend};

use super::passes::no_effect;
use super::{Bencher, BenchmarkGroup, BenchmarkId};

/// The benches of a program. `sample_size` is the number of counted iterations; settings that are
/// about time have no effect.
#[derive(Debug)]
pub struct Criterion<M: Measurement = WallTime> {
    pub(super) sample_size: Option<u64>,
    measurement: PhantomData<fn() -> M>,
}

impl Default for Criterion {
    fn default() -> Self {
        Self {
            sample_size: None,
            measurement: PhantomData,
        }
    }
}

/// Defines ignored settings. Settings of time are ignored silently; for others, a note is printed.
macro_rules! settings {
    (
        about time { $($name:ident($($argument:ident: $Type:ty),*);)+ }
        noted { $($other:ident($($value:ident: $Of:ty),*);)+ }
    ) => {
        $(
            #[doc = concat!("`", stringify!($name), "` is about time, and has no effect on counts.")]
            pub fn $name(self $(, $argument: $Type)*) -> Self {
                $(let _ = $argument;)*
                self
            }
        )+
        $(
            #[doc = concat!("`", stringify!($other), "` has no effect on counts, which a note says.")]
            pub fn $other(self $(, $value: $Of)*) -> Self {
                $(let _ = $value;)*
                no_effect(stringify!($other));
                self
            }
        )+
    };
}

impl<M: Measurement> Criterion<M> {
    settings! {
        about time {
            warm_up_time(time: Duration);
            measurement_time(time: Duration);
            nresamples(resamples: usize);
            noise_threshold(threshold: f64);
            confidence_level(level: f64);
            significance_level(level: f64);
            without_plots();
            with_output_color(enabled: bool);
            output_directory(path: &Path);
            configure_from_args();
        }
        noted {
            with_plots();
            plotting_backend(backend: PlottingBackend);
            save_baseline(baseline: String);
            retain_baseline(baseline: String, strict: bool);
            with_benchmark_filter(filter: BenchmarkFilter);
            profile_time(time: Option<Duration>);
        }
    }

    /// Sets the number of counted iterations; 100 by default and at most. A tenth of it is the
    /// warm-up. Slow benches have fewer.
    ///
    /// # Panics
    ///
    /// If it is below 10, as in criterion.
    pub fn sample_size(mut self, samples: usize) -> Self {
        self.sample_size = Some(checked_size(samples));
        self
    }

    /// The benches with another measurement, which has no effect on counts. A note says so.
    pub fn with_measurement<N: Measurement>(self, _: N) -> Criterion<N> {
        no_effect("with_measurement");
        Criterion {
            sample_size: self.sample_size,
            measurement: PhantomData,
        }
    }

    /// Profilers have no effect on counts, which a note says.
    pub fn with_profiler<P: Profiler + 'static>(self, _: P) -> Self {
        no_effect("with_profiler");
        self
    }

    /// Ignored, with a note: only the filter on the command line counts.
    pub fn with_filter<S: Into<String>>(self, _: S) -> Self {
        no_effect("with_filter");
        self
    }

    /// Does nothing: the table is the summary.
    pub fn final_summary(&self) {}

    /// Begins a group of benches, which are called `GROUP/FUNCTION/PARAMETER`.
    ///
    /// # Panics
    ///
    /// If the name is empty.
    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        BenchmarkGroup::new(self, group_name.into())
    }

    /// Adds a bench.
    #[track_caller]
    pub fn bench_function<F>(&mut self, id: &str, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        let group = BenchmarkGroup::new(self, id.to_owned());
        group.add(&BenchmarkId::no_function(), |b| f(b));
        self
    }

    /// Adds a bench of a function with an input.
    #[track_caller]
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
    {
        let BenchmarkId {
            function,
            parameter,
        } = id;
        let name = function.expect("a bench outside of a group has a function's name");
        let id = BenchmarkId {
            parameter,
            ..BenchmarkId::no_function()
        };
        let group = BenchmarkGroup::new(self, name);
        group.add(&id, |b| f(b, input));
        self
    }
}

/// A number of samples that criterion takes.
pub(super) fn checked_size(samples: usize) -> u64 {
    assert!(
        samples >= 10,
        "the sample size is {samples}; it has to be at least 10"
    );
    samples as u64
}
