//! The text of tables: rows, columns, marks and sentences.

use lab_page::sections::sections;
use lab_page::summary::Summary;

use crate::support::{cell, results, rows, run, text, times, unavailable};

#[test]
fn a_table_shows_net_times_net_ratios_noise_and_the_winner() {
    let small = "floor 2, system 10, quick 6, near 11, slow 26, system-again 12";
    let large = "floor 2, system 102, quick 6, near 152, slow 1002, system-again 102";
    let cells = [times(&pairs(64), small), times(&pairs(4096), large)];
    let results = results(cells.concat());
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

/// The scenario of pairs, without its subject.
fn pairs(size: u32) -> String {
    format!("pair/subject={{}},size={size},memory=untouched")
}

/// The rows with a winner.
fn bold_rows(text: &str) -> Vec<&str> {
    let rows = rows(text).into_iter();
    rows.filter(|row| row.contains("**")).collect()
}

#[test]
fn what_is_within_the_factor_of_the_repeat_wins_together() {
    // The best is 20 ns, and the repeat takes 1.1 times as long.
    let cells = times(
        &pairs(64),
        "system 100, system-again 110, a 20, b 21.9, c 22.1, d 90",
    );
    let text = text("pair-by-size", &results(cells));
    assert_eq!(
        bold_rows(&text),
        ["| a | **20.0 ns** (0.20x) |", "| b | **21.9 ns** (0.22x) |"]
    );
}

#[test]
fn times_win_by_what_is_shown_and_not_by_the_loop_in_them() {
    // 1, 1.05 and 2 ns without the loop, where the system has 10 and 11.
    let all = "floor 100, system 110, system-again 111, a 101, b 101.05, c 102, d 105";
    let text = text("pair-by-size", &results(times(&pairs(64), all)));
    assert_eq!(
        bold_rows(&text),
        ["| a | **1.0 ns** (0.10x) |", "| b | **1.0 ns** (0.10x) |"]
    );
}

#[test]
fn nothing_wins_where_the_system_is_not_above_its_floor() {
    let all = "floor 100, system 99, system-again 104, a 98, b 130, c 140";
    let text = text("pair-by-size", &results(times(&pairs(64), all)));
    assert!(text.contains("| a | 0 ns |"), "{text}");
    assert!(!text.contains("| **"), "{text}");
}

#[test]
fn notes_of_cells_are_footnotes() {
    let mut cells = times(&pairs(64), "system 10, bumpalo 5");
    cells[1].note = Some("each thread has an arena".to_owned());
    let single = text("pair-by-size", &results(cells));
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
    let mut cells = times(&pairs(64), "system 10, failed 1, panicked 1");
    cells[1].faults = [("null".to_owned(), 2), ("misaligned".to_owned(), 1)].into();
    cells[2].failure = Some(format!("index out of bounds\nthe rest {}", "x".repeat(500)));
    let text = text("pair-by-size", &results(cells));
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
fn times_without_a_floor_are_marked() {
    let frames = |memory: &str| format!("frame/subject={{}},scene=ui,memory={memory}");
    let absent = frames("touched").replace("{}", "floor");
    let mut touched = vec![unavailable(&absent, "the floor has no memory")];
    touched.extend(times(&frames("touched"), "system 10, other 20"));
    let untouched = times(&frames("untouched"), "floor 2, system 6, other 10");
    let both = text("frames", &results([untouched, touched.clone()].concat()));
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
    let gross = text("frames", &results(touched));
    assert!(
        gross.contains("Not measured: `floor` (the floor has no memory)."),
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
fn the_stamp_has_the_days_of_all_runs() {
    let cells = times(&pairs(64), "system 10, other 10, late 10");
    let mut results = results(cells);
    results.runs.push(run("2026-11-24", "CPU"));
    results.cells[2].run = 1;
    let text = text("pair-by-size", &results);
    let stamp = "Measured on 2026-11-23 and 2026-11-24, 3 processes a cell.";
    assert!(text.contains(stamp), "{text}");
}

#[test]
fn a_workload_of_another_crate_has_a_table() {
    let mut cells = times("page/subject={},fill=0", "floor 1, system 5, mine 3");
    cells.push(cell("page/subject=system,fill=255", 9.0));
    let results = results(cells);
    let summary = Summary::new(&results);
    let sections = sections(&results, &summary, "heat.svg");
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
    let sections = sections(&results, &Summary::new(&results), "heat.svg");
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
