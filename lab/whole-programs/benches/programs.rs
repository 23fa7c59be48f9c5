//! The programs with each allocator that is built in, each in processes of its own.

use std::process::{Command, ExitCode};
use std::thread;

use alloc_scenario::{CountingAlloc, Suite, Unit};
use whole_programs::cost::{self, Cost};
use whole_programs::program::{JSON, MARKDOWN, Program, TEMPLATE};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// A program with an allocator, and variables of its environment.
#[derive(Clone, Copy, Debug)]
struct Subject {
    name: &'static str,
    /// The program; `None` without the feature.
    path: Option<&'static str>,
    feature: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

/// The program with the allocator of this name, which is built in with a feature.
macro_rules! subject {
    ($name:literal, $feature:literal) => {
        Subject {
            name: $name,
            path: option_env!(concat!("CARGO_BIN_EXE_with-", $name)),
            feature: $feature,
            variables: &[],
        }
    };
}

const SYSTEM: Subject = subject!("system", "");
const MIMALLOC: Subject = subject!("mimalloc", "c");

/// As allocator-lab has them, the baseline first, and once more at the end.
const SUBJECTS: [Subject; 11] = [
    SYSTEM,
    // What allocator-lab sets by `mallopt`.
    Subject {
        name: "system-keep",
        variables: &[(
            "GLIBC_TUNABLES",
            "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=2147483647",
        )],
        ..SYSTEM
    },
    subject!("talc", "talc"),
    subject!("dlmalloc", "dlmalloc"),
    subject!("rlsf", "rlsf"),
    MIMALLOC,
    Subject {
        name: "mimalloc-4k",
        variables: &[("MIMALLOC_ALLOW_THP", "0")],
        ..MIMALLOC
    },
    subject!("rpmalloc", "c"),
    subject!("snmalloc", "c"),
    subject!("jemalloc", "jemalloc"),
    Subject {
        name: "system-again",
        ..SYSTEM
    },
];

/// The processes of a scenario in one run of the bench.
const PROCESSES: u64 = 2;

fn main() -> ExitCode {
    let mut suite = Suite::from_args();
    // On one core, threads would take turns.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = [1, 2];
    let threads = &threads[..cores.min(2)];
    for &threads in threads {
        for program in [MARKDOWN, JSON, TEMPLATE] {
            for subject in SUBJECTS {
                suite.scenario_with("programs", |b| {
                    let b = b
                        .axis("subject", [subject.name])
                        .axis("program", [program.name])
                        .axis("threads", [threads])
                        .warm_up(0)
                        .iterations(PROCESSES)
                        .untimed();
                    let Some(path) = subject.path else {
                        let feature = subject.feature;
                        return b.unavailable(format!("built without the feature `{feature}`"));
                    };
                    b.run(move |_| start(path, subject.variables, program, threads))
                        .metric("program-time", Unit::Nanoseconds, |cost| {
                            cost.time.as_nanos() as i64
                        })
                        .metric("peak-resident", Unit::Bytes, |cost| cost.peak_bytes as i64)
                        .metric("page-faults", Unit::Count, |cost| cost.page_faults as i64)
                        .into()
                });
            }
        }
    }
    suite.finish()
}

/// The cost of a process.
fn start(path: &str, variables: &[(&str, &str)], program: Program, threads: usize) -> Cost {
    let mut command = Command::new(path);
    command.args([program.name, &threads.to_string()]);
    command.envs(variables.iter().copied());
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => panic!("{command:?} does not start: {error}"),
    };
    let printed = String::from_utf8_lossy(&output.stdout);
    match cost::read(&printed).filter(|_| output.status.success()) {
        Some(cost) => cost,
        None => panic!(
            "{command:?} fails: {}",
            String::from_utf8_lossy(&output.stderr)
        ),
    }
}
