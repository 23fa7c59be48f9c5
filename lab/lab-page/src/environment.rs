//! The section on where the results were measured, and with which versions.

use std::fmt::Write;

use crate::markdown::escaped;
use crate::query::distinct;
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
    text + &versions(&results.runs)
}

/// The fields of a run that are not the same in another one.
fn facts(run: &Run, other: &Run) -> String {
    let both = run.fields().into_iter().zip(other.fields());
    let different = both.filter(|(own, other)| !own.1.is_empty() && own != other);
    let lines = different.map(|((name, value), _)| format!("- {name}: `{}`\n", escaped(&value)));
    lines.collect()
}

/// The versions and compiler commands of all runs.
fn versions(runs: &[Run]) -> String {
    let mut text = String::new();
    let crates = distinct(runs.iter().flat_map(|run| &run.crates));
    if !crates.is_empty() {
        text += "\n| subject | crate | version | licence |\n|---|---|---|---|\n";
    }
    for one in crates {
        let fields = [&one.subject, &one.name, &one.version, &one.licence];
        let fields = fields.map(|field| escaped(field)).join(" | ");
        let _ = writeln!(text, "| {fields} |");
    }
    let commands = distinct(runs.iter().flat_map(|run| &run.compiled));
    if !commands.is_empty() {
        text += "\nCompiled from C or C++:\n\n";
    }
    for one in commands {
        let fields = [&one.subject, &one.package, &one.version, &one.command];
        let [subject, package, version, command] = fields.map(|field| escaped(field));
        let _ = writeln!(text, "- `{subject}`, {package} {version}: `{command}`");
    }
    text
}
