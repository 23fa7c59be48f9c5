//! Verdicts as a JUnit XML file, which CI systems show as tests: [`junit`].

use std::io::{self, Write};

use indexmap::IndexMap;

use crate::figure::float;
use crate::printable::markup;
use crate::report::export::cases::{Case, State, cases};
use crate::report::export::runs::{Names, Runs};

/// A test with its name and the path of its file.
type Test<'e> = (String, String, Case<'e>);

/// Writes a test for each gate and scenario, in the suite of its bench. Readers tell tests apart
/// by `classname` and `name`, and GitLab shows the former as the name of the suite.
pub(in crate::report) fn junit(runs: Runs<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut suites: IndexMap<String, (Names, Vec<Test<'_>>)> = IndexMap::new();
    for evaluation in runs.evaluations {
        let environment = runs.environment(evaluation);
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
            let file = runs.path(file.unwrap_or(&evaluation.config_file));
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
    let count = |is: fn(&State<'_>) -> bool| {
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
    case.time.map_or(0.0, |time| float(time) / 1e9)
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
            blamed.dedup_by(|one, other| one.texts == other.texts);
            lines.extend(blamed.iter().flat_map(|blamed| &blamed.texts));
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
