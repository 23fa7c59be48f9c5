//! The bench protocol and the results, as cargo, nextest and the gate see them.
//! This program is both: a bench when it is asked to be one, and otherwise the
//! driver that starts it and looks at what it did.

mod sample;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};

use alloc_results::{Counts, Reading, Sample, ScenarioRecord, Stream, read_streams};
use alloc_scenario::CountingAlloc;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// The variable that makes this program a bench, and names its kind.
const BENCH: &str = "ALLOC_SCENARIO_TEST_BENCH";

fn main() -> ExitCode {
    match env::var(BENCH).as_deref() {
        Ok("panicking") => sample::bench(|suite| {
            suite
                .scenario("broken", || -> u32 { panic!("no {} today", "bread") })
                .scenario("after", || ());
            suite.scenario_with("unverified", |b| {
                b.run(|()| 1).verify(|one| assert_eq!(*one, 2))
            });
            suite.scenario_with("panics on a thread", |b| {
                b.run_on_threads(|()| 3, |()| -> u32 { panic!("thread of a team") })
            });
            suite.scenario_with("no iterations", |b| b.iterations(0).run(|()| ()));
            suite.scenario_with("negative", |b| b.elements(|()| -1).run(|()| ()));
        }),
        Ok("twins") => sample::bench(|suite| _ = suite.scenario("empty", || ())),
        Ok(_) => sample::bench(|_| ()),
        Err(_) => {
            drive();
            ExitCode::SUCCESS
        }
    }
}

fn drive() {
    a_list_is_names_and_runs_nothing();
    without_bench_each_scenario_runs_once();
    filters_select();
    wrong_arguments_are_refused();
    every_kind_of_scenario_is_measured_exactly();
    the_table_shows_what_a_mean_hides();
    a_panic_is_reported_by_name_and_the_others_still_run();
    scenarios_of_one_name_are_refused();
    the_environment_sets_iterations();
    results_that_cannot_be_written_are_a_failure();
}

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run_kind(kind: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let program = env::current_exe().expect("this program has a path");
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(program)
        .args(arguments)
        .env(BENCH, kind)
        .env("RUST_BACKTRACE", "0")
        .env("CARGO_PKG_NAME", "sample")
        .envs(variables.iter().copied())
        .output()
        .expect("this program can be started");
    Run {
        code: status.code(),
        stdout: String::from_utf8(stdout).expect("UTF-8"),
        stderr: String::from_utf8(stderr).expect("UTF-8"),
    }
}

fn run(arguments: &[&str]) -> Run {
    run_kind("plain", arguments, &[])
}

/// Measures with results, and reads them.
fn recorded(kind: &str, arguments: &[&str], variables: &[(&str, &str)]) -> (Run, Stream) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("results-{kind}"));
    let _ = fs::remove_dir_all(&folder);
    let path = folder.to_str().expect("UTF-8");
    let mut variables = variables.to_vec();
    variables.push(("ALLOC_GATE_RESULTS", path));
    let run = run_kind(kind, arguments, &variables);
    let files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder was made")
        .map(|entry| entry.expect("readable").path())
        .collect();
    let [file] = &files[..] else {
        panic!("one file, not {files:?}");
    };
    let text = fs::read_to_string(file).expect("readable");
    let mut streams = read_streams(&file.to_string_lossy(), &text).expect("a whole stream");
    (run, streams.remove(0))
}

const NAMES: [&str; 11] = [
    "empty",
    "clone (String, 5 chars)",
    "clone (a|b)",
    "outside",
    "sorted/rows=10",
    "sorted/rows=100",
    "consumed",
    "every tenth",
    "worker",
    "scaled/threads=1",
    "scaled/threads=4",
];

fn a_list_is_names_and_runs_nothing() {
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
    // A list of a bench whose scenarios panic: nothing runs.
    assert_eq!(run_kind("panicking", &["--list"], &[]).code, Some(0));
}

fn without_bench_each_scenario_runs_once() {
    let smoke = run(&["--exact", "clone (a|b)", "--nocapture"]);
    assert_eq!(smoke.code, Some(0), "{}", smoke.stderr);
    let (head, time) = smoke.stdout.split_once("finished in").expect("a summary");
    assert_eq!(
        head,
        "\nrunning 1 test\ntest clone (a|b) ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 \
         ignored; 0 measured; 10 filtered out; "
    );
    assert!(time.ends_with("s\n\n"));
    assert!(
        run(&[])
            .stdout
            .contains("test result: ok. 11 passed; 0 failed")
    );
}

fn filters_select() {
    let measured = run(&["--bench", "rows"]);
    assert_eq!(measured.code, Some(0));
    assert!(
        measured
            .stdout
            .ends_with("\n2 scenarios measured, 9 filtered out\n")
    );
    let none = run(&["--bench", "no such name"]);
    assert_eq!(none.code, Some(0));
    assert_eq!(none.stdout, "0 scenarios measured, 11 filtered out\n");
}

fn wrong_arguments_are_refused() {
    let wrong = run(&["--bench", "--frobnicate"]);
    assert_eq!(wrong.code, Some(2));
    assert_eq!(
        wrong.stderr,
        "error: unknown option `--frobnicate`; see --help\n"
    );
    assert_eq!(wrong.stdout, "");
}

fn reading(counts: Counts, peak: u64) -> Reading {
    Reading {
        counts,
        peak_bytes: Some(peak),
    }
}

fn freed(bytes: u64) -> Reading {
    reading(
        Counts {
            allocs: 1,
            alloc_bytes: bytes,
            deallocs: 1,
            dealloc_bytes: bytes,
            ..Counts::default()
        },
        bytes,
    )
}

fn constant(reading: Reading, times: u64) -> Vec<Sample> {
    vec![Sample { reading, times }]
}

fn find<'s>(stream: &'s Stream, name: &str) -> &'s ScenarioRecord {
    let mut scenarios = stream.scenarios.iter();
    scenarios
        .find(|scenario| scenario.name == name)
        .expect("the scenario was measured")
}

fn every_kind_of_scenario_is_measured_exactly() {
    let (run, stream) = recorded("plain", &["--bench"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let names: Vec<_> = stream.scenarios.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, NAMES);
    assert!(!stream.environment.filtered);
    assert_eq!(stream.environment.allocator, "std::alloc::System");
    assert_eq!(stream.environment.bench.package, "sample");
    assert_eq!(stream.environment.bench.target, "protocol");
    assert_eq!(stream.environment.debug_assertions, cfg!(debug_assertions));
    assert!(stream.environment.rustc.starts_with("rustc 1."));

    let empty = find(&stream, "empty");
    assert_eq!(empty.samples, constant(reading(Counts::default(), 0), 100));
    assert_eq!(empty.first, reading(Counts::default(), 0));
    assert_eq!((empty.warmup, empty.iterations), (10, 100));
    assert!(empty.location.file.ends_with("tests/sample/mod.rs"));

    let clone = find(&stream, "clone (String, 5 chars)");
    assert_eq!(clone.samples, constant(freed(5), 100));
    assert_eq!(clone.group.as_deref(), Some("clone"));

    let kept = Counts {
        allocs: 1,
        alloc_bytes: 8,
        ..Counts::default()
    };
    assert_eq!(
        find(&stream, "outside").samples,
        constant(reading(kept, 8), 100)
    );

    let sorted = find(&stream, "sorted/rows=100");
    assert_eq!(sorted.samples, constant(freed(400), 100));
    assert_eq!(
        (sorted.work.elements, sorted.work.bytes),
        (Some(100), Some(400))
    );
    assert_eq!(sorted.metrics[0].value, 100);

    let consumed = find(&stream, "consumed");
    let counts = Counts {
        deallocs: 1,
        dealloc_bytes: 64,
        ..Counts::default()
    };
    assert_eq!(consumed.samples, constant(reading(counts, 0), 100));
    assert!(consumed.note.is_some());

    // Calls 12 to 111 are counted, of which 20, 30, ... 110 allocate.
    let tenth = find(&stream, "every tenth");
    assert_eq!(
        tenth.samples,
        [
            Sample {
                reading: reading(Counts::default(), 0),
                times: 90
            },
            Sample {
                reading: freed(4),
                times: 10
            },
        ]
    );

    let worker = find(&stream, "worker");
    let unpeaked = Reading {
        peak_bytes: None,
        ..freed(100)
    };
    assert_eq!(worker.samples, constant(unpeaked, 100));
    assert_eq!(worker.foreign.allocs, 100);

    for threads in [1, 4] {
        let scaled = find(&stream, &format!("scaled/threads={threads}"));
        let counts = Counts {
            allocs: threads,
            alloc_bytes: 10 * threads,
            deallocs: threads,
            dealloc_bytes: 10 * threads,
            ..Counts::default()
        };
        let sum = Reading {
            counts,
            peak_bytes: None,
        };
        assert_eq!(scaled.samples, constant(sum, 20));
        assert_eq!(scaled.threads, threads);
        assert_eq!(scaled.foreign, Counts::default());
    }
    assert!(stream.scenarios.iter().all(|s| s.time.is_some()));
}

fn the_table_shows_what_a_mean_hides() {
    let run = run(&["--bench", "clone", "every tenth", "consumed"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let cells = |line: &str| -> Vec<String> {
        let cells = line.trim_matches('|').split(" | ");
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    assert_eq!(
        cells(lines[1]),
        [
            "scenario",
            "iters",
            "allocs/op",
            "bytes/op",
            "deallocs/op",
            "reallocs/op",
            "peak bytes",
            "ns/op"
        ]
    );
    let rule: Vec<bool> = lines[2]
        .trim_matches('|')
        .split('|')
        .map(|column| column.ends_with("-:"))
        .collect();
    assert_eq!(rule, [false, true, true, true, true, true, true, true]);
    assert_eq!(
        cells(lines[3])[..7],
        [
            "clone (String, 5 chars)",
            "100",
            "1.00",
            "5",
            "1.00",
            "0.00",
            "5"
        ]
    );
    assert!(lines[4].starts_with("| clone (a\\|b) "), "{}", lines[4]);
    assert_eq!(
        cells(lines[6])[..5],
        ["every tenth *", "100", "0.10", "0.4", "0.10"]
    );
    assert_eq!(
        lines[7..],
        [
            "",
            "\\* not deterministic: the iterations differed, and the table has means",
            "  - every tenth: allocs 0 to 1, bytes 0 to 4, deallocs 0 to 1, freed-bytes 0 to 4, \
             alloc-calls 0 to 1, peak-bytes 0 to 4",
            "",
            "consumed: the input is freed by the operation",
            "4 scenarios measured, 7 filtered out",
        ]
    );
}

fn a_panic_is_reported_by_name_and_the_others_still_run() {
    let (run, stream) = recorded("panicking", &["--bench"], &[]);
    assert_eq!(run.code, Some(101));
    assert_eq!(stream.scenarios.len(), NAMES.len() + 1);
    assert_eq!(stream.scenarios[NAMES.len()].name, "after");
    let failures: Vec<_> = stream
        .failures
        .iter()
        .map(|failure| {
            let message = failure.message.split(" (at ").next().expect("a message");
            (failure.name.as_str(), message)
        })
        .collect();
    assert_eq!(
        failures,
        [
            ("broken", "panicked: no bread today"),
            (
                "unverified",
                "panicked: assertion `left == right` failed\n  left: 1\n right: 2"
            ),
            ("panics on a thread", "panicked: thread of a team"),
            (
                "no iterations",
                "zero iterations measure nothing; ask for one at least"
            ),
            (
                "negative",
                "`elements` or `bytes` returned a number that is not a count"
            ),
        ]
    );
    assert!(run.stdout.contains("| after "));
    assert!(run.stderr.contains("error: scenario `broken` (at "));
    let smoke = run_kind("panicking", &["broken"], &[]);
    assert_eq!(smoke.code, Some(101));
    assert!(smoke.stdout.contains("test broken ... FAILED\n"));
    assert!(
        smoke
            .stdout
            .contains("test result: FAILED. 0 passed; 1 failed;")
    );
}

fn scenarios_of_one_name_are_refused() {
    for arguments in [&["--bench"][..], &[], &["--list"]] {
        let twins = run_kind("twins", arguments, &[]);
        assert_eq!(twins.code, Some(101));
        assert!(
            twins
                .stderr
                .starts_with("error: two scenarios are called `empty`: at ")
        );
    }
}

fn the_environment_sets_iterations() {
    let (_, stream) = recorded(
        "environment",
        &["--bench", "--exact", "empty"],
        &[
            ("ALLOC_GATE_ITERATIONS", "7"),
            ("ALLOC_GATE_WARMUP", "0"),
            ("ALLOC_GATE_PROFILE", "bench"),
            ("ALLOC_GATE_FEATURES", "b,a"),
            ("ALLOC_GATE_TARGET", "renamed"),
        ],
    );
    assert_eq!(stream.scenarios[0].iterations, 7);
    assert_eq!(stream.scenarios[0].warmup, 0);
    assert!(stream.environment.filtered);
    assert_eq!(stream.environment.profile, "bench");
    assert_eq!(stream.environment.features, ["a", "b"]);
    assert_eq!(stream.environment.bench.target, "renamed");
    let wrong = run_kind("plain", &["--bench"], &[("ALLOC_GATE_WARMUP", "many")]);
    assert_eq!(wrong.code, Some(101));
    assert_eq!(
        wrong.stderr,
        "error: ALLOC_GATE_WARMUP is many, which is not a number of iterations\n"
    );
}

fn results_that_cannot_be_written_are_a_failure() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("a-file");
    fs::write(&file, "").expect("writable");
    let path = file.to_str().expect("UTF-8");
    let run = run_kind("plain", &["--bench"], &[("ALLOC_GATE_RESULTS", path)]);
    assert_eq!(run.code, Some(101));
    assert!(
        run.stderr
            .starts_with("error: failed to write the results to ")
    );
    assert_eq!(run.stdout, "");
}
