//! Results: the measurements of benches, their environments, and the axes of scenarios.

pub(crate) mod axis;
mod environment;
mod measurements;
mod outcomes;
pub(crate) mod qualifiers;
pub(crate) mod scenario_id;

pub use environment::{Environment, Origin};
pub use measurements::{Measurements, MeasurementsError, Selection};
pub use outcomes::{MeasuredScenario, ScenarioFailure, Unavailable};
pub use scenario_id::ScenarioId;
