//! Workflow commands that make GitHub show failures on their lines: [`annotations`].

use crate::diagnostic::{Diagnostic, Level, Where};
use crate::evaluation::{Evaluation, Subjects};
use crate::measure::counted;
use crate::printable::one_line;
use crate::report::check::failures::{FailureText, Group, MOST_ROWS, below_point, count, groups};
use crate::report::explain::SitesText;
use crate::report::text::Excerpt;

/// GitHub shows no more errors of a step.
const MOST: usize = 10;

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
        let text = format!("{rest} in the report");
        commands.push(command(&[("title", "alloc-gate")], &text));
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
    /// A file and a line.
    place: Option<(String, u32)>,
    lines: Vec<String>,
}

impl Problem {
    fn command(&self, path: impl Fn(&str) -> String) -> String {
        let place = self.place.as_ref();
        // GitHub finds no file by an escaped name.
        let place = place.filter(|(file, _)| one_line(file) == *file);
        let place = place.map(|(file, line)| (path(file), line.to_string()));
        let place = place.as_ref().map(|(file, line)| (&**file, &**line));
        let lines = self.lines.iter().map(|line| one_line(line));
        let lines = lines.collect::<Vec<_>>().join("\n");
        annotation(place, &one_line(&self.title), &lines)
    }
}

fn annotated(evaluation: &Evaluation) -> Vec<Problem> {
    let subjects = Subjects::new(evaluation);
    let groups = groups(evaluation, &subjects, false, false).into_iter();
    let groups = groups.filter(|group| group.level() == Level::Deny);
    let others = evaluation.diagnostics().into_iter();
    let others = others.filter(|one| one.level == Level::Deny);
    groups
        .flat_map(|group| from_group(&group))
        .chain(others.map(from_diagnostic))
        .collect()
}

/// The problems of scenarios that the same lines explain: one on the line that allocates most,
/// and with a base one on each other line that allocates more. Without a known line there is
/// one on each scenario.
fn from_group(group: &Group) -> Vec<Problem> {
    let mut excerpts = group.lines.iter().flat_map(|lines| &lines.excerpts.list);
    let Some(first) = excerpts.next() else {
        return group.failures.iter().map(from_failure).collect();
    };
    let grows = group.lines.iter().any(SitesText::grows);
    let title = match (group.failures.len(), grows) {
        (1, true) => format!("{} allocates more", group.title()),
        (_, true) => format!("{} allocate more", group.title()),
        (_, false) => format!("{} failed", group.title()),
    };
    let shown = group.failures.iter().take(MOST_ROWS);
    let mut values: Vec<String> = shown.flat_map(values).collect();
    let on_line = |excerpt: &Excerpt| Problem {
        title: title.clone(),
        place: Some((excerpt.file.clone(), excerpt.line)),
        lines: values
            .iter()
            .take(1)
            .chain([&excerpt.label])
            .cloned()
            .collect(),
    };
    let others = excerpts.filter(|excerpt| grows && !excerpt.is_old);
    let others: Vec<Problem> = others.map(on_line).collect();
    let mut problem = on_line(first);
    problem.lines.extend(values.drain(1.min(values.len())..));
    if let rest @ 1.. = count(group.failures.iter().skip(MOST_ROWS)) {
        problem
            .lines
            .push(format!("and {}", counted(rest, "more scenario")));
    }
    [problem].into_iter().chain(others).collect()
}

/// The problem of a scenario whose lines are not known.
fn from_failure(failure: &FailureText) -> Problem {
    let failed = match failure.word {
        "stale" => "is better than the baseline or the limit",
        _ => "failed",
    };
    Problem {
        title: format!("{} {failed}", failure.title),
        place: Some((failure.location.file.clone(), failure.location.line)),
        lines: values(failure),
    }
}

/// A line for each value that a scenario does not meet: `shout: 107 allocations per iteration, limit
/// 1 [one-vector]`.
fn values(failure: &FailureText) -> Vec<String> {
    let more = (failure.left_out > 0).then(|| counted(failure.left_out, "more value"));
    let rows = failure.rows.iter();
    let rows = rows.map(|row| below_point(&row.point, &row.verdict));
    let all = rows.chain(more);
    all.map(|words| format!("{}: {words}", failure.title))
        .collect()
}

fn from_diagnostic(diagnostic: &Diagnostic) -> Problem {
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    Problem {
        title: diagnostic.code.name().to_owned(),
        place: match &diagnostic.place {
            Where::Scenario(one) => Some((one.location.file.clone(), one.location.line)),
            Where::Place { .. } | Where::Nowhere | Where::Span(_) | Where::Bench(_) => None,
        },
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
    fn characters_of_the_syntax_are_escaped_and_hidden_ones_in_a_name_are_no_place() {
        let on = |file: &str| {
            let problem = Problem {
                title: String::from("t"),
                place: Some((file.to_owned(), 7)),
                lines: ["a: 5 %, b", "::error::c"].map(String::from).into(),
            };
            problem.command(str::to_owned)
        };
        let rest = "title=alloc-gate%3A t::a: 5 %25, b%0A::error::c";
        let file = "file=a%2Cb%3Ac%25d.rs,line=7";
        assert_eq!(on("a,b:c%d.rs"), format!("::error {file},{rest}"));
        assert_eq!(on("a\u{1b}b.rs"), format!("::error {rest}"));
    }
}
