//! Problems of tables in words.

use crate::evaluation::TableProblem as Problem;
use crate::report::document::{Inline, Line, name, words};
use crate::report::words::pattern_advice;

pub(super) fn sentence(problem: &Problem, table: Inline) -> Line {
    match problem {
        Problem::UnmatchedPattern { pattern, excludes } => words!(
            "the table {} {} {}, which matches no scenario",
            table,
            if *excludes { "excludes" } else { "selects" },
            name(pattern)
        ),
        Problem::MissingAxis {
            axis,
            scenarios,
            is_unknown,
            ..
        } => missing_axis(table, axis, scenarios, *is_unknown),
        Problem::AmbiguousCells {
            cells,
            axes,
            example,
        } => ambiguous_cells(table, *cells, axes, example),
    }
}

pub(super) fn advice(problem: &Problem, place: Inline) -> Line {
    match problem {
        Problem::UnmatchedPattern { .. } => pattern_advice(place),
        Problem::MissingAxis {
            scenarios,
            known,
            is_unknown,
            ..
        } => axis_advice(scenarios.len(), known, *is_unknown, place),
        Problem::AmbiguousCells { axes, .. } if axes.is_empty() => {
            words!("select fewer with `scenarios` or `exclude`, at {}", place)
        }
        Problem::AmbiguousCells { .. } => words!(
            "select one value of it with `scenarios` or `exclude`, or make it the rows or the \
             columns, at {}",
            place
        ),
    }
}

/// Says which scenarios lack an axis of a table.
fn missing_axis(table: Inline, axis: &str, scenarios: &[String], is_unknown: bool) -> Line {
    match scenarios {
        _ if is_unknown => words!(
            "no scenario of the table {} has an axis {}",
            table,
            name(axis)
        ),
        [only] => words!(
            "{} has no axis {}, and is not in the table {}",
            name(only),
            name(axis),
            table
        ),
        several => words!(
            "{} scenarios have no axis {}, and are not in the table {}: {}",
            several.len(),
            name(axis),
            table,
            list(several)
        ),
    }
}

/// Advice for scenarios that lack an axis.
fn axis_advice(scenarios: usize, known: &[String], is_unknown: bool, place: Inline) -> Line {
    if is_unknown {
        let known = known_words(known);
        return words!("{}; correct it at {}", known, place);
    }
    let those = if scenarios == 1 { "it" } else { "them" };
    let known = match known {
        [] => Line::default(),
        known => words!("; {}", known_words(known)),
    };
    words!(
        "leave {} out with `exclude`, or name another axis at {}{}",
        those,
        place,
        known
    )
}

/// Says in what the scenarios of ambiguous cells differ.
fn ambiguous_cells(
    table: Inline,
    cells: usize,
    axes: &[String],
    [first, second]: &[String; 2],
) -> Line {
    let cells = match cells {
        1 => words!("a cell"),
        cells => words!("{} cells", cells),
    };
    let difference = match axes {
        [] => words!("their names alone"),
        axes => list(axes),
    };
    let example = if first == second {
        words!("{} twice", name(first))
    } else {
        words!("{} and {}", name(first), name(second))
    };
    words!(
        "several scenarios share {} of the table {}; they differ in {}, for example \
         {}",
        cells,
        table,
        difference,
        example
    )
}

/// Lists the known axes.
fn known_words(known: &[String]) -> Line {
    match known {
        [] => words!("its scenarios have no axes"),
        known => words!("known are {}", list(known)),
    }
}

fn list(names: &[String]) -> Line {
    Line::joined(names.iter().map(name), ", ")
}
