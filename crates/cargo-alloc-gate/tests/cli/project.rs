//! [`Project`]: a cargo package in a folder of its own, with benches and rules.
//!
//! Nearly all projects are copies of one package, `demo`, whose benches read their
//! scenarios from a file at run time. Projects that exist one after the other are in the same
//! folder, a [`Slot`], so one build serves them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use alloc_results::Stream;
use serde_json::{Value, json};

use crate::program::{BUILD_DIR, PROGRAM, Ran, TMP, command, without_time};

/// A cargo package that no other test uses.
pub(crate) struct Project {
    /// Where cargo builds it. `None` with recorded results, for which no cargo runs.
    slot: Option<Slot>,
    root: PathBuf,
    target: PathBuf,
    package: String,
}

/// A folder for one project at a time. What the projects build in it stays.
struct Slot {
    path: PathBuf,
    /// The system unlocks it when it is closed.
    _lock: File,
}

impl Slot {
    /// The first one that is free.
    fn take() -> Self {
        let mut paths = (0..).map(|number| Path::new(TMP).join(format!("cli-slots/{number}")));
        let free = paths.find_map(|path| {
            fs::create_dir_all(&path).expect("the folder can be made");
            let lock = File::create(path.join("lock")).expect("the lock can be made");
            let is_free = lock.try_lock().is_ok();
            is_free.then_some(Self { path, _lock: lock })
        });
        free.expect("there are enough numbers")
    }

    /// The target folder of repositories, in which `compare` keeps its builds.
    fn target(&self) -> PathBuf {
        self.path.join("target")
    }

    /// The build folder of all projects, so that cargo builds dependencies and the shared
    /// package once. `compare` builds in it too.
    fn build(&self) -> PathBuf {
        self.target().join("alloc-gate/compare/target")
    }
}

/// The folder of recorded results, which is no part of the project's repository.
pub(crate) const RESULTS: &str = "../r";

/// The name of the package that the tests share.
const DEMO: &str = "demo";

/// The source of nearly all its benches.
const COUNTS: (&str, &str) = (
    "benches/counts.rs",
    include_str!("../demo/benches/counts.rs"),
);

/// Its sources. A test must not change them, because other copies would use its build.
const SOURCES: [(&str, &str); 5] = [
    ("src/lib.rs", include_str!("../demo/src/lib.rs")),
    COUNTS,
    ("benches/dead.rs", include_str!("../demo/benches/dead.rs")),
    ("src/mains.rs", include_str!("../demo/src/mains.rs")),
    ("src/sets.rs", include_str!("../demo/src/sets.rs")),
];

/// The folder of these sources.
pub(crate) const DEMO_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/demo");

/// The workspace of the program and of the harness.
pub(crate) const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A gate on all scenarios.
pub(crate) const BOXES: &str = "
[[gate]]
name = \"boxes\"
scenarios = [\"*\"]
allocs = \"<= 1\"
";

/// Quick runs: the counts are the same each time.
const RUN: &str = "\
version = 1

[run]
warmup = 10
iterations = 100
";

impl Project {
    /// A copy of the shared package in the folder `name`, with bench targets and their scenarios,
    /// and with rules for all of them; `tests/demo/src/lib.rs` says how scenarios are written.
    pub(crate) fn new(name: &str, benches: &[(&str, &str)], gates: &str) -> Self {
        let project = Self::empty(name, DEMO);
        for (path, text) in SOURCES {
            project.write_shared(path, text);
        }
        let mut targets = String::from("\n[lib]\nname = \"scenarios\"\nbench = false\n");
        for (target, scenarios) in benches {
            project.scenarios(target, scenarios);
            let file = match *target {
                "dead" => "dead",
                _ => "counts",
            };
            targets.push_str(&bench_target(target));
            targets.push_str(&format!("path = 'benches/{file}.rs'\n"));
        }
        project.write_manifest("dependencies", &targets);
        let names: Vec<&str> = benches.iter().map(|(target, _)| *target).collect();
        project.gates(&names, gates);
        project
    }

    /// A package for a repository in the folder `name`, with the bench `counts`. The shared package
    /// is a dependency outside, which no checkout makes newer.
    pub(crate) fn for_repository(name: &str, scenarios: &str, gates: &str) -> Self {
        let project = Self::empty(name, "committed").with_common_target();
        project.scenarios("counts", scenarios);
        project.write_shared(COUNTS.0, COUNTS.1);
        let scenarios = format!("scenarios = {{ path = '{DEMO_FOLDER}' }}\n");
        project.write_manifest("dependencies", &(scenarios + &bench_target("counts")));
        project.gates(&["counts"], gates);
        project
    }

    /// The same project with the target folder of repositories.
    pub(crate) fn with_common_target(mut self) -> Self {
        let slot = self.slot.as_ref().expect("cargo builds it");
        self.target = slot.target();
        self
    }

    /// A workspace with these results in the folder `../r`, as `sample_results` has them, whose first
    /// package is `demo`. No cargo runs.
    pub(crate) fn recorded(name: &str, results: &str, gates: &str) -> Self {
        let own = Path::new(TMP).join("cli-recorded").join(name);
        if own.exists() {
            fs::remove_dir_all(&own).expect("an old folder can be removed");
        }
        let project = Self {
            root: own.join("project"),
            target: own.join("target"),
            package: DEMO.to_owned(),
            slot: None,
        };
        project.make_temporary();
        project.write("Cargo.toml", "[package]\nname = \"demo\"\n");
        let mut benches = vec![("demo".to_owned(), "counts".to_owned())];
        for bench in project.write_results(RESULTS, results) {
            if !benches.contains(&bench) {
                benches.push(bench);
            }
        }
        write_metadata(&project, &benches);
        let of_demo = benches.iter().filter(|(package, _)| package == DEMO);
        let targets: Vec<&str> = of_demo.map(|(_, target)| &**target).collect();
        project.gates(&targets, gates);
        project
    }

    /// Writes results to a folder, a file for each bench, and returns the benches. Those before
    /// the first line of a bench are of `counts`.
    pub(crate) fn write_results(&self, folder: &str, results: &str) -> Vec<(String, String)> {
        let is_named = results.starts_with("bench ");
        let bench = if is_named { "" } else { "bench demo/counts\n" };
        let streams = sample_results::streams(&format!("{bench}{results}"))
            .expect("the results are well written");
        let write = |stream: &Stream| {
            let bench = &stream.environment.bench;
            let (package, target) = (&bench.package, &bench.target);
            let path = format!(
                "{folder}/{package}.{target}.{}.jsonl",
                stream.environment.target
            );
            self.write(&path, &sample_results::file(stream));
            (package.to_string(), target.to_string())
        };
        streams.iter().map(write).collect()
    }

    /// The same with one bench, which is called `counts`.
    pub(crate) fn with(name: &str, scenarios: &str, gates: &str) -> Self {
        Self::new(name, &[("counts", scenarios)], gates)
    }

    /// A package called `name` whose benches have sources of their own. Cargo builds it
    /// in each run, because an earlier run may have left the build of a changed source.
    pub(crate) fn own(name: &str, benches: &[(&str, &str)]) -> Self {
        let project = Self::empty(name, name);
        project.write("src/lib.rs", "//! Nothing of its own.\n");
        let mut targets = String::from("\n[lib]\nbench = false\n");
        for (target, text) in benches {
            project.write(&format!("benches/{target}.rs"), text);
            targets.push_str(&bench_target(target));
        }
        project.write_manifest("dev-dependencies", &targets);
        project
    }

    fn empty(name: &str, package: &str) -> Self {
        let slot = Slot::take();
        // In a folder of its own, because `compare` makes one beside the project.
        let own = slot.path.join("own");
        let note = slot.path.join("name");
        let project = Self {
            root: own.join("project"),
            target: slot.path.join("own-target"),
            package: package.to_owned(),
            slot: Some(slot),
        };
        // Files of an earlier project.
        for folder in [&own, &project.target] {
            if folder.exists() {
                fs::remove_dir_all(folder).expect("an old folder can be removed");
            }
        }
        fs::write(note, name).expect("the file can be written");
        project.make_temporary();
        project
    }

    /// Writes a manifest. The harness is built from its source, without optimisation,
    /// which changes no count. The table says who uses the harness.
    fn write_manifest(&self, dependencies: &str, targets: &str) {
        let package = &self.package;
        self.write(
            "Cargo.toml",
            &format!(
                "[package]
name = \"{package}\"
version = \"1.2.3\"
edition = \"2024\"
publish = false
autobenches = false

[workspace]

[profile.bench]
opt-level = 0

[{dependencies}]
alloc-scenario = {{ path = '{SOURCE}/crates/alloc-scenario' }}
{targets}"
            ),
        );
        let lock = format!("{SOURCE}/Cargo.lock");
        fs::copy(lock, self.path("Cargo.lock")).expect("the lock file can be copied");
    }

    pub(crate) fn scenarios(&self, bench: &str, scenarios: &str) {
        self.write(&format!("{bench}.scenarios"), scenarios);
    }

    /// Writes gates.toml with these benches of the package, and `rest`.
    pub(crate) fn gates(&self, benches: &[&str], rest: &str) {
        let package = &self.package;
        let benches: String = benches
            .iter()
            .map(|target| format!("\n[[bench]]\npackage = \"{package}\"\ntarget = \"{target}\"\n"))
            .collect();
        self.write("gates.toml", &format!("{RUN}{benches}{rest}"));
    }

    /// Adds keys to the table `[run]` of gates.toml.
    pub(crate) fn run_keys(&self, keys: &str) {
        let rules = self.read("gates.toml");
        self.write(
            "gates.toml",
            &rules.replace("[run]\n", &format!("[run]\n{keys}\n")),
        );
    }

    pub(crate) fn add_to_manifest(&self, lines: &str) {
        let manifest = self.read("Cargo.toml");
        self.write("Cargo.toml", &format!("{manifest}{lines}"));
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The text of a file, with a placeholder for the time of a report.
    #[track_caller]
    pub(crate) fn read(&self, path: &str) -> String {
        let read = fs::read_to_string(self.path(path));
        let text = read.unwrap_or_else(|error| panic!("failed to read {path}: {error}"));
        without_time(&text)
    }

    /// Asserts that a file has this text.
    #[track_caller]
    pub(crate) fn has(&self, path: &str, expected: &str) {
        let text = self.read(path);
        assert!(
            text.contains(expected),
            "{path} without {expected}:\n{text}"
        );
    }

    #[track_caller]
    pub(crate) fn write(&self, path: &str, text: &str) {
        let is_shared = SOURCES.iter().any(|(source, _)| *source == path);
        assert!(
            self.slot.is_none() || self.package != DEMO || !is_shared || !self.path(path).exists(),
            "{path} is shared with other tests"
        );
        let path = self.path(path);
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    }

    /// Writes a shared source as old as the test program, which contains its text, so that
    /// cargo builds it only once after a change.
    fn write_shared(&self, path: &str, text: &str) {
        self.write(path, text);
        let file = File::options().write(true).open(self.path(path));
        let time = built().expect("the tests are a file");
        let set = file.and_then(|file| file.set_modified(time));
        set.expect("the time of a file can be set");
    }

    /// The file in which the program keeps the results of a bench.
    pub(crate) fn results(&self, bench: &str) -> String {
        let name = format!("{}.{bench}.jsonl", self.package);
        let path = self.target.join("alloc-gate").join(name);
        path.to_str().expect("the path is UTF-8").to_owned()
    }

    /// Runs the program in the project's folder, with these arguments, each without a
    /// space, and asserts its exit code.
    #[track_caller]
    pub(crate) fn run(&self, line: &str, code: i32) -> Ran {
        self.run_args(&line.split_whitespace().collect::<Vec<_>>(), code)
    }

    /// The same with the results of [`Project::recorded`].
    #[track_caller]
    pub(crate) fn judge(&self, line: &str, code: i32) -> Ran {
        self.run_on(RESULTS, line, code)
    }

    /// The same with a file of recorded results, whose path may have spaces.
    #[track_caller]
    pub(crate) fn run_on(&self, results: &str, line: &str, code: i32) -> Ran {
        let words = line.split_whitespace();
        let args: Vec<&str> = words.chain(["--results", results]).collect();
        self.run_args(&args, code)
    }

    #[track_caller]
    pub(crate) fn run_with<V>(&self, variables: &[(&str, V)], line: &str, code: i32) -> Ran
    where
        V: AsRef<OsStr>,
    {
        let mut command = self.command();
        command.args(line.split_whitespace());
        for (name, value) in variables {
            command.env(name, value);
        }
        self.finish(command).code(code)
    }

    /// The same with arguments that may have spaces.
    #[track_caller]
    pub(crate) fn run_args(&self, args: &[&str], code: i32) -> Ran {
        let mut command = self.command();
        command.args(args);
        self.finish(command).code(code)
    }

    /// Checks the bench `counts`, which passes; `tally` is the rest of the verdict.
    #[track_caller]
    pub(crate) fn passes(&self, tally: &str) -> Ran {
        let ran = self.run("", 0);
        ran.verdict(&format!("passed: {tally}"));
        ran
    }

    /// The program in the project's folder, for more arguments.
    pub(crate) fn command(&self) -> Command {
        self.command_in(PROGRAM, "")
    }

    pub(crate) fn command_in(&self, program: &str, folder: &str) -> Command {
        let mut command = command(program, &self.path(folder));
        command.env("CARGO_TARGET_DIR", &self.target);
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, self.temporary());
        }
        match &self.slot {
            Some(slot) => command.env(BUILD_DIR, slot.build()),
            None => command.env("CARGO", stand_in(&self.root)),
        };
        command
    }

    pub(crate) fn finish(&self, command: Command) -> Ran {
        Ran::new(command, &self.root, &self.target)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of all programs for their temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.root.with_file_name("temporary")
    }

    fn make_temporary(&self) {
        fs::create_dir_all(self.temporary()).expect("the folder can be made");
    }

    pub(crate) fn target(&self) -> &Path {
        &self.target
    }
}

/// The program that stands in for cargo beside a project with recorded results.
fn stand_in(root: &Path) -> PathBuf {
    root.with_file_name(if cfg!(windows) { "cargo.bat" } else { "cargo" })
}

/// Writes the output of `cargo metadata --no-deps` for packages with these benches, and a program
/// that prints it.
fn write_metadata(project: &Project, benches: &[(String, String)]) {
    let mut packages: Vec<Value> = Vec::new();
    for (package, target) in benches {
        let folder = match &**package {
            DEMO => project.root.clone(),
            package => project.path(package),
        };
        let target = json!({
            "kind": ["bench"], "crate_types": ["bin"], "name": target, "edition": "2024",
            "src_path": folder.join("benches").join(format!("{target}.rs")),
        });
        let known = packages.iter_mut().find(|known| known["name"] == **package);
        match known.and_then(|known| known["targets"].as_array_mut()) {
            Some(targets) => targets.push(target),
            None => packages.push(json!({
                "name": package, "version": "1.2.3", "id": format!("path+file:///{package}#1.2.3"),
                "dependencies": [], "features": {}, "edition": "2024", "targets": [target],
                "manifest_path": folder.join("Cargo.toml"),
            })),
        }
    }
    let ids: Vec<&Value> = packages.iter().map(|package| &package["id"]).collect();
    let metadata = json!({
        "version": 1, "workspace_members": ids, "packages": packages,
        "workspace_root": project.root, "target_directory": project.target,
    });
    project.write("../metadata.json", &metadata.to_string());
    let (script, prints) = (stand_in(&project.root), project.path("../metadata.json"));
    let text = match cfg!(windows) {
        true => format!("@type \"{}\"\n", prints.display()),
        false => format!("#!/bin/sh\nexec cat '{}'\n", prints.display()),
    };
    fs::write(&script, text).expect("it can be written");
    #[cfg(unix)]
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("it is ours");
}

/// The source of a bench with these scenarios, and with items before `main`.
pub(crate) fn bench(items: &str, scenarios: &str) -> String {
    format!(
        "use alloc_scenario::{{CountingAlloc, Suite}};
{items}
#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {{
    let mut suite = Suite::from_args();
{scenarios}    suite.finish()
}}
"
    )
}

fn bench_target(name: &str) -> String {
    format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n")
}

/// The time when the test program was built.
fn built() -> std::io::Result<SystemTime> {
    fs::metadata(std::env::current_exe()?)?.modified()
}

/// The sorted names of the files in a folder; none if it does not exist.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_unstable();
    names
}
