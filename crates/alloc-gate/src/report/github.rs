//! Workflow commands that make GitHub show failures on their lines: [`annotations`].

use crate::diagnostic::{Diagnostic, Level, Where};
use crate::evaluation::{Evaluation, Subjects};
use crate::figure::counted;
use crate::printable::one_line;
use crate::report::check::failure::{FailureText, failure_texts};
use crate::report::check::failures::{FailureGroup, count, groups};
use crate::report::document::{Excerpt, Inline, words};
use crate::report::explain::SitesText;
use crate::report::write::plain;

/// GitHub shows no more errors of a step.
const MOST: usize = 10;

/// The scenarios of one cause that an annotation names at most.
const MOST_SCENARIOS: usize = 12;

/// A workflow command for each cause that fails scenarios, on the line that allocates, or on
/// the scenario if no line is known, and one for each other problem that fails the check; at
/// most ten, of which the tenth counts the rest. Where there is a base, each line that
/// allocates more has one.
/// `path` makes the path of a source relative to the root of the repository. Each command is a
/// line to print as it is.
#[must_use]
pub fn annotations(evaluations: &[Evaluation], path: impl Fn(&str) -> String) -> Vec<String> {
    let problems = evaluations.iter().flat_map(annotated);
    let mut commands: Vec<String> = problems.map(|problem| problem.command(&path)).collect();
    if commands.len() > MOST {
        let rest = counted(commands.len() - (MOST - 1), "more problem");
        commands.truncate(MOST - 1);
        commands.push(command(
            &[("title", "alloc-gate")],
            &format!("{rest} in the report"),
        ));
    }
    commands
}

/// A workflow command for an error. `place` is a file below the root of the repository, and a
/// line in it.
#[must_use]
pub fn annotation(place: Option<(&str, &str)>, title: &str, text: &str) -> String {
    let title = format!("alloc-gate: {title}");
    let mut properties = Vec::new();
    if let Some((file, line)) = place {
        properties.extend([("file", file), ("line", line)]);
    }
    properties.push(("title", &title));
    command(&properties, text)
}

/// A problem that fails the check.
struct Problem {
    title: String,
    /// A file and a line, `benches/b.rs:7`.
    location: Option<String>,
    lines: Vec<String>,
}

impl Problem {
    fn command(&self, path: impl Fn(&str) -> String) -> String {
        let place = self.location.as_ref();
        let place = place.and_then(|place| place.rsplit_once(':'));
        // GitHub finds no file by an escaped name.
        let place = place.filter(|(file, _)| !file.contains("\\u{"));
        let place = place.map(|(file, line)| (path(file), line));
        let place = place.as_ref().map(|(file, line)| (&**file, *line));
        annotation(place, &self.title, &self.lines.join("\n"))
    }
}

fn annotated(evaluation: &Evaluation) -> Vec<Problem> {
    let subjects = Subjects::new(evaluation);
    let mut failures = failure_texts(evaluation, &subjects, false);
    failures.retain(|failure| failure.level == Level::Deny);
    let groups = groups(evaluation, failures, false);
    let diagnostics = evaluation.diagnostics().into_iter();
    let diagnostics = diagnostics.filter(|one| one.level == Level::Deny);
    let problems = groups.iter().flat_map(from_group);
    problems.chain(diagnostics.map(from_diagnostic)).collect()
}

/// The problems of scenarios that the same lines explain: one on the line that allocates most,
/// and with a base one on each other line that allocates more. Without a known line there is
/// one on each scenario.
fn from_group(group: &FailureGroup) -> Vec<Problem> {
    let lines = group.lines();
    let mut excerpts = lines.iter().flat_map(|lines| &lines.excerpts.list);
    let Some(first) = excerpts.next() else {
        return group.failures.iter().map(from_block).collect();
    };
    let grows = lines.iter().any(SitesText::grows);
    let point = lines.first().map(|lines| lines.point.clone());
    let title = match (&group.failures[..], grows) {
        ([block], true) => format!("{} allocates more", one_line(&block.title)),
        ([block], false) => format!("{} failed", one_line(&block.title)),
        (all, true) => format!("{} allocate more", counted(count(all), "scenario")),
        (all, false) => format!("{} failed", counted(count(all), "scenario")),
    };
    let on_line = |excerpt: &Excerpt| {
        let file = Inline::Place(excerpt.file.clone());
        Problem {
            title: title.clone(),
            location: Some(plain(&words!("{}:{}", file, &excerpt.line))),
            lines: vec![plain(&words!("{}{}", point.clone(), excerpt.label.clone()))],
        }
    };
    let mut problem = on_line(first);
    for block in group.failures.iter().take(MOST_SCENARIOS) {
        let name = match group.failures.len() {
            1 => String::new(),
            _ => format!("{}: ", block.title),
        };
        problem.lines.extend(figures(block, &name));
    }
    if let rest @ 1.. = count(group.failures.iter().skip(MOST_SCENARIOS)) {
        let rest = counted(rest, "more scenario");
        problem.lines.push(format!("and {rest}"));
    }
    let others = excerpts.filter(|excerpt| grows && !excerpt.is_old);
    let others = others.map(on_line);
    [problem].into_iter().chain(others).collect()
}

/// The problem of a scenario whose lines are not known.
fn from_block(block: &FailureText) -> Problem {
    let title = one_line(&block.title);
    Problem {
        title: if block.word == "stale" {
            format!("{title} is better than the baseline or the limit")
        } else {
            format!("{title} failed")
        },
        location: Some(plain(&block.location.clone().into())),
        lines: figures(block, ""),
    }
}

/// A line for each figure that a scenario does not meet, behind `name`: `allocs 1 -> 101
/// (+100), required: <= 1 [one-vector]`.
fn figures(block: &FailureText, name: &str) -> Vec<String> {
    let rows = block.rows.iter().map(|row| {
        let point = match &*row.point {
            "" => String::new(),
            point => format!("{point}: "),
        };
        one_line(&format!("{name}{point}{}", row.sentence()))
    });
    let others = block
        .rows
        .iter()
        .flat_map(|row| &row.others)
        .map(|other| one_line(&format!("{name}{other}")));
    let more = (block.left_out > 0).then(|| counted(block.left_out, "more figure"));
    rows.chain(others).chain(more).collect()
}

fn from_diagnostic(diagnostic: &Diagnostic) -> Problem {
    let location = match &diagnostic.place {
        Where::Scenario(one) => Some(format!("{}:{}", one.location.file, one.location.line)),
        Where::Nowhere | Where::Span(_) | Where::Place { .. } | Where::Bench(_) => None,
    };
    let help = diagnostic.help.as_ref().map(|help| format!("help: {help}"));
    Problem {
        title: diagnostic.code.name().to_owned(),
        location,
        lines: [diagnostic.message.clone()]
            .into_iter()
            .chain(help)
            .collect(),
    }
}

/// `::error file=benches/b.rs,line=7,title=T::text`.
fn command(properties: &[(&str, &str)], text: &str) -> String {
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| {
            let value = escaped(value).replace(':', "%3A").replace(',', "%2C");
            format!("{name}={value}")
        })
        .collect();
    format!("::error {}::{}", properties.join(","), escaped(text))
}

/// Text as GitHub reads it back.
fn escaped(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_hidden_characters_in_its_name_is_no_place() {
        let on = |file: &str| {
            let problem = Problem {
                title: String::from("t"),
                location: Some(format!("{}:7", one_line(file))),
                lines: vec![String::from("l")],
            };
            problem.command(str::to_owned)
        };
        assert_eq!(
            on("a,b.rs"),
            "::error file=a%2Cb.rs,line=7,title=alloc-gate%3A t::l"
        );
        assert_eq!(on("a\u{1b}b.rs"), "::error title=alloc-gate%3A t::l");
    }

    #[test]
    fn characters_of_the_syntax_are_escaped() {
        assert_eq!(
            command(
                &[("file", "a,b:c%d.rs"), ("line", "7")],
                "a: 5 %, b\r\n::error::c"
            ),
            "::error file=a%2Cb%3Ac%25d.rs,line=7::a: 5 %25, b%0D%0A::error::c"
        );
    }
}
