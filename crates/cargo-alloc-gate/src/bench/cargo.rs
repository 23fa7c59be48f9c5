//! [`Workspace`]: the output of `cargo metadata`, and the cargo program itself.

mod benches;
mod configuration;

use std::cell::OnceCell;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use alloc_gate::{CfgSets, Config, Measurements};
use alloc_results::BenchId;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use cargo_platform::Cfg;

use self::configuration::Configuration;
use crate::arguments::WorkspaceArguments;
use crate::children;
use crate::failure::Failure;
use crate::git::Git;

pub(crate) use benches::{bench_targets, criterion_benches};

pub(crate) struct Workspace {
    metadata: Metadata,
    /// The options of the user for each call of cargo.
    options: Vec<String>,
    elsewhere: Option<Elsewhere>,
    /// rustc's libraries, once they were asked for.
    libraries: OnceCell<Option<PathBuf>>,
    /// The configurations for cargo, once they were asked for.
    configurations: OnceCell<Vec<Configuration>>,
    runner: OnceCell<Vec<OsString>>,
}

/// How cargo runs for a workspace in another folder: with the configuration of that
/// folder and the toolchain of this one.
pub(crate) struct Elsewhere {
    folder: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Elsewhere {
    /// In `folder`, building in `target`.
    pub(crate) fn new(folder: PathBuf, target: &Path) -> Self {
        // A build folder that both workspaces share would mix up their members, because cargo
        // tells sources apart by their times.
        let mut variables = vec![(TARGET_DIR, target.into()), (BUILD_DIR, target.into())];
        // Without the variable, rustup would choose the toolchain of the other folder.
        // rustup's own cargo has set it.
        if env::var_os(TOOLCHAIN).is_none()
            && let Some(sysroot) = rustc_prints(&["--print", "sysroot"])
        {
            variables.push((TOOLCHAIN, sysroot.into()));
        }
        Self { folder, variables }
    }

    /// Lets a call of cargo run there.
    fn apply_to(&self, command: &mut Command) {
        command.current_dir(&self.folder);
        for (name, value) in &self.variables {
            command.env(name, value);
            // A `--config` of the user would replace the variable. The last one counts.
            if *name == BUILD_DIR
                && let Some(folder) = value.to_str()
            {
                let folder = folder.replace('\\', r"\\").replace('"', "\\\"");
                command.arg("--config");
                command.arg(format!("build.build-dir=\"{folder}\""));
            }
        }
    }
}

/// The variable that names the target folder.
const TARGET_DIR: &str = "CARGO_TARGET_DIR";

/// The variable that names the folder of what cargo builds on the way.
const BUILD_DIR: &str = "CARGO_BUILD_BUILD_DIR";

/// The variable that names a program through which cargo starts rustc for members. Cargo
/// keeps what is built through different programs apart.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// The option of cargo that keeps Cargo.lock as it is.
const LOCKED: &str = "--locked";

/// The variable that names rustup's toolchain.
const TOOLCHAIN: &str = "RUSTUP_TOOLCHAIN";

impl Workspace {
    /// The workspace that the arguments name, or the one `elsewhere`.
    pub(crate) fn load(
        arguments: &WorkspaceArguments,
        elsewhere: Option<Elsewhere>,
    ) -> Result<Self, Failure> {
        let mut options = options(arguments);
        if elsewhere.is_some() {
            // A commit can lack a lock file.
            options.retain(|option| option != LOCKED);
        }
        let load = |manifest: Option<PathBuf>| {
            let mut command = MetadataCommand::new();
            command
                .cargo_path(program())
                .no_deps()
                .other_options(options.clone());
            if let Some(path) = manifest {
                command.manifest_path(path);
            }
            let mut command = command.cargo_command();
            if let Some(elsewhere) = &elsewhere {
                elsewhere.apply_to(&mut command);
            }
            read(&mut command)
        };
        let manifest = match &elsewhere {
            Some(Elsewhere { folder, .. }) => Some(folder.join("Cargo.toml")),
            None => arguments.manifest_path.clone(),
        };
        let mut metadata = load(manifest).map_err(|what| {
            Failure::metadata_failed(format!("failed to read the workspace: {what}"))
                .help("run this inside a cargo workspace, or pass --manifest-path")
        })?;
        add_neighbours(&mut metadata, load);
        Ok(Self {
            metadata,
            options,
            elsewhere,
            libraries: OnceCell::new(),
            configurations: OnceCell::new(),
            runner: OnceCell::new(),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    pub(crate) fn target_directory(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The folder in which cargo keeps what it builds on the way; `None` if this cargo does not
    /// name it.
    pub(crate) fn build_directory(&self) -> Option<&Path> {
        Some(self.metadata.build_directory.as_ref()?.as_std_path())
    }

    /// Builds in a folder of another workspace from now on, so that both build dependencies
    /// once. Members are kept apart. Nothing changes where packages could be mixed up, or
    /// where cargo starts rustc in another way already.
    pub(crate) fn share_build_directory(&mut self, folder: &Path) {
        let is_wrapped = [WRAPPER, "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER"]
            .into_iter()
            .any(|name| env::var_os(name).is_some());
        // Cargo names a package in the workspace by its place there. If it is no member, what
        // both workspaces build of it has one name, and the times of files decide.
        let can_mix_up = || {
            let mut command = self.command("metadata");
            command.args(["--format-version", "1"]);
            let Ok(all) = read(&mut command) else {
                return true;
            };
            let members = &all.workspace_members;
            all.packages.iter().any(|package| {
                let is_here = package.manifest_path.starts_with(&all.workspace_root);
                package.source.is_none() && is_here && !members.contains(&package.id)
            })
        };
        // `env` starts the program that it is given. Windows has none.
        if cfg!(not(unix)) || is_wrapped || can_mix_up() {
            return;
        }
        if let Some(Elsewhere { variables, .. }) = &mut self.elsewhere {
            variables.retain(|(name, _)| *name != BUILD_DIR);
            variables.push((BUILD_DIR, folder.into()));
            variables.push((WRAPPER, "env".into()));
        }
    }

    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.metadata
            .workspace_packages()
            .into_iter()
            .find(|package| package.name.as_str() == name)
    }

    /// The member whose manifest is at `manifest`; or the innermost one that contains
    /// `folder`; or the only one.
    pub(crate) fn package_at(&self, manifest: Option<&Path>, folder: &Path) -> Option<&Package> {
        let members = self.metadata.workspace_packages();
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let here = manifest.map_or_else(
            || real(folder),
            |path| real(path.parent().unwrap_or(Path::new(""))),
        );
        let depth = |package: &Package| -> Option<usize> {
            let home = real(package.manifest_path.as_std_path().parent()?);
            here.starts_with(&home).then(|| home.components().count())
        };
        let around = members.iter().filter(|package| depth(package).is_some());
        let only = members.first().filter(|_| members.len() == 1);
        around
            .max_by_key(|package| depth(package))
            .or(only)
            .copied()
    }

    /// Whether a member has this bench target.
    pub(crate) fn has_bench(&self, bench: &BenchId) -> bool {
        let package = self.package(&bench.package);
        package.is_some_and(|package| bench_targets(package).contains(&&*bench.target))
    }

    pub(crate) fn package_of(&self, id: &PackageId) -> Option<&Package> {
        self.metadata
            .packages
            .iter()
            .find(|package| package.id == *id)
    }

    /// The members, and other packages of the repository that they depend on by their paths.
    pub(crate) fn packages(&self) -> &[Package] {
        &self.metadata.packages
    }

    pub(crate) fn is_member(&self, id: &PackageId) -> bool {
        self.metadata.workspace_members.contains(id)
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

    /// The configurations for cargo; the first one with a key counts.
    pub(crate) fn configurations(&self) -> &[Configuration] {
        self.configurations
            .get_or_init(|| self.read_configurations())
    }

    /// The variables that the configurations set for programs, each with whether it replaces one
    /// of the environment.
    pub(crate) fn variables(&self) -> Vec<(String, OsString, bool)> {
        configuration::variables(self.configurations())
    }

    /// The program that starts benches of the target of this run, with its arguments; empty
    /// without one.
    pub(crate) fn runner(&self, target: Option<&str>) -> &[OsString] {
        self.runner.get_or_init(|| {
            let triple = self.triple(target).unwrap_or_default();
            configuration::runner(self.configurations(), triple, || cfgs(triple))
        })
    }

    /// The folder of rustc's libraries for the target of this run, which a dynamically
    /// linked bench needs.
    pub(crate) fn sysroot_libraries(&self, target: Option<&str>) -> Option<&Path> {
        let libraries = self.libraries.get_or_init(|| {
            let mut args = vec!["--print", "target-libdir"];
            let configured = configuration::target(self.configurations());
            if let Some(target) = target.or(configured.as_deref()) {
                args.extend(["--target", target]);
            }
            rustc_prints(&args)
        });
        libraries.as_deref()
    }

    pub(crate) fn triple(&self, target: Option<&str>) -> Option<&str> {
        let libraries = self.sysroot_libraries(target)?;
        libraries.parent()?.file_name()?.to_str()
    }

    /// The folder in which cargo runs.
    fn folder(&self) -> PathBuf {
        let elsewhere = self.elsewhere.as_ref();
        let folder = elsewhere.map(|elsewhere| elsewhere.folder.clone());
        folder.unwrap_or_else(|| env::current_dir().unwrap_or_default())
    }

    /// Cargo with a subcommand, and with the user's options for each call.
    pub(crate) fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(program());
        command
            .arg(subcommand)
            .arg("--manifest-path")
            .arg(self.root().join("Cargo.toml"))
            .args(&self.options);
        if let Some(elsewhere) = &self.elsewhere {
            elsewhere.apply_to(&mut command);
        }
        command
    }

    /// From now on, cargo may not change Cargo.lock.
    pub(crate) fn hold_to_lock(&mut self) {
        self.options.push(String::from(LOCKED));
    }
}

/// Adds the packages of the same repository that members depend on by their paths: they are the
/// user's own as well. `load` reads the workspace of a manifest.
fn add_neighbours(
    metadata: &mut Metadata,
    load: impl Fn(Option<PathBuf>) -> Result<Metadata, String>,
) {
    let mut top = None;
    let mut next = 0;
    while let Some(package) = metadata.packages.get(next) {
        next += 1;
        let is_member = metadata.workspace_members.contains(&package.id);
        let built = package.dependencies.iter();
        let built = built.filter(|one| is_member || one.kind != DependencyKind::Development);
        let manifests = built.filter_map(|one| Some(one.path.as_ref()?.join("Cargo.toml")));
        for manifest in manifests.collect::<Vec<_>>() {
            let is_it = |package: &Package| package.manifest_path == manifest;
            let find = || {
                Git::find(metadata.workspace_root.as_std_path())
                    .ok()
                    .flatten()
            };
            let git = top.get_or_insert_with(find).as_ref();
            if metadata.packages.iter().any(is_it)
                || !git.is_some_and(|git| manifest.starts_with(git.top()))
            {
                continue;
            }
            let found = load(Some(manifest.clone().into()));
            let found = found.into_iter().flat_map(|found| found.packages);
            metadata.packages.extend(found.filter(is_it));
        }
    }
}

/// The output of `cargo metadata`, or why there is none.
fn read(command: &mut Command) -> Result<Metadata, String> {
    let program = command.get_program().display().to_string();
    let output = children::output(command, Duration::MAX)
        .map_err(|error| format!("failed to start {program}: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(match said.trim() {
            "" => format!(
                "{program} printed nothing and failed with {}",
                output.status
            ),
            said => said.to_owned(),
        });
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    MetadataCommand::parse(text)
        .map_err(|error| format!("failed to parse the output of {program}: {error}"))
}

/// Names in backticks, joined by commas, or `none`.
pub(crate) fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        return String::from("none");
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

pub(crate) fn program() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// The settings of rustc for a target; none if it does not know the target.
fn cfgs(triple: &str) -> Vec<Cfg> {
    let printed = print_cfg(triple).unwrap_or_default();
    let lines = printed.lines();
    lines.filter_map(|line| line.parse().ok()).collect()
}

/// The output of `rustc --print cfg`, or why there is none.
fn print_cfg(target: &str) -> Result<String, String> {
    rustc(&["--print", "cfg", "--target", target])
}

/// What rustc prints, the one that RUSTC names or the one on the PATH; or why it prints nothing.
fn rustc(args: &[&str]) -> Result<String, String> {
    let rustc = env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let output = children::output(Command::new(&rustc).args(args), Duration::MAX)
        .map_err(|error| format!("failed to start {}: {error}", rustc.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().find(|line| !line.trim().is_empty());
        return Err(first.unwrap_or("rustc printed nothing").trim().to_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

fn rustc_prints(args: &[&str]) -> Option<PathBuf> {
    let path = rustc(args).ok()?;
    Some(PathBuf::from(path.trim()))
}

fn options(arguments: &WorkspaceArguments) -> Vec<String> {
    let lock = [(arguments.locked, LOCKED), (arguments.offline, "--offline")];
    let lock = lock.into_iter().filter(|(given, _)| *given);
    let config = arguments.config.iter();
    lock.map(|(_, option)| option.to_owned())
        .chain(config.flat_map(|value| [String::from("--config"), value.clone()]))
        .collect()
}

/// The cfgs of each target that the rules need. Without one, rustc is not started.
pub(crate) fn needed_cfgs(
    config: &Config,
    measurements: &Measurements,
) -> Result<CfgSets, Failure> {
    cfgs_of(CfgSets::needed(config, measurements), config)
}

/// The cfgs of these targets.
pub(crate) fn cfgs_of<'t>(
    targets: impl IntoIterator<Item = &'t str>,
    config: &Config,
) -> Result<CfgSets, Failure> {
    let mut sets = CfgSets::default();
    for target in targets {
        let printed = print_cfg(target).map_err(|reason| unknown(target, config, &reason))?;
        let inserted = sets.insert(target, &printed);
        inserted.map_err(|error| unknown(target, config, &error))?;
    }
    Ok(sets)
}

/// The target that rustc builds for without an option.
pub(crate) fn host() -> Result<String, Failure> {
    let text = rustc(&["-vV"]).unwrap_or_default();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| {
        Failure::build_failed("rustc does not report its host, which the `when` of a bench needs")
            .help("set RUSTC to a rustc, or pass --target")
    })
}

fn unknown(target: &str, config: &Config, reason: &str) -> Failure {
    Failure::bench_failed(format!(
        "failed to get the cfgs of `{target}` from rustc, for a `when` in {}: {reason}",
        config.file()
    ))
    .help(
        "set RUSTC to a rustc that knows the target, or write target triples in `when` instead of \
         cfgs",
    )
}
