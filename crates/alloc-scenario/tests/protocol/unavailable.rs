//! Scenarios that are unavailable on this machine: they are reported, and the others run.

use alloc_results::{AxisValue, UnavailableScenario};
use alloc_scenario::Suite;

use crate::start::{recorded, run_kind};

/// The kinds of benches.
pub(crate) const SOME: &str = "unavailable";
pub(crate) const TWINS: &str = "unavailable twins";

pub(crate) fn add(suite: &mut Suite<'_>) {
    for (subject, reason) in [("system", None), ("tbb", Some("libtbb\nis missing"))] {
        suite.group("lab").scenario_with("pair", |b| {
            let b = b.axis("subject", [subject]).axis("size", [64, 256]);
            match reason {
                None => b.run(|&(_, size)| size).into(),
                Some(reason) => b.elements(|_| 1).fresh_process().unavailable(reason),
            }
        });
    }
    suite.scenario_with("alone", |b| b.unavailable(format!("{} is off", "it")));
}

pub(crate) fn add_twins(suite: &mut Suite<'_>) {
    suite.scenario_with("empty", |b| b.unavailable("there is one"));
}

pub(crate) fn unavailable_scenarios_are_listed_and_ignored() {
    let list = |arguments: &[&str]| {
        let terse = [arguments, &["--list", "--format", "terse"]].concat();
        let run = run_kind(SOME, &terse, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.stdout
    };
    assert_eq!(
        list(&["pair", "alone"]),
        "lab (pair)/subject=system,size=64: benchmark
lab (pair)/subject=system,size=256: benchmark
lab (pair)/subject=tbb,size=64: benchmark
lab (pair)/subject=tbb,size=256: benchmark
alone: benchmark
"
    );
    assert_eq!(
        list(&["--ignored"]),
        "lab (pair)/subject=tbb,size=64: benchmark
lab (pair)/subject=tbb,size=256: benchmark
alone: benchmark
"
    );
    assert_eq!(list(&["--ignored", "--skip", "pair"]), "alone: benchmark\n");
    let run = run_kind(SOME, &["--list", "size=256"], &[]);
    assert!(run.stdout.ends_with("\n0 tests, 2 benchmarks\n"));
}

pub(crate) fn the_smoke_test_ignores_unavailable_scenarios() {
    for (arguments, expected) in [
        (
            &["pair"][..],
            "
running 4 tests
test lab (pair)/subject=system,size=64 ... ok
test lab (pair)/subject=system,size=256 ... ok
test lab (pair)/subject=tbb,size=64 ... ignored, libtbb\\nis missing
test lab (pair)/subject=tbb,size=256 ... ignored, libtbb\\nis missing

test result: ok. 2 passed; 0 failed; 2 ignored; 0 measured; 12 filtered out; finished in ",
        ),
        (
            &["--exact", "alone", "--nocapture", "--ignored"],
            "
running 1 test
test alone ... ignored, it is off

test result: ok. 0 passed; 0 failed; 1 ignored; 0 measured; 15 filtered out; finished in ",
        ),
    ] {
        let run = run_kind(SOME, arguments, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    }
}

pub(crate) fn unavailable_scenarios_are_recorded_with_their_reason() {
    let (run, stream) = recorded(SOME, &["--bench", "size=256", "alone"], &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let measured = "lab (pair)/subject=system,size=256";
    assert_eq!(stream.environment.planned, [measured]);
    assert!(!stream.environment.registered.is_empty());
    assert_eq!(stream.scenarios.len(), 1);
    let unavailable = &stream.environment.unavailable;
    let [
        UnavailableScenario {
            name,
            axes,
            location,
            reason,
        },
        alone,
    ] = &unavailable[..]
    else {
        panic!("{unavailable:?}");
    };
    assert_eq!(name, "lab (pair)/subject=tbb,size=256");
    let value = |axis: &str, value: &str| AxisValue {
        axis: axis.to_owned(),
        value: value.to_owned(),
    };
    assert_eq!(axes[..], [value("subject", "tbb"), value("size", "256")]);
    assert!(location.file.ends_with("tests/protocol/unavailable.rs"));
    assert_eq!(reason, "libtbb\\nis missing");
    assert_eq!((&*alone.name, &*alone.reason), ("alone", "it is off"));
    let below = run.stdout.split_once("\n\n").expect("a table").1;
    assert_eq!(
        below,
        "not measured here: lab (pair)/subject=tbb,size=256 (libtbb\\nis missing)

not measured here: alone (it is off)
1 scenario measured, 13 filtered out
"
    );

    // Scenarios with the same reason share a line.
    let run = run_kind(SOME, &["--bench", "pair"], &[]);
    let line = "\nnot measured here: lab (pair)/subject=tbb,size=64 and 1 more \
                (libtbb\\nis missing)\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);

    // Only unavailable scenarios: the stream has no planned ones.
    for arguments in [
        &["--bench", "alone"][..],
        &["--bench", "--ignored", "alone"],
    ] {
        let (run, stream) = recorded(SOME, arguments, &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(stream.environment.planned.len(), 0);
        assert_eq!(stream.environment.unavailable.len(), 1);
        assert_eq!(
            run.stdout,
            "\nnot measured here: alone (it is off)\n0 scenarios measured, 15 filtered out\n"
        );
    }
}

pub(crate) fn names_of_unavailable_scenarios_are_unique_too() {
    let run = run_kind(TWINS, &["--bench"], &[]);
    assert_eq!(run.code, Some(101));
    let begin = "error: two scenarios are called `empty`: at ";
    assert!(run.stderr.starts_with(begin), "{}", run.stderr);
}
