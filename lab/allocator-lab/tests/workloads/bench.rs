//! The lab as a bench: this program, started once more with the arguments of a bench.

use std::alloc::System;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::process::{Command, ExitCode};

use allocator_lab::subjects::Visitor;
use allocator_lab::{Global, Lab};

use crate::broken::runs_full;

/// The variable that makes this program the bench.
pub(crate) const BENCH: &str = "ALLOCATOR_LAB_TEST_BENCH";

/// Its values for a bench of times and one of counts.
const TIMES: &str = "times";
const COUNTS: &str = "counts";

/// With a subject that works, a broken one and one that is missing.
pub(crate) fn run(kind: &OsStr) -> ExitCode {
    if kind == TIMES {
        finish(Lab::of_times())
    } else {
        finish(Lab::of_counts())
    }
}

fn finish(mut lab: Lab) -> ExitCode {
    lab.subject("system", || Global(System));
    lab.subject("runs-full", runs_full);
    lab.missing("absent", "its library is not installed");
    lab.finish()
}

/// The output of the bench of times, which succeeds.
pub(crate) fn bench(arguments: &[&str]) -> String {
    output(TIMES, arguments).expect("the bench succeeds")
}

/// The output of a bench that succeeds, or the output and the errors.
fn output(kind: &str, arguments: &[&str]) -> Result<String, [String; 2]> {
    let program = env::current_exe().unwrap();
    let output = Command::new(program)
        .args(arguments)
        .env(BENCH, kind)
        .env("ALLOC_GATE_WARMUP", "0")
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

/// The names of all scenarios of a bench.
fn names(kind: &str) -> Vec<String> {
    let text = output(kind, &["--list", "--format=terse"]).unwrap();
    let names = text
        .lines()
        .filter_map(|line| line.strip_suffix(": benchmark"));
    names.map(str::to_owned).collect()
}

pub(crate) fn controls_stand_around_the_subjects_of_each_workload() {
    let names = names(TIMES);
    // By the name of the scenario, the axis whose values are compared, and the other axes.
    let mut values: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for name in &names {
        let (scenario, axes) = name.split_once('/').unwrap();
        let mut axes: Vec<_> = axes.split(',').collect();
        let compared = axes.remove(usize::from(scenario == "prefetch"));
        let (axis, value) = compared.split_once('=').unwrap();
        values
            .entry((scenario, axis, axes))
            .or_default()
            .push(value);
    }
    for (scenario, values) in &values {
        let expected = match scenario.1 {
            "subject" => "floor floor-arena system runs-full absent system-again",
            "wrapper" => "floor none counting-off counting-on two-atomics none-again",
            "prefetch" if scenario.2 == ["work=alloc"] => "floor off on off-again",
            "prefetch" => "off on off-again",
            _ => panic!("{scenario:?} has no controls"),
        };
        assert_eq!(values.join(" "), expected, "{scenario:?}");
    }
    let count = |prefix: &str| names.iter().filter(|name| name.starts_with(prefix)).count();
    // 5 sizes, untouched and filled; 5 numbers of threads with 2 kinds of sizes; 1 and 2 threads;
    // 3 kinds of work.
    assert_eq!(count("pair/subject=system,"), 10);
    assert_eq!(count("concurrent/subject=system,"), 10);
    assert_eq!(count("wrapper/"), 6 * 2);
    assert_eq!(count("prefetch/"), 1 + 3 * 3);
}

pub(crate) fn a_bench_of_counts_has_no_controls() {
    for name in names(COUNTS) {
        let subjects = ["system", "runs-full", "absent"];
        let is_of = |subject: &&str| name.contains(&format!("/subject={subject}"));
        assert!(
            subjects.iter().any(is_of) && !name.contains("again"),
            "{name}"
        );
    }
}

/// 320,378 bytes fit three times, in the first call, in the counted one and in the first timed
/// one.
pub(crate) fn a_refusal_in_the_timed_pass_is_a_failure_without_a_time() {
    let [text, errors] = output(TIMES, &["--bench", "trace=json"]).unwrap_err();
    let scenario = "replay/subject=runs-full,trace=json";
    assert!(!text.contains(scenario), "{text}");
    assert!(
        text.contains("| replay/subject=system,trace=json "),
        "{text}"
    );
    let mut errors = errors.lines();
    let is_failure = |line: &str| line.contains(scenario) && line.contains("nulls: 1,");
    assert!(errors.any(is_failure), "{errors:?}");
}

pub(crate) fn missing_subjects_and_unmet_needs_say_why() {
    let [text, _] = output(TIMES, &["--bench", "large/"]).unwrap_err();
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
    let is_ok = |line: &str| line.contains(test) && line.contains("ok");
    assert!(text.lines().any(is_ok), "{text}");
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
