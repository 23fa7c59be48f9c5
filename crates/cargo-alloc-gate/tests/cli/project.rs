//! [`Project`]: a cargo package in a folder of its own, with benches and rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{PROGRAM, Ran, command};

/// A cargo package that no other test uses. What cargo built of an unchanged one
/// stays good from run to run.
pub(crate) struct Project {
    root: PathBuf,
}

/// The workspace that the program, and the harness with it, comes from.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Quick runs: the counts are the same each time.
const RUN: &str = "\
version = 1

[run]
warmup = 10
iterations = 100
";

impl Project {
    /// The package `name` with bench targets, each with the text of its file.
    pub(crate) fn new(name: &str, benches: &[(&str, String)]) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("cli-projects")
            .join(name);
        let project = Self { root };
        project.forget(benches);
        let mut manifest = manifest(name);
        for (target, text) in benches {
            manifest.push_str(&format!(
                "\n[[bench]]\nname = \"{target}\"\nharness = false\n"
            ));
            project.write_if_changed(&format!("benches/{target}.rs"), text);
        }
        project.write_if_changed("src/lib.rs", "//! Nothing of its own.\n");
        project.write("Cargo.toml", &manifest);
        let lock = format!("{SOURCE}/Cargo.lock");
        fs::copy(lock, project.path("Cargo.lock")).expect("the lock file can be copied");
        project
    }

    /// The package `name` whose one bench is called `counts` and has the
    /// scenarios that `body` adds to `suite`, with rules.
    pub(crate) fn with(name: &str, body: &str, gates: &str) -> Self {
        let project = Self::new(name, &[("counts", bench(body))]);
        project.gates(&["counts"], gates);
        project
    }

    /// Writes gates.toml with these benches of the package, and `rest`.
    pub(crate) fn gates(&self, benches: &[&str], rest: &str) {
        let name = self.name();
        let benches: String = benches
            .iter()
            .map(|target| format!("\n[[bench]]\npackage = \"{name}\"\ntarget = \"{target}\"\n"))
            .collect();
        self.write("gates.toml", &format!("{RUN}{benches}{rest}"));
    }

    /// Adds lines to Cargo.toml.
    pub(crate) fn add_to_manifest(&self, lines: &str) {
        let manifest = self.read("Cargo.toml");
        self.write("Cargo.toml", &format!("{manifest}{lines}"));
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    #[track_caller]
    pub(crate) fn read(&self, path: &str) -> String {
        let read = fs::read_to_string(self.path(path));
        read.unwrap_or_else(|error| panic!("failed to read {path}: {error}"))
    }

    #[track_caller]
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    }

    /// Runs the program in the project's folder.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.command();
        command.args(args);
        self.finish(command)
    }

    /// The program in the project's folder, to be told more.
    pub(crate) fn command(&self) -> Command {
        command(PROGRAM, &self.root)
    }

    pub(crate) fn finish(&self, command: Command) -> Ran {
        Ran::new(command, &self.root)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn name(&self) -> &str {
        let name = self.root.file_name().and_then(|name| name.to_str());
        name.expect("a project has a name")
    }

    /// Removes what an earlier run left, but for sources that did not change:
    /// their times say that they need not be built again.
    fn forget(&self, benches: &[(&str, String)]) {
        for path in entries(&self.root) {
            let is_source = path.ends_with("src") || path.ends_with("benches");
            if path.is_dir() && !is_source {
                fs::remove_dir_all(path).expect("an old folder can be removed");
            } else if path.is_file() {
                fs::remove_file(path).expect("an old file can be removed");
            }
        }
        for path in entries(&self.path("benches")) {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            if !benches.iter().any(|(target, _)| Some(*target) == stem) {
                fs::remove_file(path).expect("an old bench can be removed");
            }
        }
    }

    fn write_if_changed(&self, path: &str, text: &str) {
        if fs::read_to_string(self.path(path)).ok().as_deref() != Some(text) {
            self.write(path, text);
        }
    }
}

/// A bench whose scenarios `body` adds to `suite`. The body begins in line 8.
pub(crate) fn bench(body: &str) -> String {
    bench_with_main(&format!(
        "    let mut suite = Suite::from_args();\n{body}\n    suite.finish()"
    ))
}

/// A bench with a counter and this `main`, whose text begins in line 7.
pub(crate) fn bench_with_main(body: &str) -> String {
    format!(
        "use alloc_scenario::{{CountingAlloc, Suite}};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {{
{body}
}}
"
    )
}

/// The harness is built from its source, and not optimised: that changes no
/// count.
fn manifest(name: &str) -> String {
    format!(
        "[package]
name = \"{name}\"
version = \"1.2.3\"
edition = \"2024\"
publish = false

[workspace]

[profile.bench]
opt-level = 0

[lib]
bench = false

[dev-dependencies]
alloc-scenario = {{ path = '{SOURCE}/crates/alloc-scenario' }}
"
    )
}

/// The names of what is in a folder, sorted; none if it is not there.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = entries(folder)
        .into_iter()
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort_unstable();
    names
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}
