//! [`Inputs`]: everything that a verdict depends on; and [`Run`]: the inputs with the figures that
//! rules ask for, of each scenario, of the baseline and of other scenarios.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use alloc_results::{BenchId, Ratio};

use crate::baseline::Baseline;
use crate::diagnostic::{Place, Where};
use crate::evaluation::Verdict;
use crate::figure::{Measure, Statistic};
use crate::requirement::Reference;
use crate::results::names::{IdRef, qualified};
use crate::results::{MeasuredScenario, Measurements, Selection, Unavailable};
use crate::rules::{CfgSets, Config, Gate, Policy, Reaction, Rule};

/// Everything that a verdict depends on.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i> {
    /// The rules.
    pub config: &'i Config,
    /// The results of the run.
    pub measurements: &'i Measurements,
    /// The accepted figures. `None` without a data file: comparisons with the
    /// baseline are then missing.
    pub baseline: Option<&'i Baseline>,
    /// The state of the baseline's page; `None` if the caller did not check it.
    pub document: Option<DocumentState>,
    /// The benches that were not measured. Empty if the caller did not look for them.
    pub unchecked: &'i [UncheckedBench],
    /// How much of the workspace the run selected.
    pub selection: Selection,
    /// The compiler's cfgs for the targets of the run; see [`CfgSets::needed`]. A
    /// `when` that needs the cfgs of another target is a denied finding.
    pub cfgs: &'i CfgSets,
}

impl<'i> Inputs<'i> {
    /// A run of the whole workspace, without a baseline.
    #[must_use]
    pub const fn new(
        config: &'i Config,
        measurements: &'i Measurements,
        cfgs: &'i CfgSets,
    ) -> Self {
        Self {
            config,
            measurements,
            baseline: None,
            document: None,
            unchecked: &[],
            selection: Selection::Whole,
            cfgs,
        }
    }

    /// The baseline with scenarios in the benches that have them now. Of a part of the
    /// workspace it is not known which scenarios the other benches have.
    pub(crate) fn moved_baseline(&self) -> Option<Cow<'i, Baseline>> {
        let baseline = self.baseline?;
        Some(if self.is_whole() {
            baseline.moved_to(self.measurements)
        } else {
            Cow::Borrowed(baseline)
        })
    }

    /// Whether no scenario of the workspace was left out.
    pub(crate) fn is_whole(&self) -> bool {
        self.selection == Selection::Whole && !self.measurements.is_filtered()
    }
}

/// A bench that was not measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UncheckedBench {
    /// It is over alloc-scenario, and neither the rules nor the metadata of its package
    /// name it.
    Unlisted(BenchId),
    /// The rules name it, and the recorded results have none of it.
    Unrecorded(BenchId),
}

/// The state of a page of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentState {
    /// The page shows the data file's figures.
    Current,
    /// The page is out of date.
    Stale,
    /// The page does not exist.
    Absent,
}

/// A run that is judged, with all that its verdicts depend on.
pub(super) struct Run<'i> {
    pub(super) inputs: Inputs<'i>,
    /// The rules' policy. Nobody has to accept figures that are better than those of a commit.
    pub(super) policy: Policy,
    /// With scenarios in the benches that have them now.
    baseline: Option<Cow<'i, Baseline>>,
    /// The numbers of the scenarios of each name, if a limit refers to a scenario.
    by_name: HashMap<&'i str, Vec<usize>>,
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
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut rules = inputs.config.gates.iter().flat_map(|gate| &gate.rules);
        if rules.any(|rule| rule.requirement.references().next().is_some()) {
            for (number, measured) in inputs.measurements.scenarios().iter().enumerate() {
                let of_name = by_name.entry(measured.record.name.as_str());
                of_name.or_default().push(number);
            }
        }
        Self {
            inputs: *inputs,
            policy,
            baseline: inputs.moved_baseline(),
            by_name,
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

    /// The baseline, with scenarios in the benches that have them now.
    pub(super) fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_deref()
    }

    /// Whether `accept` approves changes to the baseline's figures; those of a commit were measured.
    pub(super) fn is_acceptable(&self) -> bool {
        !self.inputs.baseline.is_some_and(Baseline::is_measured)
    }

    /// The number of the scenario that a limit of `measured` refers to. It was built like
    /// `measured`, and is the one of the same bench, or else the only one. Without one, the name
    /// that was looked for.
    pub(super) fn referred(
        &self,
        reference: &Reference,
        measured: &MeasuredScenario,
    ) -> Result<usize, String> {
        let name = reference.resolve(&measured.record.axes);
        let name = name.ok_or_else(|| reference.text().to_owned())?;
        let scenarios = self.scenarios();
        let alike = |name: &str| {
            let of_name = self.by_name.get(name).into_iter().flatten().copied();
            of_name.filter(|&number| {
                let other = &scenarios[number];
                other.environment.is_built_like(&measured.environment)
            })
        };
        let mut found: Vec<usize> = alike(&name).collect();
        if found.is_empty() {
            let is_it = |number: usize, id| scenarios[number].is_called(id);
            found.extend(
                qualified(&name)
                    .flat_map(|id| alike(id.name).filter(move |&number| is_it(number, id))),
            );
        }
        let is_beside = |number: &&usize| scenarios[**number].bench == measured.bench;
        let one = match &found[..] {
            [only] => Some(only),
            several => several.iter().find(is_beside),
        };
        one.copied().ok_or(name)
    }

    /// The numbers of the scenarios that limits of `gate` refer to, for `measured`.
    pub(super) fn references<'g>(
        &'g self,
        gate: &'g Gate,
        measured: &'g MeasuredScenario,
    ) -> impl Iterator<Item = usize> + 'g {
        let rules = gate.rules.iter();
        let references = rules.flat_map(|rule| rule.requirement.references());
        references.filter_map(|reference| self.referred(reference, measured).ok())
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

    /// The measured scenarios, and the unavailable ones.
    pub(super) fn ids(&self) -> impl Iterator<Item = IdRef<'i>> + Clone {
        let measured = self.scenarios().iter().map(MeasuredScenario::id);
        let unavailable = self.inputs.measurements.unavailable().iter();
        measured.chain(unavailable.map(Unavailable::id))
    }

    /// Whether everything was selected.
    pub(super) fn selects_all(&self) -> bool {
        self.inputs.selection == Selection::Whole
    }
}
