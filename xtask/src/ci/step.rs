//! The table of steps.

use super::needs::Need;

/// One step. Steps run in the order of [`STEPS`].
#[derive(Debug)]
pub(crate) struct Step {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// When it runs without being named.
    pub(crate) tier: Tier,
    /// Without one of these, the step is skipped.
    pub(crate) needs: &'static [Need],
    /// What runs, up to the first that fails.
    pub(crate) runs: &'static [Run],
}

/// When a step runs without being named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// With every push, in less than ten minutes altogether.
    Push,
    /// With `--all`.
    All,
}

/// One cargo command of a step.
#[derive(Debug)]
pub(crate) struct Run {
    /// The words after `cargo`. `{oldest}` is the oldest supported Rust; after
    /// `{recorded}`, the words go on with the files that the step `gate` recorded,
    /// behind this option, or end if it did not run.
    pub(crate) words: &'static str,
    /// Environment variables.
    pub(crate) with: &'static [(&'static str, &'static str)],
    /// Further variables without `--all`: they make the command quicker.
    pub(crate) quick: &'static [(&'static str, &'static str)],
    /// Without this, the command is left out, and the log says so.
    pub(crate) only_with: Option<Need>,
}

/// A command without any variables.
const fn cargo(words: &'static str) -> Run {
    Run {
        words,
        with: &[],
        quick: &[],
        only_with: None,
    }
}

impl Run {
    const fn with(self, with: &'static [(&'static str, &'static str)]) -> Self {
        Self { with, ..self }
    }

    const fn quick(self, quick: &'static [(&'static str, &'static str)]) -> Self {
        Self { quick, ..self }
    }

    const fn only_with(self, need: Need) -> Self {
        Self {
            only_with: Some(need),
            ..self
        }
    }
}

const fn step(
    name: &'static str,
    tier: Tier,
    needs: &'static [Need],
    runs: &'static [Run],
) -> Step {
    Step {
        name,
        tier,
        needs,
        runs,
    }
}

/// The comparisons with valgrind are the step `oracles`.
const WITHOUT_VALGRIND: (&str, &str) = ("COUNTER_ORACLES_WITHOUT_VALGRIND", "1");

/// What a sanitizer's run of the threaded tests is told: each takes many times as
/// long there, and a sanitizer's own memory grows with what it watches. One test
/// starts a thread in a forked child.
macro_rules! sanitized {
    ($flag:literal) => {
        &[
            ("RUSTFLAGS", $flag),
            ("ASAN_OPTIONS", "allocator_may_return_null=1"),
            (
                "TSAN_OPTIONS",
                "allocator_may_return_null=1 die_after_fork=0",
            ),
            ("COUNTING_ALLOC_MODEL_STEPS", "20000"),
            ("COUNTING_ALLOC_WINDOWS", "300"),
            ("COUNTING_ALLOC_THREADS", "1000"),
            ("COUNTING_ALLOC_RESIDENT", "ignored"),
        ]
    };
}

/// The tests of counting-alloc over or inside another allocator. What that allocator
/// keeps of ended threads is not tested.
macro_rules! suite {
    ($feature:literal) => {
        cargo(concat!(
            "test -p proof-suites --tests --locked --features ",
            $feature
        ))
        .with(&[
            ("COUNTING_ALLOC_WINDOWS", "500"),
            ("COUNTING_ALLOC_RESIDENT", "ignored"),
        ])
    };
}

/// What cargo-fuzz passes: coverage that libFuzzer reads, and AddressSanitizer,
/// because parsers among the dependencies have `unsafe` code. An overflow is found
/// where it happens.
const INSTRUMENTED: &[(&str, &str)] = &[
    (
        "RUSTFLAGS",
        "--cfg fuzzing -Cpasses=sancov-module \
         -Cllvm-args=-sanitizer-coverage-level=4 \
         -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
         -Cllvm-args=-sanitizer-coverage-pc-table \
         -Cllvm-args=-sanitizer-coverage-trace-compares \
         -Zsanitizer=address",
    ),
    ("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only"),
    ("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true"),
    ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true"),
];

/// A cargo command for the programs under libFuzzer. With a target triple, programs
/// that run on the way, such as build scripts, are not instrumented.
macro_rules! fuzz_build {
    ($command:literal, $bins:expr) => {
        concat!(
            "+nightly ",
            $command,
            " -p proof-fuzz --features libfuzzer --target x86_64-unknown-linux-gnu \
             --target-dir target/fuzz --release --locked ",
            $bins
        )
    };
}

/// A minute of texts for one program. New ones go to the first folder, and stay for
/// the next run.
macro_rules! fuzz {
    ($target:literal) => {
        cargo(fuzz_build!(
            "run",
            concat!(
                "--quiet --bin ",
                $target,
                " -- target/fuzz/corpus/",
                $target,
                " crates/proof/fuzz/corpus/",
                $target,
                " -dict=crates/proof/fuzz/dictionaries/",
                $target,
                ".dict -artifact_prefix=target/fuzz/artifacts/",
                $target,
                "/ -create_missing_dirs=1 -max_total_time=60 -max_len=4096 -timeout=10 \
                 -rss_limit_mb=2048 -print_final_stats=1 -print_funcs=0 -verbosity=0"
            )
        ))
        .with(INSTRUMENTED)
    };
}

/// All steps, in the order in which they run.
pub(crate) const STEPS: &[Step] = &[
    step("fmt", Tier::Push, &[], &[cargo("fmt --all --check")]),
    step("tidy", Tier::Push, &[], &[cargo("xtask tidy")]),
    step(
        "clippy",
        Tier::Push,
        &[],
        &[cargo("clippy --workspace --all-targets --locked -- -D warnings")],
    ),
    step(
        "test",
        Tier::Push,
        &[],
        &[cargo("test --workspace --locked")
            .with(&[WITHOUT_VALGRIND, ("PROOF_FUZZ_SECONDS", "5")])
            .quick(&[("COUNTING_ALLOC_WINDOWS", "500")])],
    ),
    step(
        "doc",
        Tier::Push,
        &[],
        &[cargo("doc --workspace --no-deps --locked").with(&[("RUSTDOCFLAGS", "-D warnings")])],
    ),
    // Spelled as the README spells it.
    step("gate", Tier::Push, &[], &[cargo("xtask alloc-gate")]),
    // The committed baseline was measured on Linux.
    step(
        "baseline",
        Tier::Push,
        &[Need::Linux],
        &[cargo("xtask alloc-gate accept --check {recorded} --from")],
    ),
    step(
        "audit",
        Tier::Push,
        &[],
        &[cargo("xtask alloc-gate audit {recorded} --results")],
    ),
    step(
        "models",
        Tier::All,
        &[],
        &[cargo("test -p counting-alloc --lib --release --locked --target-dir target/loom")
            .with(&[("RUSTFLAGS", "--cfg loom"), ("LOOM_MAX_PREEMPTIONS", "3")])],
    ),
    step(
        "no-std",
        Tier::All,
        &[],
        &[
            // The tests need std themselves, and would hide that the crate does too.
            cargo("build -p counting-alloc --no-default-features --target x86_64-unknown-none --locked")
                .only_with(Need::BareTarget),
            // One thread: the counts are those of the process.
            cargo(
                "test -p counting-alloc --no-default-features --lib --tests --locked \
                 -- --test-threads=1",
            ),
        ],
    ),
    step(
        "oracles",
        Tier::All,
        &[Need::Valgrind],
        &[cargo("test --package proof-oracles --test oracles --locked -- valgrind")],
    ),
    // The limits are in instructions of x86-64 Linux.
    step(
        "pairs",
        Tier::All,
        &[Need::Linux, Need::Valgrind],
        &[cargo("xtask pairs")],
    ),
    // Optimized: nothing else removes work.
    step(
        "lab",
        Tier::All,
        &[Need::Linux, Need::Valgrind],
        &[cargo(
            "test --release --package allocator-lab --test workloads --locked -- instructions",
        )],
    ),
    // With the feature where it is tested, and where records have it. Optimized as
    // well, and across crates: the optimizer makes assumptions about `malloc`.
    step(
        "native",
        Tier::All,
        &[Need::Glibc, Need::C],
        &[
            cargo(
                "clippy -p counting-alloc -p alloc-scenario -p proof-native --all-targets --locked \
                 --features counting-alloc/native,alloc-scenario/native,proof-native/native \
                 -- -D warnings",
            ),
            cargo("test -p counting-alloc --features native --locked"),
            cargo("test -p counting-alloc --features native --test native --release --locked"),
            cargo("test -p counting-alloc --features native --test native --release --locked")
                .with(&[("CARGO_PROFILE_RELEASE_LTO", "fat")]),
            cargo("test -p alloc-scenario --features native --locked"),
            cargo("test -p proof-native --features native --locked"),
            cargo(
                "xtask alloc-gate --config-file crates/proof/native/gates.toml \
                 --features proof-native/native",
            ),
        ],
    ),
    step(
        "nextest",
        Tier::All,
        &[Need::Nextest],
        &[
            cargo("nextest list -p nmx-codec --benches --locked"),
            cargo("nextest run -p nmx-codec --benches --locked"),
            cargo("nextest run --workspace --locked").with(&[WITHOUT_VALGRIND]),
            cargo("nextest bench -p nmx-codec --locked")
                .with(&[("NEXTEST_EXPERIMENTAL_BENCHMARKS", "1")])
                .only_with(Need::NextestBench),
        ],
    ),
    step(
        "suites",
        Tier::All,
        &[Need::Cpp],
        &[
            suite!("over-mimalloc"),
            suite!("over-snmalloc"),
            suite!("over-divan"),
            suite!("over-dhat"),
            suite!("over-stats-alloc"),
            suite!("inside-divan"),
        ],
    ),
    step(
        "sanitizers",
        Tier::All,
        &[Need::Linux, Need::Nightly, Need::NightlySource],
        &[
            cargo(
                "+nightly test -Zbuild-std --target x86_64-unknown-linux-gnu \
                 --target-dir target/thread-sanitizer -p counting-alloc --locked \
                 --test process --test scoped --test churn --test model --test lifecycle",
            )
            .with(sanitized!("-Zsanitizer=thread")),
            cargo(
                "+nightly test -Zbuild-std --target x86_64-unknown-linux-gnu \
                 --target-dir target/address-sanitizer -p counting-alloc --locked \
                 --test process --test scoped --test churn --test model --test lifecycle",
            )
            .with(sanitized!("-Zsanitizer=address")),
        ],
    ),
    step(
        "fuzz",
        Tier::All,
        &[Need::Linux, Need::Nightly, Need::Cpp],
        &[
            cargo(
                "clippy -p proof-fuzz --all-targets --features libfuzzer --locked -- -D warnings",
            ),
            cargo(fuzz_build!("build", "--bins")).with(INSTRUMENTED),
            fuzz!("rules"),
            fuzz!("requirements"),
            fuzz!("result_lines"),
        ],
    ),
    step(
        "msrv",
        Tier::All,
        &[Need::OldestRust],
        &[cargo("+{oldest} check --workspace --all-targets --locked")],
    ),
];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(path: &str) -> String {
        fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    #[test]
    fn the_page_has_a_row_for_each_step_in_this_order() {
        let page = read("design/testing.md");
        let rows = page.lines().filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split(" | ");
            let name = cells.next()?.strip_suffix('`')?;
            matches!(cells.next()?, "push" | "all").then_some(name)
        });
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(rows.collect::<Vec<_>>(), names);
    }

    #[test]
    fn every_fuzz_target_runs_with_its_texts_and_words() {
        let step = STEPS.iter().find(|step| step.name == "fuzz").unwrap();
        let manifest = read("crates/proof/fuzz/Cargo.toml");
        for target in manifest.split("[[bin]]\nname = \"").skip(1) {
            let target = target.split('"').next().unwrap();
            let run = |run: &&Run| run.words.contains(&format!("--bin {target} -- "));
            let words = step.runs.iter().find(run).unwrap().words;
            for path in words.split(' ').filter_map(|word| {
                let word = word.trim_start_matches("-dict=");
                word.starts_with("crates/").then_some(word)
            }) {
                let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
                assert!(fs::exists(format!("{root}/{path}")).unwrap(), "{path}");
            }
        }
    }

    #[test]
    fn what_needs_a_tool_runs_with_all_only() {
        for step in STEPS.iter().filter(|step| step.tier == Tier::Push) {
            let tools = step.needs.iter().filter(|need| **need != Need::Linux);
            assert_eq!(tools.count(), 0, "{}", step.name);
        }
    }
}
