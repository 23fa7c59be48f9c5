//! What an allocator costs whoever compiles it: a program that has it, and does
//! nothing else, is built from nothing, in the release profile and without the
//! network. What else is measured of the allocator is not known here.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::Instant;

use crate::linking::shared_libraries;
use crate::subject::Unavailable;

/// A program with one allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// The subject's name.
    pub subject: &'static str,
    /// Lines of its manifest's dependencies.
    dependencies: &'static str,
    /// Its source.
    source: &'static str,
    /// The feature of this crate without which its sources need not be here.
    feature: Option<&'static str>,
    is_built_in: bool,
}

/// What a build came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Wall-clock time of `cargo build`, in nanoseconds.
    pub nanoseconds: u64,
    /// The size of the program in bytes, without symbols.
    pub program_bytes: u64,
    /// The shared libraries that it needs to start.
    pub shared_libraries: BTreeSet<String>,
}

macro_rules! program {
    ($subject:literal, $feature:literal, $dependencies:literal, $source:literal) => {
        Program {
            subject: $subject,
            dependencies: $dependencies,
            source: $source,
            feature: Some($feature),
            is_built_in: cfg!(feature = $feature),
        }
    };
}

/// Every allocator that a program can have by itself. Those that need a region before
/// `main` are not among them.
pub const PROGRAMS: [Program; 9] = [
    Program {
        subject: "system",
        dependencies: "",
        source: "fn main() { println!(\"{:?}\", vec![1_u8; 100]); }",
        feature: None,
        is_built_in: true,
    },
    program!(
        "talc",
        "talc",
        "talc = { version = \"5\", default-features = false }\nspinning_top = \"0.3\"",
        "use std::alloc::System;
use talc::{TalcLock, source::GlobalAllocSource};
#[global_allocator]
static ALLOC: TalcLock<spinning_top::RawSpinlock, GlobalAllocSource<System>> =
    TalcLock::new(GlobalAllocSource::new(System));
fn main() { println!(\"{:?}\", vec![1_u8; 100]); }"
    ),
    program!(
        "dlmalloc",
        "dlmalloc",
        "dlmalloc = { version = \"0.2\", features = [\"global\"] }",
        "#[global_allocator]
static ALLOC: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;
fn main() { println!(\"{:?}\", vec![1_u8; 100]); }"
    ),
    program!(
        "rlsf",
        "rlsf",
        "rlsf = \"0.2\"",
        "#[global_allocator]
static ALLOC: rlsf::GlobalTlsf = rlsf::GlobalTlsf::new();
fn main() { println!(\"{:?}\", vec![1_u8; 100]); }"
    ),
    program!(
        "bumpalo",
        "bumpalo",
        "bumpalo = { version = \"3\", default-features = false }",
        "fn main() { println!(\"{:?}\", bumpalo::Bump::new().alloc([1_u8; 100])); }"
    ),
    program!(
        "mimalloc",
        "mimalloc",
        "mimalloc = { version = \"0.1\", default-features = false }",
        "#[global_allocator]
static ALLOC: mimalloc::MiMalloc = mimalloc::MiMalloc;
fn main() { println!(\"{:?}\", vec![1_u8; 100]); }"
    ),
    program!(
        "rpmalloc",
        "rpmalloc",
        "rpmalloc = \"0.2\"",
        "#[global_allocator]
static ALLOC: rpmalloc::RpMalloc = rpmalloc::RpMalloc;
fn main() { println!(\"{:?}\", vec![1_u8; 100]); }"
    ),
    program!(
        "snmalloc",
        "snmalloc",
        "snmalloc-rs = { version = \"0.7\", default-features = false, features = [\"build_cc\"] }",
        "#[global_allocator]
static ALLOC: snmalloc_rs::SnMalloc = snmalloc_rs::SnMalloc;
fn main() { println!(\"{:?}\", vec![1_u8; 100]); }"
    ),
    program!(
        "jemalloc",
        "jemalloc",
        "tikv-jemallocator = \"0.7\"",
        "#[global_allocator]
static ALLOC: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
fn main() { println!(\"{:?}\", vec![1_u8; 100]); }"
    ),
];

impl Program {
    /// Whether its sources are here, as cargo has them for this crate.
    ///
    /// # Errors
    ///
    /// Without the feature that brings them.
    pub fn available(&self) -> Result<(), Unavailable> {
        match (self.is_built_in, self.feature) {
            (false, Some(feature)) => Err(Unavailable(format!(
                "built without the feature `{feature}`, which brings its sources"
            ))),
            _ => Ok(()),
        }
    }

    /// Builds it in a new folder, which is removed afterwards.
    ///
    /// # Errors
    ///
    /// When a file can't be written, cargo can't be started, or the program doesn't
    /// build; with what cargo said.
    pub fn build(&self) -> io::Result<Built> {
        self.in_folder(|folder| self.build_in(folder))
    }

    /// The floor: how many nanoseconds cargo takes to find that there is nothing to do,
    /// when it is asked for the same once more right after it has built it.
    ///
    /// # Errors
    ///
    /// As of [`build`](Self::build), and when the program was built again all the same.
    pub fn build_of_nothing(&self) -> io::Result<u64> {
        self.in_folder(|folder| {
            let _ = self.build_in(folder)?;
            let program = self.program(folder);
            let before = fs::metadata(&program)?.modified()?;
            let nanoseconds = self.cargo(folder)?;
            if fs::metadata(&program)?.modified()? != before {
                return Err(io::Error::other(format!(
                    "the program with {} was built again, although nothing has changed",
                    self.subject
                )));
            }
            Ok(nanoseconds)
        })
    }

    fn in_folder<T>(&self, work: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        let folder =
            env::temp_dir().join(format!("allocator-lab.{}.{}", process::id(), self.subject));
        let done = work(&folder);
        // What was measured counts; a folder that stays is told nobody.
        let _ = fs::remove_dir_all(&folder);
        done
    }

    fn build_in(&self, folder: &Path) -> io::Result<Built> {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), self.manifest())?;
        fs::write(folder.join("src").join("main.rs"), self.source)?;
        // The versions that this workspace has.
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let nanoseconds = self.cargo(folder)?;
        let program = fs::read(self.program(folder))?;
        Ok(Built {
            nanoseconds,
            program_bytes: program.len() as u64,
            shared_libraries: shared_libraries(&program).map_err(io::Error::other)?,
        })
    }

    /// The nanoseconds of one `cargo build`.
    fn cargo(&self, folder: &Path) -> io::Result<u64> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let begin = Instant::now();
        let output = Command::new(cargo)
            .args(["build", "--release", "--offline", "--quiet", "--jobs", "1"])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()?;
        let elapsed = begin.elapsed();
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(io::Error::other(format!(
                "the program with {} does not build: {}",
                self.subject,
                said.trim()
            )));
        }
        Ok(u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX))
    }

    fn program(&self, folder: &Path) -> PathBuf {
        let name = format!("with-{}{}", self.subject, env::consts::EXE_SUFFIX);
        folder.join("target").join("release").join(name)
    }

    fn manifest(&self) -> String {
        let Self {
            subject,
            dependencies,
            ..
        } = self;
        format!(
            "[package]\nname = \"with-{subject}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n\n[profile.release]\nstrip = true\n\n[workspace]\n"
        )
    }
}

/// The folder of this workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
