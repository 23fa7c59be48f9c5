//! Verdicts as a JUnit XML file, which CI systems show as tests: [`junit`].

use std::collections::HashMap;
use std::io::{self, Write};

use alloc_results::Location;
use indexmap::IndexMap;

use crate::diagnostic::{Diagnostic, Level, Where};
use crate::evaluation::{Evaluation, GateSummary, Judgement, Subjects, Verdict};
use crate::measure::{Statistic, counted};
use crate::printable::{markup, one_line};
use crate::report::Repository;
use crate::report::check::failures::row;
use crate::report::explain::SitesText;
use crate::results::names::IdRef;

/// A gate on a scenario, or a diagnostic that fails the check.
struct Case {
    /// The bench, or the file of the rules.
    suite: String,
    /// The scenario with its gate, or the code of a diagnostic.
    name: String,
    at: Location,
    /// The time of an iteration in seconds, or 0 where it was not measured.
    time: f64,
    state: State,
    /// Why it was skipped or fails; the warnings if it holds.
    text: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Held,
    Skipped,
    /// The verdict or the code.
    Failed(&'static str),
}

/// Writes a test for each gate and scenario, in the suite of its bench. Readers tell tests apart
/// by `classname` and `name`, and GitLab shows the former as the name of the suite.
pub(super) fn junit(
    evaluations: &[Evaluation],
    repository: Option<Repository<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut suites: IndexMap<String, Vec<Case>> = IndexMap::new();
    for evaluation in evaluations {
        let environment = match evaluation.origins.first() {
            Some(origin) if evaluations.len() > 1 => format!(" ({})", origin.environment),
            Some(_) | None => String::new(),
        };
        for case in cases(evaluation) {
            let suite = format!("{}{environment}", case.suite);
            suites.entry(suite).or_default().push(case);
        }
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let tally = tally(suites.values().flatten());
    writeln!(out, "<testsuites name=\"alloc-gate\"{tally}>")?;
    for (suite, cases) in &suites {
        let (suite, tally) = (escaped(suite), self::tally(cases));
        writeln!(out, "<testsuite name=\"{suite}\"{tally}>")?;
        let mut names: HashMap<String, usize> = HashMap::new();
        for case in cases {
            // Two names can differ in hidden characters alone.
            let mut name: String = one_line(&case.name).chars().take(1_000).collect();
            let number = names.entry(name.clone()).or_default();
            *number += 1;
            if *number > 1 {
                name = format!("{name} ({number})");
            }
            let file = one_line(&Repository::path(repository, &case.at.file));
            let (name, file, line) = (escaped(&name), escaped(&file), case.at.line);
            writeln!(
                out,
                "<testcase classname=\"{suite}\" name=\"{name}\" file=\"{file}\" line=\"{line}\" \
                 time=\"{:.9}\"{}",
                case.time,
                case.inside()
            )?;
        }
        writeln!(out, "</testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The attributes that count tests.
fn tally<'c>(cases: impl IntoIterator<Item = &'c Case>) -> String {
    let (mut tests, mut failures, mut skipped, mut time) = (0, 0, 0, 0.0);
    for case in cases {
        tests += 1;
        failures += usize::from(matches!(case.state, State::Failed(_)));
        skipped += usize::from(case.state == State::Skipped);
        time += case.time;
    }
    format!(
        " tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" \
         time=\"{time:.9}\""
    )
}

impl Case {
    /// The end of the test's tag, and what is inside of it.
    fn inside(&self) -> String {
        let lines: Vec<String> = self.text.iter().map(|line| escaped(line)).collect();
        let (first, text) = (lines.first().map_or("", |line| line), lines.join("\n"));
        let inside = match self.state {
            State::Held if lines.is_empty() => return "/>".into(),
            State::Held => format!("<system-out>{text}</system-out>"),
            State::Skipped => format!("<skipped message=\"{first}\"/>"),
            State::Failed(kind) => {
                format!("<failure message=\"{first}\" type=\"{kind}\">{text}</failure>")
            }
        };
        format!(">{inside}</testcase>")
    }
}

/// A line of text, in which a CI system that prints the file finds no command.
fn escaped(text: &str) -> String {
    let text = markup(text).replace("##", "#&#35;");
    match text.strip_prefix(':') {
        Some(rest) => format!("&#58;{rest}"),
        None => text,
    }
}

fn cases(evaluation: &Evaluation) -> Vec<Case> {
    let subjects = Subjects::new(evaluation);
    let mut cases = Vec::new();
    for gate in &evaluation.gates {
        let of_gate = |name: String, state, text| Case {
            suite: evaluation.config_file.clone(),
            name,
            at: in_rules(evaluation, gate.place.line),
            time: 0.0,
            state,
            text: vec![text],
        };
        if let Some(skip) = &gate.skip {
            let why = skip.message.clone();
            cases.push(of_gate(gate.name.clone(), State::Skipped, why));
            continue;
        }
        let mut scenarios: IndexMap<IdRef<'_>, Vec<&Judgement>> = IndexMap::new();
        for judgement in &gate.judgements {
            scenarios.entry(judgement.id()).or_default().push(judgement);
        }
        let scenarios = scenarios.values();
        cases.extend(scenarios.map(|judgements| case(evaluation, &subjects, gate, judgements)));
        let unmatched = gate.unmatched.iter();
        cases.extend(unmatched.map(|one| from_diagnostic(evaluation, one, Some(gate))));
        if gate.left_out > 0 {
            let name = format!("more scenarios [{}]", gate.name);
            let note = format!("{} are not listed", counted(gate.left_out, "verdict"));
            cases.push(of_gate(name, State::Held, note));
        }
    }
    let findings = evaluation.findings.iter();
    let findings = findings.filter(|finding| finding.level == Level::Deny);
    cases.extend(findings.map(|one| from_diagnostic(evaluation, one, None)));
    cases
}

fn in_rules(evaluation: &Evaluation, line: usize) -> Location {
    Location {
        file: evaluation.config_file.clone(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
    }
}

/// What a gate lacks, or a finding.
fn from_diagnostic(
    evaluation: &Evaluation,
    diagnostic: &Diagnostic,
    gate: Option<&GateSummary>,
) -> Case {
    let (file, code) = (evaluation.config_file.clone(), diagnostic.code.name());
    let rules = |line| (file, code, in_rules(evaluation, line));
    let (suite, subject, at) = match &diagnostic.place {
        Where::Scenario(one) => (one.bench.to_string(), &*one.name, one.location.clone()),
        Where::Place { place, .. } => rules(place.line),
        Where::Nowhere | Where::Span(_) | Where::Bench(_) => rules(1),
    };
    let of = gate.map_or(code, |gate| &gate.name);
    let help = diagnostic.help.iter();
    let help: String = help.map(|help| format!("; help: {help}")).collect();
    Case {
        suite,
        name: match gate {
            None if subject == code => subject.to_owned(),
            Some(_) | None => format!("{subject} [{of}]"),
        },
        at,
        time: 0.0,
        state: State::Failed(gate.map_or(code, |_| "missing")),
        text: vec![diagnostic.message.clone() + &help],
    }
}

/// What became of a gate on a scenario.
fn case(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    gate: &GateSummary,
    judgements: &[&Judgement],
) -> Case {
    let first = judgements[0];
    let mut measured = subjects.measured(first);
    let one = measured
        .next()
        .filter(|_| first.statistic != Statistic::Growth);
    let time = one.and_then(|one| one.record.time_mean());
    let sentence = |one: &Judgement| {
        let verdict = row(&[(gate, one)], subjects).verdict;
        format!("{}: {verdict}", one.label())
    };
    let missing = |one: &Judgement| Some(one.details.as_ref()?.missing.as_ref()?.message.clone());
    let problems = judgements.iter();
    let problems: Vec<&Judgement> = problems
        .copied()
        .filter(|one| evaluation.level(one.verdict).is_some())
        .collect();
    let lines = problems
        .iter()
        .map(|one| match (one.verdict, missing(one)) {
            (_, Some(missing)) => missing,
            (Verdict::Stale, None) => format!("better than required: {}", sentence(one)),
            (_, None) => sentence(one),
        });
    let mut text: Vec<String> = lines.collect();
    let failed = problems.iter().find(|one| evaluation.fails(one.verdict));
    // The lines that allocate, with their code; an edited one is the first, if it is known which are.
    let explained = evaluation.explained.iter().filter(|_| failed.is_some());
    let own = explained.filter(|one| (&one.bench, &*one.scenario) == first.id());
    for excerpt in own.flat_map(|one| SitesText::new(one).excerpts.list) {
        let place = format!("{}:{}", excerpt.file, excerpt.line);
        text.push(format!("{place}: {}", excerpt.code.trim()));
        text.push(format!("  {}", excerpt.label));
    }
    Case {
        suite: first.bench.to_string(),
        name: format!("{} [{}]", first.label(), gate.name),
        at: first.location.clone(),
        time: time.map_or(0.0, |time| time.to_f64() / 1e9),
        state: failed.map_or(State::Held, |one| State::Failed(one.verdict.name())),
        text,
    }
}
