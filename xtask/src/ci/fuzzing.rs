//! The step `fuzz`, as data: how the targets in `crates/proof/fuzz/` are built without
//! cargo-fuzz, and how long each runs. What a target finds is its own affair: it
//! ends with another code than 0, after it said where the text is.

use std::env;

use super::command::CommandLine;
use super::probe::Fuzzers;
use super::step::Work;

/// How long each target runs.
const SECONDS: u64 = 60;

/// The variable that says another number of seconds.
const SECONDS_VARIABLE: &str = "XTASK_FUZZ_SECONDS";

/// The targets of `crates/proof/fuzz/Cargo.toml`, each with a corpus and a dictionary.
const TARGETS: [&str; 3] = ["rules", "requirements", "result_lines"];

/// What cargo-fuzz passes: coverage that libFuzzer reads, and AddressSanitizer,
/// because parsers that we depend on have `unsafe` code.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Zsanitizer=address";

/// The seconds for each target: a minute, or what the environment says.
pub(super) fn fuzz_seconds() -> Result<u64, String> {
    seconds(env::var(SECONDS_VARIABLE).ok().as_deref())
}

fn seconds(said: Option<&str>) -> Result<u64, String> {
    match said.map(str::parse) {
        None => Ok(SECONDS),
        // To libFuzzer, 0 is for ever.
        Some(Ok(seconds)) if seconds > 0 => Ok(seconds),
        Some(_) => Err(format!(
            "{SECONDS_VARIABLE} has to be a whole number of seconds, at least 1"
        )),
    }
}

/// Builds once and runs one target after the other.
pub(super) fn fuzz_work(installed: Fuzzers, seconds: Result<u64, String>) -> Work {
    let skip = |reason: &str| Work::Skip(reason.into());
    let seconds = match (installed, seconds) {
        (Fuzzers::OtherPlatform, _) => return skip("it is set up for x86-64 Linux alone"),
        (Fuzzers::WithoutNightly, _) => {
            return skip(
                "no nightly Rust is installed; \
                 `rustup toolchain install nightly --profile minimal` adds it",
            );
        }
        (Fuzzers::WithoutCompiler, _) => {
            return skip("no C++ compiler for libFuzzer; `apt-get install g++` adds one");
        }
        (Fuzzers::Installed, Err(mistake)) => return Work::Mistake(mistake),
        (Fuzzers::Installed, Ok(seconds)) => seconds,
    };
    // With a target triple, what runs on the way, such as build scripts, is not
    // instrumented.
    let build = "--manifest-path crates/proof/fuzz/Cargo.toml --target x86_64-unknown-linux-gnu \
                 --target-dir target/fuzz --release --locked";
    let mut commands = vec![
        // The steps `fmt` and `clippy` don't reach another workspace.
        CommandLine::cargo("fmt --manifest-path crates/proof/fuzz/Cargo.toml --check"),
        CommandLine::cargo(
            "clippy --manifest-path crates/proof/fuzz/Cargo.toml --target-dir target/fuzz --locked \
             -- -D warnings",
        ),
        instrumented(&format!("+nightly build {build}")),
    ];
    // New texts go into the first folder, and stay for the next run.
    commands.extend(TARGETS.map(|target| {
        instrumented(&format!(
            "+nightly run {build} --quiet --bin {target} -- \
             target/fuzz/corpus/{target} crates/proof/fuzz/corpus/{target} \
             -dict=crates/proof/fuzz/dictionaries/{target}.dict -artifact_prefix=target/fuzz/artifacts/{target}/ \
             -create_missing_dirs=1 -max_total_time={seconds} -max_len=4096 -timeout=10 \
             -rss_limit_mb=2048 -print_final_stats=1 -print_funcs=0 \
             -verbosity=0"
        ))
    }));
    Work::Commands {
        commands,
        note: (seconds != SECONDS)
            .then_some("XTASK_FUZZ_SECONDS says how long each target runs, instead of 60 seconds"),
    }
}

fn instrumented(words: &str) -> CommandLine {
    CommandLine::cargo(words).with("RUSTFLAGS", FLAGS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::step::lines;

    #[test]
    fn every_target_runs_for_a_minute_with_its_seeds_and_its_words() {
        let run = lines(&fuzz_work(Fuzzers::Installed, seconds(None)));
        assert_eq!(run.len(), 3 + TARGETS.len());
        for (target, line) in TARGETS.iter().zip(&run[3..]) {
            for part in [
                "-Zsanitizer=address",
                &format!("--bin {target} "),
                &format!(" crates/proof/fuzz/corpus/{target} "),
                &format!("-dict=crates/proof/fuzz/dictionaries/{target}.dict"),
                "-max_total_time=60 ",
            ] {
                assert!(line.contains(part), "{part} is not in {line}");
            }
        }
    }

    #[test]
    fn the_targets_are_those_of_the_manifest() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/proof/fuzz");
        let manifest = std::fs::read_to_string(format!("{root}/Cargo.toml")).unwrap();
        assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
        for target in TARGETS {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")));
            let seeds = std::fs::read_dir(format!("{root}/corpus/{target}")).unwrap();
            assert!(seeds.count() > 0);
        }
    }

    #[test]
    fn another_time_is_said_in_the_log_and_nonsense_is_a_mistake() {
        let work = fuzz_work(Fuzzers::Installed, seconds(Some("5")));
        assert!(lines(&work)[3].contains("-max_total_time=5 "));
        assert!(
            matches!(work, Work::Commands { note: Some(note), .. } if note.contains("instead"))
        );
        for nonsense in ["0", "", "a minute", "-1"] {
            let work = fuzz_work(Fuzzers::Installed, seconds(Some(nonsense)));
            assert!(matches!(work, Work::Mistake(_)), "{nonsense}");
        }
    }

    #[test]
    fn without_what_it_needs_the_step_is_skipped_and_says_how_to_get_it() {
        for (missing, install) in [
            (Fuzzers::WithoutNightly, "`rustup toolchain install nightly"),
            (Fuzzers::WithoutCompiler, "`apt-get install g++`"),
            (Fuzzers::OtherPlatform, "x86-64 Linux"),
        ] {
            let said = lines(&fuzz_work(missing, seconds(None)));
            assert!(said[0].starts_with("skipped: ") && said[0].contains(install));
        }
    }
}
