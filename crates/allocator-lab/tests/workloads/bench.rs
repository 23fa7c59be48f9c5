//! The lab as a bench: this program, started once more with the arguments of a bench.

use std::alloc::System;
use std::collections::BTreeMap;
use std::env;
use std::process::{Command, ExitCode};

use allocator_lab::{Global, Lab, Profile, Unavailable};

use crate::broken::RunsFull;

/// The variable that makes this program the bench.
pub(crate) const BENCH: &str = "ALLOCATOR_LAB_TEST_BENCH";

/// With a subject that works, one that does not and one that is not there.
pub(crate) fn run() -> ExitCode {
    let mut lab = Lab::from_args(Profile::Everything);
    lab.subject("system", || Ok(Global(System)))
        .subject("runs-full", || Ok(RunsFull::new()))
        .subject("absent", || {
            Err::<Global<System>, _>(Unavailable("its library is not installed".to_owned()))
        });
    lab.finish()
}

/// What the bench prints of the scenarios with this in their names; it succeeds.
fn bench(arguments: &[&str]) -> String {
    let program = env::current_exe().unwrap();
    let output = Command::new(program)
        .args(arguments)
        .env(BENCH, "yes")
        .env("ALLOC_GATE_ITERATIONS", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}{errors}");
    text
}

/// The lines that have all of these in them.
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
            _ => panic!("{scenario:?} compares what has no controls"),
        }
    }
    // 5 sizes, touched and untouched; 5 threads with 2 kinds of sizes; 3 sizes.
    let count = |prefix: &str| names.iter().filter(|name| name.starts_with(prefix)).count();
    assert_eq!(count("pair/subject=system,"), 10);
    assert_eq!(count("concurrent/subject=system,"), 10);
    assert_eq!(count("large/subject=system,"), 3);
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

pub(crate) fn a_refusal_is_a_failure_in_the_place_of_a_time() {
    let text = bench(&["--bench", "large/"]);
    let cells = |size: &str| lines(&text, &["| large/subject=runs-full", size, "FAIL"]);
    // The first call, one of the warm-up and the five of the counted pass: 1 MiB fits
    // once.
    for (size, failure) in [("=1 ", " FAIL 6/7 null "), ("=16 ", " FAIL 7/7 null ")] {
        let cells = cells(size);
        assert_eq!(cells.len(), 1, "{text}");
        assert!(cells[0].contains(failure), "{text}");
    }
    assert_eq!(lines(&text, &["subject=system", "FAIL"]).len(), 0, "{text}");
}

pub(crate) fn what_is_not_there_and_what_the_floor_has_not_say_why() {
    let text = bench(&["--bench", "large/"]);
    for line in [
        "not measured here: large/subject=absent,mebibytes=1 and 2 more \
         (its library is not installed)",
        "not measured here: large/subject=floor,mebibytes=1 and 5 more \
         (the floor has no memory to touch)",
    ] {
        assert!(text.lines().any(|other| other == line), "{text}");
    }
}

pub(crate) fn every_scenario_runs_once_as_a_smoke_test() {
    let text = bench(&["subject=system,"]);
    assert!(text.contains("test result: ok"), "{text}");
    assert!(
        lines(
            &text,
            &[
                "test concurrent/subject=system,threads=16,sizes=mixed",
                "ok"
            ]
        )
        .len()
            == 1,
        "{text}"
    );
}
