//! What a step needs besides a Rust toolchain, and whether this machine has it.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

/// One thing that may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Linux,
    Valgrind,
    /// A C and a C++ compiler.
    Cpp,
    /// Chromium, or Chrome.
    Browser,
    Nextest,
    /// A cargo-nextest with the subcommand `bench`.
    NextestBench,
    /// Rust's libraries for this target.
    Target(&'static str),
    /// A program that runs or links programs of another platform.
    Platform(&'static str),
    Miri,
    SemverChecks,
    /// A tag of a release, before this commit.
    Release,
    Nightly,
    /// The source of the nightly's standard library.
    NightlySource,
    OldestRust,
    Rust(&'static str),
}

/// Installs what runs programs of other platforms.
const INSTALL_PLATFORMS: &str = ".ci/install-platforms";

impl Need {
    /// Why it is missing and how to install it; `None` if it is there. `oldest` is
    /// the version of the oldest supported Rust.
    pub(crate) fn missing(self, oldest: &str) -> Option<String> {
        let reason = self.reason(oldest);
        (!self.is_there(oldest)).then_some(reason)
    }

    fn is_there(self, oldest: &str) -> bool {
        let is_linux = cfg!(target_os = "linux");
        match self {
            Self::Linux => is_linux && cfg!(target_arch = "x86_64"),
            Self::Valgrind => answers("valgrind --version"),
            // On Windows, both come with the linker that Rust uses.
            Self::Cpp => cfg!(windows) || compiles("CC", "cc") && compiles("CXX", "c++"),
            Self::Browser => answers("chromium --version") || answers("google-chrome --version"),
            Self::Nextest => answers("cargo nextest --version"),
            Self::NextestBench => answers("cargo nextest bench --help"),
            Self::Target(target) => prints_folder(
                &format!("rustc --print target-libdir --target {target}"),
                "",
            ),
            Self::Platform(program) => answers(&format!("{program} --version")),
            Self::Miri => answers("cargo +nightly miri --version"),
            Self::SemverChecks => answers("cargo semver-checks --version"),
            Self::Release => last_release().is_some(),
            Self::Nightly => answers("cargo +nightly --version"),
            Self::NightlySource => prints_folder(
                "rustc +nightly --print sysroot",
                "lib/rustlib/src/rust/library/std",
            ),
            Self::OldestRust => answers(&format!("cargo +{oldest} --version")),
            Self::Rust(version) => answers(&format!("cargo +{version} --version")),
        }
    }

    fn reason(self, oldest: &str) -> String {
        let installed_by = match self {
            Self::Linux => return "it runs on x86-64 Linux only".into(),
            Self::Valgrind => "valgrind is missing; `apt-get install valgrind`",
            Self::Cpp => "a C or a C++ compiler is missing; `apt-get install g++`",
            Self::Browser => "Chromium is missing; `apt-get install chromium`",
            Self::Nextest => "cargo-nextest is missing; `cargo install cargo-nextest --locked`",
            Self::NextestBench => {
                "cargo-nextest is missing, or too old for `bench`; `cargo install cargo-nextest --locked`"
            }
            Self::Target(target) => {
                return format!(
                    "the target {target} is missing; `rustup target add {target}` installs it"
                );
            }
            Self::Platform(program) => {
                return format!("{program} is missing; `{INSTALL_PLATFORMS}` installs it");
            }
            Self::Miri => {
                "Miri is missing; `rustup component add miri rust-src --toolchain nightly`"
            }
            Self::SemverChecks => {
                "cargo-semver-checks is missing; `cargo install cargo-semver-checks --locked`"
            }
            Self::Release => return "there is no release before this commit".into(),
            Self::Nightly => {
                "a nightly Rust is missing; `rustup toolchain install nightly --profile minimal`"
            }
            Self::NightlySource => {
                "the nightly's standard library has no source; \
                 `rustup component add rust-src --toolchain nightly`"
            }
            Self::OldestRust => return rust_is_missing(oldest),
            Self::Rust(version) => return rust_is_missing(version),
        };
        format!("{installed_by} installs it")
    }
}

fn rust_is_missing(version: &str) -> String {
    format!(
        "Rust {version} is missing; `rustup toolchain install {version} --profile minimal` \
         installs it"
    )
}

/// The tag of the last release before this commit, if git has one.
pub(super) fn last_release() -> Option<String> {
    let tag = output("git describe --tags --abbrev=0 --match v[0-9]*")?;
    Some(tag.trim().to_owned())
}

/// Whether the compiler that a variable names, or else the usual one, starts.
fn compiles(variable: &str, usual: &str) -> bool {
    let name = env::var(variable).unwrap_or_else(|_| usual.to_owned());
    answers(&format!("{name} --version"))
}

/// Whether a command starts and succeeds.
fn answers(command: &str) -> bool {
    output(command).is_some()
}

/// Whether a command prints a folder that has `inside`.
fn prints_folder(command: &str, inside: &str) -> bool {
    output(command).is_some_and(|folder| Path::new(folder.trim()).join(inside).is_dir())
}

fn output(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    let output = Command::new(words.next()?)
        .args(words)
        // A question installs no toolchain.
        .env("RUSTUP_AUTO_INSTALL", "0")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::super::step::STEPS;
    use super::*;

    #[test]
    fn what_is_missing_says_how_to_install_it() {
        for &need in STEPS.iter().flat_map(|step| step.needs) {
            let reason = need.reason("1.2");
            assert!(
                reason.ends_with("` installs it")
                    || reason.ends_with(" only")
                    || need == Need::Release,
                "{reason}"
            );
        }
        let oldest = "0.0.1-no-such-toolchain";
        let reason = Need::OldestRust.missing(oldest).unwrap();
        assert!(reason.contains(&format!("`rustup toolchain install {oldest} ")));
        let reason = Need::Platform("no-such-emulator").missing(oldest).unwrap();
        let expected = "no-such-emulator is missing; `.ci/install-platforms` installs it";
        assert_eq!(reason, expected);
    }

    #[test]
    fn a_program_that_does_not_exist_gives_no_answer() {
        assert!(!answers("no-such-compiler --version"));
        assert!(!prints_folder("cargo --no-such-flag", ""));
    }
}
