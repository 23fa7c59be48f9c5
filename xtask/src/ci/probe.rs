//! What is installed on this machine. It asks, and installs nothing; what an
//! answer means for a step is the step's affair.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use super::command::CommandLine;

/// What cargo-nextest can do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nextest {
    /// It is not installed.
    Absent,
    /// It lists and runs, and is too old to have `cargo nextest bench`.
    WithoutBench,
    /// It also has `cargo nextest bench`.
    WithBench,
}

impl Nextest {
    /// Asks for the version, and then for the help of `bench`: the help is
    /// there in every version that has the subcommand, whether or not the
    /// experimental feature behind it is switched on.
    pub(crate) fn installed(folder: &Path) -> Self {
        let knows = |words| CommandLine::cargo(words).answer(folder).is_some();
        if !knows("nextest --version") {
            Self::Absent
        } else if knows("nextest bench --help") {
            Self::WithBench
        } else {
            Self::WithoutBench
        }
    }
}

/// Whether valgrind runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Valgrind {
    /// It does not.
    Absent,
    /// It does.
    Installed,
}

impl Valgrind {
    /// Asks for the version.
    pub(crate) fn installed() -> Self {
        let version = Command::new("valgrind")
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        match version {
            Ok(output) if output.status.success() => Self::Installed,
            Ok(_) | Err(_) => Self::Absent,
        }
    }
}

/// Whether what C takes from `malloc` can be counted, and C be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NativeCalls {
    /// Another platform.
    NotCounted,
    /// The right platform, and `cc` does not start.
    NoCompiler,
    /// All is there.
    Counted,
}

impl NativeCalls {
    /// Looks at what xtask was built for, and asks `cc` for its version.
    pub(crate) fn here() -> Self {
        if !cfg!(all(target_os = "linux", target_env = "gnu")) {
            return Self::NotCounted;
        }
        let answer = Command::new("cc")
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match answer {
            Ok(status) if status.success() => Self::Counted,
            Ok(_) | Err(_) => Self::NoCompiler,
        }
    }
}

/// Whether `cargo +NAME` works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// It does not, because there is no such toolchain or no rustup.
    Absent,
    /// It does.
    Installed,
}

impl Toolchain {
    /// Asks for the version, with rustup told not to download anything.
    pub(crate) fn installed(name: &str, folder: &Path) -> Self {
        match CommandLine::cargo(&format!("+{name} --version"))
            .with("RUSTUP_AUTO_INSTALL", "0")
            .answer(folder)
        {
            Some(_) => Self::Installed,
            None => Self::Absent,
        }
    }
}

/// The target without std that the counter is built for.
pub(crate) const BARE_TARGET: &str = "x86_64-unknown-none";

/// Whether something can be built for [`BARE_TARGET`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BareTarget {
    /// `core` and `alloc` are not there for it.
    Absent,
    /// They are.
    Installed,
}

impl BareTarget {
    /// Asks rustc for the folder of the target's libraries, and looks for it.
    pub(crate) fn installed() -> Self {
        let words = ["--print", "target-libdir", "--target", BARE_TARGET];
        match answer("rustc", &words) {
            Some(folder) if Path::new(folder.trim()).is_dir() => Self::Installed,
            Some(_) | None => Self::Absent,
        }
    }
}

/// Whether C and C++ can be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compilers {
    /// One of the two is missing.
    Absent,
    /// Both are there.
    Installed,
}

impl Compilers {
    /// Asks those that the crate `cc` would take for their version.
    pub(crate) fn installed() -> Self {
        let answers = |variable, usual| {
            let name = env::var(variable).unwrap_or_else(|_| String::from(usual));
            answer(&name, &["--version"]).is_some()
        };
        if cfg!(windows) {
            // There it finds Visual Studio's by other means, and Rust's own
            // linker comes with them.
            Self::Installed
        } else if answers("CC", "cc") && answers("CXX", "c++") {
            Self::Installed
        } else {
            Self::Absent
        }
    }
}

/// What of a sanitizer is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sanitizers {
    /// The limits of the step are those of this one platform.
    OtherPlatform,
    /// There is no nightly toolchain.
    WithoutNightly,
    /// The nightly has no source of std, which has to be sanitized as well.
    WithoutSource,
    /// All of it.
    Installed,
}

impl Sanitizers {
    pub(crate) fn installed(folder: &Path) -> Self {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Self::OtherPlatform;
        }
        if Toolchain::installed("nightly", folder) == Toolchain::Absent {
            return Self::WithoutNightly;
        }
        let sysroot = answer("rustc", &["+nightly", "--print", "sysroot"]);
        let source = "lib/rustlib/src/rust/library/std/Cargo.toml";
        match sysroot {
            Some(sysroot) if Path::new(sysroot.trim()).join(source).exists() => Self::Installed,
            Some(_) | None => Self::WithoutSource,
        }
    }
}

/// What is there to build libFuzzer and what it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fuzzers {
    /// The flags of the step are those of this one platform.
    OtherPlatform,
    /// There is no nightly toolchain, which alone has sanitizers.
    WithoutNightly,
    /// Nothing compiles libFuzzer, which is C++.
    WithoutCompiler,
    /// All of it.
    Installed,
}

impl Fuzzers {
    pub(crate) fn installed(folder: &Path) -> Self {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            Self::OtherPlatform
        } else if Toolchain::installed("nightly", folder) == Toolchain::Absent {
            Self::WithoutNightly
        } else if Compilers::installed() == Compilers::Absent {
            Self::WithoutCompiler
        } else {
            Self::Installed
        }
    }
}

/// What a program prints, or nothing if it can't be started or doesn't succeed.
fn answer(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_nobody_has_gives_no_answer() {
        assert_eq!(answer("no-such-compiler", &["--version"]), None);
    }

    #[test]
    fn a_toolchain_that_nobody_has_is_absent() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(
            Toolchain::installed("0.0.1-no-such-toolchain", folder),
            Toolchain::Absent
        );
    }
}
