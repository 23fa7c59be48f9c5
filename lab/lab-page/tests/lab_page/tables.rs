//! The text of tables: rows, columns, marks and sentences.

use lab_page::results::Cell;
use lab_page::sections::sections;
use lab_page::summary::Summary;

use crate::support::{cell, results, run, unavailable};
use crate::text::{pair, rows, text};

#[test]
fn a_table_shows_net_times_net_ratios_noise_and_the_winner() {
    let results = results([
        pair("floor", 64, 2.0),
        pair("system", 64, 10.0),
        pair("quick", 64, 6.0),
        pair("near", 64, 11.0),
        pair("slow", 64, 26.0),
        pair("system-again", 64, 12.0),
        pair("floor", 4096, 2.0),
        pair("system", 4096, 102.0),
        pair("quick", 4096, 6.0),
        pair("near", 4096, 152.0),
        pair("slow", 4096, 1_002.0),
        pair("system-again", 4096, 102.0),
    ]);
    let text = text("pair-by-size", &results);
    assert_eq!(
        rows(&text),
        [
            "| subject | size 64 | size 4096 |",
            "|---|---:|---:|",
            "| floor | 2.0 ns | 2.0 ns |",
            "| system | 8.0 ns | 100 ns |",
            "| quick | **4.0 ns** (0.50x) | **4.0 ns** (0.04x) |",
            "| near | 9.0 ns (≈1.1x) | 150 ns (1.5x) |",
            "| slow | 24.0 ns (3.0x) | 1.00 µs (10x) |",
            "| system-again | 10.0 ns (≈1.2x) | 100 ns (≈1.0x) |",
        ]
    );
    assert!(
        text.contains("\nMeasured on 2026-11-23, 3 processes a cell.\n"),
        "{text}"
    );
}

/// The rows with a winner.
fn bold_rows(text: &str) -> Vec<&str> {
    let rows = rows(text).into_iter();
    rows.filter(|row| row.contains("**")).collect()
}

#[test]
fn what_is_within_the_factor_of_the_repeat_wins_together() {
    let mut cells = vec![pair("system", 64, 100.0), pair("system-again", 64, 110.0)];
    // The best is 20 ns, and the repeat takes 1.1 times as long.
    let others = [("a", 20.0), ("b", 21.9), ("c", 22.1), ("d", 90.0)];
    cells.extend(others.map(|(name, fastest)| pair(name, 64, fastest)));
    let text = text("pair-by-size", &results(cells));
    assert_eq!(
        bold_rows(&text),
        ["| a | **20.0 ns** (0.20x) |", "| b | **21.9 ns** (0.22x) |"]
    );
}

#[test]
fn times_win_by_what_is_shown_and_not_by_the_loop_in_them() {
    let text = text(
        "pair-by-size",
        &results([
            pair("floor", 64, 100.0),
            pair("system", 64, 110.0),
            pair("system-again", 64, 111.0),
            // 1, 1.05 and 2 ns without the loop, where the system has 10 and 11.
            pair("a", 64, 101.0),
            pair("b", 64, 101.05),
            pair("c", 64, 102.0),
            pair("d", 64, 105.0),
        ]),
    );
    assert_eq!(
        bold_rows(&text),
        ["| a | **1.0 ns** (0.10x) |", "| b | **1.0 ns** (0.10x) |"]
    );
}

#[test]
fn nothing_wins_where_the_system_is_not_above_its_floor() {
    let cells = [
        ("floor", 100.0),
        ("system", 99.0),
        ("system-again", 104.0),
        ("a", 98.0),
        ("b", 130.0),
        ("c", 140.0),
    ];
    let cells = cells.map(|(subject, fastest)| pair(subject, 64, fastest));
    let text = text("pair-by-size", &results(cells));
    assert!(text.contains("| a | 0 ns |"), "{text}");
    assert!(!text.contains("| **"), "{text}");
}

#[test]
fn notes_of_cells_are_footnotes() {
    let with_note = |subject: &str, fastest, note: &str| {
        let note = (!note.is_empty()).then(|| note.to_owned());
        Cell {
            note,
            ..pair(subject, 64, fastest)
        }
    };
    let single = [
        with_note("system", 10.0, ""),
        with_note("bumpalo", 5.0, "each thread has an arena"),
    ];
    let single = text("pair-by-size", &results(single));
    assert!(
        single.contains("| bumpalo | **5.0 ns** (0.50x) \\[1\\] |"),
        "{single}"
    );
    assert!(
        single.contains("\n\\[1\\] each thread has an arena\n"),
        "{single}"
    );
}

#[test]
fn failed_requests_stand_in_place_of_the_figure() {
    let mut failed = pair("failed", 64, 1.0);
    failed.faults = [("null".to_owned(), 2), ("misaligned".to_owned(), 1)].into();
    let mut panicked = pair("panicked", 64, 1.0);
    panicked.failure = Some(format!("index out of bounds\nthe rest {}", "x".repeat(500)));
    let text = text(
        "pair-by-size",
        &results([pair("system", 64, 10.0), failed, panicked]),
    );
    assert!(text.contains("| failed | FAIL 3/1,000 |"), "{text}");
    assert!(text.contains("| panicked | FAIL \\[1\\] |"), "{text}");
    assert!(
        text.contains("\\[1\\] index out of bounds the rest xxx"),
        "{text}"
    );
    let footnote = text.lines().find(|line| line.starts_with("\\[1\\]"));
    // Two hundred characters, the mark and three dots.
    assert!(footnote.unwrap().len() < 220, "{text}");
    assert!(!text.contains("**"), "a failed row wins nothing: {text}");
}

#[test]
fn a_single_value_is_one_run() {
    let mut single = pair("single", 64, 12.0);
    single.time.as_mut().unwrap().windows = 1;
    let results = results([pair("system", 64, 24.0), pair("other", 64, 48.0), single]);
    let text = text("pair-by-size", &results);
    assert!(
        text.contains("| single | **12.0 ns**, one run (0.50x) |"),
        "{text}"
    );
}

#[test]
fn times_without_a_floor_are_marked() {
    let frame =
        |subject: &str, memory: &str| format!("frame/subject={subject},scene=ui,memory={memory}");
    let touched = || {
        [
            unavailable(&frame("floor", "touched"), "the floor has no memory"),
            cell(&frame("system", "touched"), 10.0),
            cell(&frame("other", "touched"), 20.0),
        ]
    };
    let untouched = [
        cell(&frame("floor", "untouched"), 2.0),
        cell(&frame("system", "untouched"), 6.0),
        cell(&frame("other", "untouched"), 10.0),
    ];
    let both = text("frames", &results(untouched.into_iter().chain(touched())));
    assert_eq!(
        rows(&both),
        [
            "| subject | untouched, scene ui | touched, scene ui † |",
            "|---|---:|---:|",
            "| floor | 2.0 ns | - \\[1\\] |",
            "| system | **4.0 ns** | **10.0 ns** |",
            "| other | 8.0 ns (2.0x) | 20.0 ns (2.0x) |",
        ]
    );
    let gross = text("frames", &results(touched()));
    assert!(
        gross.contains("Not available on the machine: `floor`."),
        "{gross}"
    );
}

#[test]
fn more_threads_than_cores_are_marked() {
    let concurrent = |threads| {
        let name = format!("concurrent/subject=system,threads={threads},sizes=64");
        cell(&name, 10.0)
    };
    let text = text("threads", &results([concurrent(16), concurrent(2)]));
    assert_eq!(
        rows(&text)[0],
        "| subject | 64 bytes, threads 2 † | 64 bytes, threads 16 \\* † |"
    );
}

#[test]
fn the_stamp_names_what_is_of_another_run() {
    let cells = ["system", "other", "late"].map(|subject| pair(subject, 64, 10.0));
    let mut results = results(cells);
    results.runs.push(run("2026-11-24", "CPU"));
    results.cells[2].run = 1;
    let text = text("pair-by-size", &results);
    let stamp = "Measured on 2026-11-23, 3 processes a cell, except `late` (2026-11-24).";
    assert!(text.contains(stamp), "{text}");
}

#[test]
fn a_workload_of_another_crate_has_a_table() {
    let page = |subject: &str, fill: &str, fastest| {
        cell(&format!("page/subject={subject},fill={fill}"), fastest)
    };
    let results = results([
        page("floor", "0", 1.0),
        page("system", "0", 5.0),
        page("mine", "0", 3.0),
        page("system", "255", 9.0),
    ]);
    let summary = Summary::new(&results);
    let sections = sections(&results, &summary, &[], "page");
    let section = sections
        .iter()
        .find(|section| section.name == "workload-page")
        .unwrap();
    assert_eq!(
        rows(&section.text),
        [
            "| subject | fill 0 | fill 255 † |",
            "|---|---:|---:|",
            "| floor | 1.0 ns |  |",
            "| system | 4.0 ns | 9.0 ns |",
            "| mine | **2.0 ns** (0.50x) |  |",
        ]
    );
}

#[test]
fn the_names_of_all_sections_differ_whatever_a_workload_is_named() {
    // Names of sections, and a workload of the lab without the axes of its tables.
    let workloads = ["results", "heat", "legend", "environment", "pair"];
    let cells = workloads.map(|name| cell(&format!("{name}/subject=system"), 10.0));
    let results = results(cells);
    let sections = sections(&results, &Summary::new(&results), &[], "page");
    let mut names: Vec<_> = sections.iter().map(|section| &*section.name).collect();
    for workload in workloads {
        let name = format!("workload-{workload}");
        assert!(names.contains(&&*name), "{name}");
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
