//! The command line and the environment.

use std::fs;
use std::path::PathBuf;

use crate::start::{NAMES, recorded, run, run_kind};

pub(crate) fn a_list_is_names_and_runs_nothing() {
    let expected: String = NAMES.map(|name| format!("{name}: benchmark\n")).concat();
    let list = run(&["--list", "--format", "terse"]);
    assert_eq!(
        (list.code, list.stdout.as_str()),
        (Some(0), expected.as_str())
    );
    assert_eq!(list.stderr, "");
    let ignored = run(&["--list", "--format", "terse", "--ignored"]);
    assert_eq!((ignored.code, ignored.stdout.as_str()), (Some(0), ""));
    let pretty = run(&["--list", "--exact", "empty"]);
    assert_eq!(pretty.stdout, "empty: benchmark\n\n0 tests, 1 benchmarks\n");
    // Listing runs nothing, so no scenario panics.
    assert_eq!(run_kind("panicking", &["--list"], &[]).code, Some(0));
}

pub(crate) fn without_bench_each_scenario_runs_once() {
    let smoke = run(&["--exact", "clone (a|b)", "--nocapture"]);
    assert_eq!(smoke.code, Some(0), "{}", smoke.stderr);
    let (head, time) = smoke.stdout.split_once("finished in").expect("a summary");
    assert_eq!(
        head,
        "\nrunning 1 test\ntest clone (a|b) ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 \
         ignored; 0 measured; 10 filtered out; "
    );
    assert!(time.ends_with("s\n\n"));
    let all = run(&[]).stdout;
    assert!(
        all.contains("test result: ok. 11 passed; 0 failed"),
        "{all}"
    );
}

pub(crate) fn filters_select() {
    let measured = run(&["--bench", "rows"]);
    let end = "\n2 scenarios measured, 9 filtered out\n";
    assert!(measured.code == Some(0) && measured.stdout.ends_with(end));
    let none = run(&["--bench", "no such name"]);
    assert_eq!(none.code, Some(0));
    assert_eq!(none.stdout, "0 scenarios measured, 11 filtered out\n");
}

pub(crate) fn wrong_arguments_are_refused() {
    let wrong = run(&["--bench", "--frobnicate"]);
    assert_eq!(wrong.code, Some(2));
    assert_eq!(
        wrong.stderr,
        "error: unknown option `--frobnicate`; see --help\n"
    );
    assert_eq!(wrong.stdout, "");
}

pub(crate) fn options_of_other_harnesses_have_no_effect() {
    let run = run(&[
        "--bench",
        "--exact",
        "empty",
        "--save-baseline",
        "main",
        "-n",
    ]);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.stderr,
        "note: options of other harnesses have no effect on this bench: `--save-baseline`, `-n`\n"
    );
    assert!(run.stdout.contains("\n| empty "), "{}", run.stdout);
}

pub(crate) fn scenarios_of_one_name_are_refused() {
    for arguments in [&["--bench"][..], &[], &["--list"]] {
        let twins = run_kind("twins", arguments, &[]);
        let begin = "error: two scenarios are called `empty`: at ";
        assert!(twins.code == Some(101) && twins.stderr.starts_with(begin));
    }
}

pub(crate) fn the_environment_sets_iterations() {
    let (_, stream) = recorded(
        "environment",
        &["--bench", "--exact", "empty"],
        &[
            ("ALLOC_GATE_ITERATIONS", "7"),
            ("ALLOC_GATE_WARMUP", "0"),
            ("ALLOC_GATE_PROFILE", "bench"),
            ("ALLOC_GATE_BENCH_FEATURES", "b,a"),
            ("ALLOC_GATE_BENCH_TARGET", "renamed"),
            ("ALLOC_GATE_COMMIT", "4f1c-dirty"),
            ("ALLOC_GATE_OPT_LEVEL", "2"),
        ],
    );
    assert_eq!(stream.scenarios[0].iterations, 7);
    assert_eq!(stream.scenarios[0].warmup, 0);
    assert!(!stream.environment.registered.is_empty());
    assert_eq!(stream.environment.profile, "bench");
    assert_eq!(stream.environment.features, ["a", "b"]);
    assert_eq!(stream.environment.bench.target, "renamed");
    assert_eq!(stream.environment.commit.as_deref(), Some("4f1c"));
    assert_eq!(stream.environment.dirty, Some(true));
    assert_eq!(stream.environment.opt_level.as_deref(), Some("2"));
    let began = stream.environment.unix_time.expect("there is a clock");
    // From 2025 on, in seconds.
    assert!((1_735_689_600..10_000_000_000).contains(&began), "{began}");
    let wrong = run_kind("plain", &["--bench"], &[("ALLOC_GATE_WARMUP", "many")]);
    assert_eq!(wrong.code, Some(101));
    assert_eq!(
        wrong.stderr,
        "error: ALLOC_GATE_WARMUP is many, which is not a number of iterations; set it to a whole \
         number\n"
    );
}

pub(crate) fn a_part_of_the_scenarios_is_measured_and_all_are_named() {
    let variables = [("ALLOC_GATE_ITERATIONS", "1")];
    let arguments = ["--bench", "--exact", NAMES[1]];
    let (run, stream) = recorded("parts", &arguments, &variables);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(stream.environment.planned, [NAMES[1]]);
    assert_eq!(stream.environment.registered, NAMES);
    let (_, whole) = recorded("parts", &["--bench"], &variables);
    assert_eq!(whole.environment.planned, NAMES);
    assert!(whole.environment.registered.is_empty());
}

pub(crate) fn results_that_cannot_be_written_are_a_failure() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("a-file");
    fs::write(&file, "").expect("writable");
    let path = file.to_str().expect("UTF-8");
    let run = run_kind("plain", &["--bench"], &[("ALLOC_GATE_BENCH_RESULTS", path)]);
    assert_eq!(run.code, Some(101));
    let begin = "error: failed to write the results to ";
    assert!(run.stderr.starts_with(begin), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}
