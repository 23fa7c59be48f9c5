//! A merge replaces the cells of its run alone, and the page shows what a run was.

use std::path::Path;

use lab_page::answers::questions;
use lab_page::environment::environment;
use lab_page::merge::{describe, merge};
use lab_page::results::{Cell, Results, Run};
use lab_page::rounds::Pooled;
use lab_page::store;
use lab_page::summary::Summary;

use crate::support::{cell, results, run, unavailable};

const FLOOR: &str = "pair/subject=floor,size=64";
const SYSTEM: &str = "pair/subject=system,size=64";
const OTHER: &str = "pair/subject=other,size=64";

fn part(cells: impl IntoIterator<Item = Cell>) -> Pooled {
    Pooled {
        cells: cells.into_iter().collect(),
        ..Pooled::default()
    }
}

fn whole(cells: impl IntoIterator<Item = Cell>) -> Pooled {
    Pooled {
        whole: ["lab".to_owned()].into(),
        ..part(cells)
    }
}

/// Merges a part that was measured on this day.
fn merge_part(results: &mut Results, date: &str, cells: impl IntoIterator<Item = Cell>) {
    merge(results, run(date, "CPU"), part(cells)).unwrap();
}

/// Three cells of one run.
fn committed() -> Results {
    let mut results = Results::default();
    let cells = [cell(FLOOR, 2.0), cell(SYSTEM, 10.0), cell(OTHER, 6.0)];
    merge(&mut results, run("2026-11-23", "CPU"), whole(cells)).unwrap();
    results
}

#[test]
fn a_part_changes_the_lines_of_its_own_cells_alone() {
    let mut results = committed();
    let old = store::text(&results);
    merge_part(&mut results, "2026-11-24", [cell(OTHER, 5.0)]);
    let new = store::text(&results);
    let [old, new] = [old, new].map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    // The run and its cells, then a line for the new run and the new line of the cell.
    assert_eq!(old.len(), 4);
    assert_eq!(new.len(), 5);
    assert_eq!(new[0], old[0]);
    assert!(new[1].contains("2026-11-24"));
    assert_eq!(new[2..4], old[1..3]);
    assert!(new[4].contains(r#""fastest":5.0"#), "{}", new[4]);
}

#[test]
fn the_file_is_read_as_it_was_written() {
    let mut results = committed();
    let mut odd = unavailable("batch/subject=\"odd\"", "needs | and <this>");
    odd.note = Some("two\nlines".to_owned());
    merge_part(&mut results, "2026-11-24", [odd]);
    let text = store::text(&results);
    assert_eq!(store::parse(Path::new("results"), &text).unwrap(), results);
    let wrong = text.replace("\"run\":2", "\"run\":9");
    let error = store::parse(Path::new("results"), &wrong)
        .unwrap_err()
        .to_string();
    let message = "results:6: not a line of results (there is no run 9)";
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn a_run_without_cells_of_its_own_is_dropped_and_others_keep_their_numbers() {
    let mut results = committed();
    merge_part(&mut results, "2026-11-24", [cell(OTHER, 5.0)]);
    let all = [cell(FLOOR, 2.0), cell(SYSTEM, 10.0)];
    merge_part(&mut results, "2026-11-25", all);
    let runs: Vec<u64> = results.runs.iter().map(|run| run.id).collect();
    assert_eq!(runs, [2, 3]);
    let cells = results.cells.iter().map(|cell| cell.run);
    assert_eq!(cells.collect::<Vec<_>>(), [1, 1, 0]);
}

#[test]
fn a_subject_that_could_not_be_measured_keeps_its_figures() {
    let mut results = committed();
    let absent = unavailable(OTHER, "not built in");
    let cells = [cell(FLOOR, 2.0), cell(SYSTEM, 11.0), absent];
    merge(&mut results, run("2026-11-24", "CPU"), whole(cells)).unwrap();
    assert_eq!(results.cells[2].headline(), Some(6.0));
    assert_eq!(results.cells[1].headline(), Some(11.0));
}

#[test]
fn a_whole_run_drops_scenarios_that_are_no_more_and_a_part_does_not() {
    let mut results = committed();
    merge_part(&mut results, "2026-11-24", [cell(SYSTEM, 9.0)]);
    assert_eq!(results.cells.len(), 3);
    let left = [cell(FLOOR, 2.0), cell(SYSTEM, 10.0)];
    merge(&mut results, run("2026-11-25", "CPU"), whole(left)).unwrap();
    assert_eq!(results.cells.len(), 2);
}

#[test]
fn a_new_cell_stands_behind_the_one_that_was_measured_before_it() {
    let mut results = committed();
    let new = cell("pair/subject=new,size=64", 7.0);
    let cells = [cell(SYSTEM, 10.0), new.clone()];
    merge_part(&mut results, "2026-11-24", cells);
    assert_eq!(results.cells[2].scenario, new.scenario);
    assert_eq!(results.cells[3].scenario, OTHER);
}

type Change = fn(&mut Run);

/// What another machine or build may differ in.
const CHANGES: [(&str, Change); 9] = [
    ("CPU", |run| run.cpu = "New".to_owned()),
    ("Cores", |run| run.cores = 3),
    ("Kernel", |run| run.kernel = "New".to_owned()),
    ("C library", |run| run.libc = "New".to_owned()),
    ("Huge pages", |run| run.huge_pages = "New".to_owned()),
    ("Compiler", |run| run.rustc = "New".to_owned()),
    ("Compiler flags", |run| run.rustflags = "New".to_owned()),
    ("Target", |run| run.target = "New".to_owned()),
    ("Quick", |run| run.quick = true),
];

#[test]
fn a_part_of_another_machine_or_build_is_refused_and_changes_nothing() {
    for (differs, change) in CHANGES {
        let mut results = committed();
        let before = results.clone();
        let mut new = run("2026-11-24", "CPU");
        change(&mut new);
        let error = merge(&mut results, new, part([cell(OTHER, 5.0)])).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with(&format!("{differs} of this run: `")),
            "{error}"
        );
        assert!(error.contains("and of 2 other figures: `"), "{error}");
        assert_eq!(results, before);
    }
}

#[test]
fn a_whole_run_of_another_processor_replaces_everything_but_what_it_can_not_measure() {
    let mut results = committed();
    let before = results.clone();
    let new = |other| whole([cell(FLOOR, 3.0), cell(SYSTEM, 12.0), other]);
    let absent = unavailable(OTHER, "not built in");
    let error = merge(&mut results, run("2026-11-24", "New"), new(absent)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "CPU of this run: `New`, and of 1 other figures: `CPU`; measure all of them, or \
         write the results to another file"
    );
    assert_eq!(results, before);
    let measured = new(cell(OTHER, 7.0));
    merge(&mut results, run("2026-11-24", "New"), measured).unwrap();
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
        let cells = selected.map(|cell| {
            let is_absent = cell.subject().is_some_and(is_absent);
            match is_absent {
                true => unavailable(&cell.scenario, "not built in"),
                false => cell.clone(),
            }
        });
        part(cells)
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
    for pooled in commands {
        for kernel in [committed.runs[0].kernel.as_str(), "Linux 9"] {
            let mut results = committed.clone();
            let run = Run {
                kernel: kernel.to_owned(),
                ..committed.runs[0].clone()
            };
            let is_same = run.kernel == committed.runs[0].kernel;
            match merge(&mut results, run, pooled.clone()) {
                Ok(()) => assert!(is_same && answers(&results) == before),
                Err(error) => assert!(!is_same && results == committed, "{error}"),
            }
        }
    }
}

#[test]
fn the_description_of_a_run_is_completed_and_must_not_contradict_its_records() {
    let features = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let recorded = Run {
        rustc: "rustc 1.95.0".to_owned(),
        features: features(&["c", "jemalloc"]),
        cores: 3,
        ..Run::default()
    };
    let described = |rustc: &str, names: &[&str], cores| {
        let run = Run {
            rustc: rustc.to_owned(),
            features: features(names),
            cores,
            ..run("2026-11-23", "CPU")
        };
        describe(run, &recorded).map_err(|error| error.to_string())
    };
    let run = described("", &[], 0).unwrap();
    assert_eq!(
        (&*run.rustc, &*run.cpu, run.cores),
        ("rustc 1.95.0", "CPU", 3)
    );
    assert_eq!(run.features, recorded.features);
    // In another order.
    assert!(described("", &["jemalloc", "c"], 3).is_ok());
    assert_eq!(
        described("rustc 1.96.0", &[], 0).unwrap_err(),
        "the run description says Compiler `rustc 1.96.0`, but the records say `rustc 1.95.0`; \
         pass the run.json of these rounds"
    );
    let error = described("", &["c"], 0).unwrap_err();
    assert!(
        error.contains("says Features `c`, but the records say `c jemalloc`"),
        "{error}"
    );
    let error = described("", &[], 4).unwrap_err();
    assert!(
        error.contains("says Cores `4`, but the records say `3`"),
        "{error}"
    );
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
