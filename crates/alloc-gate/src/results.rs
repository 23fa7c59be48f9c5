//! Results: what benches measured, in which environment, and on which axes.

pub(crate) mod axis;
mod environment;
mod measurements;
mod selection;

pub use environment::Environment;
pub use measurements::{
    MeasuredScenario, Measurements, MeasurementsError, ScenarioFailure, Unavailable,
};
pub use selection::Selection;
