//! Findings about tables in words.

use crate::report::document::{Inline, Line, name, words};

/// Says which scenarios lack an axis of a table.
pub(super) fn missing_axis(
    table: &str,
    axis: &str,
    scenarios: &[String],
    is_unknown: bool,
) -> Line {
    match scenarios {
        _ if is_unknown => words!(
            "no scenario of the table {} has an axis {}",
            name(table),
            name(axis)
        ),
        [only] => words!(
            "{} has no axis {}, and is not in the table {}",
            name(only),
            name(axis),
            name(table)
        ),
        several => words!(
            "{} scenarios have no axis {}, and are not in the table {}: {}",
            several.len(),
            name(axis),
            name(table),
            list(several)
        ),
    }
}

/// Advice for scenarios that lack an axis.
pub(super) fn axis_advice(
    scenarios: usize,
    known: &[String],
    is_unknown: bool,
    place: Inline,
) -> Line {
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
pub(super) fn ambiguous_cells(
    table: &str,
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
        name(table),
        difference,
        example
    )
}

/// Advice for ambiguous cells.
pub(super) fn cells_advice(axes: &[String], place: Inline) -> Line {
    match axes {
        [] => words!("select fewer with `scenarios` or `exclude`, at {}", place),
        _ => words!(
            "select one value of it with `scenarios` or `exclude`, or make it the rows or the \
             columns, at {}",
            place
        ),
    }
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
