//! `lab-page run`: measures the lab in rounds, and writes the results and the page.
//!
//! A round is one run of the bench, in which each scenario has a process of its own. Several
//! rounds measure each cell in several processes, minutes apart: a machine that is busy for a
//! minute slows the subjects of one round, and not one subject in all of them.

mod c_flags;
mod crates;
mod machine;
mod plan;

use std::env;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use cargo_metadata::{CargoOpt, Metadata, MetadataCommand, Package};
use clap::Args;
use lab_page::results::{Compiled, Run};

use self::plan::{Listed, Round, Scenarios, WAITING, plan, quick};
use crate::console::Console;

/// The package whose benches are measured without `--manifest-path`.
const PACKAGE: &str = "allocator-lab";

/// Its bench of times.
const MAIN: &str = "lab";

/// The benches of that package whose figures are not of a clock, or need no repetition: they
/// are measured once.
const ONCE: [&str; 2] = ["compilation", "instructions"];

/// The arguments of `lab-page run`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only scenarios whose full names contain one of these; the results of all others stay
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Features of the bench's package, such as allocators that a C compiler builds
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Base number of processes for each scenario; short ones get four times as many, and
    /// those without a clock fewer
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// One round of a part of the workloads, and their heat map alone; nothing is written
    #[arg(long, conflicts_with_all = ["rounds", "results", "page"])]
    pub(crate) quick: bool,
    /// The Cargo.toml of another package with a bench of the lab
    #[arg(long, value_name = "PATH", requires = "bench")]
    manifest_path: Option<PathBuf>,
    /// The bench of that package
    #[arg(long, value_name = "NAME", requires = "manifest_path")]
    bench: Option<String>,
    /// The file of results [default: design/allocators.jsonl, or allocators.jsonl beside the
    /// manifest]
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// The page [default: design/allocators.md, or allocators.md beside the manifest]
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// Why nothing could be measured. It reads well after "failed to".
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Cargo does not describe the package.
    #[error("read the package from cargo metadata: {0}")]
    Metadata(#[source] Box<cargo_metadata::Error>),
    /// A child process could not be started.
    #[error("start `{command}`: {source}")]
    Start {
        /// Its command line.
        command: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file or a folder could not be read or written.
    #[error("use {}: {source}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The bench did not list its scenarios.
    #[error("list the scenarios of the bench `{0}`; its message is above")]
    List(String),
    /// A filter selects nothing.
    #[error("find a scenario whose name contains `{filter}`; `{command}` lists the names")]
    NoScenario {
        /// The filter.
        filter: String,
        /// What lists all names.
        command: String,
    },
    /// The manifest is of no member of its workspace.
    #[error("find the package of the manifest in its workspace")]
    NoPackage,
}

impl Error {
    fn starting(command: &Command) -> impl FnOnce(io::Error) -> Self + use<> {
        let command = format!("{command:?}");
        move |source| Self::Start { command, source }
    }

    fn using(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}

/// What was measured, and the files that it is for.
pub(crate) struct Measured {
    /// The folders of the rounds.
    pub(crate) rounds: Vec<PathBuf>,
    /// Whether each bench exited with success.
    pub(crate) all_succeeded: bool,
    /// When, with what and where.
    pub(crate) run: Run,
    pub(crate) results: PathBuf,
    pub(crate) page: PathBuf,
}

/// Builds and measures. `None` if the build failed; cargo has printed why.
pub(crate) fn measure(
    arguments: &Arguments,
    console: &mut Console,
) -> Result<Option<Measured>, Error> {
    let begin = Instant::now();
    let lab = Lab::new(arguments)?;
    // The commit is that of the sources that are built.
    let machine = machine::describe();
    console.line(&format!("lab: building {}", lab.package));
    let Some(compiled) = lab.build()? else {
        return Ok(None);
    };
    for one in &compiled {
        console.line(&format!(
            "lab: {}, of {} {}: {}",
            one.subject, one.package, one.version, one.command
        ));
    }
    let plan = lab.plan(arguments)?;
    lab.clear()?;
    let mut rounds = Vec::new();
    let mut all_succeeded = true;
    for round in plan {
        let took = took(begin.elapsed().as_secs());
        console.line(&format!("lab: {round}, after {took}"));
        if !lab.measure(&round, arguments.quick)? {
            // A scenario that failed has a record, and so a cell that says it. A bench that
            // did not come to its end has no last record, and is refused by the merge. One that
            // failed before has no record at all.
            all_succeeded = false;
            let log = lab.log(&round);
            console.error(&format!("{round} failed; see {}", log.display()));
        }
        let folder = lab.folder(&round);
        if !rounds.contains(&folder) {
            rounds.push(folder);
        }
    }
    let took = took(begin.elapsed().as_secs());
    console.line(&format!("lab: measured after {took}"));
    let run = Run {
        command: command_line(env::args()),
        features: lab.features.clone(),
        compiled,
        crates: crates::of_subjects(&lab.metadata),
        ..machine
    };
    // For `lab-page merge`, which makes the same results of the same rounds.
    let file = lab.rounds.join("run.json");
    let text = serde_json::to_string_pretty(&run).unwrap_or_default();
    fs::write(&file, text).map_err(Error::using(&file))?;
    Ok(Some(Measured {
        rounds,
        all_succeeded,
        run,
        results: lab.results,
        page: lab.page,
    }))
}

/// The bench, and where its files go.
struct Lab {
    metadata: Metadata,
    manifest: PathBuf,
    package: String,
    benches: Vec<String>,
    features: Vec<String>,
    /// The folder of the rounds: `target/lab`, or `target/lab-quick`.
    rounds: PathBuf,
    results: PathBuf,
    page: PathBuf,
}

impl Lab {
    fn new(arguments: &Arguments) -> Result<Self, Error> {
        let mut features: Vec<String> = arguments
            .features
            .iter()
            .flat_map(|list| list.split([',', ' ']))
            .map(str::to_owned)
            .collect();
        features.sort_unstable();
        features.dedup();
        let mut command = MetadataCommand::new();
        if let Some(path) = &arguments.manifest_path {
            command.manifest_path(path);
        }
        // Features of a package can be named where it is a member of the workspace.
        let of_package = features.iter().map(|feature| match &arguments.bench {
            None => format!("{PACKAGE}/{feature}"),
            Some(_) => feature.clone(),
        });
        command.features(CargoOpt::SomeFeatures(of_package.collect()));
        let metadata = command
            .exec()
            .map_err(|error| Error::Metadata(Box::new(error)))?;
        let is_wanted = |package: &&Package| match &arguments.manifest_path {
            None => *package.name == PACKAGE,
            Some(path) => same_file(package.manifest_path.as_std_path(), path),
        };
        let package = metadata.workspace_packages().into_iter().find(is_wanted);
        let package = package.ok_or(Error::NoPackage)?;
        let folder = match &arguments.manifest_path {
            None => metadata.workspace_root.join("design"),
            Some(_) => package.manifest_path.with_file_name(""),
        };
        let file = |name: &str| folder.join(name).into_std_path_buf();
        // A quick run leaves the rounds of a whole one where they are.
        let rounds = match arguments.quick {
            true => "lab-quick",
            false => "lab",
        };
        Ok(Self {
            manifest: package.manifest_path.clone().into_std_path_buf(),
            package: package.name.to_string(),
            benches: match &arguments.bench {
                None => own_benches(package),
                Some(bench) => vec![bench.clone()],
            },
            features,
            rounds: metadata.target_directory.join(rounds).into_std_path_buf(),
            results: arguments
                .results
                .clone()
                .unwrap_or_else(|| file("allocators.jsonl")),
            page: arguments
                .page
                .clone()
                .unwrap_or_else(|| file("allocators.md")),
            metadata,
        })
    }

    /// Builds the benches, and returns how allocators of theirs were compiled from C or C++.
    /// `None` if cargo could not build; it has said why.
    fn build(&self) -> Result<Option<Vec<Compiled>>, Error> {
        let mut command = self.cargo();
        command.args(["--no-run", "--message-format=json-render-diagnostics"]);
        for bench in &self.benches {
            command.args(["--bench", bench]);
        }
        let output = command.stdout(Stdio::piped()).output();
        let output = output.map_err(Error::starting(&command))?;
        if !output.status.success() {
            return Ok(None);
        }
        c_flags::of_build(&output.stdout).map(Some)
    }

    fn plan(&self, arguments: &Arguments) -> Result<Vec<Round>, Error> {
        let Some((main, once)) = self.benches.split_first() else {
            return Ok(Vec::new());
        };
        let filters = &arguments.filters;
        if arguments.quick {
            if !filters.is_empty() {
                self.check_filters(filters, &self.list(main, filters, None)?)?;
            }
            return Ok(vec![quick(main, filters)]);
        }
        let (variable, _) = WAITING;
        let names = self.list(main, filters, None)?;
        let mut waiting = self.list(main, filters, Some(variable))?;
        waiting.retain(|name| !names.contains(name));
        if !filters.is_empty() {
            let mut all = [&names[..], &waiting].concat();
            for bench in once {
                all.extend(self.list(bench, filters, None)?);
            }
            self.check_filters(filters, &all)?;
        }
        let listed = Listed { names, waiting };
        Ok(plan(main, once, filters, listed, arguments.rounds))
    }

    /// Refuses a filter that none of these names contains: it is probably misspelled, and a run
    /// without its scenarios would look like one that measured them.
    fn check_filters(&self, filters: &[String], names: &[String]) -> Result<(), Error> {
        let selects = |filter: &String| names.iter().any(|name| name.contains(filter));
        match filters.iter().find(|filter| !selects(filter)) {
            None => Ok(()),
            Some(filter) => Err(Error::NoScenario {
                filter: filter.clone(),
                command: format!(
                    "cargo bench --package {} --bench {} -- --list",
                    self.package,
                    self.benches.join(" --bench ")
                ),
            }),
        }
    }

    /// The full names of a bench's scenarios after the filters, with a variable that is set.
    fn list(
        &self,
        bench: &str,
        filters: &[String],
        variable: Option<&str>,
    ) -> Result<Vec<String>, Error> {
        let mut command = self.cargo();
        command
            .args(["--quiet", "--bench", bench, "--", "--list", "--format"])
            .arg("terse")
            .args(filters)
            .stderr(Stdio::inherit());
        if let Some(variable) = variable {
            command.env(variable, "1");
        }
        let output = command.output().map_err(Error::starting(&command))?;
        if !output.status.success() {
            return Err(Error::List(bench.to_owned()));
        }
        let lines = String::from_utf8_lossy(&output.stdout);
        let names = lines
            .lines()
            .filter_map(|line| line.strip_suffix(": benchmark"));
        Ok(names.map(str::to_owned).collect())
    }

    /// Whether the bench wrote its results to the end. What it prints goes to the log.
    fn measure(&self, round: &Round, quick: bool) -> Result<bool, Error> {
        let (variable, parts) = WAITING;
        if !round.waits {
            return Ok(self.start(round, quick, None)?.wait_for_end()?.success());
        }
        let parts = (1..=parts).map(|part| (format!("count:{part}/{parts}"), variable));
        let started: Vec<_> = parts
            .map(|(part, variable)| self.start(round, quick, Some((&part, variable))))
            .collect();
        // All that were started are waited for, also if another one was not.
        let ended: Vec<_> = started
            .into_iter()
            .map(|started| started.and_then(Started::wait_for_end))
            .collect();
        let ended: Vec<_> = ended.into_iter().collect::<Result<_, _>>()?;
        Ok(ended.iter().all(ExitStatus::success))
    }

    /// Starts the bench, or a part of it with a variable that is set.
    fn start(
        &self,
        round: &Round,
        quick: bool,
        part: Option<(&str, &str)>,
    ) -> Result<Started, Error> {
        let folder = self.folder(round);
        fs::create_dir_all(&folder).map_err(Error::using(&folder))?;
        let path = self.log(round);
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(Error::using(&path))?;
        let errors = log.try_clone().map_err(Error::using(&path))?;
        let mut command = self.cargo();
        command.args(["--quiet", "--bench", &round.bench, "--"]);
        if quick {
            command.arg("--quick");
        }
        match &round.scenarios {
            Scenarios::Filtered(filters) => command.args(filters),
            Scenarios::Named(names) => command.arg("--exact").args(names),
        };
        command
            .env("ALLOC_GATE_BENCH_RESULTS", &folder)
            .env("ALLOC_GATE_BENCH_FEATURES", self.features.join(","))
            .stdout(log)
            .stderr(errors);
        if let Some((part, variable)) = part {
            command.env("ALLOC_GATE_PARTITION", part).env(variable, "1");
        }
        match command.spawn() {
            Ok(child) => Ok(Started { command, child }),
            Err(source) => Err(Error::starting(&command)(source)),
        }
    }

    /// Removes what an earlier run left.
    fn clear(&self) -> Result<(), Error> {
        match fs::remove_dir_all(&self.rounds) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::using(&self.rounds)(error))
            }
            _ => Ok(()),
        }
    }

    fn folder(&self, round: &Round) -> PathBuf {
        self.rounds.join(format!("round-{}", round.number))
    }

    fn log(&self, round: &Round) -> PathBuf {
        self.folder(round).join(format!("{}.log", round.bench))
    }

    fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command
            .arg("bench")
            .arg("--manifest-path")
            .arg(&self.manifest);
        command.args(["--package", &self.package]);
        if !self.features.is_empty() {
            command.args(["--features", &self.features.join(",")]);
        }
        command
    }
}

/// The bench of times, and the others of [`ONCE`].
fn own_benches(package: &Package) -> Vec<String> {
    let wanted = [MAIN].into_iter().chain(ONCE);
    let has = |name: &&str| package.targets.iter().any(|target| target.name == **name);
    wanted.filter(has).map(str::to_owned).collect()
}

/// A bench that was started.
struct Started {
    command: Command,
    child: Child,
}

impl Started {
    fn wait_for_end(mut self) -> Result<ExitStatus, Error> {
        self.child.wait().map_err(Error::starting(&self.command))
    }
}

/// What was typed, as one types it in this repository.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let words = arguments.skip(1).skip_while(|word| word == "run");
    let words = words.map(|word| match word.contains([' ', '*', '\'']) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word,
    });
    ["cargo xtask lab".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether two paths name the same file; false if either does not exist.
fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// `42 s`, `3 min 07 s`.
fn took(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds:02} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_shown_as_it_is_typed() {
        let words = ["lab-page", "run", "-F", "c,jemalloc", "a b"];
        assert_eq!(
            command_line(words.map(str::to_owned).into_iter()),
            "cargo xtask lab -F c,jemalloc 'a b'"
        );
    }

    #[test]
    fn times_are_shown_in_minutes_and_seconds() {
        assert_eq!(took(42), "42 s");
        assert_eq!(took(187), "3 min 07 s");
    }
}
