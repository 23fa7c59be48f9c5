//! [`Run`]: a run that is judged, with all that its verdicts depend on.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use alloc_results::Ratio;

use crate::baseline::Baseline;
use crate::diagnostic::{Place, Where};
use crate::evaluation::Verdict;
use crate::figure::{Measure, Statistic};
use crate::judge::inputs::Inputs;
use crate::judge::referred::ReferredFigures;
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Selection, Unavailable};
use crate::rules::{Policy, Reaction, Rule};

/// A run that is judged, with all that its verdicts depend on.
pub(super) struct Run<'i> {
    pub(super) inputs: Inputs<'i>,
    /// The rules' policy. Nobody has to accept figures that are better than those of a commit.
    pub(super) policy: Policy,
    /// The figures that limits refer to.
    pub(super) referred: ReferredFigures<'i>,
    /// The figures that were asked for: many gates can judge the same.
    figures: RefCell<HashMap<(&'i Measure, Statistic), Figures>>,
}

/// A figure of each scenario.
type Figures = Rc<[Option<Ratio>]>;

impl<'i> Run<'i> {
    pub(super) fn new(inputs: &Inputs<'i>) -> Self {
        let mut policy = inputs.config.policy;
        if inputs.baseline.is_some_and(Baseline::is_measured) {
            policy.stale = Reaction::Allow;
        }
        Self {
            inputs: *inputs,
            policy,
            referred: ReferredFigures::new(inputs),
            figures: RefCell::default(),
        }
    }

    /// The figure of `rule` of each scenario.
    pub(super) fn figures(&self, rule: &'i Rule) -> Figures {
        let key = (&rule.metric, rule.statistic);
        let mut known = self.figures.borrow_mut();
        let figures = known.entry(key).or_insert_with(|| {
            let scenarios = self.scenarios().iter();
            let figure =
                |measured: &MeasuredScenario| rule.metric.figure(rule.statistic, &measured.record);
            scenarios.map(figure).collect()
        });
        Rc::clone(figures)
    }

    /// Whether a verdict fails the check.
    pub(super) fn fails(&self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Fail | Verdict::Missing(_) => true,
            Verdict::Stale => self.policy.stale == Reaction::Deny,
            Verdict::Pass | Verdict::Skipped => false,
        }
    }

    /// A place in the rules.
    pub(super) fn in_rules(&self, place: Place) -> Where {
        Where::Place {
            file: self.inputs.config.file().to_owned(),
            place,
        }
    }

    /// The measured scenarios.
    pub(super) fn scenarios(&self) -> &'i [MeasuredScenario] {
        self.inputs.measurements.scenarios()
    }

    /// The scenarios with these numbers, and the unavailable ones.
    pub(super) fn ids(&self, numbers: &[usize]) -> impl Iterator<Item = IdRef<'i>> + Clone {
        let scenarios = self.scenarios();
        let measured = numbers.iter().map(|&number| scenarios[number].id());
        let unavailable = self.inputs.measurements.unavailable().iter();
        measured.chain(unavailable.map(Unavailable::id))
    }

    /// Whether everything was selected.
    pub(super) fn selects_all(&self) -> bool {
        self.inputs.selection == Selection::Whole
    }
}
