//! Findings about tables in words.

use crate::report::words::Dialect;

/// Says which scenarios lack an axis of a table.
pub(super) fn missing_axis(
    table: &str,
    axis: &str,
    scenarios: &[String],
    is_unknown: bool,
    dialect: Dialect,
) -> String {
    let name = dialect.name;
    match scenarios {
        _ if is_unknown => format!(
            "no scenario of the table {} has an axis {}",
            name(table),
            name(axis)
        ),
        [only] => format!(
            "{} has no axis {}, and is not in the table {}",
            name(only),
            name(axis),
            name(table)
        ),
        several => format!(
            "{} scenarios have no axis {}, and are not in the table {}: {}",
            several.len(),
            name(axis),
            name(table),
            list(several, dialect)
        ),
    }
}

/// Advice for scenarios that lack an axis.
pub(super) fn axis_advice(
    scenarios: usize,
    known: &[String],
    is_unknown: bool,
    place: &str,
    dialect: Dialect,
) -> String {
    if is_unknown {
        let known = known_words(known, dialect);
        return format!("{known}; correct it at {place}");
    }
    let those = if scenarios == 1 { "it" } else { "them" };
    let known = match known {
        [] => String::new(),
        known => format!("; {}", known_words(known, dialect)),
    };
    format!("leave {those} out with `exclude`, or name another axis at {place}{known}")
}

/// Says in what the scenarios of ambiguous cells differ.
pub(super) fn ambiguous_cells(
    table: &str,
    cells: usize,
    axes: &[String],
    [first, second]: &[String; 2],
    dialect: Dialect,
) -> String {
    let name = dialect.name;
    let cells = match cells {
        1 => String::from("a cell"),
        cells => format!("{cells} cells"),
    };
    let difference = match axes {
        [] => String::from("their names alone"),
        axes => list(axes, dialect),
    };
    let example = match first == second {
        true => format!("{} twice", name(first)),
        false => format!("{} and {}", name(first), name(second)),
    };
    format!(
        "several scenarios share {cells} of the table {}; they differ in {difference}, for example \
         {example}",
        name(table)
    )
}

/// Advice for ambiguous cells.
pub(super) fn cells_advice(axes: &[String], place: &str) -> String {
    let advice = if axes.is_empty() {
        "select fewer with `scenarios` or `exclude`"
    } else {
        "select one value of it with `scenarios` or `exclude`, or make it the rows or the columns"
    };
    format!("{advice}, at {place}")
}

/// Lists the known axes.
fn known_words(known: &[String], dialect: Dialect) -> String {
    match known {
        [] => String::from("its scenarios have no axes"),
        known => format!("known are {}", list(known, dialect)),
    }
}

fn list(names: &[String], dialect: Dialect) -> String {
    let names: Vec<String> = names.iter().map(|text| (dialect.name)(text)).collect();
    names.join(", ")
}
