//! [`Lab`]: the benches, and the commands that build and run them.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
use lab_page::error::Error;

use super::{Arguments, MORE};

const KEEP: &str = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=2147483647";

/// The benches, and where their files go.
pub(super) struct Lab {
    pub(super) metadata: Metadata,
    manifest: PathBuf,
    pub(super) packages: &'static [&'static str],
    /// The benches, the one with times first, and the most processes of a scenario.
    pub(super) benches: Vec<(&'static str, u32)>,
    features: String,
    /// The folder of the rounds.
    rounds: PathBuf,
}

impl Lab {
    pub(super) fn new(arguments: &Arguments) -> Result<Self, Error> {
        let rounds = arguments.rounds;
        let benches = match (arguments.devices, arguments.quick) {
            (true, _) => vec![("devices", rounds)],
            (_, true) => vec![("lab", 1)],
            _ => vec![
                ("lab", rounds + MORE),
                ("compilation", 1),
                ("programs", rounds),
            ],
        };
        let packages: &[&str] = match arguments.devices {
            true => &["device-lab"],
            false => &["allocator-lab", "whole-programs"],
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
        for (bench, _) in &self.benches {
            command.args(["--bench", bench]);
        }
        let status = command.status().map_err(Error::starting(&command))?;
        Ok(status.success())
    }

    /// The value of a loop that shares nothing with the lab; `None` if the allocator is not built
    /// in. For whole programs it is another program, `words`, on so many threads.
    pub(super) fn verify(&self, of: &str, subject: &str) -> Result<Option<f64>, Error> {
        let (subject, variable) = match subject {
            "system-keep" => ("system", Some(("GLIBC_TUNABLES", KEEP))),
            "mimalloc-4k" => ("mimalloc", Some(("MIMALLOC_ALLOW_THP", "0"))),
            _ => (subject, None),
        };
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
        command.envs(variable).stderr(Stdio::inherit());
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

    /// Whether the bench, started with these arguments, wrote its results to the end. What it prints
    /// goes to the log beside them.
    pub(super) fn measure(&self, folder: &Path, bench: &str, with: &[&str]) -> Result<bool, Error> {
        fs::create_dir_all(folder).map_err(Error::file("use", folder))?;
        let path = folder.join("log");
        let log = File::create(&path).map_err(Error::file("use", &path))?;
        let errors = log.try_clone().map_err(Error::file("use", &path))?;
        let mut command = self.cargo();
        command
            .args(["--quiet", "--bench", bench, "--"])
            .args(with)
            .env("ALLOC_GATE_BENCH_RESULTS", folder)
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

    /// The folder of the results of a bench in a round.
    pub(super) fn folder(&self, number: u32, bench: &str) -> PathBuf {
        self.rounds.join(format!("{bench}-{number}"))
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
