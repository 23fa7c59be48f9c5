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

const fn subject(name: &'static str, path: Option<&'static str>, feature: &'static str) -> Subject {
    Subject {
        name,
        path,
        feature,
        variables: &[],
    }
}

const SYSTEM: Subject = subject("system", Some(env!("CARGO_BIN_EXE_with-system")), "");
const MIMALLOC: Subject = subject("mimalloc", option_env!("CARGO_BIN_EXE_with-mimalloc"), "c");

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
    subject("talc", option_env!("CARGO_BIN_EXE_with-talc"), "talc"),
    subject(
        "dlmalloc",
        option_env!("CARGO_BIN_EXE_with-dlmalloc"),
        "dlmalloc",
    ),
    subject("rlsf", option_env!("CARGO_BIN_EXE_with-rlsf"), "rlsf"),
    MIMALLOC,
    Subject {
        name: "mimalloc-4k",
        variables: &[("MIMALLOC_ALLOW_THP", "0")],
        ..MIMALLOC
    },
    subject("rpmalloc", option_env!("CARGO_BIN_EXE_with-rpmalloc"), "c"),
    subject("snmalloc", option_env!("CARGO_BIN_EXE_with-snmalloc"), "c"),
    subject(
        "jemalloc",
        option_env!("CARGO_BIN_EXE_with-jemalloc"),
        "jemalloc",
    ),
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
