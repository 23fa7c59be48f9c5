//! The table of the counts of each peer for the same five lines, made from the output
//! of their programs.

use std::env;
use std::fs;
use std::process::Command;

use libtest_mimic::Failed;
use proof_oracles::Figures;
use proof_oracles::lines::{LINES, TOO_MUCH};
use proof_shared::child;

use super::{divan, page};

const BEGIN: &str = "<!-- what the peers say: begin -->\n";
const END: &str = "<!-- what the peers say: end -->\n";

/// A row of the table: a peer, and one cell for each line.
struct Row {
    peer: &'static str,
    cells: Vec<String>,
}

/// A peer, its program, and the prefix of the figures that its row shows.
const PROGRAMS: [(&str, &str, &str); 7] = [
    (
        "counting-alloc",
        env!("CARGO_BIN_EXE_counted-by-counting-alloc"),
        "",
    ),
    (
        "stats_alloc",
        env!("CARGO_BIN_EXE_counted-by-stats-alloc"),
        "",
    ),
    ("dhat-rs", env!("CARGO_BIN_EXE_counted-by-dhat"), ""),
    (
        "allocation-counter",
        env!("CARGO_BIN_EXE_counted-by-allocation-counter"),
        "",
    ),
    (
        "alloc_tracker, thread",
        env!("CARGO_BIN_EXE_counted-by-alloc-tracker"),
        "thread.",
    ),
    (
        "alloc_tracker, process",
        env!("CARGO_BIN_EXE_counted-by-alloc-tracker"),
        "process.",
    ),
    (
        "two atomics by hand",
        env!("CARGO_BIN_EXE_counted-by-two-atomics"),
        "",
    ),
];

pub(crate) fn the_table_of_peers_matches_their_output() -> Result<(), Failed> {
    let written = fs::read_to_string(page())?;
    let (before, written_table, after) = parts(&written)?;
    let generated = table(&rows()?);
    if written_table == generated {
        return Ok(());
    }
    if env::var_os("ALLOC_GATE_BLESS").is_some_and(|value| value == "1") {
        fs::write(page(), format!("{before}{BEGIN}{generated}{END}{after}"))?;
        return Ok(());
    }
    Err(format!(
        "the table in design/counting-model.md is out of date; it should be\n{generated}\n\
         read the difference, and rewrite it with ALLOC_GATE_BLESS=1"
    )
    .into())
}

/// The test above compares whole texts, so it finds any change. This shows it for the
/// smallest one.
pub(crate) fn a_changed_figure_changes_the_table() -> Result<(), Failed> {
    let row = |bytes| Row {
        peer: "some peer",
        cells: LINES
            .iter()
            .map(|_| cell(&Figures::new([("bytes", bytes)])))
            .collect(),
    };
    assert_ne!(table(&[row(64)]), table(&[row(65)]));
    assert_eq!(cell(&Figures::new([("bytes", 1_000)])), "bytes 1,000");
    assert_eq!(cell(&Figures::new([("bytes", -112)])), "bytes -112");
    let huge = TOO_MUCH as i128;
    assert_eq!(
        cell(&Figures::new([("bytes", huge - 16)])),
        "bytes 2^58 - 16"
    );
    assert_eq!(cell(&Figures::new([("bytes", huge)])), "bytes 2^58");
    assert_eq!(cell(&Figures::new([("bytes", 0)])), "nothing");
    Ok(())
}

/// The page before the table, the table, and the rest.
fn parts(page: &str) -> Result<(&str, &str, &str), Failed> {
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| {
        let (table, after) = rest.split_once(END)?;
        Some((before, table, after))
    });
    parts.ok_or_else(|| format!("no table between {BEGIN}and {END}").into())
}

fn rows() -> Result<Vec<Row>, Failed> {
    let mut rows = Vec::new();
    for (peer, program, scope) in PROGRAMS {
        let printed = child::stdout(Command::new(program).arg("lines"))?;
        let figures = Figures::parse(&printed).ok_or("no figures were printed")?;
        let cells = (1..=LINES.len())
            .map(|number| cell(&figures.below(&format!("{number}.{scope}"))))
            .collect();
        rows.push(Row { peer, cells });
    }
    let program = env!("CARGO_BIN_EXE_counted-by-divan");
    let once = [
        "--bench",
        "--color=never",
        "--sample-count=1",
        "--sample-size=1",
    ];
    let printed = child::stdout(Command::new(program).args(once))?;
    let cells = divan::cells(&printed)?;
    // Next to ours, because their definitions are the most similar.
    rows.insert(
        1,
        Row {
            peer: "divan",
            cells,
        },
    );
    Ok(rows)
}

/// The figures that are not zero.
fn cell(figures: &Figures) -> String {
    let cells: Vec<String> = figures
        .iter()
        .filter(|&(_, number)| number != 0)
        .map(|(name, number)| format!("{name} {}", shown(number)))
        .collect();
    match cells[..] {
        [] => String::from("nothing"),
        _ => cells.join(", "),
    }
}

fn shown(number: i128) -> String {
    const HUGE: i128 = TOO_MUCH as i128;
    match number - HUGE {
        0 => String::from("2^58"),
        more @ -1_000..0 => format!("2^58 - {}", -more),
        _ if number.unsigned_abs() >= 1_000 => {
            format!("{},{:03}", number / 1_000, number % 1_000)
        }
        _ => number.to_string(),
    }
}

fn table(rows: &[Row]) -> String {
    let mut table = String::from("\n```rust\n");
    for (number, line) in (1..).zip(&LINES) {
        table += &format!("{:<56} // {number}\n", line.code);
    }
    table += "```\n\n| counter |";
    for number in 1..=LINES.len() {
        table += &format!(" {number} |");
    }
    table += "\n|---|---|---|---|---|---|\n";
    for row in rows {
        table += &format!("| {} | {} |\n", row.peer, row.cells.join(" | "));
    }
    table + "\n"
}
