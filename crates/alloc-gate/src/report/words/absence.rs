//! Figures that are missing, in words.

use indexmap::IndexSet;

use crate::evaluation::Absence;
use crate::figure::{MIN_POINTS, MIN_SPAN, counted};
use crate::report::document::{Line, words};
use crate::report::words::joined;

/// What is missing of these figures in these scenarios. `what` is the environment or the other
/// scenario, if that is what is missing.
pub(in crate::report) fn absence_sentence(
    absence: Absence,
    what: &Line,
    figures: &IndexSet<Line>,
    scenarios: &IndexSet<Line>,
) -> Line {
    let agreeing = |subject: &IndexSet<Line>, one: &str, several: &str| {
        Line::from(if subject.len() == 1 { one } else { several })
    };
    Line::filled(sentence(absence), |part| match part {
        "figures" => joined(figures.iter().cloned()),
        "scenarios" => joined(scenarios.iter().cloned()),
        "number of scenarios" => counted(scenarios.len(), "scenario").into(),
        "what" => what.clone(),
        "points" => (&MIN_POINTS).into(),
        "span" => (&MIN_SPAN).into(),
        "figures were" => agreeing(figures, "was", "were"),
        "were" => agreeing(scenarios, "was", "were"),
        "have" => agreeing(scenarios, "has", "have"),
        "do" => agreeing(scenarios, "does", "do"),
        other => Line::from(other),
    })
}

const fn sentence(absence: Absence) -> &'static str {
    match absence {
        Absence::Environment => {
            "the baseline has no figures of {what}; {number of scenarios} {were} not compared"
        }
        Absence::Metric => "{figures} of {scenarios} {figures were} not measured",
        Absence::Unit => {
            "{figures} of {scenarios} {figures were} measured in a unit other than `[metrics]` \
             declares"
        }
        Absence::Baseline => "the baseline does not have {figures} of {scenarios}",
        Absence::Elements => {
            "{scenarios} {do} not declare a number of elements above 0, for {figures}"
        }
        Absence::Reference => {
            "{scenarios} can't be compared with {what}: it, or {figures} of it, is not in this run, \
             or several benches have the name"
        }
        Absence::Axis => "{scenarios} {have} no axis of whole numbers, or several",
        Absence::Points => {
            "{scenarios} {have} fewer than {points} points above 0, too few for {figures}"
        }
        Absence::Span => {
            "the largest point of {scenarios} is less than {span} times the smallest, too near for \
             {figures}"
        }
        // Gates report these themselves.
        Absence::Unavailable => "{scenarios} could not be measured",
        Absence::Scenario => "no measured scenario matches",
    }
}

/// Advice on scenarios that could not be measured.
pub(in crate::report) fn unavailable_advice() -> Line {
    words!(
        "measure where it is available, limit the gate with `when`, or leave the scenario out with \
         `exclude`"
    )
}
