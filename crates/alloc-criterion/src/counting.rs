//! Criterion's interface over the harness of alloc-scenario.

mod bencher;
mod group;
mod id;
mod macros;
mod passes;
mod settings;

#[cfg(feature = "async")]
pub use criterion::async_executor;
pub use criterion::{
    AxisScale, Baseline, BatchSize, BenchmarkFilter, PlotConfiguration, PlottingBackend,
    SamplingMode, Throughput, measurement, profiler,
};

#[cfg(feature = "async")]
pub use bencher::AsyncBencher;
pub use bencher::Bencher;
pub use group::BenchmarkGroup;
pub use id::{BenchmarkId, IntoBenchmarkId};
pub use settings::Criterion;

/// Keeps the optimizer from removing or precomputing a value.
#[deprecated(note = "use `std::hint::black_box`")]
pub fn black_box<T>(value: T) -> T {
    std::hint::black_box(value)
}

/// For the macros.
#[doc(hidden)]
pub mod __private {
    pub use super::passes::run;
    pub use alloc_scenario::CountingAlloc;
}
