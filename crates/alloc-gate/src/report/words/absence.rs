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
    let count = scenarios.len();
    let (lacks, has, does, were) = match count {
        1 => ("lacks", "has", "does", "was"),
        _ => ("lack", "have", "do", "were"),
    };
    let was = if figures.len() == 1 { "was" } else { "were" };
    let [figures, scenarios] = [figures, scenarios].map(|all| joined(all.iter().cloned()));
    match absence {
        Absence::Environment => words!(
            "the baseline has no figures of {}; {} {} not compared",
            what.clone(),
            counted(count, "scenario"),
            were
        ),
        Absence::Metric => words!("{} of {} {} not measured", figures, scenarios, was),
        Absence::Unit => words!(
            "{} of {} {} measured in a unit other than `[metrics]` declares",
            figures,
            scenarios,
            was
        ),
        Absence::Baseline => words!("the baseline does not have {} of {}", figures, scenarios),
        Absence::Iterations => {
            words!(
                "the baseline has {} of {} for another number of iterations",
                figures,
                scenarios
            )
        }
        Absence::Elements => {
            words!(
                "{} {} not declare a number of elements above 0, for {}",
                scenarios,
                does,
                figures
            )
        }
        Absence::Reference => words!(
            "{} can't be compared with {}: it, or {} of it, is not in this \
             run, or several benches have the name",
            scenarios,
            what.clone(),
            figures
        ),
        Absence::OtherFigure => words!(
            "the figure that the limit of {} is computed from was not measured in {}",
            figures,
            scenarios
        ),
        Absence::Axis => words!("{} {} no axis of whole numbers, or several", scenarios, has),
        Absence::LinePoints => {
            words!(
                "{} {} points at two values of the axis, for {}",
                scenarios,
                lacks,
                figures
            )
        }
        Absence::Points => words!(
            "{} {} fewer than {} points above 0, too few for {}",
            scenarios,
            has,
            &MIN_POINTS,
            figures
        ),
        Absence::Span => words!(
            "the largest point of {} is less than {} times the smallest, too near \
             for {}",
            scenarios,
            &MIN_SPAN,
            figures
        ),
        // Gates report these themselves.
        Absence::Unavailable => words!("{} could not be measured", scenarios),
        Absence::Scenario => words!("no measured scenario matches"),
    }
}

/// Advice on scenarios that could not be measured.
pub(in crate::report) fn unavailable_advice() -> Line {
    words!(
        "measure where it is available, limit the gate with `when`, or leave the scenario out with \
         `exclude`"
    )
}

/// Why a judgement is missing, in words.
pub(in crate::report) fn absence_words(absence: Absence) -> Line {
    match absence {
        Absence::Metric => words!("the metric was not measured"),
        Absence::Unit => {
            words!("the scenario measures it in a unit other than `[metrics]` declares")
        }
        Absence::Environment => {
            words!("the baseline has no figures of this target, profile, features and allocator")
        }
        Absence::Baseline => words!("the baseline does not have this figure of the scenario"),
        Absence::Iterations => {
            words!("the baseline's total is of another number of iterations")
        }
        Absence::Scenario => words!("no measured scenario matches"),
        Absence::Unavailable => words!("the scenario could not be measured"),
        Absence::Elements => words!("the scenario declares no number of elements, or 0"),
        Absence::Reference => words!(
            "the other scenario, or this figure of it, is not in this run, or several benches \
             have the name"
        ),
        Absence::OtherFigure => {
            words!("the figure that the limit is computed from was not measured")
        }
        Absence::Axis => words!("the scenario has no axis of whole numbers, or several"),
        Absence::LinePoints => words!("a line needs points at two values of the axis"),
        Absence::Points => words!("there are fewer than {} points above 0", &MIN_POINTS),
        Absence::Span => words!(
            "the largest point is less than {} times the smallest",
            &MIN_SPAN
        ),
    }
}
