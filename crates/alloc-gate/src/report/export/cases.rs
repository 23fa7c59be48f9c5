//! [`Case`]: a gate on a scenario, for the formats of tests and of alerts.

use std::ptr;
use std::rc::Rc;

use alloc_results::{BenchId, Ratio};
use indexmap::IndexMap;

use crate::diagnostic::Place;
use crate::evaluation::{
    Evaluation, Finding, FindingKind, GateSummary, Judgement, Level, Skip, Subjects, Verdict,
};
use crate::figure::Statistic;
use crate::printable::one_line;
use crate::report::check::problems::missing_figure;
use crate::report::check::row::row;
use crate::report::document::{at, words};
use crate::report::export::blamed::{Blamed, BlamedLines, blamed_lines};
use crate::report::words::{finding_words, skip_words, unmatched_words};
use crate::report::write::plain;
use crate::requirement::figure_words;
use crate::results::scenario_id::IdRef;

/// A gate on a scenario, or a finding that fails the check.
pub(super) struct Case<'e> {
    /// The gate's name, or the finding's code.
    pub(super) rule: &'e str,
    /// Why there is the rule, and what to do where it does not hold.
    pub(super) reason: String,
    pub(super) help: String,
    /// Where the rule stands in the rules' file.
    pub(super) rule_line: usize,
    pub(super) bench: Option<&'e BenchId>,
    /// The scenario, or what else the rule is about; empty if it is about itself.
    pub(super) subject: String,
    /// Where the scenario was registered.
    pub(super) location: Option<(&'e str, u32)>,
    /// The time of an iteration in nanoseconds.
    pub(super) time: Option<Ratio>,
    pub(super) state: State<'e>,
}

/// What became of a case.
pub(super) enum State<'e> {
    /// It holds; perhaps with warnings.
    Held(Vec<String>),
    /// It was not judged, for this reason.
    Skipped(String),
    /// The requirements that fail the check, at least one.
    Failed(Vec<Unmet<'e>>),
}

/// A requirement that fails the check.
pub(super) struct Unmet<'e> {
    /// `fail`, `missing`, `stale`, or the code of a finding.
    pub(super) kind: &'static str,
    /// `allocs max`; empty for a finding.
    pub(super) figure: String,
    /// A sentence.
    pub(super) text: String,
    /// Where the requirement stands in the rules' file.
    pub(super) rule_line: usize,
    /// The lines that allocate.
    pub(super) blamed: Option<Rc<Blamed<'e>>>,
}

/// All cases of an evaluation, in the order of the rules.
pub(super) fn cases(evaluation: &Evaluation) -> Vec<Case<'_>> {
    let subjects = Subjects::new(evaluation);
    let reader = Reader {
        evaluation,
        subjects: &subjects,
        blamed: blamed_lines(evaluation, &subjects),
    };
    let gates = evaluation.gates.iter();
    let gates = gates.flat_map(|gate| reader.gate(gate));
    let findings = evaluation.findings.iter();
    let findings = findings.filter(|finding| finding.level == Level::Deny);
    gates
        .chain(findings.map(|finding| from_finding(finding, evaluation)))
        .collect()
}

struct Reader<'e, 's> {
    evaluation: &'e Evaluation,
    subjects: &'s Subjects<'e>,
    blamed: BlamedLines<'e>,
}

/// The state of what has no figure.
fn without_figure<'e>(kind: &'static str, text: String, rule_line: usize) -> State<'e> {
    State::Failed(vec![Unmet {
        kind,
        figure: String::new(),
        text,
        rule_line,
        blamed: None,
    }])
}

impl<'e> Reader<'e, '_> {
    fn gate(&self, gate: &'e GateSummary) -> Vec<Case<'e>> {
        let reason = gate.reason.clone();
        let reason = reason.unwrap_or_else(|| format!("The gate {}", gate.name));
        let place = at(&self.evaluation.config_file, gate.place);
        let help = plain(&words!(
            "Fix the line that allocates, or change the limit at {}; `cargo alloc-gate accept` \
             takes new figures into the baseline.",
            place
        ));
        let case = |subject, state| Case {
            rule: &gate.name,
            reason: reason.clone(),
            help: help.clone(),
            rule_line: gate.place.line,
            bench: None,
            subject,
            location: None,
            time: None,
            state,
        };
        if let Some(skip) = &gate.skip {
            let why = State::Skipped(plain(&skip_words(skip)));
            return vec![case(String::new(), why)];
        }
        let mut scenarios: IndexMap<IdRef<'_>, Vec<&Judgement>> = IndexMap::new();
        for judgement in &gate.judgements {
            let of_scenario = scenarios.entry(judgement.id()).or_default();
            of_scenario.push(judgement);
        }
        let judged = scenarios.into_values().map(|judgements| {
            let first = judgements[0];
            let is_one = first.statistic != Statistic::Growth;
            let measured = is_one
                .then(|| self.subjects.measured(first).next())
                .flatten();
            Case {
                bench: Some(&first.bench),
                location: Some((&first.location.file, first.location.line)),
                time: measured.and_then(|one| one.record.time_mean()),
                ..case(first.label(), self.state(gate, &judgements))
            }
        });
        let missing = |text, line| without_figure("missing", text, line);
        let unavailable = gate.unavailable.iter().map(|one| {
            let (scenario, label) = (&one.scenario, one.label());
            let text = format!("`{label}` could not be measured: {}", scenario.reason);
            Case {
                bench: Some(&one.bench),
                location: Some((&scenario.location.file, scenario.location.line)),
                ..case(label, missing(one_line(&text), gate.place.line))
            }
        });
        let unmatched = gate.unmatched.iter().map(|(pattern, place)| {
            let text = plain(&unmatched_words(gate, pattern));
            case(pattern.clone(), missing(text, place.line))
        });
        judged.chain(unavailable).chain(unmatched).collect()
    }

    /// What became of a gate on a scenario.
    fn state(&self, gate: &GateSummary, judgements: &[&'e Judgement]) -> State<'e> {
        let sentence = |judgement| {
            let sentence = row("", &[(gate, judgement)], self.subjects).sentence();
            one_line(&format!("{}: {sentence}", judgement.label()))
        };
        let (unmet, others): (Vec<&Judgement>, Vec<&Judgement>) = judgements
            .iter()
            .partition(|one| self.evaluation.fails(one.verdict));
        if unmet.is_empty() {
            if others.iter().all(|one| one.verdict == Verdict::Skipped) {
                return State::Skipped(plain(&skip_words(&Skip::OthersNotSelected)));
            }
            let warned = others.into_iter();
            let warned = warned.filter(|one| self.evaluation.level(one.verdict).is_some());
            let notes = warned.map(|one| {
                let (word, sentence) = (one.verdict.name(), sentence(one));
                format!("{word}: {sentence}")
            });
            return State::Held(notes.collect());
        }
        let unmet = unmet.into_iter().map(|one| Unmet {
            kind: one.verdict.name(),
            figure: figure_words(&one.metric, one.statistic),
            text: match one.verdict {
                Verdict::Missing(absence) => plain(&missing_figure(
                    absence,
                    one,
                    self.evaluation,
                    self.subjects,
                )),
                Verdict::Stale => format!("better than required: {}", sentence(one)),
                Verdict::Skipped | Verdict::Pass | Verdict::Fail => sentence(one),
            },
            rule_line: one.place.line,
            blamed: self.blamed.get(&ptr::from_ref(one)).cloned(),
        });
        State::Failed(unmet.collect())
    }
}

fn from_finding<'e>(finding: &'e Finding, evaluation: &Evaluation) -> Case<'e> {
    let kind = &finding.kind;
    let first = Place { line: 1, column: 1 };
    let (subject, place) = match kind {
        FindingKind::Scenario { scenario, .. } => (&**scenario, first),
        FindingKind::Gate { gate, place, .. } => (&**gate, *place),
        FindingKind::Table { table, place, .. } => (&**table, *place),
        FindingKind::Run(_) => ("", first),
    };
    let (sentence, help) = finding_words(kind, evaluation);
    let text = format!("{}; help: {}", plain(&sentence), plain(&help));
    Case {
        rule: kind.code(),
        reason: String::from("A problem of the measurement or of the rules"),
        help: "See design/codes.md of alloc-gate.".to_owned(),
        rule_line: place.line,
        bench: None,
        subject: subject.to_owned(),
        location: kind.location().map(|place| (&*place.file, place.line)),
        time: None,
        state: without_figure(kind.code(), text, place.line),
    }
}

impl Case<'_> {
    /// What stays the same when other lines change: the rule, the scenario, the figure, the
    /// function and the text of the line. `place` tells environments apart.
    pub(super) fn fingerprint(&self, unmet: &Unmet<'_>, place: &str) -> String {
        let bench = self.bench.map(ToString::to_string).unwrap_or_default();
        let (function, code) = unmet
            .blamed
            .as_ref()
            .map_or(("", ""), |blamed| (blamed.function, blamed.code.trim()));
        let parts = [
            self.rule,
            &bench,
            &self.subject,
            &unmet.figure,
            function,
            code,
            place,
        ];
        // FNV-1a in 64 bits.
        let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }
}
