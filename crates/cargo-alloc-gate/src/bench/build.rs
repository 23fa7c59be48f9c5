//! Builds the benches of a [`BenchRun`] with cargo, and finds the programs.
//!
//! Cargo names what it builds from a package by the package's place in its workspace, and decides
//! by the times of sources whether to build. In a target folder that two checkouts of a repository
//! share, it takes the programs of one for up-to-date programs of the other. So a note beside each
//! file that was built names the workspace.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Stdio};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use alloc_gate::grouped;
use alloc_results::{BenchId, protocol};
use anstream::ColorChoice;
use cargo_metadata::{Artifact, Dependency, Message, PackageId};

use crate::bench::cargo::{Workspace, bench_targets};
use crate::children::{self, Running, Stops};
use crate::failure::Failure;
use crate::git::Checkout;
use crate::line_tables;
use crate::output::shell::quoted;
use crate::project::BenchRun;

#[derive(Clone)]
pub(crate) struct Built {
    pub(crate) name: BenchId,
    pub(crate) package: PackageId,
    pub(crate) executable: PathBuf,
    /// The file that it begins with.
    pub(crate) source: PathBuf,
    /// The `opt-level` of its profile.
    pub(crate) opt_level: String,
    /// The commit of its sources; `None` if it is not known.
    pub(crate) checkout: Option<Checkout>,
    /// The variables from the build script and of the programs of the package.
    pub(crate) variables: Vec<(String, String)>,
    /// The folders of the shared libraries that were built with it.
    pub(crate) libraries: Vec<PathBuf>,
    /// When the executable was built.
    modified: Option<SystemTime>,
    /// The folders of all packages that it was built from, except the user's own.
    pub(crate) others: Arc<BTreeSet<PathBuf>>,
}

impl Built {
    /// Whether the executable is no longer the one that was built.
    pub(crate) fn is_rebuilt(&self) -> bool {
        modified(&self.executable) != self.modified
    }
}

/// The profile that benches are built with without an option.
pub(crate) const DEFAULT_PROFILE: &str = "bench";

/// How a bench is built: the options of the command line, and those in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) profile: String,
    /// The features that the rules add.
    features: Vec<String>,
    no_default_features: bool,
}

impl BenchRun<'_> {
    /// Builds the benches, all of one variant together where cargo can. They stay in order.
    pub(crate) fn compile(&self) -> Result<Vec<Built>, Failure> {
        let names = &self.benches.names;
        let noun = if names.len() == 1 { "bench" } else { "benches" };
        self.shell
            .status("Building", &format!("{} {noun}", names.len()));
        let mut checkout = Checkout::of(self.workspace.root(), self.shell);
        let mut built = Vec::new();
        let variants = grouped(names.iter().cloned(), |group, name| {
            self.variant(&group[0]) == self.variant(name)
        });
        for benches in variants {
            let variant = self.variant(&benches[0]);
            let targets = benches.iter().map(|bench| self.config.target_of(bench));
            for group in groups(self.workspace, targets.collect()) {
                for mut bench in self.build(&variant, &group)? {
                    let is_it = |name: &&BenchId| self.config.target_of(name) == bench.name;
                    if let Some(name) = benches.iter().find(is_it) {
                        bench.name = name.clone();
                    }
                    built.push(bench);
                }
            }
        }
        if let Some(before) = &mut checkout {
            let after = Checkout::of(self.workspace.root(), self.shell);
            let state = |one: &Checkout| (one.commit.clone(), one.is_dirty());
            if after.as_ref().map(state) != Some(state(before)) {
                let after = after.map_or(0, |after| after.uncommitted);
                before.uncommitted = before.uncommitted.max(after).max(1);
                self.shell.warning(
                    "the working tree changed while the benches were built",
                    "measure again; the results may not match their commit",
                );
            }
        }
        for bench in &mut built {
            bench.checkout.clone_from(&checkout);
        }
        built.sort_by_key(|bench| names.iter().position(|name| *name == bench.name));
        Ok(built)
    }

    /// How a bench is built. The command line's profile replaces the bench's own.
    pub(crate) fn variant(&self, bench: &BenchId) -> Variant {
        let (arguments, rule) = (self.arguments, self.config.bench(bench));
        let profile = arguments.profile.as_deref();
        let profile = profile.or_else(|| rule?.profile.as_deref());
        Variant {
            profile: profile.unwrap_or(DEFAULT_PROFILE).to_owned(),
            features: rule.map_or_else(Vec::new, |rule| rule.features.clone()),
            no_default_features: arguments.no_default_features
                || rule.is_some_and(|rule| !rule.default_features),
        }
    }

    /// The features of a bench and the options about them, as the results record them.
    pub(crate) fn recorded_features(&self, variant: Variant) -> Vec<String> {
        let given = self.given_features().map(str::to_owned);
        let mut features: Vec<String> = given.chain(variant.features).collect();
        if self.arguments.all_features {
            features.push(String::from("--all-features"));
        }
        if variant.no_default_features {
            features.push(String::from("--no-default-features"));
        }
        features.sort_unstable();
        features.dedup();
        features
    }

    /// The features of the command line.
    fn given_features(&self) -> impl Iterator<Item = &str> {
        let lists = self.arguments.features.iter();
        let features = lists.flat_map(|list| list.split([',', ' ']));
        features.filter(|feature| !feature.is_empty())
    }

    /// Builds benches of one variant. Messages of cargo and of the compiler go to stderr.
    fn build(&self, variant: &Variant, benches: &[BenchId]) -> Result<Vec<Built>, Failure> {
        let options = self.options(variant, benches);
        let root = self.workspace.root();
        let mut artifacts = self.call_cargo(&options)?;
        let others = note(&artifacts.files, root);
        if !others.is_empty() {
            self.shell
                .status("Building", "again what another checkout may have built");
            for file in others {
                file.outdate()
                    .map_err(|error| built_by_another(file, &format!(": {error}")))?;
            }
            artifacts = self.call_cargo(&options)?;
            if let Some(file) = note(&artifacts.files, root).first() {
                return Err(built_by_another(file, ""));
            }
        }
        let built = benches.iter().map(|name| {
            artifacts.built(name, self.workspace).ok_or_else(|| {
                Failure::build_failed(format!("cargo built no executable for the bench {name}"))
                    .help("see cargo's messages above")
            })
        });
        built.collect()
    }

    /// The options of cargo that decide about the programs.
    fn options(&self, variant: &Variant, benches: &[BenchId]) -> Vec<OsString> {
        let (workspace, arguments) = (self.workspace, self.arguments);
        let target = arguments.target.as_deref();
        let id = |name| workspace.package(name).map_or(name, |one| &one.id.repr);
        let mut options: Vec<OsString> = Vec::new();
        let mut add = |option: &str, value: &str| options.extend([option.into(), value.into()]);
        let packages: BTreeSet<&str> = benches.iter().map(|one| id(&one.package)).collect();
        packages.into_iter().for_each(|name| add("--package", name));
        let targets: BTreeSet<&str> = benches.iter().map(|one| &*one.target).collect();
        targets.into_iter().for_each(|name| add("--bench", name));
        let features = self.features_of(benches);
        features.for_each(|feature| add("--features", feature));
        let root = workspace.root().join("Cargo.toml");
        for bench in benches {
            // Resolver 1 takes the name of the root package for a dependency. Without the name,
            // others get the feature too, which all benches of a variant have.
            let package = workspace.package(&bench.package);
            let is_root = package.is_some_and(|it| it.manifest_path == root);
            let of = (!is_root).then(|| format!("{}/", bench.package));
            let of = of.unwrap_or_default();
            for feature in &variant.features {
                add("--features", &format!("{of}{feature}"));
            }
        }
        if variant.profile != DEFAULT_PROFILE {
            add("--profile", &variant.profile);
        }
        if let Some(triple) = target {
            add("--target", triple);
        }
        if arguments.all_features {
            options.push("--all-features".into());
        }
        if variant.no_default_features {
            options.push("--no-default-features".into());
        }
        if self.config.run.line_tables {
            let tables = line_tables::options(workspace, &variant.profile, target);
            options.extend(tables.into_iter().map(OsString::from));
        }
        options
    }

    /// The features of the command line for benches that are built: without those that only
    /// packages of other benches have. A feature that none has is left to cargo's error.
    fn features_of(&self, built: &[BenchId]) -> impl Iterator<Item = &str> {
        let is_in = |benches: &[BenchId], feature: &str| {
            let packages = benches.iter();
            let mut packages = packages.filter_map(|it| self.workspace.package(&it.package));
            packages.any(|package| match feature.split_once('/') {
                Some((name, _)) => {
                    let mut dependencies = package.dependencies.iter();
                    let own = |it: &Dependency| it.rename.as_ref().unwrap_or(&it.name) == name;
                    *package.name == name || dependencies.any(own)
                }
                None => package.features.contains_key(feature),
            })
        };
        let features = self.given_features();
        features.filter(move |it| is_in(built, it) || !is_in(&self.benches.names, it))
    }

    fn call_cargo(&self, options: &[OsString]) -> Result<Artifacts, Failure> {
        let mut command = self.workspace.command("bench");
        command
            .args(["--no-run", "--message-format", "json-render-diagnostics"])
            .args(options)
            .env(protocol::CRITERION, "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        if self.output.quiet {
            command.arg("--quiet");
        }
        match self.shell.color() {
            ColorChoice::Auto => &mut command,
            ColorChoice::Never => command.args(["--color", "never"]),
            ColorChoice::Always | ColorChoice::AlwaysAnsi => command.args(["--color", "always"]),
        };
        if self.output.verbose {
            let program = [command.get_program()].into_iter();
            self.shell
                .status("Running", &quoted(program.chain(command.get_args())));
        }
        // In a group of its own, cargo could not ask for a password on the terminal.
        let stops = if self.shell.is_interactive() {
            Stops::Alone
        } else {
            Stops::WithItsOwn
        };
        let mut cargo = Running::start(&mut command, stops)
            .map_err(|error| Failure::build_failed(format!("failed to start cargo: {error}")))?;
        let mut artifacts = Artifacts::default();
        if let Some(stdout) = cargo.child.stdout.take() {
            artifacts.read(stdout, self.workspace)?;
        }
        let status = cargo
            .child
            .wait()
            .map_err(|error| Failure::build_failed(format!("failed to wait for cargo: {error}")))?;
        children::check()?;
        if !status.success() {
            return Err(Failure::build_failed("failed to build the benches")
                .help("see cargo's errors above; `cargo bench --no-run` repeats them"));
        }
        Ok(artifacts)
    }
}

/// The results of a build, as cargo names them.
#[derive(Default)]
struct Artifacts {
    benches: Vec<Artifact>,
    files: Vec<BuiltFile>,
    variables: HashMap<PackageId, Vec<(String, String)>>,
    /// The folders of native libraries, of all build scripts.
    libraries: BTreeSet<PathBuf>,
    /// The folders of packages that are not the user's own.
    others: Arc<BTreeSet<PathBuf>>,
}

impl Artifacts {
    /// Reads cargo's messages.
    fn read(&mut self, stdout: ChildStdout, workspace: &Workspace) -> Result<(), Failure> {
        let mut others = BTreeSet::new();
        for message in Message::parse_stream(BufReader::new(stdout)) {
            match message {
                Ok(Message::CompilerArtifact(artifact)) => {
                    self.files
                        .extend(BuiltFile::new(&artifact, workspace.root()));
                    if artifact.target.is_bench() {
                        self.benches.push(artifact);
                        continue;
                    }
                    if let Some(path) = &artifact.executable {
                        let variable = format!("CARGO_BIN_EXE_{}", artifact.target.name);
                        let variables = self.variables.entry(artifact.package_id.clone());
                        variables.or_default().push((variable, path.to_string()));
                    }
                    if workspace.package_of(&artifact.package_id).is_none() {
                        let folder = artifact.manifest_path.parent();
                        others.extend(folder.map(|folder| folder.as_std_path().to_path_buf()));
                    }
                }
                Ok(Message::BuildScriptExecuted(script)) => {
                    let paths = script.linked_paths.iter();
                    let libraries = paths.map(|path| library_folder(path.as_str()));
                    self.libraries.extend(libraries);
                    let variables = self.variables.entry(script.package_id).or_default();
                    variables.extend(script.env);
                    variables.push((String::from("OUT_DIR"), script.out_dir.into()));
                }
                Ok(_) => {}
                Err(error) => {
                    let what = format!("failed to read cargo's messages: {error}");
                    return Err(Failure::build_failed(what));
                }
            }
        }
        self.others = Arc::new(others);
        Ok(())
    }

    /// The folders in which cargo lets an executable find shared libraries. It leaves those
    /// outside of its own folder to the system.
    fn folders(&self, executable: &Path, workspace: &Workspace) -> Vec<PathBuf> {
        let Some((deps, built)) = executable
            .parent()
            .and_then(|deps| Some((deps, deps.parent()?)))
        else {
            return Vec::new();
        };
        let (folder, target) = (workspace.build_directory(), workspace.target_directory());
        let below = folder.and_then(|folder| Some(built.strip_prefix(folder).ok()?.to_path_buf()));
        let own = below.map_or_else(|| built.to_path_buf(), |below| target.join(below));
        let native = self
            .libraries
            .iter()
            .filter(|folder| folder.starts_with(&own))
            .cloned();
        let mut folders: Vec<PathBuf> = native.collect();
        folders.extend([own, deps.to_path_buf()]);
        folders
    }

    fn built(&self, name: &BenchId, workspace: &Workspace) -> Option<Built> {
        let package = &workspace.package(&name.package)?.id;
        let mut benches = self.benches.iter();
        let artifact = benches.find(|artifact| {
            artifact.package_id == *package && artifact.target.name == name.target
        })?;
        let executable = artifact.executable.as_ref()?.as_std_path();
        Some(Built {
            name: name.clone(),
            package: package.clone(),
            modified: modified(executable),
            others: Arc::clone(&self.others),
            executable: executable.to_path_buf(),
            source: artifact.target.src_path.clone().into(),
            opt_level: artifact.profile.opt_level.clone(),
            checkout: None,
            variables: self.variables.get(package).cloned().unwrap_or_default(),
            libraries: self.folders(executable, workspace),
        })
    }
}

/// The benches of one variant in groups that cargo builds together without another bench: it
/// builds each named target of each named package.
fn groups(workspace: &Workspace, benches: Vec<BenchId>) -> Vec<Vec<BenchId>> {
    let crosses = benches.iter().any(|one| {
        let package = workspace.package(&one.package);
        let targets = package.map(bench_targets).unwrap_or_default();
        let is_named = |target: &&str| benches.iter().any(|other| other.target == **target);
        targets.into_iter().filter(is_named).any(|target| {
            let is_it = |bench: &BenchId| bench.package == one.package && bench.target == target;
            !benches.iter().any(is_it)
        })
    });
    grouped(benches, |group, bench| {
        !crosses || group[0].package == bench.package
    })
}

/// Cargo takes a file for fresh that another workspace has built.
fn built_by_another(file: &BuiltFile, why: &str) -> Failure {
    let path = file.path.display();
    Failure::build_failed(format!(
        "another checkout may have built {path}, and it can't be built again{why}"
    ))
    .help("give each checkout its own target folder, with CARGO_TARGET_DIR")
}

/// The folder of a search path such as `native=/some/folder`.
fn library_folder(path: &str) -> PathBuf {
    let folder = path.split_once('=').map_or(path, |(_, folder)| folder);
    Path::new(folder).to_path_buf()
}

/// A file that cargo built from a package below the root of the workspace.
struct BuiltFile {
    path: PathBuf,
    /// The source that names the others.
    source: PathBuf,
    /// Whether an earlier call of cargo built it.
    is_fresh: bool,
    modified: Option<SystemTime>,
}

impl BuiltFile {
    /// `None` for a package that all workspaces have from the same place.
    fn new(artifact: &Artifact, root: &Path) -> Option<Self> {
        let is_path = artifact.package_id.repr.contains("path+file:");
        if !is_path || !artifact.manifest_path.starts_with(root) {
            return None;
        }
        let path = artifact.filenames.first()?.as_std_path();
        Some(Self {
            path: path.to_path_buf(),
            source: artifact.target.src_path.as_std_path().to_path_buf(),
            is_fresh: artifact.fresh,
            modified: modified(path),
        })
    }

    /// Makes the source newer than the file, so that cargo builds it again.
    fn outdate(&self) -> io::Result<()> {
        let source = File::options().append(true).open(&self.source)?;
        source.set_modified(SystemTime::now())
    }

    fn note_path(&self) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(".built-in");
        path.into()
    }

    /// The note of this version of the file.
    fn text(&self, root: &str) -> String {
        let since = self.modified.map(|time| time.duration_since(UNIX_EPOCH));
        let time = since.and_then(Result::ok).unwrap_or_default().as_nanos();
        format!("{time} {root}")
    }
}

/// Notes that files were built in the workspace at `root`. Returns those that may have been
/// built in another. In a folder inside of this workspace, a file without a note is ours.
fn note<'f>(files: &'f [BuiltFile], root: &Path) -> Vec<&'f BuiltFile> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let root = real(root);
    let is_private = files.iter().all(|file| real(&file.path).starts_with(&root));
    let own_root = root.display().to_string();
    let mut others = Vec::new();
    for file in files {
        let text = file.text(&own_root);
        let noted = fs::read_to_string(file.note_path()).ok();
        let noted_root = noted.as_deref().and_then(|noted| noted.split_once(' '));
        let is_ours = match noted_root {
            _ if !file.is_fresh || noted.as_ref() == Some(&text) => true,
            Some((_, root)) => is_private && root == own_root,
            None => is_private,
        };
        if is_ours {
            // Without its note, the file is built once more.
            let _ = fs::write(file.note_path(), text);
        } else {
            others.push(file);
        }
    }
    others
}

/// The time when a file was written.
fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}
