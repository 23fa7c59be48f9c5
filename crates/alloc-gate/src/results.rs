//! Results: the measurements of benches, their environments, and the axes of scenarios.

pub(crate) mod axis;
mod environment;
mod measurements;
mod origin;
mod outcomes;
pub(crate) mod qualifiers;
pub(crate) mod scenario_id;
mod selection;

pub use environment::Environment;
pub use measurements::{Measurements, MeasurementsError};
pub use origin::Origin;
pub use outcomes::{MeasuredScenario, ScenarioFailure, Unavailable};
pub use scenario_id::ScenarioId;
pub use selection::Selection;
