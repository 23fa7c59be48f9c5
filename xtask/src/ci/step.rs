//! The table of steps.

use super::needs::Need;

#[derive(Debug)]
pub(crate) struct Step {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// When it runs without being named.
    pub(crate) tier: Tier,
    /// Without one of these, the step is skipped.
    pub(crate) needs: &'static [Need],
    /// The command lines, run in order until one fails. Placeholders: the names in
    /// [`PARTS`](super::parts::PARTS); `{root}`, the folder of the workspace; `{numbers}`, the
    /// variables of [`Tier::numbers`]; `{oldest}`, the oldest supported Rust; `{published}`,
    /// `-p NAME` for each published crate; `{release}`, the tag of the last release.
    pub(crate) commands: &'static [&'static str],
}

/// When a step runs without being named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// With every push, in about ten minutes altogether.
    Push,
    /// With `--all`.
    All,
}

impl Tier {
    /// The variables that set the numbers of tests; none for a push, which runs what README says.
    pub(crate) fn numbers(self) -> &'static str {
        match self {
            Self::Push => "",
            Self::All => {
                "ALLOC_GATE_KILLS=120 ALLOC_GATE_ROUNDS=5 COUNTING_ALLOC_WINDOWS=5000 \
                 PROOF_FUZZ_SECONDS=5 "
            }
        }
    }
}

const WINDOWS: &[Need] = &[
    Need::Linux,
    Need::Target("x86_64-pc-windows-gnu"),
    Need::Platform("x86_64-w64-mingw32-gcc"),
    Need::Platform("wine"),
];

const MSVC: &[Need] = &[
    Need::Linux,
    Need::Target("x86_64-pc-windows-msvc"),
    Need::Platform("x86_64-w64-mingw32-gcc"),
    Need::Platform("wine"),
];

const AARCH64: &[Need] = &[
    Need::Linux,
    Need::Target("aarch64-unknown-linux-gnu"),
    Need::Platform("aarch64-linux-gnu-gcc"),
    Need::Platform("qemu-aarch64-static"),
];

const AARCH64_MUSL: &[Need] = &[
    Need::Linux,
    Need::Target("aarch64-unknown-linux-musl"),
    Need::Platform("qemu-aarch64-static"),
];

const fn step(
    name: &'static str,
    tier: Tier,
    needs: &'static [Need],
    commands: &'static [&'static str],
) -> Step {
    Step {
        name,
        tier,
        needs,
        commands,
    }
}

/// A minute of libFuzzer for one program. New texts go to the first folder, and stay
/// for the next run.
macro_rules! fuzz {
    ($target:literal) => {
        concat!(
            "{instrumented} cargo +nightly run {fuzzers} --quiet --bin ",
            $target,
            " -- target/fuzz/corpus/",
            $target,
            " crates/proof/fuzz/corpus/",
            $target,
            " -dict=crates/proof/fuzz/dictionaries/",
            $target,
            ".dict -artifact_prefix=target/fuzz/artifacts/",
            $target,
            "/ {minute}"
        )
    };
}

/// All steps, in the order in which they run.
#[rustfmt::skip]
pub(crate) const STEPS: &[Step] = &[
    step("fmt", Tier::Push, &[], &["cargo fmt --all --check"]),
    step("tidy", Tier::Push, &[], &["cargo xtask tidy"]),
    step("size", Tier::Push, &[], &["cargo xtask size --check"]),
    step("clippy", Tier::Push, &[], &[
        "cargo clippy --workspace --all-targets --locked -- -D warnings",
    ]),
    // Spelled as README.md spells it, which is what a fresh clone gets.
    step("test", Tier::Push, &[], &["{numbers}cargo test --workspace --locked"]),
    step("doc", Tier::Push, &[], &[
        "RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked",
    ]),
    // As README.md, too.
    step("gate", Tier::Push, &[], &["cargo xtask alloc-gate"]),
    // The committed baseline was measured on Linux.
    step("baseline", Tier::Push, &[Need::Linux], &[
        "cargo xtask alloc-gate accept --check",
    ]),
    step("models", Tier::All, &[], &[
        "RUSTFLAGS='--cfg loom' LOOM_MAX_PREEMPTIONS=3 \
         cargo test -p counting-alloc --lib --profile bench --locked --target-dir target/loom",
    ]),
    // What a test compiles that has assertions alone.
    step("without-sites", Tier::All, &[], &[
        "cargo test -p counting-alloc --no-default-features --lib --tests --locked",
    ]),
    step("oracles", Tier::All, &[Need::Valgrind], &[
        "cargo test --package proof-oracles --test oracles --locked -- --ignored valgrind",
    ]),
    // The limits are in instructions of x86-64 Linux.
    step("pairs", Tier::All, &[Need::Linux, Need::Valgrind], &[
        "cargo clippy -p proof-peers --all-targets --all-features --locked -- -D warnings",
        "cargo xtask pairs",
    ]),
    step("lab", Tier::All, &[], &[
        "cargo fmt --manifest-path lab/Cargo.toml --all --check",
        "cargo clippy {in-lab} --workspace --all-targets -- -D warnings",
        "RUSTDOCFLAGS='-D warnings' cargo doc {in-lab} --workspace --no-deps",
        "cargo test {in-lab} -p allocator-lab -p lab-page -p whole-programs",
        "cargo xtask alloc-gate --manifest-path lab/Cargo.toml",
        "cargo xtask lab pair/subject=system --rounds 1",
    ]),
    // Optimized: otherwise jemalloc keeps the texts of assertions that it never checks.
    step("lab-c", Tier::All, &[Need::Cpp], &[
        "cargo test {in-lab} --profile bench -p allocator-lab --features c,jemalloc --test subjects",
    ]),
    // Without a device, the tests say what is missing. The log says which devices they ran on.
    step("device", Tier::All, &[], &[
        "cargo test {in-lab} -p device-lab",
        "cargo bench {in-lab} -p device-lab --benches -- --quick",
    ]),
    // Optimized: stacks have inlined frames and tail calls.
    step("sites", Tier::All, &[Need::Linux], &[
        "cargo test -p alloc-symbols --test planted --locked -- --include-ignored --skip msvc:: --skip macos::",
        "cargo test -p proof-sites --profile measured --locked",
    ]),
    // The lines of a failure: in a debug build, in an optimized one, and without line tables.
    step("lines", Tier::All, &[], &[
        "cargo clippy -p alloc-assert --all-targets --locked --features alloc-assert/sites -- -D warnings",
        "cargo test -p alloc-assert --features sites --locked",
        "cargo test -p alloc-assert --features sites --test assertions --profile bench --locked lines::",
        "CARGO_PROFILE_BENCH_DEBUG=line-tables-only \
         cargo test -p alloc-assert --features sites --test assertions --profile bench --locked lines::",
    ]),
    // Counted, the crate is another one. The last command says which published benches ran.
    step("criterion", Tier::All, &[], &[
        "ALLOC_GATE_CRITERION=1 cargo clippy -p alloc-criterion --all-targets --all-features --locked \
         -- -D warnings",
        "ALLOC_GATE_CRITERION=1 cargo test -p alloc-criterion --lib --all-features --locked",
        "ALLOC_GATE_CRITERION=1 RUSTDOCFLAGS='-D warnings' cargo doc -p alloc-criterion --no-deps --locked",
        "cargo test -p alloc-criterion --test programs --locked -- --ignored",
        "cargo test -p cargo-alloc-gate --test cli --locked -- --ignored criterion_benches::",
        "cargo test -p alloc-criterion --test published --locked -- --ignored --nocapture",
    ]),
    // The pictures of the page are in target/tmp/browser.
    step("browser", Tier::All, &[Need::Linux, Need::Browser], &[
        "cargo test -p cargo-alloc-gate --test cli --locked -- --ignored browser::",
    ]),
    step("nextest", Tier::All, &[Need::Nextest], &[
        "cargo nextest list -p nmx-codec --benches --locked",
        "cargo nextest run -p nmx-codec --benches --locked",
        "cargo nextest run --workspace --locked",
    ]),
    step("nextest-bench", Tier::All, &[Need::NextestBench], &[
        "NEXTEST_EXPERIMENTAL_BENCHMARKS=1 cargo nextest bench -p nmx-codec --locked",
    ]),
    step("suites", Tier::All, &[Need::Cpp], &[
        "{suite} over-mimalloc",
        "{suite} over-snmalloc",
        "{suite} over-divan",
        "{suite} over-dhat",
        "{suite} inside-divan",
    ]),
    // AddressSanitizer keeps frame pointers. With these, the unwinder leaves the other stack of the
    // skipped test and continues on the stack of the thread.
    step("sanitizers", Tier::All, &[Need::Linux, Need::Nightly, Need::NightlySource], &[
        "RUSTFLAGS=-Zsanitizer=thread {fewer} cargo {threaded} --target-dir target/thread-sanitizer",
        "RUSTFLAGS=-Zsanitizer=address {fewer} cargo {threaded} --target-dir target/address-sanitizer \
         -- --skip another_stack_is_unwound",
    ]),
    step("fuzz", Tier::All, &[Need::Linux, Need::Nightly, Need::Cpp], &[
        "cargo clippy -p proof-fuzz --all-targets --features libfuzzer --locked -- -D warnings",
        "{instrumented} cargo +nightly build {fuzzers} --bins",
        fuzz!("rules"),
        fuzz!("result_lines"),
    ]),
    step("musl", Tier::All, &[Need::Linux, Need::Target("x86_64-unknown-linux-musl")], &[
        "{emulated} cargo test --target x86_64-unknown-linux-musl {libraries} --tests",
        "cargo test --target x86_64-unknown-linux-musl -p alloc-symbols -p proof-sites --tests --locked",
        "cargo check {in-lab} --target x86_64-unknown-linux-musl -p allocator-lab --no-default-features \
         --tests",
    ]),
    step("windows", Tier::All, WINDOWS, &[
        "{emulated} {windows} cargo test --target x86_64-pc-windows-gnu {libraries} -p proof-sites --tests",
        "{windows} cargo test --target x86_64-pc-windows-gnu -p alloc-assert --features sites \
         --test assertions --locked lines::",
        "{windows} CARGO_PROFILE_BENCH_DEBUG=line-tables-only \
         cargo test --target x86_64-pc-windows-gnu -p alloc-assert --features sites --test assertions \
         --profile bench --locked lines::",
        "{windows} ALLOC_SYMBOLS_TARGET=x86_64-pc-windows-gnu \
         cargo test -p alloc-symbols --test planted --locked -- --include-ignored --skip msvc:: --skip macos::",
        "{windows} ALLOC_GATE_TEST_TARGET=x86_64-pc-windows-gnu {red}",
        "{windows} cargo test --target x86_64-pc-windows-gnu -p cargo-alloc-gate \
         --lib --test elsewhere --locked",
    ]),
    step("aarch64", Tier::All, AARCH64, &[
        "{emulated} {aarch64} cargo test --target aarch64-unknown-linux-gnu {libraries} -p alloc-symbols \
         -p proof-sites --tests",
        "{aarch64} ALLOC_SYMBOLS_TARGET=aarch64-unknown-linux-gnu \
         cargo test -p alloc-symbols --test planted --locked -- --include-ignored --skip msvc:: --skip macos::",
        "{aarch64} ALLOC_GATE_TEST_TARGET=aarch64-unknown-linux-gnu {red}",
    ]),
    // The stacks alone, by another unwinder.
    step("aarch64-musl", Tier::All, AARCH64_MUSL, &[
        "{aarch64-musl} cargo test --target aarch64-unknown-linux-musl -p proof-sites --tests --locked",
    ]),
    // With 32 bits.
    step("i686", Tier::All, &[Need::Linux, Need::Target("i686-unknown-linux-musl")], &[
        "{i686} cargo test --target i686-unknown-linux-musl {libraries}",
        "{i686} cargo run --target i686-unknown-linux-musl -p alloc-scenario --example collections --locked \
         -- --bench",
    ]),
    // It has no threads, so a bench can't prove its counter, and refuses to measure.
    step("wasm", Tier::All, &[Need::Target("wasm32-wasip1"), Need::Platform("node")], &[
        "{wasm} cargo test --target wasm32-wasip1 -p counting-alloc -p alloc-results --lib --locked",
        "{wasm} cargo run --target wasm32-wasip1 -p counting-alloc --example phases --locked",
        "{wasm} cargo run --target wasm32-wasip1 -p alloc-assert --example reused_buffer --locked",
    ]),
    step("miri", Tier::All, &[Need::Nightly, Need::NightlySource, Need::Miri], &[
        "{miri} cargo +nightly miri test -p counting-alloc --locked --lib",
        "{miri} cargo +nightly miri test -p counting-alloc --locked --test windows -- measure::",
    ]),
    step("macos", Tier::All, &[Need::Target("aarch64-apple-darwin")], &[
        "cargo check --target aarch64-apple-darwin {libraries} -p alloc-symbols --tests",
    ]),
    // Without Microsoft's linker and libraries. In wine, a panic waits for a thread that ends, which
    // is what the skipped test is about.
    step("msvc", Tier::All, MSVC, &[
        "{emulated} {msvc} cargo test --target x86_64-pc-windows-msvc -p counting-alloc \
         -p alloc-results -p alloc-scenario -p proof-sites --lib --tests --locked",
        "{msvc} cargo test --target x86_64-pc-windows-msvc -p alloc-assert --lib --tests --locked \
         -- --skip a_thread_that_outlives_the_window",
        "{msvc} ALLOC_SYMBOLS_TARGET=x86_64-pc-windows-msvc \
         cargo test -p alloc-symbols --features pdb --test planted --locked -- --include-ignored --skip macos::",
        "{msvc} ALLOC_GATE_TEST_TARGET=x86_64-pc-windows-msvc \
         cargo test -p cargo-alloc-gate --features alloc-symbols/pdb --test cli --locked -- --ignored \
         other_target::",
    ]),
    // From their archives alone. A clean working tree matters for a release, not here.
    step("package", Tier::All, &[], &[
        "cargo package {published} --locked --allow-dirty",
    ]),
    // As release.yml packs it; the other targets are built where they run.
    step("archive", Tier::All, &[Need::Linux], &[".ci/archive x86_64-unknown-linux-gnu"]),
    step("semver", Tier::All, &[Need::Release, Need::SemverChecks], &[
        "cargo semver-checks {published} --baseline-rev {release}",
    ]),
    step("msrv", Tier::All, &[Need::OldestRust], &[
        "cargo +{oldest} check --workspace --all-targets --locked",
    ]),
    // The `rust-version` of these crates.
    step("msrv-libraries", Tier::All, &[Need::Rust("1.85"), Need::Rust("1.88")], &[
        "cargo +1.85 check {libraries}",
        "cargo +1.88 check -p alloc-gate -p alloc-assert --features alloc-assert/sites --locked",
    ]),
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
            let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
            let tier = rest.split(" | ").next()?;
            matches!(tier, "push" | "all").then_some((name, tier))
        });
        let steps = STEPS.iter().map(|step| match step.tier {
            Tier::Push => (step.name, "push"),
            Tier::All => (step.name, "all"),
        });
        assert_eq!(rows.collect::<Vec<_>>(), steps.collect::<Vec<_>>());
    }

    #[test]
    fn every_program_under_libfuzzer_runs_with_its_texts_and_words() {
        let step = STEPS.iter().find(|step| step.name == "fuzz").unwrap();
        let manifest = read("crates/proof/fuzz/Cargo.toml");
        for target in manifest.split("[[bin]]\nname = \"").skip(1) {
            let target = target.split('"').next().unwrap();
            let bin = format!("--bin {target} -- ");
            let run = step.commands.iter().find(|command| command.contains(&bin));
            let texts = format!("crates/proof/fuzz/corpus/{target}");
            let words = format!("crates/proof/fuzz/dictionaries/{target}.dict");
            for path in [texts, words] {
                assert!(run.unwrap().contains(&path));
                let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
                assert!(fs::exists(format!("{root}/{path}")).unwrap(), "{path}");
            }
        }
    }

    #[test]
    fn a_push_runs_the_commands_of_the_readme() {
        let readme = read("README.md");
        let begin = readme.find("$ cargo xtask").unwrap();
        let block = readme[begin..].split("```").next().unwrap();
        let commands = block.lines().map(|line| line.split(" # ").next().unwrap());
        let commands = commands.map(|line| line.strip_prefix("$ ").unwrap().trim_end());
        assert_eq!(
            commands.collect::<Vec<_>>(),
            ["cargo xtask alloc-gate", "cargo test --workspace"]
        );
        for (name, command) in [
            ("gate", "cargo xtask alloc-gate"),
            ("test", "{numbers}cargo test --workspace --locked"),
        ] {
            let step = STEPS.iter().find(|step| step.name == name).unwrap();
            assert_eq!((step.tier, step.commands), (Tier::Push, &[command][..]));
        }
        assert_eq!(Tier::Push.numbers(), "");
    }

    #[test]
    fn a_push_needs_no_tool() {
        for step in STEPS.iter().filter(|step| step.tier == Tier::Push) {
            let tools = step.needs.iter().filter(|need| **need != Need::Linux);
            assert_eq!(tools.count(), 0, "{}", step.name);
        }
    }
}
