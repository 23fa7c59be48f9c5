//! Figures that are missing, in one sentence for all scenarios.

use crate::evaluation::Absence;
use crate::figure::{MIN_POINTS, MIN_SPAN, counted};
use crate::report::words::joined;

/// What is missing of these figures in these scenarios. `what` is the environment or the other
/// scenario, if that is what is missing.
pub(in crate::report) fn absence_sentence(
    absence: Absence,
    what: &str,
    figures: &[String],
    scenarios: &[String],
) -> String {
    let count = scenarios.len();
    let (lacks, has, does) = match count {
        1 => ("lacks", "has", "does"),
        _ => ("lack", "have", "do"),
    };
    let was = if figures.len() == 1 { "was" } else { "were" };
    let [figures, scenarios] = [figures, scenarios].map(joined);
    match absence {
        Absence::Environment => {
            let were = if count == 1 { "was" } else { "were" };
            format!(
                "the baseline has no figures of {what}; {} {were} not compared",
                counted(count, "scenario")
            )
        }
        Absence::Metric => format!("{figures} of {scenarios} {was} not measured"),
        Absence::Unit => format!(
            "{figures} of {scenarios} {was} measured in a unit other than `[metrics]` declares"
        ),
        Absence::Baseline => format!("the baseline does not have {figures} of {scenarios}"),
        Absence::Iterations => {
            format!("the baseline has {figures} of {scenarios} for another number of iterations")
        }
        Absence::Elements => {
            format!("{scenarios} {does} not declare a number of elements above 0, for {figures}")
        }
        Absence::Reference => format!(
            "{scenarios} can't be compared with `{what}`: it, or {figures} of it, is not in this \
             run, or several benches have the name"
        ),
        Absence::OtherFigure => format!(
            "the figure that the limit of {figures} is computed from was not measured in {scenarios}"
        ),
        Absence::Axis => format!("{scenarios} {has} no axis of whole numbers, or several"),
        Absence::LinePoints => {
            format!("{scenarios} {lacks} points at two values of the axis, for {figures}")
        }
        Absence::Points => format!(
            "{scenarios} {has} fewer than {MIN_POINTS} points above 0, too few for {figures}"
        ),
        Absence::Span => format!(
            "the largest point of {scenarios} is less than {MIN_SPAN} times the smallest, too near \
             for {figures}"
        ),
        // Gates report these themselves.
        Absence::Unavailable => format!("{scenarios} could not be measured"),
        Absence::Scenario => String::from("no measured scenario matches"),
    }
}
