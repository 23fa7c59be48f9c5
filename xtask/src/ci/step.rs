//! The steps of continuous integration, as data: which commands each stands
//! for, or why it is skipped here. It runs nothing but the probes.

use clap::ValueEnum;

use super::command::CommandLine;
use super::fuzzing::{fuzz_seconds, fuzz_work};
use super::optional::{
    lab_work, msrv_work, native_work, nextest_work, oracles_work, pairs_work, sanitizers_work,
    suites_work, toolchain_name,
};
use super::probe::{
    BARE_TARGET, BareTarget, Compilers, Fuzzers, NativeCalls, Nextest, Sanitizers, Toolchain,
    Valgrind,
};
use super::site::Site;
use crate::counters;

/// One step. The order here is the order in which all of them run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// Every file is formatted as rustfmt would
    Fmt,
    /// Clippy and the compiler have nothing to say
    Clippy,
    /// Unit, integration and documentation tests
    Test,
    /// Models of what threads share, in all interleavings
    Models,
    /// The counter without std, in one thread and on a bare target if that is installed
    NoStd,
    /// The documentation builds without a warning
    Doc,
    /// The rules of the house: `cargo xtask tidy`
    Tidy,
    /// The README's command: `cargo xtask alloc-gate`
    Gate,
    /// The committed baseline is current
    Baseline,
    /// Every gate of this repository can fail: `cargo xtask alloc-gate audit`
    Audit,
    /// The counter agrees with valgrind's, if that is installed
    Oracles,
    /// What counting costs in instructions, if valgrind is installed
    Pairs,
    /// The compiler has removed none of the lab's work, if valgrind is installed
    Lab,
    /// What C takes from `malloc`, where that can be counted
    Native,
    /// All tests and the worked example's bench under cargo-nextest, if installed
    Nextest,
    /// The counter's tests over and inside other allocators, if a C compiler is there
    Suites,
    /// The counter's tests under two sanitizers, if a nightly with std's source is installed
    Sanitizers,
    /// Texts that nobody would write, a minute for each reader, if a nightly and a C++ compiler are there
    Fuzz,
    /// Everything compiles with the oldest supported Rust, if that is installed
    Msrv,
}

/// What a step amounts to on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Work {
    /// These commands, one after the other.
    Commands {
        /// What runs.
        commands: Vec<CommandLine>,
        /// What a reader of the log should know beforehand.
        note: Option<&'static str>,
    },
    /// `tidy`, in this process.
    Tidy,
    /// Nothing, for this reason.
    Skip(String),
    /// Nothing, because what was asked for is wrong in this way.
    Mistake(String),
}

impl Step {
    /// The name by which it is called on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Test => "test",
            Self::Models => "models",
            Self::NoStd => "no-std",
            Self::Doc => "doc",
            Self::Tidy => "tidy",
            Self::Gate => "gate",
            Self::Baseline => "baseline",
            Self::Audit => "audit",
            Self::Oracles => "oracles",
            Self::Pairs => "pairs",
            Self::Lab => "lab",
            Self::Native => "native",
            Self::Nextest => "nextest",
            Self::Suites => "suites",
            Self::Sanitizers => "sanitizers",
            Self::Fuzz => "fuzz",
            Self::Msrv => "msrv",
        }
    }

    /// What there is to do at `site`.
    pub(crate) fn work(self, site: &Site) -> Work {
        match self {
            Self::Fmt => Work::from(CommandLine::cargo("fmt --all --check")),
            Self::Clippy => Work::from(CommandLine::cargo(
                "clippy --workspace --all-targets --locked -- -D warnings",
            )),
            Self::Test => Work::Commands {
                commands: vec![without_valgrind("test --workspace --locked")],
                note: Some("the comparisons with valgrind are the step `oracles`"),
            },
            Self::Models => Work::from(
                CommandLine::cargo(
                    "test -p counting-alloc --lib --release --locked --target-dir target/loom",
                )
                .with("RUSTFLAGS", "--cfg loom")
                .with("LOOM_MAX_PREEMPTIONS", "3"),
            ),
            Self::NoStd => no_std_work(BareTarget::installed()),
            Self::Doc => Work::from(
                CommandLine::cargo("doc --workspace --no-deps --locked")
                    .with("RUSTDOCFLAGS", "-D warnings"),
            ),
            Self::Tidy => Work::Tidy,
            // Spelled as the README spells it, so that this is what is tested.
            Self::Gate => Work::from(CommandLine::cargo("xtask alloc-gate")),
            Self::Baseline => Work::from(CommandLine::cargo("xtask alloc-gate accept --check")),
            Self::Audit => Work::from(CommandLine::cargo("xtask alloc-gate audit")),
            Self::Oracles => oracles_work(Valgrind::installed()),
            Self::Pairs => pairs_work(counters::missing()),
            Self::Lab => lab_work(counters::missing()),
            Self::Native => native_work(NativeCalls::here()),
            Self::Nextest => nextest_work(Nextest::installed(site.root())),
            Self::Suites => suites_work(Compilers::installed()),
            Self::Sanitizers => sanitizers_work(Sanitizers::installed(site.root())),
            Self::Fuzz => fuzz_work(Fuzzers::installed(site.root()), fuzz_seconds()),
            Self::Msrv => match site.msrv().map(toolchain_name) {
                Some(name) => msrv_work(&name, Toolchain::installed(&name, site.root())),
                None => Work::Skip("no member of the workspace declares a rust-version".into()),
            },
        }
    }
}

impl From<CommandLine> for Work {
    fn from(command: CommandLine) -> Self {
        Self::Commands {
            commands: vec![command],
            note: None,
        }
    }
}

/// A command that runs all tests but the slow ones, which have a step of their
/// own.
pub(super) fn without_valgrind(words: &str) -> CommandLine {
    CommandLine::cargo(words).with("COUNTER_ORACLES_WITHOUT_VALGRIND", "1")
}

fn no_std_work(bare: BareTarget) -> Work {
    // One thread: what another allocates would be part of every count.
    let tests = CommandLine::cargo(
        "test -p counting-alloc --no-default-features --lib --tests --locked \
         -- --test-threads=1",
    );
    // The tests themselves need std, and would hide that the crate did too.
    let build = CommandLine::cargo(&format!(
        "build -p counting-alloc --no-default-features --target {BARE_TARGET} --locked"
    ));
    match bare {
        BareTarget::Absent => Work::Commands {
            commands: vec![tests],
            note: Some(
                "not built for a target without std: x86_64-unknown-none is not installed; \
                 `rustup target add x86_64-unknown-none` adds it",
            ),
        },
        BareTarget::Installed => Work::Commands {
            commands: vec![build, tests],
            note: None,
        },
    }
}

/// What a reader of the log sees of it.
#[cfg(test)]
pub(super) fn lines(work: &Work) -> Vec<String> {
    match work {
        Work::Commands { commands, .. } => commands.iter().map(ToString::to_string).collect(),
        Work::Tidy => vec!["tidy".into()],
        Work::Skip(reason) => vec![format!("skipped: {reason}")],
        Work::Mistake(mistake) => vec![format!("failed: {mistake}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_called_by_the_name_that_is_typed() {
        for step in Step::value_variants() {
            let typed = step.to_possible_value().unwrap();
            assert_eq!(typed.get_name(), step.name());
        }
    }

    #[test]
    fn the_counter_is_built_for_a_bare_target_or_the_log_says_why_not() {
        let tests = "cargo test -p counting-alloc --no-default-features --lib --tests --locked -- --test-threads=1";
        let built = lines(&no_std_work(BareTarget::Installed));
        assert!(built[0].ends_with("--target x86_64-unknown-none --locked"));
        assert_eq!(built[1], tests);
        let absent = no_std_work(BareTarget::Absent);
        assert_eq!(lines(&absent), [tests]);
        assert!(matches!(
            absent,
            Work::Commands { note: Some(note), .. } if note.contains("rustup target add")
        ));
    }
}
