//! The engine's measurements, from the streams of results that benches wrote.

use alloc_gate::{Measurements, MeasurementsError};
use alloc_results::Stream;

use crate::failure::Failure;

/// Joins the streams of several benches.
pub(crate) fn join(streams: Vec<Stream>) -> Result<Measurements, Failure> {
    Measurements::new(streams).map_err(ambiguous)
}

/// The error for measurements with a scenario of a bench twice.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is an argument of `map_err`"
)]
pub(crate) fn ambiguous(error: MeasurementsError) -> Failure {
    Failure::bench_failed(error.to_string())
        .help("gates are checked once each scenario has one measurement")
}

/// The error for benches without any scenario.
pub(crate) fn no_scenario() -> Failure {
    Failure::nothing_selected("the benches have no scenarios").help(
        "register one with `Suite::scenario`, and return the result of `Suite::finish` from `main`",
    )
}
