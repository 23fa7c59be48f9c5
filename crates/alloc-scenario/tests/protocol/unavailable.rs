//! Scenarios that are unavailable on this machine: they are reported, and the others run.

use alloc_results::{AxisValue, UnavailableScenario};
use alloc_scenario::Suite;

use crate::start::{recorded, run_kind};

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

pub(crate) fn unavailable_scenarios_are_listed_and_ignored() {
    let list = |arguments: &[&str]| {
        let terse = [arguments, &["--list", "--format", "terse"]].concat();
        let run = run_kind("unavailable", &terse, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.stdout
    };
    assert_eq!(
        list(&["size=64", "alone"]),
        "lab (pair)/subject=system,size=64: benchmark
lab (pair)/subject=tbb,size=64: benchmark
alone: benchmark
"
    );
    assert_eq!(list(&["--ignored", "--skip", "pair"]), "alone: benchmark\n");
}

pub(crate) fn the_smoke_test_ignores_unavailable_scenarios() {
    let run = run_kind("unavailable", &["size=64"], &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let expected = "
running 2 tests
test lab (pair)/subject=system,size=64 ... ok
test lab (pair)/subject=tbb,size=64 ... ignored, libtbb\\nis missing

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 14 filtered out; finished in ";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
}

pub(crate) fn unavailable_scenarios_are_recorded_with_their_reason() {
    let (run, stream) = recorded("unavailable", &["--bench", "size=256", "alone"], &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let measured = "lab (pair)/subject=system,size=256";
    assert_eq!(stream.environment.planned, [measured]);
    assert!(!stream.environment.registered.is_empty());
    assert_eq!(stream.scenarios.len(), 1);
    let axis = |axis: &str, value: &str| AxisValue {
        axis: axis.to_owned(),
        value: value.to_owned(),
    };
    let unavailable = |name: &str, axes, reason: &str| UnavailableScenario {
        name: name.to_owned(),
        axes,
        location: stream.environment.unavailable[0].location.clone(),
        reason: reason.to_owned(),
    };
    let mut recorded_ones = stream.environment.unavailable.clone();
    recorded_ones[1].location = recorded_ones[0].location.clone();
    let name = "lab (pair)/subject=tbb,size=256";
    let axes = vec![axis("subject", "tbb"), axis("size", "256")];
    assert_eq!(
        recorded_ones,
        [
            unavailable(name, axes, "libtbb\\nis missing"),
            unavailable("alone", vec![], "it is off"),
        ]
    );
    let file = &recorded_ones[0].location.file;
    assert!(file.ends_with("tests/protocol/unavailable.rs"), "{file}");
    let below = run.stdout.split_once("\n\n").expect("a table").1;
    assert_eq!(
        below,
        "not measured here: lab (pair)/subject=tbb,size=256 (libtbb\\nis missing)

not measured here: alone (it is off)
1 scenario measured, 13 filtered out
"
    );

    // Scenarios with the same reason share a line.
    let run = run_kind("unavailable", &["--bench", "pair"], &[]);
    let line = "\nnot measured here: lab (pair)/subject=tbb,size=64 and 1 more \
                (libtbb\\nis missing)\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);

    // Only unavailable scenarios: the stream has no planned ones.
    let (run, stream) = recorded("unavailable", &["--bench", "--ignored", "alone"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(stream.environment.planned.len(), 0);
    assert_eq!(
        run.stdout,
        "\nnot measured here: alone (it is off)\n0 scenarios measured, 15 filtered out\n"
    );
}
