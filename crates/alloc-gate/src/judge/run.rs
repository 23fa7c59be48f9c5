//! [`Run`]: a run that is judged, with all that its verdicts depend on.

use crate::baseline::Baseline;
use crate::figure::Date;
use crate::judge::inputs::{DocumentState, Inputs, UncheckedBench};
use crate::judge::referred::ReferredFigures;
use crate::results::{MeasuredScenario, Measurements, Selection};
use crate::rules::{CfgSets, Config, Policy, Reaction};

/// A run that is judged, with all that its verdicts depend on. The fields without a description
/// are those of [`Inputs`].
pub(super) struct Run<'i> {
    pub(super) config: &'i Config,
    pub(super) measurements: &'i Measurements,
    pub(super) documents: &'i [DocumentState],
    pub(super) unchecked: &'i [UncheckedBench],
    pub(super) selection: Selection,
    pub(super) cfgs: &'i CfgSets,
    pub(super) today: Date,
    /// The rules' policy. Nobody has to accept figures that are better than those of a commit.
    pub(super) policy: Policy,
    /// Whether nothing was left out, so that no scenario is missing from a comparison.
    pub(super) is_whole: bool,
    /// The figures that limits refer to.
    pub(super) referred: ReferredFigures<'i>,
}

impl<'i> Run<'i> {
    pub(super) fn new(inputs: &Inputs<'i>) -> Self {
        let mut policy = inputs.config.policy;
        if inputs.baseline.is_some_and(Baseline::is_measured) {
            policy.stale = Reaction::Allow;
            policy.unused_baseline = Reaction::Allow;
        }
        Self {
            config: inputs.config,
            measurements: inputs.measurements,
            documents: inputs.documents,
            unchecked: inputs.unchecked,
            selection: inputs.selection,
            cfgs: inputs.cfgs,
            today: inputs.today,
            policy,
            is_whole: inputs.is_whole(),
            referred: ReferredFigures::new(inputs),
        }
    }

    /// The measured scenarios.
    pub(super) fn scenarios(&self) -> &'i [MeasuredScenario] {
        self.measurements.scenarios()
    }

    /// Whether everything was selected.
    pub(super) fn selects_all(&self) -> bool {
        self.selection == Selection::Whole
    }
}
