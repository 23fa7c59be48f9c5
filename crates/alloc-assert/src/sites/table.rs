//! The table of lines in a failure: figures that add up, and the place and the functions of
//! each line.

use std::collections::BTreeMap;

use alloc_requirement::{Metric, Number, Reading};
use alloc_symbols::names::short_name;
use alloc_symbols::{Blame, Error, Frame, Weight};
use counting_alloc::{KeptBlocks, Scope, Tally};

use crate::reading::counts;
use crate::sites::captured::Stacks;
use crate::sites::executable::{self, OwnCode, anchor};

/// The lines that are shown at most.
const MOST: usize = 10;

/// The figures of each line, by its place and its functions.
type Table = BTreeMap<(String, String), Vec<i128>>;

/// The table, or why there is none.
pub(super) fn lines(stacks: &Stacks, metrics: &[Metric]) -> Vec<String> {
    if stacks.counts.tally() != stacks.tally {
        let why = if stacks.scope == Scope::Process {
            "not known: other threads allocated while the window opened or closed; \
             `in_fresh_process` runs a test alone"
        } else {
            "not shown: they do not add up to the counts, which is a bug of counting-alloc"
        };
        return vec![why.to_owned()];
    }
    read(stacks, metrics).unwrap_or_else(|error| vec![format!("not known: {error}")])
}

fn read(stacks: &Stacks, metrics: &[Metric]) -> Result<Vec<String>, Error> {
    let executable = executable::open()?;
    let mut symbols = executable::symbols(&executable)?;
    let anchor = anchor();
    let counts = &stacks.counts;
    let frames = counts.rows.iter().map(|row| {
        let stack = row.stack.map(|stack| stacks.stacks[stack].iter());
        let addresses = stack.into_iter().flatten();
        let relative = addresses.map(|address| address.wrapping_sub(anchor) as i64);
        symbols.frames(&relative.collect::<Vec<_>>())
    });
    let frames: Vec<Vec<Frame>> = frames.collect();
    let code = OwnCode::find(stacks.place, &frames, symbols.has_line_tables());
    let mut table = Table::new();
    let mut add = |place, functions, tally, kept, peak_bytes| {
        let sums = table.entry((place, functions));
        let sums = sums.or_insert_with(|| vec![0; metrics.len()]);
        for (sum, &metric) in sums.iter_mut().zip(metrics) {
            *sum += value(metric, tally, kept, peak_bytes);
        }
    };
    for (row, stack) in counts.rows.iter().zip(&frames) {
        let (place, functions) = match row.stack {
            Some(_) => blamed(stack, &code),
            None => (String::from("further stacks"), String::new()),
        };
        add(place, functions, row.tally, row.kept, row.peak_bytes);
    }
    add(
        String::from("blocks from before"),
        String::new(),
        Tally::ZERO,
        counts.before.unwrap_or_default(),
        counts.before_peak_bytes.unwrap_or_default(),
    );
    let mut lines = written(table, metrics);
    lines.extend(symbols.problem().map(ToString::to_string));
    Ok(lines)
}

/// What a stack did of a metric. Blocks that are left behind count where they were made.
fn value(metric: Metric, tally: Tally, kept: KeptBlocks, peak_bytes: i64) -> i128 {
    let by_origin = [
        (Metric::NetBlocks, kept.blocks),
        (Metric::NetBytes, kept.bytes),
        (Metric::PeakBytes, peak_bytes),
    ];
    if let Some((_, value)) = by_origin.iter().find(|(one, _)| *one == metric) {
        return i128::from(*value);
    }
    let reading = Reading {
        counts: counts(tally),
        ..Reading::default()
    };
    metric.value(&reading).unwrap_or_default()
}

/// The place and the functions of a stack: `src/text.rs:53:21`, `Vec::with_capacity in encode`.
fn blamed(stack: &[Frame], code: &OwnCode) -> (String, String) {
    let name = |frame: &Frame| short_name(&frame.function);
    let called = |how: Option<&Frame>| how.map_or_else(String::new, |how| name(how) + " ");
    let weigh = |frame: &Frame| code.owns(frame).then(|| Weight::of(frame, None));
    match Blame::new(stack, weigh) {
        Blame::Ours { frame, how, .. } => {
            let functions = format!("{}in {}", called(how), name(frame));
            (place(frame, code), functions)
        }
        Blame::Harness(how) => (
            String::from("no line"),
            format!("{}in the measured closure", called(how)),
        ),
        Blame::Outside(frame) => (
            String::from("in dependencies"),
            format!("below {}", name(frame)),
        ),
        Blame::Untraced(frame) => (
            String::from("code without unwind tables"),
            frame.map_or_else(String::new, |frame| format!("at {}", name(frame))),
        ),
    }
}

fn place(frame: &Frame, code: &OwnCode) -> String {
    let file = frame.file.as_deref().and_then(|file| code.path(file));
    match (file, frame.line, frame.column) {
        (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        (Some(file), Some(line), None) => format!("{file}:{line}"),
        _ => String::from("no line"),
    }
}

/// A header, and the lines with the largest figures; the others are one row.
fn written(table: Table, metrics: &[Metric]) -> Vec<String> {
    let mut rows: Vec<_> = table.into_iter().collect();
    rows.retain(|(_, sums)| sums.iter().any(|&sum| sum != 0));
    // Stable: equal figures stay in the order of their places.
    rows.sort_by_key(|(_, sums)| sums.iter().map(|sum| -sum.abs()).collect::<Vec<_>>());
    let others = rows.split_off(rows.len().min(MOST));
    if !others.is_empty() {
        let sum = |at: usize| others.iter().map(|(_, sums)| sums[at]).sum();
        let lines = if others.len() == 1 { "line" } else { "lines" };
        let place = format!("{} further {lines}", others.len());
        let sums = (0..metrics.len()).map(sum).collect();
        rows.push(((place, String::new()), sums));
    }
    let mut cells = vec![metrics.iter().map(ToString::to_string).collect::<Vec<_>>()];
    let mut texts = vec![(String::from("line"), String::new())];
    for (text, sums) in rows {
        let sums = sums.into_iter().map(|sum| Number::from(sum).to_string());
        cells.push(sums.collect());
        texts.push(text);
    }
    let width_of = |at: usize| cells.iter().map(|row| row[at].len()).max();
    let widths: Vec<_> = (0..metrics.len()).filter_map(width_of).collect();
    let places = texts.iter().map(|(place, _)| place.chars().count());
    let place_width = places.max().unwrap_or_default();
    let rows = cells.iter().zip(&texts).map(|(cells, (place, functions))| {
        let cells = cells.iter().zip(&widths);
        let cells: String = cells
            .map(|(cell, width)| format!("{cell:>width$}  "))
            .collect();
        let line = format!("{cells}{place:<place_width$}  {functions}");
        line.trim_end().to_owned()
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::panic::Location;

    use counting_alloc::SiteCounts;

    use super::*;

    #[test]
    fn lines_that_do_not_add_up_are_not_shown() {
        for (scope, why) in [
            (Scope::Thread, "not shown: they do not add up to the counts"),
            (Scope::Process, "not known: other threads allocated"),
        ] {
            let stacks = Stacks {
                place: Location::caller(),
                stacks: Vec::new(),
                counts: SiteCounts::default(),
                scope,
                tally: Tally::ZERO.with_allocs(1, 8),
            };
            let lines = lines(&stacks, &[Metric::Allocs]);
            assert!(lines.len() == 1 && lines[0].starts_with(why), "{lines:?}");
        }
    }
}
