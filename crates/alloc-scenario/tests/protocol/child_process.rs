//! Scenarios in a process of their own: the process is a new one, and every end of it is
//! reported.

#![expect(
    clippy::disallowed_methods,
    reason = "a measured process prints, to show where its output goes"
)]

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use alloc_results::{Stream, protocol};
use alloc_scenario::{Suite, Unit, counting_alloc, fresh_process_for};

use crate::sample;
use crate::start::{BenchOutput, failures, find, recorded, run_kind};

/// State that one scenario leaves for later scenarios of the process.
static LEFT: AtomicU64 = AtomicU64::new(0);

fn say(stream: &mut dyn Write, text: &str) {
    writeln!(stream, "{text}").expect("it can be written");
}

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.scenario("leaves seven", || LEFT.store(7, SeqCst));
    suite.scenario_with("fresh", |b| {
        b.axis("n", [1, 2])
            .elements(|&n| n)
            .fresh_process()
            .run(|_| LEFT.fetch_add(1, SeqCst))
            .metric("left", Unit::Count, |left| *left as i64)
    });
    suite.scenario_with("--odd", |b| b.fresh_process().run(|()| ()));
    suite.scenario_with("talks", |b| {
        b.fresh_process().run(|()| {
            say(&mut io::stdout(), "to stdout");
            say(&mut io::stderr(), "to stderr");
        })
    });
    suite.scenario_with("sees what is left", |b| {
        b.run(|()| LEFT.load(SeqCst))
            .metric("left", Unit::Count, |left| *left as i64)
    });
}

pub(crate) fn add_broken(suite: &mut Suite<'_>) {
    suite.scenario_with("panics", |b| {
        b.fresh_process().run(|()| -> u8 { panic!("in the child") })
    });
    suite.scenario_with("aborts", |b| {
        b.fresh_process().run(|()| -> u8 {
            say(&mut io::stderr(), "about to abort");
            process::abort()
        })
    });
    suite.scenario_with("exits", |b| {
        b.fresh_process().run(|()| -> u8 { process::exit(0) })
    });
    suite.scenario("stays", || ());
}

/// A bench that counts nothing in a process that was started for a scenario.
pub(crate) fn bench_dead() -> ExitCode {
    let _paused = fresh_process_for().map(|_| counting_alloc::pause());
    sample::bench(|suite| {
        suite.scenario_with("counted", |b| b.fresh_process().run(|()| ()));
    })
}

/// Registers its scenario only in the first process.
pub(crate) fn add_unknown(suite: &mut Suite<'_>) {
    if fresh_process_for().is_none() {
        suite.scenario_with("unknown", |b| b.fresh_process().run(|()| ()));
    }
}

/// A bench that fails after measuring, in a process that was started for a scenario.
pub(crate) fn bench_failing_after() -> ExitCode {
    let code = sample::bench(|suite| {
        suite.scenario_with("measured", |b| b.fresh_process().run(|()| ()));
    });
    match fresh_process_for().as_deref() {
        Some("measured") => ExitCode::from(3),
        _ => code,
    }
}

/// Measures with a folder for temporary files, which has to be empty afterwards.
fn measured(kind: &str, names: &[&str], variables: &[(&str, &str)]) -> (BenchOutput, Stream) {
    let folder = format!("temporary-{kind}{}", names.concat());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("writable");
    let path = folder.to_str().expect("UTF-8");
    let mut all = variables.to_vec();
    all.extend([("TMPDIR", path), ("TMP", path)]);
    let arguments = [&["--bench"], names].concat();
    let (run, stream) = recorded(kind, &arguments, &all);
    let left = fs::read_dir(&folder).expect("readable").count();
    assert_eq!(left, 0, "files were left in {path}");
    (run, stream)
}

pub(crate) fn the_first_call_sees_no_state_of_earlier_scenarios() {
    let (run, stream) = measured("fresh", &["leaves", "fresh", "sees"], &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let names: Vec<_> = stream.scenarios.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, stream.environment.planned);
    for n in [1, 2] {
        let record = find(&stream, &format!("fresh/n={n}"));
        assert!(record.fresh);
        assert_eq!((record.warmup, record.iterations), (10, 100));
        assert_eq!(record.work.elements, Some(n));
        let file = &record.location.file;
        assert!(file.ends_with("tests/protocol/child_process.rs"), "{file}");
        assert!(record.time.as_ref().is_some_and(|time| time.first > 0));
        // Call `n` sees the `n - 1` before it; 12 to 111 are counted.
        let left = record.custom_metric("left").expect("it is measured");
        assert_eq!(left.first, 0);
        let values: Vec<_> = left.samples.values().collect();
        assert_eq!(values, (11..=110).map(|left| (left, 1)).collect::<Vec<_>>());
    }
    // The first process has no state of the others.
    let after = find(&stream, "sees what is left");
    assert!(!after.fresh);
    let left = after.custom_metric("left").expect("it is measured");
    assert_eq!((left.first, left.samples.total()), (7, 700));
    // The table has their rows too.
    assert!(run.stdout.contains("\n| fresh/n=2 "), "{}", run.stdout);
}

pub(crate) fn a_process_of_its_own_gets_the_settings_and_prints_nothing() {
    let settings = [("ALLOC_GATE_ITERATIONS", "7"), ("ALLOC_GATE_WARMUP", "0")];
    let (run, stream) = measured("fresh", &["talks"], &settings);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let talks = find(&stream, "talks");
    assert_eq!((talks.warmup, talks.iterations), (0, 7));
    assert!(!run.stdout.contains("to stdout"), "{}", run.stdout);
}

pub(crate) fn names_that_look_like_options_are_names() {
    let (run, stream) = measured("fresh", &["--exact", "--", "--odd"], &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(find(&stream, "--odd").fresh);
}

/// The message without the platform's optional note of a core dump, and without the line
/// that qemu adds.
fn without_core(message: &str) -> String {
    let of_qemu = "\nqemu: uncaught target signal 6 (Aborted) - core dumped";
    message.replace(" (core dumped)", "").replace(of_qemu, "")
}

#[cfg(unix)]
const ABORTED: &str = "signal: 6 (SIGABRT)";
#[cfg(not(unix))]
const ABORTED: &str = "exit code: 0xc0000409";

#[cfg(unix)]
const EXITED: &str = "exit status";
#[cfg(not(unix))]
const EXITED: &str = "exit code";

pub(crate) fn every_end_of_a_process_is_reported() {
    let names = ["panics", "aborts", "exits", "stays"];
    let (run, stream) = measured("fresh broken", &names, &[]);
    assert_eq!(run.code, Some(101));
    // The others are measured.
    assert_eq!(stream.scenarios.len(), 1);
    assert_eq!(stream.scenarios[0].name, "stays");
    let ended = |status: &str, printed: &str| {
        format!(
            "was not measured: its own process ended ({status}): the bench exited while it measured \
             the scenario; {printed}"
        )
    };
    let aborted = ended(ABORTED, "its stderr:\nabout to abort");
    let exited = ended(&format!("{EXITED}: 0"), "it printed no errors");
    let [panics, aborts, exits] = &failures(&stream)[..] else {
        panic!("{:?}", stream.failures);
    };
    assert!(
        panics.1.starts_with("panicked: in the child (at "),
        "{panics:?}"
    );
    assert_eq!((aborts.0, without_core(aborts.1)), ("aborts", aborted));
    assert_eq!((exits.0, exits.1), ("exits", &*exited));
    // The output of the panic and each failure are printed once.
    for once in [
        "in the child\n",
        "error: scenario `panics` (at ",
        "error: scenario `aborts` (at ",
        "about to abort\n",
        "error: scenario `exits` (at ",
    ] {
        let times = run.stderr.matches(once).count();
        assert_eq!(times, 1, "{once}: {}", run.stderr);
    }
}

pub(crate) fn a_process_of_its_own_is_started_by_the_runner() {
    let missing = [(protocol::RUNNER, "no-such-runner --option")];
    let (_, stream) = measured("fresh", &["fresh/n=1"], &missing);
    assert_eq!(failures(&stream)[0].0, "fresh/n=1");
}

pub(crate) fn processes_that_can_not_measure_report_the_reason() {
    for (kind, name, begin, end) in [
        (
            "fresh dead",
            "counted",
            format!(
                "was not measured: its own process ended ({EXITED}: 101): it ended before it \
                 measured the scenario; its stderr:\nerror: no allocation was counted: \
                 `CountingAlloc` is not the global allocator of this bench. Add to its root:\n"
            ),
            "",
        ),
        (
            "fresh unknown",
            "unknown",
            format!("was not measured: its own process ended ({EXITED}: 0): it did not register "),
            "finish`; it printed no errors",
        ),
        (
            "fresh fails after",
            "measured",
            format!(
                "was not measured: its own process ended ({EXITED}: 3): it failed after \
                 measuring; "
            ),
            "it printed no errors",
        ),
    ] {
        let (run, stream) = measured(kind, &["--exact", name, "empty"], &[]);
        assert_eq!(run.code, Some(101), "{kind}");
        assert_eq!(stream.scenarios.len(), 1, "{kind}");
        assert_eq!(stream.failures.len(), 1, "{kind}");
        let message = &stream.failures[0].message;
        assert!(message.starts_with(&begin), "{message}");
        assert!(message.contains(end), "{message}");
    }
}

pub(crate) fn the_smoke_test_starts_no_process() {
    let run = run_kind("fresh", &["fresh", "--odd-is-no-option"], &[]);
    assert_eq!(run.code, Some(2));
    let run = run_kind("fresh", &["fresh"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let line = "\ntest fresh/n=1 ... ok\ntest fresh/n=2 ... ok\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    // The scenario ends the process of the smoke test.
    let run = run_kind("fresh broken", &["exits", "stays"], &[]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stdout, "\nrunning 2 tests\ntest exits ... ");
}
