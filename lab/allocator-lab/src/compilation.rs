//! [`Program`]: the cost of compiling an allocator. A program that has the allocator and
//! does nothing else is built from nothing, in the release profile and without the
//! network.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::Instant;

use object::{Object, ObjectSection, SectionFlags, elf};

use crate::subject::Unavailable;

/// A program with one allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// The subject's name.
    pub subject: &'static str,
    /// Lines of its manifest's dependencies.
    pub(crate) dependencies: &'static str,
    /// Its source.
    pub(crate) source: &'static str,
    /// The feature of this crate that brings the allocator's sources.
    pub(crate) feature: Option<&'static str>,
    /// Whether this crate was built with that feature.
    pub(crate) is_built_in: bool,
    /// The target that it is built for, if not this machine.
    pub(crate) target: Option<&'static str>,
}

/// A build, and the program that it made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Wall-clock time of `cargo build`, in nanoseconds.
    pub nanoseconds: u64,
    /// The size of the program in bytes, without symbols.
    pub program_bytes: u64,
    /// The bytes of its code, of its constants and of its variables that are not zero.
    pub code_bytes: u64,
    /// The shared libraries that it needs to start.
    pub shared_libraries: BTreeSet<String>,
}

impl Program {
    /// Whether cargo has the allocator's sources, and the compiler the target.
    ///
    /// # Errors
    ///
    /// Without the feature that brings them, or without the target.
    pub fn available(&self) -> Result<(), Unavailable> {
        if let (false, Some(feature)) = (self.is_built_in, self.feature) {
            return Err(Unavailable(format!(
                "built without the feature `{feature}`, which brings its sources"
            )));
        }
        match self.target {
            Some(target) if !has_target(target) => Err(Unavailable(format!(
                "the target {target} is missing: `rustup target add {target}`"
            ))),
            _ => Ok(()),
        }
    }

    /// Builds it in a new folder, which is removed afterwards.
    ///
    /// # Errors
    ///
    /// When a file can't be written, cargo can't be started, or the program doesn't
    /// build; the last with cargo's own error.
    pub fn build(&self) -> io::Result<Built> {
        self.in_folder(|folder| self.build_in(folder))
    }

    /// The floor: the nanoseconds of a second `cargo build` right after the first, when
    /// there is nothing to build.
    ///
    /// # Errors
    ///
    /// As of [`build`](Self::build), and when cargo built the program a second time.
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
        // The folder is a temporary one: a failure to remove it changes no result.
        let _ = fs::remove_dir_all(&folder);
        done
    }

    fn build_in(&self, folder: &Path) -> io::Result<Built> {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), self.manifest())?;
        fs::write(folder.join("src").join("main.rs"), self.source)?;
        // The same versions as in this workspace.
        fs::copy(
            workspace().join("lab").join("Cargo.lock"),
            folder.join("Cargo.lock"),
        )?;
        let nanoseconds = self.cargo(folder)?;
        let program = fs::read(self.program(folder))?;
        Ok(Built {
            nanoseconds,
            program_bytes: program.len() as u64,
            code_bytes: code_bytes(&program).map_err(io::Error::other)?,
            shared_libraries: shared_libraries(&program).map_err(io::Error::other)?,
        })
    }

    /// The nanoseconds of one `cargo build`.
    fn cargo(&self, folder: &Path) -> io::Result<u64> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let begin = Instant::now();
        let target = self.target.map(|target| ["--target", target]);
        let output = Command::new(cargo)
            .args(["build", "--release", "--offline", "--quiet", "--jobs", "1"])
            .args(target.into_iter().flatten())
            // The C++ flags of the workspace: the folder is outside of it.
            .arg("--config")
            .arg(workspace().join(".cargo").join("config.toml"))
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
        let target = folder.join("target");
        let (target, suffix) = match self.target {
            Some(other) => (target.join(other), ""),
            None => (target, env::consts::EXE_SUFFIX),
        };
        let name = format!("with-{}{suffix}", self.subject);
        target.join("release").join(name)
    }

    fn manifest(&self) -> String {
        let Self {
            subject,
            dependencies,
            target,
            ..
        } = self;
        let small = match target {
            Some(_) => {
                "opt-level = \"s\"\nlto = true\ncodegen-units = 1\npanic = \"abort\"\n\n\
                 [profile.dev]\npanic = \"abort\"\n"
            }
            None => "",
        };
        format!(
            "[package]\nname = \"with-{subject}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n\n[profile.release]\nstrip = true\n{small}\n[workspace]\n"
        )
    }
}

/// The names of the libraries, as the program has them. Libraries that these need in turn
/// are not listed. A program that is linked statically has none.
pub fn shared_libraries(program: &[u8]) -> Result<BTreeSet<String>, object::Error> {
    let file = object::File::parse(program)?;
    let libraries = file.import_libraries()?;
    libraries
        .map(|library| Ok(String::from_utf8_lossy(library?.name()).into_owned()))
        .collect()
}

/// The bytes that a program for a device without an operating system takes of its flash memory:
/// its code, its constants, and the first values of its variables. Sections that are not loaded
/// don't count, nor do variables that are zero at first. 0 of a program that is none in ELF format.
fn code_bytes(program: &[u8]) -> Result<u64, object::Error> {
    let file = object::File::parse(program)?;
    let loaded = file.sections().filter(|section| {
        let SectionFlags::Elf { sh_flags, sh_type } = section.flags() else {
            return false;
        };
        sh_flags.contains(elf::SHF_ALLOC) && sh_type != elf::SHT_NOBITS
    });
    Ok(loaded.map(|section| section.size()).sum())
}

/// Whether the compiler has the libraries of a target.
fn has_target(target: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", target])
        .output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout);
        Path::new(folder.trim()).exists()
    })
}

/// The root of the repository, whose configuration of cargo also holds here.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
