//! Findings in words, each with advice.

use crate::evaluation::{Evaluation, FindingKind};
use crate::report::document::{Line, at, location, name, words};

mod gates;
mod run;
mod scenarios;

/// A sentence about a finding, and advice.
pub(in crate::report) fn finding_words(
    kind: &FindingKind,
    evaluation: &Evaluation,
) -> (Line, Line) {
    let at = |place| at(&evaluation.config_file, place);
    match kind {
        FindingKind::Scenario {
            scenario,
            location: place,
            problem,
        } => {
            let subject = words!("{} ({})", name(scenario), location(place));
            (
                scenarios::sentence(problem, subject),
                scenarios::advice(problem, evaluation),
            )
        }
        FindingKind::Run(problem) => (
            run::sentence(problem, &evaluation.config_file),
            run::advice(problem, evaluation),
        ),
        FindingKind::Gate {
            gate,
            place,
            problem,
        } => (
            gates::sentence(problem, name(gate)),
            gates::advice(problem, at(*place)),
        ),
    }
}
