//! The steps that need something beside a Rust toolchain, as data: the commands
//! of each, or what is missing and how to install it. It looks for nothing: what
//! is there is handed in.

use cargo_metadata::semver::Version;

use super::command::CommandLine;
use super::probe::{Compilers, NativeCalls, Nextest, Sanitizers, Toolchain, Valgrind};
use super::step::{Work, without_valgrind};
use crate::counters;

pub(super) fn oracles_work(installed: Valgrind) -> Work {
    match installed {
        Valgrind::Absent => {
            Work::Skip("valgrind is not installed; `apt-get install valgrind` adds it".into())
        }
        Valgrind::Installed => Work::from(CommandLine::cargo(
            "test --package proof-oracles --test oracles --locked -- valgrind",
        )),
    }
}

pub(super) fn pairs_work(missing: Option<&str>) -> Work {
    match missing {
        Some(reason) => Work::Skip(reason.into()),
        None => Work::Commands {
            commands: counters::pairs_commands(),
            note: None,
        },
    }
}

/// Optimized, since nothing else removes work.
pub(super) fn lab_work(missing: Option<&str>) -> Work {
    match missing {
        Some(reason) => Work::Skip(reason.into()),
        None => Work::from(CommandLine::cargo(
            "test --release --package allocator-lab --test workloads --locked -- instructions",
        )),
    }
}

/// The feature is switched on for the members that are about it, and for the tests of
/// the counter and of the harness, whose records have it: Rust's counts are the same
/// with it.
pub(super) fn native_work(calls: NativeCalls) -> Work {
    match calls {
        NativeCalls::NotCounted => Work::Skip(
            "what C takes from `malloc` is counted on Linux with glibc alone; \
             run the step there"
                .into(),
        ),
        NativeCalls::NoCompiler => Work::Skip(
            "there is no C compiler `cc`; install one, such as gcc of the system's packages".into(),
        ),
        NativeCalls::Counted => {
            // Optimized as well, and across crates: what the optimizer believes
            // of `malloc` is the danger here.
            let optimized =
                "test -p counting-alloc --features native --test native --release --locked";
            Work::Commands {
                commands: vec![
                    CommandLine::cargo(
                        "clippy -p counting-alloc -p alloc-scenario -p proof-native --all-targets \
                         --locked --features counting-alloc/native,alloc-scenario/native,\
                         proof-native/native -- -D warnings",
                    ),
                    CommandLine::cargo("test -p counting-alloc --features native --locked"),
                    CommandLine::cargo(optimized),
                    CommandLine::cargo(optimized).with("CARGO_PROFILE_RELEASE_LTO", "fat"),
                    CommandLine::cargo("test -p alloc-scenario --features native --locked"),
                    CommandLine::cargo("test -p proof-native --features native --locked"),
                    CommandLine::cargo(
                        "xtask alloc-gate --config-file crates/proof/native/gates.toml \
                         --features proof-native/native",
                    ),
                ],
                note: None,
            }
        }
    }
}

pub(super) fn nextest_work(installed: Nextest) -> Work {
    let (bench, note) = match installed {
        Nextest::Absent => {
            return Work::Skip(
                "cargo-nextest is not installed; `cargo install cargo-nextest --locked` adds it"
                    .into(),
            );
        }
        Nextest::WithoutBench => (
            None,
            Some("this cargo-nextest has no `bench` subcommand yet; listing and running only"),
        ),
        Nextest::WithBench => (
            Some(
                CommandLine::cargo("nextest bench -p nmx-codec --locked")
                    .with("NEXTEST_EXPERIMENTAL_BENCHMARKS", "1"),
            ),
            None,
        ),
    };
    let mut commands = vec![
        CommandLine::cargo("nextest list -p nmx-codec --benches --locked"),
        CommandLine::cargo("nextest run -p nmx-codec --benches --locked"),
        without_valgrind("nextest run --workspace --locked"),
    ];
    commands.extend(bench);
    Work::Commands { commands, note }
}

/// What proof-suites puts below the counter or around it, one run each.
const SUITES: [&str; 6] = [
    "over-mimalloc",
    "over-snmalloc",
    "over-divan",
    "over-dhat",
    "over-stats-alloc",
    "inside-divan",
];

pub(super) fn suites_work(installed: Compilers) -> Work {
    match installed {
        Compilers::Absent => Work::Skip(
            "no C and C++ compiler for mimalloc and snmalloc; `apt-get install g++` adds both"
                .into(),
        ),
        Compilers::Installed => Work::Commands {
            commands: SUITES
                .map(|feature| {
                    CommandLine::cargo(&format!(
                        "test -p proof-suites --tests --locked --features {feature}"
                    ))
                    .with("COUNTING_ALLOC_WINDOWS", "500")
                    // What an allocator keeps of ended threads is its own affair.
                    .with("COUNTING_ALLOC_RESIDENT", "ignored")
                })
                .into(),
            note: Some(
                "500 windows instead of 5,000 in each part of `scoped`, and no look at resident \
                 memory in `churn`",
            ),
        },
    }
}

/// The tests in which threads meet, with fewer rounds than in the step `test`:
/// each takes many times as long here.
pub(super) fn sanitizers_work(installed: Sanitizers) -> Work {
    let skip = |reason: &str| Work::Skip(reason.into());
    match installed {
        Sanitizers::OtherPlatform => skip("it is set up for x86-64 Linux alone"),
        Sanitizers::WithoutNightly => skip(
            "no nightly Rust is installed; \
             `rustup toolchain install nightly --profile minimal --component rust-src` adds it",
        ),
        Sanitizers::WithoutSource => skip(
            "the nightly Rust lacks std's source; \
             `rustup component add rust-src --toolchain nightly` adds it",
        ),
        Sanitizers::Installed => {
            let sanitized = |flag, folder| {
                CommandLine::cargo(&format!(
                    "+nightly test -Zbuild-std --target x86_64-unknown-linux-gnu \
                     --target-dir target/{folder} -p counting-alloc --locked --test process \
                     --test scoped --test churn --test model --test lifecycle"
                ))
                .with("RUSTFLAGS", flag)
                .with("ASAN_OPTIONS", "allocator_may_return_null=1")
                // One test starts a thread in a forked child.
                .with(
                    "TSAN_OPTIONS",
                    "allocator_may_return_null=1 die_after_fork=0",
                )
                .with("COUNTING_ALLOC_MODEL_STEPS", "20000")
                .with("COUNTING_ALLOC_WINDOWS", "300")
                .with("COUNTING_ALLOC_THREADS", "1000")
                // A sanitizer's own memory grows with what it watches.
                .with("COUNTING_ALLOC_RESIDENT", "ignored")
            };
            Work::Commands {
                commands: vec![
                    sanitized("-Zsanitizer=thread", "thread-sanitizer"),
                    sanitized("-Zsanitizer=address", "address-sanitizer"),
                ],
                note: Some(
                    "20,000 model steps instead of 100,000, 300 windows instead of 5,000, 1,000 \
                     threads instead of 10,000, and resident memory is not looked at",
                ),
            }
        }
    }
}

pub(super) fn msrv_work(toolchain: &str, installed: Toolchain) -> Work {
    match installed {
        Toolchain::Absent => Work::Skip(format!(
            "Rust {toolchain} is not installed; \
             `rustup toolchain install {toolchain} --profile minimal` adds it"
        )),
        Toolchain::Installed => Work::from(CommandLine::cargo(&format!(
            "+{toolchain} check --workspace --all-targets --locked"
        ))),
    }
}

/// The name under which rustup has a declared `rust-version`: cargo reads
/// `1.88` as 1.88.0, and to rustup these are two toolchains.
pub(super) fn toolchain_name(msrv: &Version) -> String {
    match msrv.patch {
        0 => format!("{}.{}", msrv.major, msrv.minor),
        patch => format!("{}.{}.{patch}", msrv.major, msrv.minor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::step::lines;

    #[test]
    fn without_valgrind_the_step_is_skipped_and_with_it_the_comparisons_run() {
        assert_eq!(
            lines(&oracles_work(Valgrind::Absent)),
            ["skipped: valgrind is not installed; `apt-get install valgrind` adds it"]
        );
        assert_eq!(
            lines(&oracles_work(Valgrind::Installed)),
            ["cargo test --package proof-oracles --test oracles --locked -- valgrind"]
        );
    }

    #[test]
    fn without_valgrind_instructions_are_skipped_and_with_it_they_are_counted() {
        assert_eq!(
            lines(&pairs_work(Some("valgrind is not installed"))),
            ["skipped: valgrind is not installed"]
        );
        assert!(lines(&pairs_work(None))[1].ends_with("proof-peers -- instructions"));
    }

    #[test]
    fn what_c_does_is_tested_where_it_is_counted_and_can_be_compiled() {
        let tested = lines(&native_work(NativeCalls::Counted));
        for member in ["counting-alloc", "alloc-scenario", "proof-native"] {
            let line = format!("cargo test -p {member} --features native --locked");
            assert!(tested.contains(&line), "{member}");
        }
        for skipped in [NativeCalls::NotCounted, NativeCalls::NoCompiler] {
            assert!(matches!(native_work(skipped), Work::Skip(_)));
        }
    }

    #[test]
    fn without_valgrind_the_labs_instructions_are_skipped_and_with_it_they_are_counted() {
        assert_eq!(
            lines(&lab_work(Some("valgrind is not installed"))),
            ["skipped: valgrind is not installed"]
        );
        assert_eq!(
            lines(&lab_work(None)),
            [
                "cargo test --release --package allocator-lab --test workloads --locked \
              -- instructions"
            ]
        );
    }

    #[test]
    fn without_nextest_the_step_is_skipped_and_says_how_to_get_it() {
        assert_eq!(
            lines(&nextest_work(Nextest::Absent)),
            [
                "skipped: cargo-nextest is not installed; `cargo install cargo-nextest --locked` adds it"
            ]
        );
    }

    #[test]
    fn an_old_nextest_lists_and_runs_and_says_that_it_cannot_bench() {
        let work = nextest_work(Nextest::WithoutBench);
        assert_eq!(
            lines(&work),
            [
                "cargo nextest list -p nmx-codec --benches --locked",
                "cargo nextest run -p nmx-codec --benches --locked",
                "COUNTER_ORACLES_WITHOUT_VALGRIND=1 cargo nextest run --workspace --locked",
            ]
        );
        assert!(matches!(work, Work::Commands { note: Some(_), .. }));
    }

    #[test]
    fn a_nextest_that_can_bench_does() {
        assert_eq!(
            lines(&nextest_work(Nextest::WithBench))[3],
            "NEXTEST_EXPERIMENTAL_BENCHMARKS=1 cargo nextest bench -p nmx-codec --locked"
        );
    }

    #[test]
    fn each_suite_is_run_by_itself_where_c_can_be_compiled() {
        let run = lines(&suites_work(Compilers::Installed));
        assert_eq!(run.len(), SUITES.len());
        assert_eq!(
            run[0],
            "COUNTING_ALLOC_WINDOWS=500 COUNTING_ALLOC_RESIDENT=ignored cargo test -p proof-suites --tests --locked --features over-mimalloc"
        );
        assert_eq!(
            lines(&suites_work(Compilers::Absent)),
            [
                "skipped: no C and C++ compiler for mimalloc and snmalloc; `apt-get install g++` adds both"
            ]
        );
    }

    #[test]
    fn both_sanitizers_run_or_the_reason_says_what_is_missing() {
        let run = lines(&sanitizers_work(Sanitizers::Installed));
        assert_eq!(run.len(), 2);
        assert!(
            run[0].starts_with("RUSTFLAGS=-Zsanitizer=thread "),
            "{}",
            run[0]
        );
        assert!(
            run[1].starts_with("RUSTFLAGS=-Zsanitizer=address "),
            "{}",
            run[1]
        );
        for (missing, install) in [
            (
                Sanitizers::WithoutNightly,
                "`rustup toolchain install nightly",
            ),
            (Sanitizers::WithoutSource, "`rustup component add rust-src"),
            (Sanitizers::OtherPlatform, "x86-64 Linux"),
        ] {
            let said = lines(&sanitizers_work(missing));
            assert!(said[0].starts_with("skipped: ") && said[0].contains(install));
        }
    }

    #[test]
    fn a_missing_toolchain_skips_and_an_installed_one_checks() {
        assert_eq!(
            lines(&msrv_work("1.88", Toolchain::Absent)),
            [
                "skipped: Rust 1.88 is not installed; `rustup toolchain install 1.88 --profile minimal` adds it"
            ]
        );
        assert_eq!(
            lines(&msrv_work("1.88", Toolchain::Installed)),
            ["cargo +1.88 check --workspace --all-targets --locked"]
        );
    }

    #[test]
    fn a_toolchain_is_named_as_the_manifest_spells_it() {
        assert_eq!(toolchain_name(&Version::new(1, 88, 0)), "1.88");
        assert_eq!(toolchain_name(&Version::new(1, 88, 2)), "1.88.2");
    }
}
