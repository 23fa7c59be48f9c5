//! Builds benches with cargo, and finds the programs.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use alloc_results::BenchId;
use cargo_metadata::{Message, PackageId, TargetKind};

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::cargo::Workspace;
use crate::children::{self, Running, Stops};
use crate::failure::Failure;
use crate::selection::SelectedBenches;
use crate::shell::Shell;

/// A bench that was built.
pub(crate) struct Built {
    pub(crate) name: BenchId,
    pub(crate) package: PackageId,
    pub(crate) executable: PathBuf,
    /// The `opt-level` of its profile.
    pub(crate) opt_level: String,
    /// The output of the package's build script; empty without one.
    pub(crate) script: Script,
}

/// The settings of a build script for the programs of its package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) out_dir: Option<PathBuf>,
    /// Folders of native libraries.
    pub(crate) libraries: Vec<PathBuf>,
}

/// The profile that benches are built with without an option.
pub(crate) const DEFAULT_PROFILE: &str = "bench";

/// The profile that benches are built with.
pub(crate) fn profile(arguments: &BuildArguments) -> &str {
    arguments
        .cargo_profile
        .as_deref()
        .unwrap_or(DEFAULT_PROFILE)
}

/// The options about features, as the results record them.
pub(crate) fn features(arguments: &BuildArguments) -> Vec<String> {
    let mut features: Vec<String> = arguments
        .features
        .iter()
        .flat_map(|list| list.split([',', ' ']))
        .filter(|feature| !feature.is_empty())
        .map(str::to_owned)
        .collect();
    if arguments.all_features {
        features.push(String::from("--all-features"));
    }
    if arguments.no_default_features {
        features.push(String::from("--no-default-features"));
    }
    features.sort_unstable();
    features.dedup();
    features
}

/// Builds the selected benches. Messages of cargo and of the compiler go to stderr.
pub(crate) fn compile(
    workspace: &Workspace,
    benches: &SelectedBenches,
    arguments: &BuildArguments,
    shell: &Shell,
    output: &WorkspaceArguments,
) -> Result<Vec<Built>, Failure> {
    let mut command = workspace.command("bench");
    command
        .args(["--no-run", "--message-format", "json-render-diagnostics"])
        .args(options(benches, arguments));
    if output.quiet {
        command.arg("--quiet");
    }
    match shell.color() {
        anstream::ColorChoice::Auto => {}
        anstream::ColorChoice::Never => _ = command.args(["--color", "never"]),
        anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi => {
            command.args(["--color", "always"]);
        }
    }
    if output.verbose {
        shell.status("Running", &words(&command));
    }
    let failed = |what: String| Failure::build_failed(what);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    // In a group of its own, cargo could not ask for a password on the terminal.
    let stops = if shell.is_interactive() {
        Stops::Alone
    } else {
        Stops::WithItsOwn
    };
    let mut cargo = Running::start(&mut command, stops)
        .map_err(|error| failed(format!("failed to start cargo: {error}")))?;
    let mut artifacts: HashMap<(PackageId, String), (PathBuf, String)> = HashMap::new();
    let mut scripts: HashMap<PackageId, Script> = HashMap::new();
    if let Some(stdout) = cargo.child.stdout.take() {
        for message in Message::parse_stream(BufReader::new(stdout)) {
            match message {
                Ok(Message::CompilerArtifact(artifact))
                    if artifact.target.kind.contains(&TargetKind::Bench) =>
                {
                    if let Some(executable) = artifact.executable {
                        artifacts.insert(
                            (artifact.package_id, artifact.target.name),
                            (executable.into(), artifact.profile.opt_level),
                        );
                    }
                }
                Ok(Message::BuildScriptExecuted(script)) => {
                    scripts.insert(
                        script.package_id,
                        Script {
                            out_dir: Some(script.out_dir.into()),
                            libraries: script
                                .linked_paths
                                .iter()
                                .map(|path| library_folder(path.as_str()))
                                .collect(),
                        },
                    );
                }
                Ok(_) => {}
                Err(error) => {
                    return Err(failed(format!("failed to read cargo's messages: {error}")));
                }
            }
        }
    }
    let status = cargo
        .child
        .wait()
        .map_err(|error| failed(format!("failed to wait for cargo: {error}")))?;
    children::check()?;
    if !status.success() {
        return Err(failed(String::from("the benches did not build"))
            .help("see cargo's errors above; `cargo bench --no-run` repeats them"));
    }
    benches
        .names
        .iter()
        .map(|name| {
            let package = workspace.package(&name.package).map(|package| &package.id);
            let built = package.and_then(|id| {
                let (executable, opt_level) =
                    artifacts.remove(&(id.clone(), name.target.clone()))?;
                Some(Built {
                    name: name.clone(),
                    package: id.clone(),
                    executable,
                    opt_level,
                    script: scripts.get(id).cloned().unwrap_or_default(),
                })
            });
            built.ok_or_else(|| {
                failed(format!("cargo built no program for the bench {}", name))
                    .help("if the bench has `required-features`, pass them with --features")
            })
        })
        .collect()
}

/// The command as a person would type it.
fn words(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

/// The folder of a search path such as `native=/some/folder`.
fn library_folder(path: &str) -> PathBuf {
    let folder = path.split_once('=').map_or(path, |(_, folder)| folder);
    Path::new(folder).to_path_buf()
}

fn options(benches: &SelectedBenches, arguments: &BuildArguments) -> Vec<OsString> {
    let mut options: Vec<OsString> = Vec::new();
    let mut packages: Vec<&str> = Vec::new();
    let mut targets: Vec<&str> = Vec::new();
    for bench in &benches.names {
        packages.push(&bench.package);
        targets.push(&bench.target);
    }
    for (option, mut names) in [("--package", packages), ("--bench", targets)] {
        names.sort_unstable();
        names.dedup();
        for name in names {
            options.extend([option.into(), name.into()]);
        }
    }
    for features in &arguments.features {
        options.extend(["--features".into(), features.into()]);
    }
    if arguments.all_features {
        options.push("--all-features".into());
    }
    if arguments.no_default_features {
        options.push("--no-default-features".into());
    }
    for (option, value) in [
        ("--profile", &arguments.cargo_profile),
        ("--target", &arguments.target),
        ("--jobs", &arguments.jobs),
    ] {
        if let Some(value) = value {
            options.extend([option.into(), value.into()]);
        }
    }
    if let Some(folder) = &arguments.target_dir {
        options.extend(["--target-dir".into(), folder.into()]);
    }
    options
}
