//! Results: the measurements of benches, their environments, and the axes of scenarios.

pub(crate) mod axis;
mod environment;
mod measurements;
mod origin;
mod selection;

pub use environment::Environment;
pub use measurements::{
    MeasuredScenario, Measurements, MeasurementsError, ScenarioFailure, Unavailable,
};
pub use origin::Origin;
pub use selection::Selection;
