//! The table of numbers in `design/from-your-counter.md`: each row holds for every operation on
//! one thread that nothing refuses.

use std::collections::BTreeMap;
use std::fs;

use libtest_mimic::Failed;
use proof_oracles::Figures;
use proof_oracles::conversion::{OurCounts, PEAK};
use proof_oracles::operation::{Operation, Threads};
use proof_oracles::operations;

use crate::programs;

use super::page;

/// A row: the crate, its number, and the cell with ours.
type Row = (String, String, String);

pub(crate) fn each_number_of_another_counter_is_ours_or_differs() -> Result<(), Failed> {
    let rows = rows()?;
    assert_eq!(rows.len(), 19, "the rows of the table");
    let mut compared: BTreeMap<&Row, usize> = BTreeMap::new();
    let mut differed: BTreeMap<&Row, usize> = BTreeMap::new();
    for operation in operations::all() {
        let ours = programs::ours(operation)?;
        if operation.threads == Threads::Several || ours.tally.failed > 0 {
            continue;
        }
        let theirs = reported(operation)?;
        for row in &rows {
            let (peer, number, here) = row;
            let key = match (&**peer, &**number) {
                ("dhat", "max_bytes") => PEAK,
                ("alloc_tracker", "total_allocations_count") => "process.allocations_count",
                ("alloc_tracker", "total_bytes_allocated") => "process.bytes_allocated",
                (_, number) => number,
            };
            let theirs = theirs.get(&**peer).and_then(|figures| figures.get(key));
            let theirs = theirs.ok_or_else(|| format!("{peer} has no `{number}`"))?;
            if here.starts_with("none: whole new sizes") {
                let differs = theirs != i128::from(ours.tally.bytes());
                assert_eq!(
                    differs,
                    ours.tally.reallocs() > 0,
                    "{peer}: {number} of {}",
                    operation.name
                );
                *differed.entry(row).or_default() += usize::from(differs);
                continue;
            }
            let is_comparable = !here.ends_with(", if nothing is reallocated");
            if is_comparable || ours.tally.reallocs() == 0 {
                let own = evaluate(here, &ours)?;
                assert_eq!(theirs, own, "{peer}: {number} of {}", operation.name);
                *compared.entry(row).or_default() += 1;
            }
        }
    }
    for row in &rows {
        let times = compared.get(row).or(differed.get(row)).copied();
        assert!(times.is_some_and(|times| times >= 10), "{row:?}: {times:?}");
    }
    Ok(())
}

/// The numbers of each crate.
fn reported(operation: &Operation) -> Result<BTreeMap<&'static str, Figures>, Failed> {
    Ok(BTreeMap::from([
        ("stats_alloc", programs::stats_alloc(operation)?),
        (
            "allocation-counter",
            programs::allocation_counter_with_peak(operation)?,
        ),
        ("dhat", programs::dhat(operation)?),
        ("alloc_tracker", programs::alloc_tracker(operation)?),
    ]))
}

fn rows() -> Result<Vec<Row>, Failed> {
    let text = fs::read_to_string(page().with_file_name("from-your-counter.md"))?;
    let (_, numbers) = text.split_once("\n## Numbers\n").ok_or("a heading")?;
    let cells = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        match cells[..] {
            [peer, number, here] if number.starts_with('`') => Some((
                peer.to_owned(),
                number.trim_matches('`').to_owned(),
                here.to_owned(),
            )),
            _ => None,
        }
    };
    let lines = numbers.lines().filter(|line| line.starts_with('|'));
    Ok(lines.filter_map(cells).collect())
}

/// The value of `field` or `field - field` at the beginning of a cell.
fn evaluate(cell: &str, ours: &OurCounts) -> Result<i128, Failed> {
    let code = cell.split('`').nth(1).ok_or("code")?;
    let (first, second) = code.split_once(" - ").unwrap_or((code, "zero"));
    let tally = &ours.tally;
    let value = |name: &str| {
        Some(match name {
            "allocs" => tally.allocs.into(),
            "deallocs" => tally.deallocs.into(),
            "reallocs()" => tally.reallocs().into(),
            "alloc_calls()" => tally.alloc_calls().into(),
            "bytes()" => tally.bytes().into(),
            "freed_bytes()" => tally.freed_bytes().into(),
            "grow_bytes" => tally.grow_bytes.into(),
            "shrink_bytes" => tally.shrink_bytes.into(),
            "net_blocks()" => tally.net_blocks().into(),
            "net_bytes()" => tally.net_bytes().into(),
            "peak_bytes" => ours.peak,
            "peak_blocks" => ours.peak_blocks,
            "zero" => 0,
            _ => return None,
        })
    };
    let values = value(first).zip(value(second));
    let (first, second) = values.ok_or_else(|| format!("no field is called `{code}`"))?;
    Ok(first - second)
}
