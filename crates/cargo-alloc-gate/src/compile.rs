//! Builds benches with cargo, and finds the programs.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::SystemTime;

use alloc_gate::Config;
use alloc_gate::rules::Bench;
use alloc_results::BenchId;
use cargo_metadata::{Message, Package, PackageId, Target, TargetKind};

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::cargo::{Workspace, listed};
use crate::children::{self, Running, Stops};
use crate::failure::Failure;
use crate::shell::Shell;
use crate::shell_words::quoted;

/// A bench that was built.
#[derive(Clone)]
pub(crate) struct Built {
    pub(crate) name: BenchId,
    pub(crate) package: PackageId,
    pub(crate) executable: PathBuf,
    /// The `opt-level` of its profile.
    pub(crate) opt_level: String,
    /// The output of the package's build script; empty without one.
    pub(crate) script: Script,
    /// When the executable was built.
    modified: Option<SystemTime>,
    /// The folders of all packages that it was built from, except members of the workspace.
    pub(crate) others: Arc<BTreeSet<PathBuf>>,
}

impl Built {
    /// Whether the executable is no longer the one that was built.
    pub(crate) fn is_rebuilt(&self) -> bool {
        modified(&self.executable) != self.modified
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
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

/// How a bench is built: the options of the command line, and those in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) profile: String,
    /// The features that the rules add.
    features: Vec<String>,
}

impl Variant {
    /// The variant of a bench with this rule. The command line's profile replaces that of the
    /// rules.
    pub(crate) fn new(arguments: &BuildArguments, rule: Option<&Bench>) -> Self {
        let profile = arguments.profile().or_else(|| rule?.profile.as_deref());
        Self {
            profile: profile.unwrap_or(DEFAULT_PROFILE).to_owned(),
            features: rule.map_or_else(Vec::new, |rule| rule.features.clone()),
        }
    }

    /// The features and the options about them, as the results record them.
    pub(crate) fn recorded_features(&self, arguments: &BuildArguments) -> Vec<String> {
        let mut features = given_features(arguments);
        features.extend(self.features.iter().cloned());
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
}

/// The features of the command line.
fn given_features(arguments: &BuildArguments) -> Vec<String> {
    let lists = arguments.features.iter();
    let features = lists.flat_map(|list| list.split([',', ' ']));
    features
        .filter(|feature| !feature.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Builds benches of one variant, with more options of cargo. Messages of cargo and of the
/// compiler go to stderr.
pub(crate) fn compile(
    workspace: &Workspace,
    benches: &[BenchId],
    variant: &Variant,
    arguments: &BuildArguments,
    more: &[String],
    shell: &Shell,
    output: &WorkspaceArguments,
) -> Result<Vec<Built>, Failure> {
    let mut command = workspace.command("bench");
    command
        .args(["--no-run", "--message-format", "json-render-diagnostics"])
        .args(options(benches, variant, arguments))
        .args(more);
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
        let words = [command.get_program()]
            .into_iter()
            .chain(command.get_args());
        shell.status("Running", &quoted(words));
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
    let mut others = BTreeSet::new();
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
                Ok(Message::CompilerArtifact(artifact)) => {
                    if workspace.package_of(&artifact.package_id).is_none() {
                        let folder = artifact.manifest_path.parent();
                        others.extend(folder.map(|folder| folder.as_std_path().to_path_buf()));
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
        let mut again = vec![OsString::from("--no-run")];
        again.extend(options(benches, variant, arguments));
        return Err(
            failed(String::from("failed to build the benches")).help(format!(
                "see cargo's errors above; `{}` repeats them",
                workspace.typed("bench", &again)
            )),
        );
    }
    let others = Arc::new(others);
    benches
        .iter()
        .map(|name| {
            let package = workspace.package(&name.package).map(|package| &package.id);
            let built = package.and_then(|id| {
                let (executable, opt_level) =
                    artifacts.remove(&(id.clone(), name.target.clone()))?;
                Some(Built {
                    name: name.clone(),
                    package: id.clone(),
                    modified: modified(&executable),
                    others: Arc::clone(&others),
                    executable,
                    opt_level,
                    script: scripts.get(id).cloned().unwrap_or_default(),
                })
            });
            built.ok_or_else(|| {
                failed(format!("cargo built no executable for the bench {name}"))
                    .help("see cargo's messages above")
            })
        })
        .collect()
}

/// Refuses a bench whose `required-features` are not all enabled: cargo would name neither
/// the package nor gates.toml.
pub(crate) fn refuse_missing_features(
    workspace: &Workspace,
    config: &Config,
    benches: &[BenchId],
    arguments: &BuildArguments,
) -> Result<(), Failure> {
    for bench in benches {
        let Some(package) = workspace.package(&bench.package) else {
            continue;
        };
        let is_it = |target: &&Target| {
            target.kind.contains(&TargetKind::Bench) && target.name == bench.target
        };
        let Some(target) = package.targets.iter().find(is_it) else {
            continue;
        };
        let variant = Variant::new(arguments, config.bench(bench));
        let enabled = enabled_features(package, &variant, arguments);
        let missing = target.required_features.iter();
        let missing: Vec<&str> = missing
            .map(String::as_str)
            .filter(|feature| !arguments.all_features && !enabled.contains(*feature))
            .collect();
        if !missing.is_empty() {
            let quoted: Vec<String> = missing.iter().map(|name| format!("\"{name}\"")).collect();
            let what = format!(
                "the bench {bench} has required-features that are not enabled: {}",
                listed(&missing)
            );
            return Err(Failure::build_failed(what).help(format!(
                "add `features = [{}]` to its `[[bench]]` in {}, or pass --features {}",
                quoted.join(", "),
                config.file(),
                missing.join(",")
            )));
        }
    }
    Ok(())
}

/// The features of the package that are enabled, with those that they enable.
fn enabled_features(
    package: &Package,
    variant: &Variant,
    arguments: &BuildArguments,
) -> BTreeSet<String> {
    let given = given_features(arguments);
    let own = given.iter().map(|feature| {
        let prefix = format!("{}/", package.name);
        feature.strip_prefix(&prefix).unwrap_or(feature).to_owned()
    });
    let mut open: Vec<String> = own.chain(variant.features.iter().cloned()).collect();
    if !arguments.no_default_features && package.features.contains_key("default") {
        open.push(String::from("default"));
    }
    let mut enabled = BTreeSet::new();
    while let Some(feature) = open.pop() {
        if let Some(others) = package.features.get(&feature)
            && !enabled.contains(&feature)
        {
            open.extend(others.iter().cloned());
        }
        enabled.insert(feature);
    }
    enabled
}

/// The folder of a search path such as `native=/some/folder`.
fn library_folder(path: &str) -> PathBuf {
    let folder = path.split_once('=').map_or(path, |(_, folder)| folder);
    Path::new(folder).to_path_buf()
}

/// The options of cargo for the benches of a variant.
pub(crate) fn options(
    benches: &[BenchId],
    variant: &Variant,
    arguments: &BuildArguments,
) -> Vec<OsString> {
    let mut options: Vec<OsString> = Vec::new();
    let mut packages: Vec<&str> = Vec::new();
    let mut targets: Vec<&str> = Vec::new();
    for bench in benches {
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
    for bench in benches {
        for feature in &variant.features {
            let feature = format!("{}/{feature}", bench.package);
            options.extend(["--features".into(), feature.into()]);
        }
    }
    if arguments.all_features {
        options.push("--all-features".into());
    }
    if arguments.no_default_features {
        options.push("--no-default-features".into());
    }
    if variant.profile != DEFAULT_PROFILE {
        options.extend(["--profile".into(), (&variant.profile).into()]);
    }
    for (option, value) in [("--target", &arguments.target), ("--jobs", &arguments.jobs)] {
        if let Some(value) = value {
            options.extend([option.into(), value.into()]);
        }
    }
    if arguments.timings {
        options.push("--timings".into());
    }
    if let Some(folder) = &arguments.target_dir {
        options.extend(["--target-dir".into(), folder.into()]);
    }
    options
}
