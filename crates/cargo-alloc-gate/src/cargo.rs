//! [`Workspace`]: what `cargo metadata` says about the workspace, and the cargo
//! program itself.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId, TargetKind};

use crate::arguments::WorkspaceArguments;
use crate::exit_code::Code;
use crate::failure::Failure;

/// A cargo workspace.
pub(crate) struct Workspace {
    metadata: Metadata,
    lock_options: Vec<String>,
}

/// The key of a package's manifest that names its benches.
const METADATA_KEY: &str = "alloc-gate";

impl Workspace {
    pub(crate) fn load(arguments: &WorkspaceArguments) -> Result<Self, Failure> {
        let lock_options = lock_options(arguments);
        let mut command = MetadataCommand::new();
        command
            .cargo_path(program())
            .no_deps()
            .other_options(lock_options.clone());
        if let Some(path) = &arguments.manifest_path {
            command.manifest_path(path);
        }
        let metadata = command.exec().map_err(|error| {
            let what = if let cargo_metadata::Error::CargoMetadata { stderr } = &error {
                stderr.trim().to_owned()
            } else {
                error.to_string()
            };
            Failure::new(
                Code::MetadataFailed,
                format!("failed to read the workspace: {what}"),
            )
            .next("mend what cargo names, run it inside a workspace, or name one with --manifest-path")
        })?;
        Ok(Self {
            metadata,
            lock_options,
        })
    }

    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Where cargo builds, unless it is told otherwise.
    pub(crate) fn target_directory(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The member of this name.
    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.metadata
            .workspace_packages()
            .into_iter()
            .find(|package| package.name.as_str() == name)
    }

    pub(crate) fn package_of(&self, id: &PackageId) -> Option<&Package> {
        self.metadata
            .packages
            .iter()
            .find(|package| package.id == *id)
    }

    /// The names of the members, sorted.
    pub(crate) fn package_names(&self) -> Vec<&str> {
        let packages = self.metadata.workspace_packages();
        let mut names: Vec<&str> = packages
            .iter()
            .map(|package| package.name.as_str())
            .collect();
        names.sort_unstable();
        names
    }

    /// The benches that members name in `[package.metadata.alloc-gate]`, as
    /// package and target.
    pub(crate) fn declared_benches(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut declared = Vec::new();
        for package in self.metadata.workspace_packages() {
            let Some(value) = package.metadata.get(METADATA_KEY) else {
                continue;
            };
            let invalid = |problem: &str| {
                Failure::new(
                    Code::InvalidRules,
                    format!(
                        "[package.metadata.{METADATA_KEY}] in {} is invalid: {problem}",
                        package.manifest_path
                    ),
                )
                .next("write `benches = [\"alloc_count\"]`, with names of bench targets")
            };
            let table = value.as_object().ok_or_else(|| invalid("it is no table"))?;
            if let Some(key) = table.keys().find(|key| *key != "benches") {
                return Err(invalid(&format!("unknown key `{key}`")));
            }
            let benches = table
                .get("benches")
                .and_then(|benches| benches.as_array())
                .ok_or_else(|| invalid("`benches` is no array"))?;
            for target in benches {
                let target = target
                    .as_str()
                    .ok_or_else(|| invalid("`benches` has an element that is no string"))?;
                if !bench_targets(package).contains(&target) {
                    return Err(invalid(&format!(
                        "the package has no bench `{target}`; it has {}",
                        listed(&bench_targets(package))
                    )));
                }
                declared.push((package.name.to_string(), target.to_owned()));
            }
        }
        Ok(declared)
    }

    /// Cargo, with a subcommand and what the user said about the lock file.
    pub(crate) fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(program());
        command
            .arg(subcommand)
            .arg("--manifest-path")
            .arg(self.root().join("Cargo.toml"))
            .args(&self.lock_options);
        command
    }
}

/// The names of a package's bench targets.
pub(crate) fn bench_targets(package: &Package) -> Vec<&str> {
    package
        .targets
        .iter()
        .filter(|target| target.kind.contains(&TargetKind::Bench))
        .map(|target| target.name.as_str())
        .collect()
}

/// Names in backticks, joined by commas, or `none`.
pub(crate) fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        return String::from("none");
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The cargo that runs us, or else the one on the path.
pub(crate) fn program() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// The rustc that cargo is told to use, or else the one on the path.
pub(crate) fn rustc() -> PathBuf {
    env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from)
}

/// Where rustc keeps the libraries that a dynamically linked bench needs.
pub(crate) fn sysroot_libraries(target: Option<&str>) -> Option<PathBuf> {
    let mut command = Command::new(rustc());
    command.args(["--print", "target-libdir"]);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let path = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(path.trim()))
}

fn lock_options(arguments: &WorkspaceArguments) -> Vec<String> {
    let options = [
        (arguments.locked, "--locked"),
        (arguments.offline, "--offline"),
        (arguments.frozen, "--frozen"),
    ];
    options
        .into_iter()
        .filter(|(given, _)| *given)
        .map(|(_, option)| option.to_owned())
        .collect()
}
