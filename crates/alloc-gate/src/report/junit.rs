//! Verdicts as a JUnit XML file, which CI systems show as tests: [`junit`].

use std::collections::HashMap;
use std::io::{self, Write};
use std::ptr;
use std::rc::Rc;

use alloc_results::{BenchId, Ratio};
use indexmap::IndexMap;

use crate::diagnostic::{Diagnostic, Level, Where};
use crate::evaluation::failures;
use crate::evaluation::{Evaluation, GateSummary, Judgement, Subjects, Verdict};
use crate::figure::{Measure, Statistic, counted};
use crate::printable::{markup, one_line};
use crate::report::Repository;
use crate::report::check::failure::explained;
use crate::report::check::failure::row;
use crate::report::document::{Excerpt, Foreign, Inline};
use crate::report::explain::SitesText;
use crate::report::write::plain;
use crate::results::names::IdRef;
use crate::sites::Explained;

/// A test with its name and the path of its file.
type Test<'e> = (String, String, Case<'e>);

/// Writes a test for each gate and scenario, in the suite of its bench. Readers tell tests apart
/// by `classname` and `name`, and GitLab shows the former as the name of the suite.
pub(in crate::report) fn junit(
    evaluations: &[Evaluation],
    repository: Option<Repository<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut suites: IndexMap<String, (Names, Vec<Test<'_>>)> = IndexMap::new();
    for evaluation in evaluations {
        let environment = match evaluation.origins.first() {
            Some(origin) if evaluations.len() > 1 => format!(" ({})", origin.environment),
            Some(_) | None => String::new(),
        };
        for case in cases(evaluation) {
            let bench = case.bench.map(ToString::to_string);
            let bench = bench.unwrap_or_else(|| evaluation.config_file.clone());
            let suite = suites.entry(format!("{bench}{environment}"));
            let (names, tests) = suite.or_default();
            let name = match &*case.subject {
                "" => case.rule.to_owned(),
                subject => format!("{subject} [{}]", case.rule),
            };
            let file = case.location.map(|(file, _)| file);
            let file = file.unwrap_or(&evaluation.config_file);
            let file = one_line(&Repository::path(repository, file));
            tests.push((names.unique(&name), file, case));
        }
    }
    let all = || suites.values().flat_map(|(_, tests)| tests);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"alloc-gate\"{}>", tally(all()))?;
    for (suite, (_, tests)) in &suites {
        let suite = escaped(suite);
        writeln!(out, "<testsuite name=\"{suite}\"{}>", tally(tests))?;
        for test in tests {
            write_test(&suite, test, out)?;
        }
        writeln!(out, "</testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The attributes that count tests.
fn tally<'t>(tests: impl IntoIterator<Item = &'t Test<'t>> + Clone) -> String {
    let count = |is: fn(&State) -> bool| {
        let tests = tests.clone().into_iter();
        tests.filter(|(_, _, case)| is(&case.state)).count()
    };
    let times = tests.clone().into_iter().map(|(_, _, case)| seconds(case));
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.9}\"",
        count(|_| true),
        count(|state| matches!(state, State::Failed(_))),
        count(|state| matches!(state, State::Skipped(_))),
        times.sum::<f64>(),
    )
}

/// The time of an iteration, or 0 where it was not measured.
fn seconds(case: &Case<'_>) -> f64 {
    case.time.map_or(0.0, |time| time.to_f64() / 1e9)
}

fn write_test(suite: &str, (name, file, case): &Test<'_>, out: &mut dyn Write) -> io::Result<()> {
    let line = case
        .location
        .map_or(case.rule_line, |(_, line)| line as usize);
    write!(
        out,
        "<testcase classname=\"{suite}\" name=\"{}\" file=\"{}\" line=\"{line}\" time=\"{:.9}\"",
        escaped(name),
        escaped(file),
        seconds(case),
    )?;
    match &case.state {
        State::Held(notes) if notes.is_empty() => writeln!(out, "/>"),
        State::Held(notes) => {
            writeln!(out, "><system-out>{}</system-out></testcase>", text(notes))
        }
        State::Skipped(why) => {
            writeln!(out, "><skipped message=\"{}\"/></testcase>", escaped(why))
        }
        State::Failed(unmet) => {
            let mut lines: Vec<&String> = unmet.iter().map(|one| &one.text).collect();
            let mut blamed: Vec<_> = unmet.iter().flat_map(|one| &one.blamed).collect();
            blamed.dedup();
            lines.extend(blamed.into_iter().flat_map(|lines| &**lines));
            writeln!(
                out,
                "><failure message=\"{}\" type=\"{}\">{}</failure></testcase>",
                escaped(&unmet[0].text),
                unmet[0].kind,
                text(lines),
            )
        }
    }
}

/// Several lines as the content of an element.
fn text<'l>(lines: impl IntoIterator<Item = &'l String>) -> String {
    let lines = lines.into_iter().map(|line| escaped(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of text, in which a CI system that prints the file finds no command.
fn escaped(text: &str) -> String {
    let text = markup(text).replace("##", "#&#35;");
    match text.strip_prefix(':') {
        Some(rest) => format!("&#58;{rest}"),
        None => text,
    }
}

/// Names that readers tell results apart by. Two names can differ in hidden characters alone.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    /// The name in one line of at most 1,000 characters, with a number if another name was the
    /// same.
    fn unique(&mut self, name: &str) -> String {
        let name: String = one_line(name).chars().take(1_000).collect();
        let number = self.0.entry(name.clone()).or_default();
        *number += 1;
        match *number {
            1 => name,
            number => format!("{name} ({number})"),
        }
    }
}

/// A gate on a scenario, or a finding that fails the check.
struct Case<'e> {
    /// The gate's name, or the finding's code.
    rule: &'e str,
    /// Where the rule stands in the rules' file.
    rule_line: usize,
    bench: Option<&'e BenchId>,
    /// The scenario, or what else the rule is about; empty if it is about itself.
    subject: String,
    /// Where the scenario was registered.
    location: Option<(&'e str, u32)>,
    /// The time of an iteration in nanoseconds.
    time: Option<Ratio>,
    state: State,
}

/// What became of a case.
enum State {
    /// It holds; perhaps with warnings.
    Held(Vec<String>),
    /// It was not judged, for this reason.
    Skipped(String),
    /// The requirements that fail the check, at least one.
    Failed(Vec<Unmet>),
}

/// A requirement that fails the check.
struct Unmet {
    /// `fail`, `missing`, `stale`, or the code of a finding.
    kind: &'static str,
    /// A sentence.
    text: String,
    /// The lines that allocate, with their code, and what each does.
    blamed: Option<Rc<Vec<String>>>,
}

/// All cases of an evaluation, in the order of the rules.
fn cases(evaluation: &Evaluation) -> Vec<Case<'_>> {
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
        .chain(findings.map(|finding| {
            let text = match &finding.help {
                Some(help) => format!("{}; help: {help}", finding.message),
                None => finding.message.clone(),
            };
            from_diagnostic(finding, without_figure(finding.code.name(), text))
        }))
        .collect()
}

struct Reader<'e, 's> {
    evaluation: &'e Evaluation,
    subjects: &'s Subjects<'e>,
    blamed: BlamedLines,
}

/// The state of what has no figure.
fn without_figure(kind: &'static str, text: String) -> State {
    State::Failed(vec![Unmet {
        kind,
        text,
        blamed: None,
    }])
}

impl<'e> Reader<'e, '_> {
    fn gate(&self, gate: &'e GateSummary) -> Vec<Case<'e>> {
        let case = |subject, state| Case {
            rule: &gate.name,
            rule_line: gate.place.line,
            bench: None,
            subject,
            location: None,
            time: None,
            state,
        };
        if let Some(skip) = &gate.skip {
            let why = State::Skipped(skip.message.clone());
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
        let unmatched = gate.unmatched.iter().map(|one| {
            let found = from_diagnostic(one, without_figure("missing", one.message.clone()));
            let subject = match found.location {
                Some(_) => found.subject,
                None => one.code.name().to_owned(),
            };
            Case {
                rule: &gate.name,
                subject,
                ..found
            }
        });
        let left_out = (gate.left_out > 0).then(|| {
            let notes = vec![format!(
                "{} are not listed",
                counted(gate.left_out, "verdict")
            )];
            case(String::from("more scenarios"), State::Held(notes))
        });
        judged.chain(unmatched).chain(left_out).collect()
    }

    /// What became of a gate on a scenario.
    fn state(&self, gate: &GateSummary, judgements: &[&'e Judgement]) -> State {
        let sentence = |judgement| {
            let sentence = row("", &[(gate, judgement)], self.subjects).sentence();
            one_line(&format!("{}: {sentence}", judgement.label()))
        };
        let (unmet, others): (Vec<&Judgement>, Vec<&Judgement>) = judgements
            .iter()
            .partition(|one| self.evaluation.fails(one.verdict));
        if unmet.is_empty() {
            let warned = others.into_iter();
            let warned = warned.filter(|one| self.evaluation.level(one.verdict).is_some());
            let notes = warned.map(|one| {
                let (word, sentence) = (one.verdict.name(), sentence(one));
                format!("{word}: {sentence}")
            });
            return State::Held(notes.collect());
        }
        let missing =
            |one: &Judgement| Some(one.details.as_ref()?.missing.as_ref()?.message.clone());
        let unmet = unmet.into_iter().map(|one| Unmet {
            kind: one.verdict.name(),
            text: match (one.verdict, missing(one)) {
                (_, Some(missing)) => missing,
                (Verdict::Stale, None) => format!("better than required: {}", sentence(one)),
                (_, None) => sentence(one),
            },
            blamed: self.blamed.get(&ptr::from_ref(one)).cloned(),
        });
        State::Failed(unmet.collect())
    }
}

fn from_diagnostic(diagnostic: &Diagnostic, state: State) -> Case<'_> {
    let case = Case {
        rule: diagnostic.code.name(),
        rule_line: 1,
        bench: None,
        subject: String::new(),
        location: None,
        time: None,
        state,
    };
    match &diagnostic.place {
        Where::Scenario(one) => Case {
            bench: Some(&one.bench),
            subject: one.name.clone(),
            location: Some((&one.location.file, one.location.line)),
            ..case
        },
        Where::Place { place, .. } => Case {
            rule_line: place.line,
            ..case
        },
        Where::Nowhere | Where::Span(_) | Where::Bench(_) => case,
    }
}

/// The lines of failed judgements, by the addresses of these.
type BlamedLines = HashMap<*const Judgement, Rc<Vec<String>>>;

/// The lines behind the requirements that do not hold, as far as they are known.
fn blamed_lines(evaluation: &Evaluation, subjects: &Subjects<'_>) -> BlamedLines {
    let all = &evaluation.explained;
    let mut lines = BlamedLines::new();
    if all.is_empty() {
        return lines;
    }
    let blamed: Vec<_> = all.iter().map(blamed).collect();
    let of_others = all.iter().zip(&blamed).map(|(one, lines)| {
        let whose = one_line(&format!("the lines of {}:", one.label));
        Rc::new([&[whose], &**lines].concat())
    });
    let of_others: Vec<_> = of_others.collect();
    let blamed: Vec<_> = blamed.into_iter().map(Rc::new).collect();
    let failures = failures(evaluation, subjects).into_iter();
    for failure in failures.filter(|failure| failure.verdict == Verdict::Fail) {
        let numbers = explained(evaluation, subjects, &failure.judged);
        for (_, judgement) in &failure.judged {
            // Of a sweep, not each point is explained.
            let nearest = numbers.iter().max_by_key(|number| {
                let one = &all[**number];
                let is_scenario = one.scenario == judgement.scenario;
                (is_scenario, Measure::from(one.metric) == judgement.metric)
            });
            if let Some(&number) = nearest {
                let is_own = all[number].scenario == judgement.scenario;
                let found = if is_own { &blamed } else { &of_others };
                lines.insert(ptr::from_ref(*judgement), Rc::clone(&found[number]));
            }
        }
    }
    lines
}

/// The lines of a figure; an edited one is the first, if it is known which are.
fn blamed(explained: &Explained) -> Vec<String> {
    let text = |part: &Foreign| plain(&Inline::Text(part.clone()).into());
    let excerpts = SitesText::new(explained).excerpts.list;
    let texts = |excerpt: &Excerpt| {
        let (file, code) = (text(&excerpt.file), text(&excerpt.code));
        [
            format!("{file}:{}: {}", excerpt.line, code.trim()),
            format!("  {}", plain(&excerpt.label)),
        ]
    };
    excerpts.iter().flat_map(texts).collect()
}
