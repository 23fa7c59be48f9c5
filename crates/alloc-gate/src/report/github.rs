//! Workflow commands that make GitHub show failures on their lines: [`annotations`].

use crate::evaluation::{Evaluation, Finding, Level};
use crate::figure::counted;
use crate::printable::one_line;
use crate::report::blocks::{Block, blocks};
use crate::report::causes::causes;
use crate::report::sites::changed_lines;
use crate::report::subjects::Subjects;
use crate::report::words::{Dialect, finding_words};

/// GitHub shows no more errors of a step.
const MOST: usize = 10;

/// A workflow command for each line that was added or edited and allocates more than it may,
/// then for each scenario that fails the check, or for the scenarios of a sweep,
/// and one for each other problem that does; at most ten, of which the tenth counts the rest.
/// `path` makes the path of a source relative to the root of the repository. Each command is a
/// line to print as it is.
#[must_use]
pub fn annotations(evaluations: &[Evaluation], path: impl Fn(&str) -> String) -> Vec<String> {
    let lines = evaluations.iter().flat_map(lines);
    let problems = lines.chain(evaluations.iter().flat_map(problems));
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
        let place = self
            .location
            .as_ref()
            .and_then(|place| place.rsplit_once(':'));
        let place = place.map(|(file, line)| (path(file), line));
        let place = place.as_ref().map(|(file, line)| (&**file, *line));
        annotation(place, &self.title, &self.lines.join("\n"))
    }
}

/// The lines that make a scenario fail, as far as they are explained.
fn lines(evaluation: &Evaluation) -> Vec<Problem> {
    let failures = evaluation.explained.iter().filter(|one| one.is_failure);
    let lines = failures.flat_map(|explained| {
        let lines = changed_lines(explained).into_iter();
        lines.map(|(location, words)| Problem {
            title: format!("{} allocates more", one_line(&explained.label)),
            location: Some(location),
            lines: vec![one_line(&words)],
        })
    });
    lines.collect()
}

fn problems(evaluation: &Evaluation) -> Vec<Problem> {
    let subjects = Subjects::new(evaluation);
    let blocks = blocks(evaluation, &subjects, false);
    let blocks = blocks.iter().filter(|block| block.level == Level::Deny);
    // Those with a code are findings, which have places.
    let causes = causes(evaluation, &subjects, true).into_iter();
    let missing = causes
        .filter(|cause| cause.code.is_none())
        .map(|cause| Problem {
            title: String::from("a figure or a scenario is missing"),
            location: None,
            lines: cause.sentences.iter().map(|line| one_line(line)).collect(),
        });
    let findings = evaluation.findings.iter();
    let findings = findings.filter(|finding| finding.level == Level::Deny);
    let findings = findings.map(|finding| from_finding(finding, evaluation));
    blocks
        .map(from_block)
        .chain(missing)
        .chain(findings)
        .collect()
}

/// The problem of a scenario, with a line for each figure: `allocs 1 -> 101 (+100), required:
/// <= 1 [one-vector]`.
fn from_block(block: &Block) -> Problem {
    let rows = block.rows.iter().map(|row| {
        let point = match &*row.point {
            "" => String::new(),
            point => format!("{point}: "),
        };
        let before = row.before.as_ref();
        let before = before.map_or_else(String::new, |before| format!("{before} -> "));
        let figure = format!("{point}{} {before}{}", row.figure, row.now);
        let difference = match &*row.difference {
            "" => String::new(),
            difference => format!(" {difference}"),
        };
        one_line(&format!("{figure}{difference}, required: {}", row.limits))
    });
    let others = block
        .rows
        .iter()
        .flat_map(|row| &row.others)
        .map(|other| one_line(other));
    let more = (block.left_out > 0).then(|| counted(block.left_out, "more figure"));
    let title = one_line(&block.title);
    Problem {
        title: if block.word == "stale" {
            format!("{title} is better than the baseline or the limit")
        } else {
            format!("{title} failed")
        },
        location: Some(block.location.clone()),
        lines: rows.chain(others).chain(more).collect(),
    }
}

fn from_finding(finding: &Finding, evaluation: &Evaluation) -> Problem {
    let (sentence, help) = finding_words(&finding.kind, evaluation, Dialect::PLAIN);
    Problem {
        title: finding.kind.code().to_owned(),
        location: finding
            .kind
            .location()
            .map(|place| Dialect::PLAIN.location(place)),
        lines: vec![one_line(&sentence), one_line(&format!("help: {help}"))],
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
