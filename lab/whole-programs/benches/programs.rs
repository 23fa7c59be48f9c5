//! The programs with each allocator that is built in, each in processes of its own.

use std::process::{Command, ExitCode};
use std::thread;

use alloc_scenario::{CountingAlloc, Suite, Unit};
use whole_programs::program::{JSON, MARKDOWN, TEMPLATE};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// A program with an allocator, and a variable of its environment.
#[derive(Clone, Copy, Debug)]
struct Subject {
    name: &'static str,
    /// The program; `None` without the allocator's feature.
    path: Option<&'static str>,
    variable: Option<(&'static str, &'static str)>,
}

const SYSTEM: Subject = Subject {
    name: "system",
    path: Some(env!("CARGO_BIN_EXE_with-system")),
    variable: None,
};

/// The allocator of a feature. Cargo names programs that it doesn't build, too.
macro_rules! subject {
    ($name:literal) => {
        Subject {
            name: $name,
            path: match cfg!(feature = $name) {
                true => option_env!(concat!("CARGO_BIN_EXE_with-", $name)),
                false => None,
            },
            variable: None,
        }
    };
}

/// As allocator-lab has them, the baseline first, and once more at the end.
const SUBJECTS: [Subject; 11] = [
    SYSTEM,
    // What allocator-lab sets by `mallopt`.
    Subject {
        name: "system-keep",
        variable: Some((
            "GLIBC_TUNABLES",
            "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=2147483647",
        )),
        ..SYSTEM
    },
    subject!("talc"),
    subject!("dlmalloc"),
    subject!("rlsf"),
    subject!("mimalloc"),
    Subject {
        name: "mimalloc-4k",
        variable: Some(("MIMALLOC_ALLOW_THP", "0")),
        ..subject!("mimalloc")
    },
    subject!("rpmalloc"),
    subject!("snmalloc"),
    subject!("jemalloc"),
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
    for threads in 1..=cores.min(2) {
        for program in [MARKDOWN, JSON, TEMPLATE].map(|program| program.name) {
            for Subject {
                name,
                path,
                variable,
            } in SUBJECTS
            {
                suite.scenario_with("programs", |b| {
                    let b = b
                        .axis("subject", [name])
                        .axis("program", [program])
                        .axis("threads", [threads])
                        .warm_up(0)
                        .iterations(PROCESSES)
                        .untimed();
                    let Some(path) = path else {
                        return b.unavailable("built without the allocator's feature");
                    };
                    b.run(move |_| {
                        let mut command = Command::new(path);
                        command.args([program, &threads.to_string()]).envs(variable);
                        cost(command)
                    })
                    .metric("program-time", Unit::Nanoseconds, |cost| cost[0])
                    .metric("peak-resident", Unit::Bytes, |cost| cost[1])
                    .metric("page-faults", Unit::Count, |cost| cost[2])
                    .into()
                });
            }
        }
    }
    suite.finish()
}

/// The three numbers that a program prints.
fn cost(mut command: Command) -> [i64; 3] {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => panic!("{command:?} does not start: {error}"),
    };
    let printed = String::from_utf8_lossy(&output.stdout);
    let numbers = printed.split_whitespace().map(str::parse);
    match numbers.collect::<Result<Vec<i64>, _>>().as_deref() {
        Ok(&[time, peak, faults]) if output.status.success() => [time, peak, faults],
        _ => panic!(
            "{command:?} fails: {}",
            String::from_utf8_lossy(&output.stderr)
        ),
    }
}
