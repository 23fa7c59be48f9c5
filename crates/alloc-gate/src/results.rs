//! Results: the measurements of benches, their environments, and the axes of scenarios.

pub(crate) mod axis;
mod environment;
mod measurements;
mod origin;
pub(crate) mod qualifiers;
pub(crate) mod scenario_id;
mod selection;

pub use environment::Environment;
pub use measurements::{
    MeasuredScenario, Measurements, MeasurementsError, ScenarioFailure, Unavailable,
};
pub use origin::Origin;
pub use scenario_id::ScenarioId;
pub use selection::Selection;
