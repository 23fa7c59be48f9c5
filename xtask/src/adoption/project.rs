//! The projects whose builds are measured: the smallest that use a crate.

use std::fs;
use std::io;
use std::path::Path;

/// A project.
pub(super) struct Project {
    /// What the crate is used for.
    pub(super) task: &'static str,
    /// The crate.
    pub(super) name: &'static str,
    /// The arguments of cargo.
    pub(super) command: &'static str,
    /// The project's files; `None` for this workspace.
    pub(super) files: Option<Files>,
}

/// The files of a project that is made for this.
pub(super) struct Files {
    /// The line of a dev-dependency, in which `{crates}` is the folder of this workspace's.
    dependency: &'static str,
    /// The line that it replaces. With that one the project is built before.
    former: Option<&'static str>,
    target: Target,
    source: &'static str,
}

enum Target {
    Test,
    Bench,
}

const TEST: &str = "a test that asserts";
const BENCH: &str = "a bench";

const TEST_COMMAND: &str = "test --test target --no-run";
const BENCH_COMMAND: &str = "bench --bench target --no-run";

const CRITERION: &str = "criterion = '0.8'";

const CRITERION_BENCH: &str = r#"
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn to_string(criterion: &mut Criterion) {
    criterion.bench_function("u8", |bencher| bencher.iter(|| black_box(7_u8).to_string()));
}

criterion_group!(benches, to_string);
criterion_main!(benches);
"#;

pub(super) const PROJECTS: [Project; 7] = [
    Project {
        task: TEST,
        name: "alloc-assert",
        command: TEST_COMMAND,
        files: Some(Files {
            dependency: "alloc-assert = { path = '{crates}/alloc-assert' }",
            former: None,
            target: Target::Test,
            source: r#"
use alloc_assert::{CountingAlloc, assert_allocs};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

#[test]
fn one_text() {
    assert_allocs!(7_u8.to_string(), "== 1");
}
"#,
        }),
    },
    Project {
        task: TEST,
        name: "alloc_tracker",
        command: TEST_COMMAND,
        files: Some(Files {
            dependency: "alloc_tracker = '0.5'",
            former: None,
            target: Target::Test,
            source: r#"
use alloc_tracker::{Allocator, Session};
use std::alloc::System;

#[global_allocator]
static ALLOC: Allocator<System> = Allocator::system();

#[test]
fn one_text() {
    let session = Session::new();
    let operation = session.operation("to_string");
    {
        let _span = operation.measure_thread();
        std::hint::black_box(7_u8.to_string());
    }
    let report = session.to_report();
    for (_, counted) in report.operations() {
        assert_eq!(counted.total_allocations_count(), 1);
    }
}
"#,
        }),
    },
    Project {
        task: BENCH,
        name: "alloc-scenario",
        command: BENCH_COMMAND,
        files: Some(Files {
            dependency: "alloc-scenario = { path = '{crates}/alloc-scenario' }",
            former: None,
            target: Target::Bench,
            source: r#"
use alloc_scenario::{CountingAlloc, Suite, black_box};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite
        .group("to_string")
        .scenario("u8", || black_box(7_u8).to_string());
    suite.finish()
}
"#,
        }),
    },
    Project {
        task: BENCH,
        name: "divan",
        command: BENCH_COMMAND,
        files: Some(Files {
            dependency: "divan = '0.1'",
            former: None,
            target: Target::Bench,
            source: r#"
use divan::{AllocProfiler, black_box};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

#[divan::bench]
fn to_string() -> String {
    black_box(7_u8).to_string()
}
"#,
        }),
    },
    Project {
        task: BENCH,
        name: "criterion",
        command: BENCH_COMMAND,
        files: Some(Files {
            dependency: CRITERION,
            former: None,
            target: Target::Bench,
            source: CRITERION_BENCH,
        }),
    },
    Project {
        task: "a criterion bench, counted",
        name: "alloc-criterion",
        command: BENCH_COMMAND,
        files: Some(Files {
            dependency: "criterion = { package = 'alloc-criterion', path = '{crates}/alloc-criterion' }",
            former: Some(CRITERION),
            target: Target::Bench,
            source: CRITERION_BENCH,
        }),
    },
    Project {
        task: "the command",
        name: "cargo-alloc-gate",
        command: "build --release --locked --package cargo-alloc-gate",
        files: None,
    },
];

impl Files {
    /// Writes a package with one target, in a folder of its own: with the former line, if there
    /// is one.
    pub(super) fn write(&self, place: &Path, root: &Path) -> io::Result<()> {
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        fs::create_dir_all(place.join("src"))?;
        fs::write(place.join("src").join("lib.rs"), "")?;
        fs::write(place.join("target.rs"), self.source)?;
        // The same versions as in this workspace.
        fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock"))?;
        let dependency = self.former.unwrap_or(self.dependency);
        self.write_manifest(dependency, place, root)
    }

    /// Whether the project is built before, with the former line.
    pub(super) fn has_former(&self) -> bool {
        self.former.is_some()
    }

    /// Replaces the former line.
    pub(super) fn replace_former(&self, place: &Path, root: &Path) -> io::Result<()> {
        self.write_manifest(self.dependency, place, root)
    }

    fn write_manifest(&self, dependency: &str, place: &Path, root: &Path) -> io::Result<()> {
        let crates = root.canonicalize()?.join("crates");
        let dependency = dependency.replace("{crates}", &crates.to_string_lossy());
        fs::write(place.join("Cargo.toml"), self.manifest(&dependency))
    }

    fn manifest(&self, dependency: &str) -> String {
        let target = match self.target {
            Target::Test => "[[test]]",
            Target::Bench => "[[bench]]\nharness = false",
        };
        format!(
            "[package]\nname = \"adopting\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dev-dependencies]\n{dependency}\n\n{target}\nname = \"target\"\n\
             path = \"target.rs\"\n\n[workspace]\n"
        )
    }
}
