//! [`Lab`]: the benches, and the commands that build them, list their scenarios and measure.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
use lab_page::error::Error;

use super::Arguments;
use super::plan::{QUICK, Round, plan};

/// The benches, and where their files go.
pub(super) struct Lab {
    pub(super) metadata: Metadata,
    manifest: PathBuf,
    pub(super) packages: &'static [&'static str],
    /// The bench with times first.
    benches: &'static [&'static str],
    features: String,
    /// The folder of the rounds.
    rounds: PathBuf,
}

impl Lab {
    pub(super) fn new(arguments: &Arguments) -> Result<Self, Error> {
        let (packages, benches): (&[&str], &[&str]) = match arguments.devices {
            true => (&["device-lab"], &["devices"]),
            false => (
                &["allocator-lab", "whole-programs"],
                &["lab", "compilation", "programs"],
            ),
        };
        let features = arguments.features.iter();
        let features = features.flat_map(|list| list.split([',', ' ']));
        let features: BTreeSet<String> = features.map(str::to_owned).collect();
        let features = Vec::from_iter(features);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = folder.join(packages[0]).join("Cargo.toml");
        let mut command = MetadataCommand::new();
        command.manifest_path(&manifest);
        command.features(CargoOpt::SomeFeatures(features.clone()));
        let metadata = command.exec().map_err(|error| {
            let what = "failed to read the package from cargo metadata";
            Error::Wrong(format!("{what}: {error}"))
        })?;
        Ok(Self {
            manifest,
            packages,
            benches,
            features: features.join(","),
            rounds: metadata.target_directory.join("lab").into(),
            metadata,
        })
    }

    /// Whether cargo built the benches; if not, it has said why.
    pub(super) fn build(&self) -> Result<bool, Error> {
        let mut command = self.cargo();
        command.arg("--no-run");
        for bench in self.benches {
            command.args(["--bench", bench]);
        }
        let status = command.status().map_err(Error::starting(&command))?;
        Ok(status.success())
    }

    /// The rounds of the scenarios that the filters select. A filter that selects none is refused:
    /// it is probably misspelled, and a run without its scenarios would look like one that
    /// measured them.
    pub(super) fn plan(&self, arguments: &Arguments) -> Result<Vec<Round>, Error> {
        let Arguments { filters, quick, .. } = arguments;
        let count = if *quick { 1 } else { self.benches.len() };
        let benches = &self.benches[..count];
        let listed = benches.iter();
        let listed = listed.map(|bench| Ok((*bench, self.list(bench)?)));
        let mut listed = listed.collect::<Result<Vec<_>, Error>>()?;
        for filter in filters {
            let mut names = listed.iter().flat_map(|(_, names)| names);
            if !names.any(|name| name.contains(filter)) {
                let packages = self.packages.join(" --package ");
                let benches = benches.join(" --bench ");
                return Err(Error::Wrong(format!(
                    "failed to find a scenario whose name contains `{filter}`; `cargo bench \
                     --package {packages} --bench {benches} -- --list` lists the names"
                )));
            }
        }
        let mut wanted: Vec<&str> = filters.iter().map(String::as_str).collect();
        if *quick && wanted.is_empty() {
            wanted.extend(QUICK.split(' '));
        }
        let is_wanted = |name: &String| wanted.iter().any(|filter| name.contains(filter));
        for (_, names) in &mut listed {
            names.retain(|name| wanted.is_empty() || is_wanted(name));
        }
        let mut rounds = plan(&listed, arguments.rounds);
        rounds.retain(|round| !quick || round.number == 1);
        Ok(rounds)
    }

    /// The full names of a bench's scenarios.
    fn list(&self, bench: &str) -> Result<Vec<String>, Error> {
        let mut command = self.cargo();
        command
            .args(["--quiet", "--bench", bench, "--", "--list", "--format"])
            .arg("terse")
            .stderr(Stdio::inherit());
        let output = command.output().map_err(Error::starting(&command))?;
        if !output.status.success() {
            return Err(Error::Wrong(format!(
                "failed to list the scenarios of the bench `{bench}`; its message is above"
            )));
        }
        let lines = String::from_utf8_lossy(&output.stdout);
        let lines = lines.lines();
        let names = lines.filter_map(|line| line.strip_suffix(": benchmark"));
        Ok(names.map(str::to_owned).collect())
    }

    /// The value of a loop that shares nothing with the lab; `None` if the allocator is not built
    /// in. For whole programs it is another program, `words`, on so many threads.
    pub(super) fn verify(&self, of: &str, subject: &str) -> Result<Option<f64>, Error> {
        let mut command = match of.strip_prefix("words ") {
            None => {
                let mut command = self.cargo();
                command.args(["--quiet", "--bench", "verify", "--", of, subject]);
                command
            }
            Some(threads) => {
                let name = format!("with-{subject}{}", env::consts::EXE_SUFFIX);
                let program = self.metadata.target_directory.join("release").join(name);
                if !program.exists() {
                    return Ok(None);
                }
                let mut command = Command::new(program);
                command.args(["words", threads]);
                command
            }
        };
        command.stderr(Stdio::inherit());
        let output = command.output().map_err(Error::starting(&command))?;
        let text = String::from_utf8_lossy(&output.stdout);
        match text.split_whitespace().next() {
            None if output.status.success() => Ok(None),
            value => match value.and_then(|value| value.parse().ok()) {
                Some(value) if output.status.success() => Ok(Some(value)),
                _ => Err(Error::Wrong(format!(
                    "failed to run the loop `{of} {subject}`; its message is above"
                ))),
            },
        }
    }

    /// Whether the bench wrote its results to the end. What it prints goes to the log.
    pub(super) fn measure(&self, round: &Round, quick: bool) -> Result<bool, Error> {
        let folder = self.folder(round);
        fs::create_dir_all(&folder).map_err(Error::file("use", &folder))?;
        let path = self.log(round);
        let log = OpenOptions::new().create(true).append(true).open(&path);
        let log = log.map_err(Error::file("use", &path))?;
        let errors = log.try_clone().map_err(Error::file("use", &path))?;
        let mut command = self.cargo();
        command.args(["--quiet", "--bench", round.bench, "--"]);
        if quick {
            command.arg("--quick");
        }
        command
            .arg("--exact")
            .args(&round.names)
            .env("ALLOC_GATE_BENCH_RESULTS", &folder)
            .env("ALLOC_GATE_BENCH_FEATURES", &self.features)
            .stdout(log)
            .stderr(errors);
        let status = command.status().map_err(Error::starting(&command))?;
        Ok(status.success())
    }

    /// Removes what an earlier run left.
    pub(super) fn clear(&self) -> Result<(), Error> {
        match fs::remove_dir_all(&self.rounds) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::file("use", &self.rounds)(error))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn folder(&self, round: &Round) -> PathBuf {
        self.rounds.join(format!("round-{}", round.number))
    }

    pub(super) fn log(&self, round: &Round) -> PathBuf {
        self.folder(round).join(format!("{}.log", round.bench))
    }

    fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command
            .args(["bench", "--manifest-path"])
            .arg(&self.manifest);
        for package in self.packages {
            command.args(["--package", package]);
        }
        // One build script asks for less than the others. What stands last is what holds.
        for flags in ["CFLAGS", "CXXFLAGS"] {
            let others = env::var(flags).unwrap_or_default();
            command.env(flags, format!("{others} -O3").trim_start());
        }
        if !self.features.is_empty() {
            command.args(["--features", &self.features]);
        }
        command
    }
}
