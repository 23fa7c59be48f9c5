//! What became of a scenario: [`MeasuredScenario`], [`Unavailable`] or [`ScenarioFailure`].

use alloc_results::{BenchId, FailureRecord, ScenarioRecord, UnavailableScenario};

use crate::diagnostic::Where;
use crate::results::environment::Environment;
use crate::results::scenario_id::{CalledName, IdRef};

/// A measured scenario, with its bench and environment.
#[derive(Clone, Debug)]
pub struct MeasuredScenario {
    /// The bench target.
    pub bench: BenchId,
    /// The environment of the measurement.
    pub environment: Environment,
    /// What stands before the name in reports: nothing, or `bench/` or `package/bench/` if
    /// other benches have the name too.
    pub qualifier: String,
    /// The measured figures.
    pub record: ScenarioRecord,
}

/// A scenario that could not be measured in the environment of its bench, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// The bench target.
    pub bench: BenchId,
    /// The environment of the bench.
    pub environment: Environment,
    /// What stands before the name in reports, as in [`MeasuredScenario`].
    pub qualifier: String,
    /// The name and the reason, from the bench.
    pub scenario: UnavailableScenario,
}

/// A scenario that panicked or timed out, and was not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFailure {
    /// The bench target.
    pub bench: BenchId,
    /// What stands before the name in reports, as in [`MeasuredScenario`].
    pub qualifier: String,
    /// The name and the message, from the bench.
    pub record: FailureRecord,
}

impl MeasuredScenario {
    /// The name as reports show it: with its bench if other benches have the name too.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.record.name)
    }

    /// What a diagnostic about it is about.
    pub(crate) fn place(&self) -> Where {
        Where::scenario(&self.bench, self.label(), &self.record.location)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.record.name)
    }

    pub(crate) fn is_called(&self, called: CalledName<'_>) -> bool {
        self.record.name == called.name
            && self.bench.target == called.bench
            && called
                .package
                .is_none_or(|package| self.bench.package == package)
    }
}

impl Unavailable {
    /// The name as reports show it.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.scenario.name)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.scenario.name)
    }
}

impl ScenarioFailure {
    /// The name as reports show it.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.record.name)
    }

    pub(crate) fn id(&self) -> IdRef<'_> {
        (&self.bench, &self.record.name)
    }
}
