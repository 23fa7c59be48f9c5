//! The lab as a bench: this program, started once more with the arguments of a bench and
//! with a workload of its own.

use std::alloc::System;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsStr;
use std::process::{Command, ExitCode};

use allocator_lab::{
    ALIGN, Checks, Everything, Global, Heap, Lab, Need, Plan, Profile, REQUESTS, Report, Subject,
    SubjectSuite, Unavailable, Workload, Workloads, layout, standard,
};

use crate::broken::runs_full;
use crate::watched::{Watched, take_log};

/// The variable that makes this program the bench.
pub(crate) const BENCH: &str = "ALLOCATOR_LAB_TEST_BENCH";

/// The value of [`BENCH`] for a bench of times; of the checks otherwise.
const TIMES: &str = "times";

/// The value of [`BENCH`] for the checks of [`Watched`].
const BALANCED: &str = "balanced";

/// A workload that the lab does not have, as a user's bench adds one.
struct Cell;

impl Workload for Cell {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.found(
            "cell",
            &[],
            Plan::ONCE,
            REQUESTS,
            |b| b.axis("size", [8_usize, 512 << 10]),
            |open, &(_, size)| (open.heap(1), size),
            |(heap, size)| cell(heap, *size),
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.check("cell", &[Need::Memory], Plan::ONCE, 1, |heap| cell(heap, 8));
    }
}

fn cell<S: Subject>(heap: &mut Heap<S>, size: usize) -> Report {
    let mut report = Report::default();
    let _ = heap.take(layout(size, ALIGN), &mut report);
    heap.give_all();
    report
}

/// With a subject that works, a broken one and one that is missing; or with [`Watched`] alone.
pub(crate) fn run(kind: &OsStr) -> ExitCode {
    if kind == BALANCED {
        let mut lab = Lab::from_args(Checks);
        lab.subject("balanced", || Ok(Watched));
        let code = lab.finish();
        let owners = take_log().owners;
        assert!(owners.is_empty(), "blocks that were not given back");
        code
    } else if kind == TIMES {
        finish(Everything)
    } else {
        finish(Checks)
    }
}

fn finish<P: Profile>(profile: P) -> ExitCode {
    let mut lab = Lab::with_workloads(profile, standard().and(Cell));
    lab.subject("system", || Ok(Global(System)))
        .subject("runs-full", || Ok(runs_full()))
        .subject("absent", || {
            Err::<Global<System>, _>(Unavailable("its library is not installed".to_owned()))
        });
    lab.finish()
}

/// The output of the bench of times, which succeeds.
pub(crate) fn bench(arguments: &[&str]) -> String {
    output(TIMES, arguments)
}

pub(crate) fn output(kind: &str, arguments: &[&str]) -> String {
    run_bench(kind, arguments).expect("the bench succeeds")
}

/// The output of a bench that succeeds, or the output and the errors.
fn run_bench(kind: &str, arguments: &[&str]) -> Result<String, [String; 2]> {
    let program = env::current_exe().unwrap();
    let output = Command::new(program)
        .args(arguments)
        .env(BENCH, kind)
        .env("ALLOC_GATE_ITERATIONS", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err([text, errors]),
    }
}

/// The lines that contain all of these.
fn lines<'t>(text: &'t str, parts: &[&str]) -> Vec<&'t str> {
    text.lines()
        .filter(|line| parts.iter().all(|part| line.contains(part)))
        .collect()
}

pub(crate) fn controls_stand_around_the_subjects_of_each_workload() {
    let text = bench(&["--list", "--format=terse"]);
    let names: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_suffix(": benchmark"))
        .collect();
    let mut values: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for name in &names {
        let (scenario, [axis, value], others) = compared(name);
        values
            .entry((scenario, axis, others))
            .or_default()
            .push(value);
    }
    for (scenario, values) in &values {
        match scenario {
            (_, "subject", _) => {
                let expected = [
                    "floor",
                    "floor-arena",
                    "system",
                    "runs-full",
                    "absent",
                    "system-again",
                ];
                assert_eq!(values, &expected, "{scenario:?}");
            }
            (_, "wrapper", _) => {
                assert_eq!(values.first(), Some(&"floor"), "{scenario:?}");
                assert_eq!(values.last(), Some(&"none-again"), "{scenario:?}");
            }
            (_, "prefetch", _) => {
                assert_eq!(values, &["floor", "off", "on", "off-again"], "{scenario:?}");
            }
            _ => panic!("{scenario:?} has no controls"),
        }
    }
    // 5 sizes, untouched and filled; 5 numbers of threads with 2 kinds of sizes.
    let count = |prefix: &str| names.iter().filter(|name| name.starts_with(prefix)).count();
    assert_eq!(count("pair/subject=system,"), 10);
    assert_eq!(count("concurrent/subject=system,"), 10);
    assert_eq!(
        count("cell/subject=system,"),
        2,
        "the workload from outside"
    );
    assert_eq!(count("wrapper/"), 12, "6 wrappers on 1 and 2 threads");
    assert_eq!(count("prefetch/"), 12, "3 kinds of work, 4 columns");
}

/// A scenario's name, the axis whose values are compared with its value, and the other
/// axes: the first axis is compared, but for `prefetch` the second.
fn compared(name: &str) -> (&str, [&str; 2], Vec<&str>) {
    let (scenario, axes) = name.split_once('/').unwrap();
    let mut axes: Vec<_> = axes.split(',').collect();
    let compared = axes.remove(usize::from(scenario == "prefetch"));
    let (axis, value) = compared.split_once('=').unwrap();
    (scenario, [axis, value], axes)
}

/// Blocks of 512 KiB fit twice, in the first call and in the counted one: a timed call is refused.
pub(crate) fn a_refusal_in_any_pass_is_a_failure_without_a_time() {
    let [text, errors] = run_bench(TIMES, &["--bench", "cell/"]).unwrap_err();
    let scenario = "cell/subject=runs-full,size=524288";
    assert!(!text.contains(scenario), "{text}");
    assert_eq!(
        lines(&errors, &[scenario, "nulls: 1,"]).len(),
        1,
        "{errors}"
    );
    assert!(text.contains("| cell/subject=runs-full,size=8 "), "{text}");
    assert!(!errors.contains("subject=system"), "{errors}");
}

pub(crate) fn missing_subjects_and_unmet_needs_say_why() {
    let [text, _] = run_bench(TIMES, &["--bench", "large/"]).unwrap_err();
    for line in [
        "not measured here: large/subject=absent,mebibytes=1 and 2 more \
         (its library is not installed)",
        "not measured here: large/subject=floor,mebibytes=1 and 5 more \
         (the floor keeps no contents)",
    ] {
        assert!(text.lines().any(|other| other == line), "{text}");
    }
}

pub(crate) fn every_scenario_runs_once_as_a_smoke_test() {
    let text = bench(&["subject=system,"]);
    assert!(text.contains("test result: ok"), "{text}");
    let test = "test concurrent/subject=system,threads=2,sizes=mixed";
    assert_eq!(lines(&text, &[test, "ok"]).len(), 1, "{text}");
}

/// All checks but `burst`, which is slow without optimizations.
pub(crate) fn each_check_gives_back_what_it_takes() {
    let text = output(BALANCED, &["--bench", "check/", "--skip", "of=burst"]);
    assert_eq!(text.lines().filter_map(allocations).count(), 18, "{text}");
}

pub(crate) fn checks_have_no_controls_and_each_scenario_is_a_row_and_a_column() {
    let text = output("checks", &["--list", "--format=terse"]);
    let names: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_suffix(": benchmark"))
        .collect();
    for subject in ["system", "runs-full", "absent"] {
        let row = format!("check/subject={subject},of=");
        let checks: BTreeSet<_> = names.iter().filter_map(|n| n.strip_prefix(&row)).collect();
        assert_eq!(checks.len(), 20, "{subject}: {text}");
    }
    assert_eq!(names.len(), 3 * 20, "{text}");
}

/// The scenario and its allocations of a line that has them.
pub(crate) fn allocations(line: &str) -> Option<(&str, &str)> {
    let cells: Vec<_> = line.split('|').map(str::trim).collect();
    match cells[..] {
        [_, scenario, iterations, allocations, ..] if iterations.parse::<u64>().is_ok() => {
            Some((scenario, allocations))
        }
        _ => None,
    }
}
