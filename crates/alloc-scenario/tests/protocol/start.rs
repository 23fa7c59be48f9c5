//! Starts this program as a bench, and reads its output and results.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Output;

use alloc_results::{ScenarioRecord, Stream, Tally, read_streams};

/// The variable that makes this program a bench, and names its kind.
pub(crate) const BENCH: &str = "ALLOC_SCENARIO_TEST_BENCH";

/// The scenarios of the plain bench.
pub(crate) const NAMES: [&str; 11] = [
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

pub(crate) struct BenchOutput {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn run_kind(kind: &str, arguments: &[&str], variables: &[(&str, &str)]) -> BenchOutput {
    let Output {
        status,
        stdout,
        stderr,
    } = own_process::output(
        own_process::command()
            .args(arguments)
            .env(BENCH, kind)
            .env("RUST_BACKTRACE", "0")
            .env("CARGO_PKG_NAME", "sample")
            .envs(variables.iter().copied()),
    );
    BenchOutput {
        code: status.code(),
        stdout: String::from_utf8(stdout).expect("UTF-8"),
        stderr: String::from_utf8(stderr).expect("UTF-8"),
    }
}

pub(crate) fn run(arguments: &[&str]) -> BenchOutput {
    run_kind("plain", arguments, &[])
}

/// Measures with results, and reads them.
pub(crate) fn recorded(
    kind: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (BenchOutput, Stream) {
    // Tests run in parallel, so each has its own folder.
    let mut hasher = DefaultHasher::new();
    (kind, arguments, variables).hash(&mut hasher);
    let folder = format!("results-{kind}-{:x}", hasher.finish());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = fs::remove_dir_all(&folder);
    let path = folder.to_str().expect("UTF-8");
    let mut variables = variables.to_vec();
    variables.push(("ALLOC_GATE_BENCH_RESULTS", path));
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

pub(crate) fn find<'s>(stream: &'s Stream, name: &str) -> &'s ScenarioRecord {
    let mut scenarios = stream.scenarios.iter();
    scenarios
        .find(|scenario| scenario.name == name)
        .expect("the scenario was measured")
}

/// The name and the message of each failure.
pub(crate) fn failures(stream: &Stream) -> Vec<(&str, &str)> {
    let failures = stream.failures.iter();
    failures
        .map(|failure| (failure.name.as_str(), failure.message.as_str()))
        .collect()
}

/// What `allocs` allocations of `bytes` in total count.
pub(crate) fn allocated(allocs: u64, bytes: u64) -> Tally {
    Tally {
        allocs,
        bytes,
        ..Tally::default()
    }
}

/// The same, and as many deallocations.
pub(crate) fn dropped(allocs: u64, bytes: u64) -> Tally {
    Tally {
        deallocs: allocs,
        freed_bytes: bytes,
        ..allocated(allocs, bytes)
    }
}
