//! What reports say of the tables that rules ask for, beside the tables.

use crate::evaluation::TableRemark;
use crate::report::words::{Dialect, pattern_advice};
use crate::rules::TableHistory;

/// A finding in a sentence, and what to do about it.
pub(super) fn remark_words(
    remark: &TableRemark,
    config_file: &str,
    dialect: Dialect,
) -> (String, String) {
    let name = dialect.name;
    let names = |list: &[String]| {
        let list: Vec<String> = list.iter().map(|text| name(text)).collect();
        list.join(", ")
    };
    let known = |list: &[String], what: &str| match list {
        [] => format!("its scenarios have no {what}"),
        list => format!("known are {}", names(list)),
    };
    let at = |place| dialect.at(config_file, place);
    match remark {
        TableRemark::UnmatchedPattern {
            table,
            pattern,
            excludes,
            place,
        } => {
            let verb = if *excludes { "excludes" } else { "selects" };
            (
                format!(
                    "the table {} {verb} {}, which matches no scenario",
                    name(table),
                    name(pattern)
                ),
                pattern_advice(&at(*place)),
            )
        }
        TableRemark::MissingAxis {
            table,
            axis,
            scenarios,
            known: axes,
            is_unknown,
            place,
        } => {
            let about = match scenarios.as_slice() {
                _ if *is_unknown => {
                    format!(
                        "no scenario of the table {} has an axis {}",
                        name(table),
                        name(axis)
                    )
                }
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
                    names(several)
                ),
            };
            let those = if scenarios.len() == 1 { "it" } else { "them" };
            let next = match is_unknown {
                true => format!("{}; correct it at {}", known(axes, "axes"), at(*place)),
                false => {
                    let known = match axes.as_slice() {
                        [] => String::new(),
                        axes => format!("; {}", known(axes, "axes")),
                    };
                    format!(
                        "leave {those} out with `exclude`, or name another axis at {}{known}",
                        at(*place)
                    )
                }
            };
            (about, next)
        }
        TableRemark::AmbiguousCells {
            table,
            cells,
            axes,
            example: [first, second],
            is_of_history,
            place,
        } => {
            let cells = match cells {
                1 => String::from("a cell"),
                cells => format!("{cells} cells"),
            };
            let is_of_environments = |axis: &String| axis == TableHistory::ENVIRONMENT;
            let (differ, next) = match axes.as_slice() {
                axes if *is_of_history && axes.iter().any(is_of_environments) => (
                    names(axes),
                    String::from(
                        "select one with `environment` in the table's `history`, or make it the \
                         rows or the columns",
                    ),
                ),
                [] => (
                    String::from("their names alone"),
                    String::from("select fewer with `scenarios` or `exclude`"),
                ),
                axes => (
                    names(axes),
                    String::from(
                        "select one value of it with `scenarios` or `exclude`, or make it the \
                         rows or the columns",
                    ),
                ),
            };
            let example = match first == second {
                true => format!("{} twice", name(first)),
                false => format!("{} and {}", name(first), name(second)),
            };
            (
                format!(
                    "several scenarios share {cells} of the table {}; they differ in {differ}, for \
                     example {example}",
                    name(table)
                ),
                format!("{next}, at {}", at(*place)),
            )
        }
        TableRemark::NoHistory {
            table,
            file,
            reason,
            place,
        } => (
            format!(
                "the table {} has no history of {}: {}",
                name(table),
                name(file),
                (dialect.text)(reason)
            ),
            format!(
                "use a repository with the commits that changed the file, or remove the table at {}",
                at(*place)
            ),
        ),
        TableRemark::MissingBaseline {
            table,
            baseline,
            known: values,
            place,
        } => (
            format!(
                "the table {} has no {} to compare with",
                name(table),
                name(baseline)
            ),
            format!("{}; correct it at {}", known(values, "values"), at(*place)),
        ),
    }
}
