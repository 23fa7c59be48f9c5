//! The cost of compiling an allocator: each of the [`PROGRAMS`] has one and does nothing else. It
//! is built from nothing, in the release profile and without the network.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{self, Command};
use std::time::Instant;

/// A program with one allocator.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The subject's name, which is also the name of the feature with its sources.
    pub subject: &'static str,
    /// Whether this crate has that feature.
    pub is_built_in: bool,
    /// Lines of its manifest.
    dependencies: &'static str,
    /// The type and the value of its global allocator, if it has one.
    global: &'static str,
    /// What `main` prints.
    block: &'static str,
}

/// A build, and the program that it made.
#[derive(Clone, Copy, Debug)]
pub struct Built {
    /// Nanoseconds of `cargo build`.
    pub time: i64,
    /// The floor: nanoseconds of `cargo build` right after it, when there is nothing to build.
    pub time_of_nothing: i64,
    /// The size of the program in bytes, without symbols.
    pub bytes: i64,
    /// How many shared libraries it needs to start. Those that these need don't count.
    pub shared_libraries: i64,
}

const SYSTEM: Program = Program {
    subject: "system",
    is_built_in: true,
    dependencies: "",
    global: "",
    block: "vec![1_u8; 100]",
};

const BUMPALO: Program = Program {
    subject: "bumpalo",
    is_built_in: cfg!(feature = "bumpalo"),
    dependencies: "bumpalo = { version = \"3\", default-features = false }",
    block: "bumpalo::Bump::new().alloc([1_u8; 100])",
    ..SYSTEM
};

/// All programs: both above, and those with a global allocator.
macro_rules! programs {
    ($($subject:literal: $dependencies:literal, $global:literal;)*) => {
        [SYSTEM, BUMPALO, $(Program {
            subject: $subject,
            is_built_in: cfg!(feature = $subject),
            dependencies: $dependencies,
            global: $global,
            ..SYSTEM
        },)*]
    };
}

/// The programs, the system's first: one for each allocator that a program can have by itself. An
/// allocator that needs a region before `main` has none.
pub const PROGRAMS: [Program; 9] = programs! {
    "talc": "talc = { version = \"5\", default-features = false }\nspinning_top = \"0.3\"",
        "talc::TalcLock<spinning_top::RawSpinlock, \
         talc::source::GlobalAllocSource<std::alloc::System>> = \
         talc::TalcLock::new(talc::source::GlobalAllocSource::new(std::alloc::System))";
    "dlmalloc": "dlmalloc = { version = \"0.2\", features = [\"global\"] }",
        "dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc";
    "rlsf": "rlsf = \"0.2\"", "rlsf::GlobalTlsf = rlsf::GlobalTlsf::new()";
    "mimalloc": "mimalloc = { version = \"0.1\", default-features = false }",
        "mimalloc::MiMalloc = mimalloc::MiMalloc";
    "rpmalloc": "rpmalloc = \"0.2\"", "rpmalloc::RpMalloc = rpmalloc::RpMalloc";
    "snmalloc": "snmalloc-rs = { version = \"0.7\", default-features = false, \
                 features = [\"build_cc\"] }",
        "snmalloc_rs::SnMalloc = snmalloc_rs::SnMalloc";
    "jemalloc": "tikv-jemallocator = \"0.7\"",
        "tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc";
};

impl Program {
    /// Builds it in a new folder, which is removed afterwards.
    ///
    /// # Errors
    ///
    /// When a file can't be written, cargo or readelf can't be started, or the program doesn't
    /// build, with cargo's own error.
    pub fn build(&self) -> io::Result<Built> {
        let folder = format!("allocator-lab.{}.{}", process::id(), self.subject);
        let folder = env::temp_dir().join(folder);
        let built = self.build_in(&folder);
        // The folder is a temporary one: a failure to remove it changes no result.
        let _ = fs::remove_dir_all(&folder);
        built
    }

    fn build_in(&self, folder: &Path) -> io::Result<Built> {
        let name = format!("with-{}", self.subject);
        let (dependencies, block) = (self.dependencies, self.block);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n\n[profile.release]\nstrip = true\n\n[workspace]\n"
        );
        let global = match self.global {
            "" => String::new(),
            global => format!("#[global_allocator]\nstatic ALLOC: {global};\n"),
        };
        let source = format!("{global}fn main() {{ println!(\"{{:?}}\", {block}); }}");
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), source)?;
        // The same versions as in this workspace.
        fs::copy(root().join("lab/Cargo.lock"), folder.join("Cargo.lock"))?;
        let time = cargo_build(folder)?;
        let program = folder.join("target/release").join(name);
        let built = fs::metadata(&program)?;
        let time_of_nothing = cargo_build(folder)?;
        if fs::metadata(&program)?.modified()? != built.modified()? {
            return Err(io::Error::other(
                "it was built again, although nothing has changed",
            ));
        }
        Ok(Built {
            time,
            time_of_nothing,
            bytes: built.len() as i64,
            shared_libraries: shared_libraries(&program)?,
        })
    }
}

/// The nanoseconds of one `cargo build`.
fn cargo_build(folder: &Path) -> io::Result<i64> {
    let begin = Instant::now();
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--offline", "--quiet", "--jobs", "1"])
        // The C++ flags of the workspace: the folder is outside of it.
        .arg("--config")
        .arg(root().join(".cargo/config.toml"))
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()?;
    let elapsed = begin.elapsed();
    match output.status.success() {
        true => Ok(elapsed.as_nanos() as i64),
        false => Err(io::Error::other(
            String::from_utf8_lossy(&output.stderr).trim(),
        )),
    }
}

/// The lines `(NEEDED)   Shared library: [libc.so.6]` of binutils' readelf.
fn shared_libraries(program: &Path) -> io::Result<i64> {
    let output = Command::new("readelf").arg("-d").arg(program).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.matches("(NEEDED)").count() as i64)
}

/// The root of the repository, whose configuration of cargo also holds here.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_built_from_nothing_and_needs_the_c_library() {
        let built = PROGRAMS[0].build().unwrap();
        assert!(built.time > built.time_of_nothing, "{built:?}");
        assert!(
            built.bytes > 100_000 && built.shared_libraries > 0,
            "{built:?}"
        );
    }
}
