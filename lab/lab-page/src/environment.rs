//! The section on where the results were measured.

use std::fmt::Write;

use crate::markdown::escaped;
use crate::results::{Results, Run};

/// A list of everything that the first run tells of itself, and then what is different in others.
pub fn environment(results: &Results) -> String {
    let Some((first, others)) = results.runs.split_first() else {
        return "Nothing was measured.\n".to_owned();
    };
    let mut text = facts(first, &Run::default());
    for (index, run) in (1..).zip(others) {
        let cells = results.cells.iter().filter(|cell| cell.run == index);
        let (count, all) = (cells.count(), results.cells.len());
        let _ = writeln!(
            text,
            "\n{count} of {all} cells are of a run that differs in:\n"
        );
        text += &facts(run, first);
    }
    text
}

/// The fields of a run that are not the same in another one.
fn facts(run: &Run, other: &Run) -> String {
    let both = run.fields().into_iter().zip(other.fields());
    let different = both.filter(|(own, other)| !own.1.is_empty() && own != other);
    let lines = different.map(|((name, value), _)| format!("- {name}: `{}`\n", escaped(&value)));
    lines.collect()
}
