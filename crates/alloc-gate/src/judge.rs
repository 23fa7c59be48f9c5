//! Judging: [`evaluate`] turns gates, measurements and a baseline into an [`Evaluation`]. It is a
//! pure function, and compares values as exact rationals.

mod findings;
mod rule;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use alloc_results::{BenchId, Ratio};

use crate::baseline::Baseline;
use crate::diagnostic::{Code, Diagnostic, Level, Place, Where, nearest};
use crate::evaluation::{
    Evaluation, Excess, GateSummary, InBaseline, Judgement, Ruling, Verdict, excess_of, more,
};
use crate::judge::findings::Notes;
use crate::judge::rule::Numbered;
use crate::measure::{Measure, Statistic};
use crate::printable::{one_line, quoted};
use crate::requirement::Reference;
use crate::results::names::{IdRef, qualified};
use crate::results::{Environment, MeasuredScenario, Measurements, Selection, Unavailable};
use crate::rules::{CfgSets, Config, Gate, Pattern, Policy, Reaction, Rule, Unmet};

/// What to do about a pattern that matches nothing.
const SEE_LIST: &str = "see `cargo alloc-gate list` for the scenarios, and correct the pattern";

/// For so many patterns of a run that match nothing the most similar name is looked for.
const MOST_HINTS: usize = 10;

/// Everything that a verdict depends on.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i> {
    /// The rules.
    pub config: &'i Config,
    /// The results of the run.
    pub measurements: &'i Measurements,
    /// The accepted values. `None` without a data file: comparisons with the
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
    /// It is over alloc-scenario, and the rules do not list it.
    Unlisted(BenchId),
    /// The rules name it, and the recorded results have none of it.
    Unrecorded(BenchId),
}

/// The state of a page of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentState {
    /// The page shows the data file's values.
    Current,
    /// The page is out of date.
    Stale,
    /// The page does not exist.
    Absent,
}

/// A run that is judged, with all that its verdicts depend on.
struct Run<'i> {
    inputs: Inputs<'i>,
    /// The rules' policy. A base that was measured at a commit makes nothing stale.
    policy: Policy,
    /// With scenarios in the benches that have them now.
    baseline: Option<Cow<'i, Baseline>>,
    /// The numbers of the scenarios of each name, if a limit refers to a scenario.
    by_name: HashMap<&'i str, Vec<usize>>,
    /// The values that were asked for: many gates can judge the same.
    values: RefCell<HashMap<(&'i Measure, Statistic), Values>>,
    /// For so many patterns a similar name is still looked for among all names.
    hints: Cell<usize>,
}

/// A value of each scenario.
type Values = Rc<[Option<Ratio>]>;

impl<'i> Run<'i> {
    fn new(inputs: &Inputs<'i>) -> Self {
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
            values: RefCell::default(),
            hints: Cell::new(MOST_HINTS),
        }
    }

    /// The value of `rule` of each scenario.
    fn values(&self, rule: &'i Rule) -> Values {
        let key = (&rule.metric, rule.statistic);
        let mut known = self.values.borrow_mut();
        let values = known.entry(key).or_insert_with(|| {
            let scenarios = self.scenarios().iter();
            let value =
                |measured: &MeasuredScenario| rule.metric.value(rule.statistic, &measured.record);
            scenarios.map(value).collect()
        });
        Rc::clone(values)
    }

    /// The baseline, with scenarios in the benches that have them now.
    fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_deref()
    }

    /// Whether `accept` approves changes to the baseline; a measured base has nothing to accept.
    fn is_acceptable(&self) -> bool {
        !self.inputs.baseline.is_some_and(Baseline::is_measured)
    }

    /// The number of the scenario that a limit of `measured` refers to. It was built like
    /// `measured`, and is the one of the same bench, or else the only one. Without one, the name
    /// that was looked for.
    fn referred(
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
    fn references<'g>(
        &'g self,
        gate: &'g Gate,
        measured: &'g MeasuredScenario,
    ) -> impl Iterator<Item = usize> + 'g {
        let rules = gate.rules.iter();
        let references = rules.flat_map(|rule| rule.requirement.references());
        references.filter_map(|reference| self.referred(reference, measured).ok())
    }

    fn fails(&self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Fail | Verdict::Missing(_) => true,
            Verdict::Stale => self.policy.stale == Reaction::Deny,
            Verdict::Pass | Verdict::Skipped => false,
        }
    }

    fn in_rules(&self, place: Place) -> Where {
        Where::Place {
            file: self.inputs.config.file().to_owned(),
            place,
        }
    }

    fn scenarios(&self) -> &'i [MeasuredScenario] {
        self.inputs.measurements.scenarios()
    }

    /// The measured scenarios, and the unavailable ones.
    fn ids(&self) -> impl Iterator<Item = IdRef<'i>> + Clone {
        let measured = self.scenarios().iter().map(MeasuredScenario::id);
        let unavailable = self.inputs.measurements.unavailable().iter();
        measured.chain(unavailable.map(Unavailable::id))
    }

    /// Whether everything was selected.
    fn selects_all(&self) -> bool {
        self.inputs.selection == Selection::Whole
    }
}

/// Judges the measurements.
#[must_use]
pub fn evaluate(inputs: &Inputs<'_>) -> Evaluation {
    let run = Run::new(inputs);
    let mut notes = Notes::new(&run);
    let gates = inputs.config.gates.iter();
    let gates: Vec<GateSummary> = gates.map(|gate| judge(gate, &run, &mut notes)).collect();
    let mut findings = findings::of_run(&run, &notes);
    findings.extend(findings::of_conditions(&run, &gates));
    Evaluation {
        gates,
        findings,
        failed: notes.failed(),
        keeping: notes.keeping(run.scenarios()),
        accepted: in_baseline(&run),
        stale: run.policy.stale,
        is_acceptable: run.is_acceptable(),
        ..unjudged(inputs.config, inputs.measurements, inputs.selection)
    }
}

/// The measurements without any judgement.
#[must_use]
pub fn unjudged(config: &Config, measurements: &Measurements, selection: Selection) -> Evaluation {
    Evaluation {
        config_file: config.file().to_owned(),
        gates: Vec::new(),
        findings: Vec::new(),
        scenarios: measurements.shared(),
        failed: BTreeSet::new(),
        keeping: Vec::new(),
        accepted: Vec::new(),
        origins: Arc::clone(measurements.origins()),
        explained: Vec::new(),
        left_out: selection.left_out(),
        benches_left_out: 0,
        stale: config.policy.stale,
        is_acceptable: true,
    }
}

/// What the baseline has of each measured scenario; empty without a baseline.
fn in_baseline(run: &Run<'_>) -> Vec<InBaseline> {
    let Some(baseline) = run.baseline() else {
        return Vec::new();
    };
    let of = |measured: &MeasuredScenario| {
        if baseline.is_older_than(measured.id()) {
            return InBaseline::New;
        }
        let accepted = baseline.accepted_in(&measured.environment);
        match accepted.map(|accepted| accepted.scenarios.get(&measured.id())) {
            None => InBaseline::NoEnvironment,
            Some(None) => InBaseline::New,
            Some(Some(scenario)) => InBaseline::Accepted(Box::new(scenario.clone())),
        }
    };
    run.scenarios().iter().map(of).collect()
}

/// Judges the scenarios that the gate applies to, and adds to the `notes`.
fn judge<'i>(gate: &'i Gate, run: &Run<'i>, notes: &mut Notes<'i>) -> GateSummary {
    let mut applicability = Applicability {
        gate,
        run,
        applies: false,
        skip: None,
    };
    let mut judged: Vec<Numbered<'i>> = Vec::new();
    for (number, measured) in run.scenarios().iter().enumerate() {
        let is_included = gate.filter.includes(&measured.bench, &measured.record.name);
        if is_included && applicability.applies(&measured.environment) {
            judged.push((number, measured));
            notes.note(gate, number, measured, &run.policy);
            // A control scenario needs no limit of its own.
            for other in run.references(gate, measured) {
                notes.scenarios[other].is_gated = true;
            }
        }
    }
    let mut kept = Kept::new(run.inputs.config.gates.len(), gate.rules.len());
    let mut judged_any = false;
    let is_part = matches!(run.inputs.selection, Selection::Scenarios { .. });
    rule::judge(gate, &judged, run, &mut |rule, members, series, ruling| {
        judged_any = true;
        if is_part && lacks_others(&ruling, run) {
            return;
        }
        // Of what is missing, nothing is known to be wrong.
        if run.fails(ruling.verdict) && !matches!(ruling.verdict, Verdict::Missing(_)) {
            for &(number, _) in members {
                notes.scenarios[number].is_failed = true;
            }
        }
        kept.add(rule, members[0].1, series, ruling);
    });
    let unavailable = run.inputs.measurements.unavailable().iter();
    let unavailable = unavailable.filter(|one| {
        let (bench, name) = one.id();
        gate.filter.includes(bench, name) && applicability.applies(&one.environment)
    });
    let unavailable: Vec<Diagnostic> = unavailable.map(self::unavailable).collect();
    let (mut unmatched, mut skip) = applicability.finish();
    unmatched.extend(unavailable);
    if kept.count == 0 && judged_any {
        let message = "the scenarios that it compares with were not selected".into();
        skip = Some(note(Code::OthersNotSelected, message));
    }
    let missing = unmatched.iter().map(|one| Verdict::Missing(one.code));
    let worst = kept.verdict.into_iter().chain(missing).max();
    let count = kept.count;
    let judgements = kept.judgements();
    GateSummary {
        name: gate.name.clone(),
        reason: gate.reason.clone(),
        place: gate.place,
        verdict: worst.unwrap_or(Verdict::Skipped),
        scenarios: judged.len(),
        left_out: count - judgements.len(),
        judgements,
        unmatched,
        skip,
    }
}

/// Whether the verdict is missing because other scenarios, which it needs, were
/// not measured.
fn lacks_others(ruling: &Ruling, run: &Run<'_>) -> bool {
    let absence = ruling.verdict.absence();
    if absence == Some(Code::NoReference) {
        let details = ruling.details.as_deref();
        let other = details.and_then(|details| details.computed.reference.as_ref());
        let named = |name: &str| run.inputs.measurements.named(name);
        return other.is_some_and(|other| named(&other.scenario).is_empty());
    }
    matches!(absence, Some(Code::TooFewPoints | Code::PointsTooNear))
}

/// Decides for one scenario after the other whether a gate applies: its `scenarios` must match,
/// its `exclude` must not, and its condition must hold.
struct Applicability<'s, 'i> {
    gate: &'s Gate,
    run: &'s Run<'i>,
    /// Whether the gate applied to any scenario.
    applies: bool,
    /// Why the condition did not hold for the first scenario that matched.
    skip: Option<Diagnostic>,
}

impl Applicability<'_, '_> {
    /// Whether the gate applies to a scenario that matches. It may be measured or unavailable.
    fn applies(&mut self, environment: &Environment) -> bool {
        let condition = &self.gate.condition;
        let Some(unmet) = condition.unmet(environment, self.run.inputs.cfgs) else {
            self.applies = true;
            return true;
        };
        self.skip.get_or_insert_with(|| skip(unmet, environment));
        false
    }

    /// The globs that matched no scenario, and why the gate is skipped, if it is.
    fn finish(self) -> (Vec<Diagnostic>, Option<Diagnostic>) {
        let unmet = if self.applies {
            None
        } else {
            self.unmet_everywhere()
        };
        let mut unmatched = Vec::new();
        if self.run.selects_all() && unmet.is_none() {
            let filter = &self.gate.filter;
            let ids = self.run.ids();
            let idle = filter.idle(ids.filter(|(_, name)| !filter.excludes(name)));
            unmatched.extend(idle.map(|glob| self.unmatched(glob)));
        }
        let is_skipped = !self.applies && unmatched.is_empty();
        let not_selected = || {
            let message = "none of its scenarios was selected".into();
            note(Code::NotSelected, message)
        };
        let why = self.skip.or(unmet).unwrap_or_else(not_selected);
        (unmatched, is_skipped.then_some(why))
    }

    /// That a pattern matches no scenario.
    fn unmatched(&self, glob: &Pattern) -> Diagnostic {
        let filter = &self.gate.filter;
        let keys = filter.benches.keys();
        let keys = keys.map(|(key, glob)| format!("the {key} {}", quoted(glob.text())));
        let benches = match &keys.collect::<Vec<_>>()[..] {
            [] => String::new(),
            keys => format!(" of {}", keys.join(" and ")),
        };
        let excludes = !filter.exclude.is_empty();
        let message = format!(
            "no measured scenario{benches}{} matches {} of the gate {}",
            if excludes {
                " that is not excluded"
            } else {
                ""
            },
            quoted(glob.text()),
            quoted(&self.gate.name)
        );
        let names = self.run.scenarios().iter().map(|one| &*one.record.name);
        let may_hint = !excludes && self.run.hints.get() > 0;
        let meant = may_hint.then(|| {
            self.run.hints.update(|left| left - 1);
            nearest(&glob.text().replace('*', ""), names)
        });
        let help = match meant.flatten() {
            Some(meant) => format!(
                "did you mean {}? `cargo alloc-gate list` shows all scenarios",
                quoted(meant)
            ),
            None => SEE_LIST.into(),
        };
        let place = self.run.in_rules(glob.place());
        Diagnostic::new(Code::UnmatchedPattern, Level::Deny, place, &message).help(help)
    }

    /// Why the condition holds in no environment of the run, if it does not. The
    /// gate's globs need not match then. `None` for a run without environments.
    fn unmet_everywhere(&self) -> Option<Diagnostic> {
        let condition = &self.gate.condition;
        let cfgs = self.run.inputs.cfgs;
        let mut environments = self.run.inputs.measurements.environments().iter();
        let first = environments.next()?;
        let unmet = condition.unmet(first, cfgs)?;
        let applies = environments.any(|other| condition.holds(other, cfgs));
        (!applies).then(|| skip(unmet, first))
    }
}

/// That a scenario of the gate can't be measured.
fn unavailable(one: &Unavailable) -> Diagnostic {
    let label = one.label();
    let reason = one_line(&one.scenario.reason);
    let message = format!("{} could not be measured: {reason}", quoted(&label));
    let place = Where::scenario(&one.bench, label, &one.scenario.location);
    Diagnostic::new(Code::UnavailableScenario, Level::Deny, place, &message).help(
        "measure where it is available, limit the gate with `when`, or leave the scenario out with \
         `exclude`",
    )
}

/// The reason for skipping a gate whose condition is unmet in the environment.
fn skip(unmet: Unmet<'_>, environment: &Environment) -> Diagnostic {
    let (code, text, place) = match unmet {
        Unmet::When(when) => {
            let assertions = match environment.debug_assertions {
                _ if !when.depends_on_debug_assertions() => "",
                true => " with debug assertions",
                false => " without debug assertions",
            };
            let text = format!("when {}", when.text());
            let target = quoted(&environment.target);
            (Code::OtherTarget, text, format!("{target}{assertions}"))
        }
        Unmet::Rustc(required) => {
            let text = format!("rustc {}", required.text());
            (Code::OtherCompiler, text, quoted(&environment.rustc))
        }
        Unmet::UnknownTarget | Unmet::UnknownRustc => {
            let message = "it is not known whether it applies".into();
            return note(Code::UnansweredCondition, message);
        }
    };
    note(code, format!("{} does not hold for {place}", quoted(&text)))
}

fn note(code: Code, message: String) -> Diagnostic {
    Diagnostic::new(code, Level::Note, Where::Nowhere, &message)
}

/// So many judgements of all gates are kept, and of each gate at least so many. Ordinary runs have
/// fewer.
const MOST: usize = 100_000;
const LEAST: usize = 100;

/// The judgements of a gate.
struct Kept<'g> {
    most: usize,
    holding: Vec<One<'g>>,
    /// With how far each is beyond its limit.
    unmet: Vec<(Excess, One<'g>)>,
    /// The first judgement of each bench and rule.
    firsts: Vec<One<'g>>,
    /// Of each rule, the judgements with the smallest and the largest value and first call.
    extremes: Vec<[Option<(Ratio, One<'g>)>; 4]>,
    /// The number of judgements.
    count: usize,
    /// The worst verdict.
    verdict: Option<Verdict>,
}

/// A judgement.
#[derive(Clone)]
struct One<'g> {
    number: usize,
    rule: (usize, &'g Rule),
    measured: &'g MeasuredScenario,
    series: Option<String>,
    ruling: Ruling,
}

impl<'g> Kept<'g> {
    fn new(gates: usize, rules: usize) -> Self {
        Self {
            most: (MOST / gates.max(1)).max(LEAST),
            holding: Vec::new(),
            unmet: Vec::new(),
            firsts: Vec::new(),
            extremes: vec![[const { None }; 4]; rules],
            count: 0,
            verdict: None,
        }
    }

    /// Adds a judgement of a scenario, or of a series with its first scenario.
    fn add(
        &mut self,
        rule: (usize, &'g Rule),
        measured: &'g MeasuredScenario,
        series: Option<String>,
        ruling: Ruling,
    ) {
        let number = self.count;
        self.count += 1;
        self.verdict = self.verdict.max(Some(ruling.verdict));
        let one = One {
            number,
            rule,
            measured,
            series,
            ruling,
        };
        let is_in = |first: &One<'_>, bench: &BenchId| {
            first.rule.0 == rule.0 && first.measured.bench == *bench
        };
        if !self
            .firsts
            .iter()
            .any(|first| is_in(first, &measured.bench))
        {
            self.firsts.push(one.clone());
        }
        self.compare_extremes(&one);
        if one.ruling.verdict == Verdict::Pass {
            if self.holding.len() < self.most {
                self.holding.push(one);
            }
            return;
        }
        self.unmet
            .push((excess_of(&rule.1.requirement, &one.ruling), one));
        if self.unmet.len() >= 2 * self.most {
            self.keep_worst();
        }
    }

    fn compare_extremes(&mut self, one: &One<'g>) {
        let details = one.ruling.details.as_deref();
        let growth = details.and_then(|details| details.growth.as_ref());
        let class = growth.map(|growth| Ratio::whole(growth.class as i128));
        let values = [
            class.or(one.ruling.measured),
            details.and_then(|it| it.first_call),
        ];
        for (at, known) in self.extremes[one.rule.0].iter_mut().enumerate() {
            let better = [Ordering::Less, Ordering::Greater][at % 2];
            let Some(value) = values[at / 2] else {
                continue;
            };
            if known
                .as_ref()
                .is_none_or(|(known, _)| value.cmp(known) == better)
            {
                *known = Some((value, one.clone()));
            }
        }
    }

    fn keep_worst(&mut self) {
        self.unmet.sort_by(|(one, first), (other, second)| {
            let by_verdict = second.ruling.verdict.cmp(&first.ruling.verdict);
            by_verdict.then_with(|| more(other, one))
        });
        self.unmet.truncate(self.most);
    }

    /// The judgements to show, in their order.
    fn judgements(mut self) -> Vec<Judgement> {
        if self.unmet.len() > self.most {
            self.keep_worst();
        }
        let unmet = self.unmet.into_iter().map(|(_, one)| one);
        let mut all: Vec<One<'_>> = self.holding.into_iter().chain(unmet).collect();
        if all.len() < self.count {
            let extremes = self.extremes.into_iter().flatten().flatten();
            all.extend(self.firsts);
            all.extend(extremes.map(|(_, one)| one));
        }
        all.sort_unstable_by_key(|one| one.number);
        all.dedup_by_key(|one| one.number);
        all.into_iter().map(|one| one.judgement()).collect()
    }
}

impl One<'_> {
    fn judgement(self) -> Judgement {
        let (_, rule) = self.rule;
        let MeasuredScenario { record, .. } = self.measured;
        let mut ruling = self.ruling;
        // A counted iteration made them, so they don't explain the first call.
        let is_about_them = rule.metric.counted().is_some() && rule.statistic != Statistic::First;
        let first = record.first_operations.as_ref();
        let is_one = self.series.is_none() && ruling.verdict == Verdict::Fail;
        if let Some(first) = first.filter(|_| is_about_them && is_one) {
            ruling.details.get_or_insert_default().first_operations = Some(first.as_str().into());
        }
        let scenario = self.series.unwrap_or_else(|| record.name.clone());
        Judgement {
            scenario,
            bench: self.measured.bench.clone(),
            qualifier: self.measured.qualifier.clone(),
            location: record.location.clone(),
            metric: rule.metric.clone(),
            statistic: rule.statistic,
            requirement: rule.requirement.clone(),
            place: rule.place,
            ruling,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{measured, rules};

    #[test]
    fn of_very_many_judgements_the_worst_and_the_first_are_kept() {
        let config = "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 250'\n";
        let config = rules(config);
        let lines = (0..600).map(|number| format!("s{number}: 1 x\n"));
        let results = measured(&lines.collect::<String>());
        let mut kept = Kept::new(1_000, 1);
        // Values from 600 down to 1.
        for (measured, value) in results.scenarios().iter().zip((1..=600).rev()) {
            let ruling = Ruling {
                decisive: (value > 250).then_some(0),
                verdict: [Verdict::Pass, Verdict::Fail][usize::from(value > 250)],
                ..Ruling::new(Some(Ratio::whole(value)))
            };
            kept.add((0, &config.gates[0].rules[0]), measured, None, ruling);
        }
        assert_eq!((kept.count, kept.verdict), (600, Some(Verdict::Fail)));
        let values = kept.judgements().into_iter();
        let values = values.map(|judgement| judgement.measured.unwrap().numerator());
        // The smallest value is an end of the range that reports show.
        let expected = (501..=600).rev().chain((151..=250).rev()).chain([1]);
        assert!(values.eq(expected));
    }
}
