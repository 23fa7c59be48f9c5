//! A merge replaces the cells of its run alone, and the page shows what a run was.

use std::path::Path;

use lab_page::answers::questions;
use lab_page::environment::environment;
use lab_page::merge::merge;
use lab_page::results::{Cell, Results, Run};
use lab_page::rounds::Pooled;
use lab_page::store;
use lab_page::summary::Summary;

use crate::support::{cell, results, run, unavailable};

const FLOOR: &str = "pair/subject=floor,size=64";
const SYSTEM: &str = "pair/subject=system,size=64";
const OTHER: &str = "pair/subject=other,size=64";

/// A part that was measured on this day.
fn part(date: &str, cells: impl IntoIterator<Item = Cell>) -> Pooled {
    Pooled {
        cells: cells.into_iter().collect(),
        run: run(date, "CPU"),
        ..Pooled::default()
    }
}

fn whole(date: &str, cells: impl IntoIterator<Item = Cell>) -> Pooled {
    Pooled {
        whole: ["lab".to_owned()].into(),
        ..part(date, cells)
    }
}

fn merged(old: &Results, pooled: Pooled) -> Results {
    merge(old.clone(), pooled).unwrap()
}

/// Three cells of one run.
fn committed() -> Results {
    let cells = [cell(FLOOR, 2.0), cell(SYSTEM, 10.0), cell(OTHER, 6.0)];
    merged(&Results::default(), whole("2026-11-23", cells))
}

#[test]
fn a_part_changes_the_lines_of_its_own_cells_alone() {
    let old = committed();
    let new = merged(&old, part("2026-11-24", [cell(OTHER, 5.0)]));
    let [old, new] = [old, new].map(|results| store::text(&results));
    let [old, new] = [&old, &new].map(|text| text.lines().collect::<Vec<_>>());
    // The run and its cells, then a line for the new run and the new line of the cell.
    assert_eq!((old.len(), new.len()), (4, 5));
    assert_eq!(new[0], old[0]);
    assert!(new[1].contains("2026-11-24"));
    assert_eq!(new[2..4], old[1..3]);
    assert!(new[4].contains(r#""fastest":5.0"#), "{}", new[4]);
}

#[test]
fn the_file_is_read_as_it_was_written() {
    let mut odd = unavailable("batch/subject=\"odd\"", "needs | and <this>");
    odd.note = Some("two\nlines".to_owned());
    let results = merged(&committed(), part("2026-11-24", [odd]));
    let text = store::text(&results);
    assert_eq!(store::parse(Path::new("results"), &text).unwrap(), results);
    let wrong = text.replace("\"run\":2", "\"run\":9");
    let error = store::parse(Path::new("results"), &wrong).unwrap_err();
    let message = "results:6: not a line of results (there is no run 9)";
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn a_run_without_cells_of_its_own_is_dropped_and_others_keep_their_numbers() {
    let results = merged(&committed(), part("2026-11-24", [cell(OTHER, 5.0)]));
    let all = [cell(FLOOR, 2.0), cell(SYSTEM, 10.0)];
    let results = merged(&results, part("2026-11-25", all));
    let runs: Vec<u64> = results.runs.iter().map(|run| run.id).collect();
    assert_eq!(runs, [2, 3]);
    let cells = results.cells.iter().map(|cell| cell.run);
    assert_eq!(cells.collect::<Vec<_>>(), [1, 1, 0]);
}

#[test]
fn a_subject_that_could_not_be_measured_keeps_its_figures() {
    let absent = unavailable(OTHER, "not built in");
    let cells = [cell(FLOOR, 2.0), cell(SYSTEM, 11.0), absent];
    let results = merged(&committed(), whole("2026-11-24", cells));
    assert_eq!(results.cells[2].headline(), Some(6.0));
    assert_eq!(results.cells[1].headline(), Some(11.0));
}

#[test]
fn a_whole_run_drops_scenarios_that_are_no_more_and_a_part_does_not() {
    let results = merged(&committed(), part("2026-11-24", [cell(SYSTEM, 9.0)]));
    assert_eq!(results.cells.len(), 3);
    let left = [cell(FLOOR, 2.0), cell(SYSTEM, 10.0)];
    let results = merged(&results, whole("2026-11-25", left));
    assert_eq!(results.cells.len(), 2);
}

#[test]
fn a_new_cell_stands_behind_the_one_that_was_measured_before_it() {
    let new = cell("pair/subject=new,size=64", 7.0);
    let cells = [cell(SYSTEM, 10.0), new.clone()];
    let results = merged(&committed(), part("2026-11-24", cells));
    assert_eq!(results.cells[2].scenario, new.scenario);
    assert_eq!(results.cells[3].scenario, OTHER);
}

type Change = fn(&mut Run);

/// What another machine or build may differ in.
const CHANGES: [(&str, Change); 8] = [
    ("CPU", |run| run.cpu = "New".to_owned()),
    ("Cores", |run| run.cores = 3),
    ("Kernel", |run| run.kernel = "New".to_owned()),
    ("C library", |run| run.libc = "New".to_owned()),
    ("Huge pages", |run| run.huge_pages = "New".to_owned()),
    ("Compiler", |run| run.rustc = "New".to_owned()),
    ("Compiler flags", |run| run.rustflags = "New".to_owned()),
    ("Target", |run| run.target = "New".to_owned()),
];

#[test]
fn a_part_of_another_machine_or_build_is_refused() {
    for (differs, change) in CHANGES {
        let mut pooled = part("2026-11-24", [cell(OTHER, 5.0)]);
        change(&mut pooled.run);
        let error = merge(committed(), pooled).unwrap_err().to_string();
        let begin = format!("{differs} of this run: `");
        assert!(error.starts_with(&begin), "{error}");
        assert!(error.contains("and of 2 other figures: `"), "{error}");
    }
}

#[test]
fn a_whole_run_of_another_processor_replaces_everything_but_what_it_can_not_measure() {
    let new = |other| {
        let cells = [cell(FLOOR, 3.0), cell(SYSTEM, 12.0), other];
        let mut pooled = whole("2026-11-24", cells);
        pooled.run.cpu = "New".to_owned();
        merge(committed(), pooled)
    };
    assert_eq!(
        new(unavailable(OTHER, "not built in"))
            .unwrap_err()
            .to_string(),
        "CPU of this run: `New`, and of 1 other figures: `CPU`; measure all of them, or \
         write the results to another file"
    );
    let results = new(cell(OTHER, 7.0)).unwrap();
    assert_eq!(results.runs.len(), 1);
    assert_eq!(results.cells[2].headline(), Some(7.0));
}

/// The commands of the page: everything that Rust alone builds, everything with C, and a part, on
/// this machine and on the same one after an update of its kernel. The first one, `--quick`,
/// writes nothing.
#[test]
fn the_commands_of_the_page_leave_its_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../design");
    let committed = store::read(&folder.join("allocators.jsonl")).unwrap();
    let answers = |results: &Results| questions::answers(results, &Summary::new(results));
    let before = answers(&committed);
    let built_from_c = ["mimalloc", "snmalloc", "rpmalloc", "jemalloc"];
    let of = |is_absent: &dyn Fn(&str) -> bool, is_selected: &dyn Fn(&Cell) -> bool| {
        let selected = committed.cells.iter().filter(|cell| is_selected(cell));
        let cells = selected.map(|cell| match cell.subject().is_some_and(is_absent) {
            true => unavailable(&cell.scenario, "not built in"),
            false => cell.clone(),
        });
        part("2026-11-27", cells)
    };
    let all = |_: &Cell| true;
    let is_part =
        |cell: &Cell| cell.scenario.contains("pair/") || cell.scenario.contains("subject=mimalloc");
    let commands = [
        of(
            &|subject| built_from_c.contains(&subject) || subject == "frusa",
            &all,
        ),
        of(&|subject| subject == "frusa", &all),
        of(&|_| false, &is_part),
    ];
    let run = &committed.runs[0];
    for mut pooled in commands {
        pooled.run = run.clone();
        let same = merge(committed.clone(), pooled.clone()).unwrap();
        assert!(answers(&same) == before);
        pooled.run.kernel = "Linux 9".to_owned();
        let error = merge(committed.clone(), pooled).unwrap_err().to_string();
        assert!(error.starts_with("Kernel of this run"), "{error}");
    }
}

#[test]
fn the_flags_of_the_compiler_and_a_dirty_commit_are_on_the_page() {
    let mut results = results([cell("pair/subject=system,size=64", 10.0)]);
    results.runs[0].rustflags = "RUSTFLAGS=\"-C target-cpu=native\"".to_owned();
    results.runs[0].commit = "0123456789ab-dirty".to_owned();
    let text = environment(&results);
    let flags = "- Compiler flags: `RUSTFLAGS=\"-C target-cpu=native\"`\n";
    assert!(text.contains(flags), "{text}");
    assert!(text.contains("- Commit: `0123456789ab-dirty`\n"), "{text}");
}
