//! Problems that several scenarios can share, each in one block.

use indexmap::IndexMap;

use crate::diagnostic::{Diagnostic, Level, Where};
use crate::evaluation::Evaluation;
use crate::report::document::{Label, Line, Problem, at, location, words};

/// What gates lack, and the findings: those of one kind with the same help are one problem; warnings come
/// last. With `is_whole`, a log has the sentences of all.
pub(in crate::report) fn problems(evaluation: &Evaluation, is_whole: bool) -> Vec<Problem> {
    let mut groups: IndexMap<(Label, &Option<String>), Vec<Line>> = IndexMap::new();
    for diagnostic in evaluation.diagnostics() {
        let label = Label::from(diagnostic);
        let of_kind = groups.entry((label, &diagnostic.help)).or_default();
        of_kind.push(sentence(diagnostic));
    }
    let problem = |((label, help), sentences): ((Label, &Option<String>), _)| Problem {
        label,
        sentences,
        help: help.as_deref().map(Line::from_text),
        is_whole,
    };
    let mut problems: Vec<Problem> = groups.into_iter().map(problem).collect();
    problems.sort_by_key(|problem| problem.label.level != Level::Deny);
    problems
}

/// The message, with its place.
pub(in crate::report) fn sentence(diagnostic: &Diagnostic) -> Line {
    let message = Line::from_text(&diagnostic.message);
    match &diagnostic.place {
        Where::Place { file, place } => words!("{} ({})", message, at(file, *place)),
        Where::Scenario(one) => words!("{} ({})", message, location(&one.location)),
        Where::Nowhere | Where::Span(_) | Where::Bench(_) => message,
    }
}
