//! The section on where the results were measured, and with which versions.

use std::fmt::Write;

use crate::markdown::escaped;
use crate::query::distinct;
use crate::results::{Results, Run};

/// A list of everything that a run tells of itself: of the run of the most cells, and then what
/// is different in others.
pub fn environment(results: &Results) -> String {
    let cells: Vec<_> = results.cells.iter().collect();
    let Some(main) = crate::grid::main_run(&cells) else {
        return "Nothing was measured.\n".to_owned();
    };
    let mut text = facts(&results.runs[main], None);
    for (index, run) in results.runs.iter().enumerate() {
        if index != main {
            let count = cells.iter().filter(|cell| cell.run == index).count();
            let all = cells.len();
            let _ = writeln!(
                text,
                "\n{count} of {all} cells are of a run that differs in:\n"
            );
            text += &facts(run, Some(&results.runs[main]));
        }
    }
    text += &versions(&results.runs, main);
    let absent = results.absent_subjects();
    if !absent.is_empty() {
        let _ = writeln!(text, "\nNot available on the machine:\n");
    }
    for (subject, reason) in absent {
        let _ = writeln!(text, "- `{subject}`: {}", escaped(reason));
    }
    text
}

/// The fields of a run; beside another one, those that are not the same.
fn facts(run: &Run, beside: Option<&Run>) -> String {
    let words = [
        "Date",
        "CPU",
        "Cores",
        "Memory",
        "Kernel",
        "C library",
        "Compiler",
        "Quick",
    ];
    let other = beside.map(Run::fields);
    let is_same = |field: &(&str, String)| {
        let mut others = other.iter().flatten();
        others.any(|(name, value)| (*name, value) == (field.0, &field.1))
    };
    let fields = run.fields().into_iter();
    let known = fields.filter(|field| !field.1.is_empty() && !is_same(field));
    let lines = known.map(
        |(name, value)| match (escaped(&value), words.contains(&name)) {
            (value, true) => format!("- {name}: {value}\n"),
            (value, false) => format!("- {name}: `{value}`\n"),
        },
    );
    lines.collect()
}

/// The versions and compiler commands of all runs, those of the main run first.
fn versions(runs: &[Run], main: usize) -> String {
    let order = || {
        [main]
            .into_iter()
            .chain(0..runs.len())
            .map(|index| &runs[index])
    };
    let crates = distinct(order().flat_map(|run| &run.crates));
    let mut text = String::new();
    if !crates.is_empty() {
        text += "\n| subject | crate | version | licence |\n|---|---|---|---|\n";
    }
    for one in crates {
        let fields = [&one.subject, &one.name, &one.version, &one.licence];
        let fields = fields.map(|field| escaped(field)).join(" | ");
        let _ = writeln!(text, "| {fields} |");
    }
    let commands = distinct(order().flat_map(|run| &run.compiled));
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
