//! The table of lines in a failure: counts that add up, and the place and the functions of
//! each line.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::Location;

use alloc_results::{Metric, Ratio, Reading};
use alloc_symbols::names::short_name;
use alloc_symbols::{Blame, Error, Frame, Weight};
use counting_alloc::{KeptBlocks, Scope, Tally};

use crate::sites::captured::Stacks;
use crate::sites::excerpt::{Code, excerpt};
use crate::sites::executable::{OwnCode, anchor};
use crate::sites::frames::resolve;

/// The lines that are shown at most.
const MOST: usize = 10;

/// What each line did, by its place and its functions.
type Table = BTreeMap<(String, String), Line>;

/// What a line did.
#[derive(Default)]
struct Line {
    /// A sum for each metric.
    sums: Vec<i128>,
    code: Option<Code>,
    /// The next lines outwards in another function, with their part of the first sum.
    callers: BTreeMap<String, i128>,
}

/// An excerpt of the first line and the table, or why there are none.
pub(super) fn lines(stacks: &Stacks, metrics: &[Metric]) -> Result<Vec<String>, String> {
    if stacks.sites.tally() != stacks.tally {
        let why = if stacks.scope == Scope::Process {
            "not known, because other threads allocated; `in_fresh_process` runs a test alone"
        } else {
            "not shown: they do not add up to the counts, which is a bug of counting-alloc"
        };
        return Err(why.to_owned());
    }
    let mut metrics = metrics.to_vec();
    let has_allocs = metrics.contains(&Metric::Allocs);
    if has_allocs && stacks.tally.reallocs > 0 && !metrics.contains(&Metric::Reallocs) {
        metrics.push(Metric::Reallocs);
    }
    read(stacks, &metrics).map_err(|error| format!("not known: {error}"))
}

/// A stack of this process, relative to a place of the executable.
fn relative_stack(stack: &[usize]) -> Vec<i64> {
    let anchor = anchor();
    let relative = stack
        .iter()
        .map(|address| address.wrapping_sub(anchor) as i64);
    relative.collect()
}

fn read(stacks: &Stacks, metrics: &[Metric]) -> Result<Vec<String>, Error> {
    let counts = &stacks.sites;
    let addresses = counts.rows.iter();
    let addresses = addresses.map(|row| relative_stack(row.stack.as_deref().unwrap_or_default()));
    let (frames, problem) = resolve(&addresses.collect::<Vec<_>>())?;
    let code = OwnCode::find(stacks.place, &frames, problem.is_none());
    let mut table = Table::new();
    let mut add = |blamed: Blamed, tally, kept, peak_bytes| {
        let line = table.entry((blamed.place, blamed.functions));
        let line = line.or_insert_with(|| Line {
            sums: vec![0; metrics.len()],
            code: blamed.code,
            callers: BTreeMap::new(),
        });
        let values = metrics
            .iter()
            .map(|&one| value(one, tally, kept, peak_bytes));
        let values: Vec<i128> = values.collect();
        for (sum, value) in line.sums.iter_mut().zip(&values) {
            *sum += value;
        }
        if let Some(caller) = blamed.caller {
            *line.callers.entry(caller).or_default() += values[0];
        }
    };
    for (row, stack) in counts.rows.iter().zip(&frames) {
        let blamed = match &row.stack {
            Some(_) => blamed(stack, &code),
            None => Blamed::new("further stacks", String::new()),
        };
        add(blamed, row.tally, row.kept, row.peak_bytes);
    }
    add(
        Blamed::new("blocks from before", String::new()),
        Tally::ZERO,
        counts.before.unwrap_or_default(),
        counts.before_peak_bytes.unwrap_or_default(),
    );
    let mut lines = written(table, metrics, stacks.place);
    lines.extend(problem.map(|problem| format!("  {problem}")));
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
    metric.value(&Reading::new(tally, None)).unwrap_or_default()
}

/// The line of a stack: `src/text.rs:53:21`, `Vec::with_capacity in encode`.
struct Blamed {
    place: String,
    functions: String,
    code: Option<Code>,
    caller: Option<String>,
}

impl Blamed {
    fn new(place: impl Into<String>, functions: String) -> Self {
        Self {
            place: place.into(),
            functions,
            code: None,
            caller: None,
        }
    }
}

fn blamed(stack: &[Frame], code: &OwnCode) -> Blamed {
    let name = |frame: &Frame| short_name(&frame.function);
    let called = |how: Option<&Frame>| how.map_or_else(String::new, |how| name(how) + " ");
    let weigh = |frame: &Frame| code.owns(frame).then(|| Weight::of(frame, None));
    match Blame::new(stack, weigh) {
        Blame::Ours {
            frame,
            how,
            called_by,
            ..
        } => Blamed {
            code: code.line(frame),
            caller: called_by.map(|caller| format!("{}, {}", name(caller), place(caller, code))),
            ..Blamed::new(
                place(frame, code),
                format!("{}in {}", called(how), name(frame)),
            )
        },
        Blame::Harness(how) => {
            Blamed::new("no line", format!("{}in the measured closure", called(how)))
        }
        Blame::Outside(frame) => Blamed::new("in dependencies", format!("below {}", name(frame))),
        Blame::Untraced(frame) => Blamed::new(
            "code without unwind tables",
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

/// An excerpt of the line with the largest counts; then a header and the lines, if there are
/// more. Lines past the most have one row together.
fn written(table: Table, metrics: &[Metric], measured: &Location<'_>) -> Vec<String> {
    let mut rows: Vec<_> = table.into_iter().collect();
    rows.retain(|(_, line)| line.sums.iter().any(|&sum| sum != 0));
    // Stable: equal lines stay in the order of their places.
    rows.sort_by_key(|(_, line)| line.sums.iter().map(|sum| -sum.abs()).collect::<Vec<_>>());
    let shown = rows.iter().find_map(|((place, _), line)| {
        let label = metrics.iter().zip(&line.sums);
        let label = label.map(|(metric, &sum)| format!("{metric} {}", Ratio::whole(sum)));
        let label = label.collect::<Vec<_>>().join(", ");
        excerpt(
            place,
            line.code.as_ref()?,
            &label,
            called_by(line, measured),
        )
    });
    if let (1, Some([excerpt @ .., _])) = (rows.len(), shown.as_deref()) {
        return excerpt.to_vec();
    }
    // A row that counts one line would not be shorter.
    if rows.len() > MOST + 1 {
        let others = rows.split_off(MOST);
        let sum = |at: usize| others.iter().map(|(_, line)| line.sums[at]).sum();
        let place = format!("{} further lines", others.len());
        let sums = (0..metrics.len()).map(sum).collect();
        let line = Line {
            sums,
            ..Line::default()
        };
        rows.push(((place, String::new()), line));
    }
    let mut cells = vec![metrics.iter().map(ToString::to_string).collect::<Vec<_>>()];
    let mut texts = vec![(String::from("line"), String::new())];
    for (text, line) in rows {
        let sums = line
            .sums
            .into_iter()
            .map(|sum| Ratio::whole(sum).to_string());
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
        let line = format!("  {cells}{place:<place_width$}  {functions}");
        line.trim_end().to_owned()
    });
    let mut lines = shown.unwrap_or_default();
    lines.extend(rows);
    lines
}

/// The caller with most of the first count, and the number of others. `None` if only the line that
/// measured calls it.
fn called_by(line: &Line, measured: &Location<'_>) -> Option<String> {
    let most = line
        .callers
        .iter()
        .min_by_key(|(_, sum)| Reverse(sum.abs()));
    let others = match line.callers.len().saturating_sub(1) {
        0 => String::new(),
        1 => String::from(", and 1 other line"),
        several => format!(", and {several} other lines"),
    };
    let caller = most?.0;
    let here = format!(", {}:{}:", measured.file(), measured.line());
    let is_here = others.is_empty() && caller.contains(&here);
    (!is_here).then(|| format!("{caller}{others}"))
}

#[cfg(test)]
mod tests {
    use counting_alloc::Sites;

    use super::*;

    #[test]
    fn lines_that_do_not_add_up_are_not_shown() {
        for (scope, why) in [
            (Scope::Thread, "not shown: they do not add up to the counts"),
            (Scope::Process, "not known, because other threads allocated"),
        ] {
            let stacks = Stacks {
                place: Location::caller(),
                sites: Sites::default(),
                scope,
                tally: Tally::ZERO.with_blocks(1, 8),
            };
            let lines = lines(&stacks, &[Metric::Allocs]);
            let reason = lines.expect_err("they are not shown");
            assert!(reason.starts_with(why), "{reason}");
        }
    }
}
