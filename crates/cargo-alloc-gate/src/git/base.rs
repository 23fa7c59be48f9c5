//! [`GitBase`]: measures the benches at another commit, with the sources, manifests and
//! lock file of that commit, and with the rules, options and toolchain of this run. A commit
//! without a lock file is built with that of the working tree.

use std::fs;
use std::path::{Path, PathBuf, absolute};

use alloc_gate::report::compare::BaseLock;
use alloc_gate::sites::{Changes, Explained, Side};
use alloc_gate::{Config, Measurements, Selection};
use alloc_results::BenchId;

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::bench::cargo::{Elsewhere, Workspace, bench_targets};
use crate::bench::run::{BenchRun, RunResults};
use crate::bench::selection::SelectedBenches;
use crate::exit_code::Code;
use crate::explain::Explainer;
use crate::failure::Failure;
use crate::files;
use crate::files::Scratch;
use crate::git::Git;
use crate::git::worktree::{TargetLock, Worktree};
use crate::output::shell::Shell;
use crate::project::Project;

/// Measures other commits.
pub(crate) struct GitBase<'g> {
    project: &'g Project<'g>,
    git: &'g Git,
    /// The target folder of this run.
    target: PathBuf,
    build: BuildArguments,
    output: WorkspaceArguments,
}

/// What was measured in a worktree.
pub(crate) struct MeasuredBase {
    /// The benches that the commit has.
    benches: SelectedBenches,
    /// The benches that the rules of the commit name, and those of this run don't.
    pub(crate) removed: Vec<BenchId>,
    results: RunResults,
    workspace: Workspace,
    /// The lock file that it was built with.
    pub(crate) lock: BaseLock,
}

impl MeasuredBase {
    pub(crate) fn measurements(&self) -> &Measurements {
        &self.results.measurements
    }
}

/// Locks the folder in which other commits of this workspace are built.
pub(crate) fn lock_target(
    workspace: &Workspace,
    arguments: &BuildArguments,
    git: &Git,
    shell: &Shell,
) -> Result<TargetLock, Failure> {
    let target = arguments.target(workspace);
    let target = absolute(target).unwrap_or_else(|_| target.to_path_buf());
    TargetLock::wait_for(&target, git, shell)
}

impl<'g> GitBase<'g> {
    /// With the options of this run.
    pub(crate) fn new(
        project: &'g Project<'g>,
        git: &'g Git,
        build: &BuildArguments,
        lock: &TargetLock,
    ) -> Self {
        Self {
            project,
            git,
            target: build.target(&project.workspace).to_path_buf(),
            build: BuildArguments {
                target_dir: Some(lock.target()),
                ..build.clone()
            },
            output: WorkspaceArguments {
                locked: true,
                ..project.arguments.clone()
            },
        }
    }

    /// Builds and runs the benches in the worktree at `tree`, except new ones, which its commit
    /// doesn't have. Messages call it `label`.
    pub(crate) fn measure(
        &self,
        tree: &Worktree<'_>,
        label: &str,
        benches: &SelectedBenches,
        shell: &Shell,
    ) -> Result<MeasuredBase, Failure> {
        let at = |failure: Failure| failure.at(label);
        let (workspace, lock) = self.prepared(tree.path(), shell).map_err(at)?;
        let removed = self.removed(&workspace, benches);
        let mut benches = benches.clone();
        let config = &self.project.rules.config;
        let is_there = |bench: &BenchId| is_there(&workspace, &config.target_of(bench));
        benches.names.retain(is_there);
        let run = self.run(&workspace, &benches);
        let results = run.measure(&[], shell).and_then(|all| all.whole(shell));
        let results = results.map_err(|failure| {
            let did_not_build = failure.code == Code::BuildFailed;
            let failure = at(failure);
            match (did_not_build, lock) {
                (false, _) => failure,
                (true, BaseLock::Own) => failure.help(
                    "the commit must build with the current toolchain and its own Cargo.lock; if \
                     it can't, choose another commit",
                ),
                (true, BaseLock::OfWorkingTree | BaseLock::New) => failure.help(
                    "the commit has no Cargo.lock, so it must build with the current toolchain \
                     and versions of dependencies; if it can't, choose another commit",
                ),
            }
        })?;
        Ok(MeasuredBase {
            benches,
            removed,
            results,
            workspace,
            lock,
        })
    }

    /// Runs the benches that measured once more, and explains figures there. `changes` are those
    /// since that commit.
    pub(crate) fn explain_measured(
        &self,
        measured: &MeasuredBase,
        mut wanted: Vec<Explained>,
        changes: &Changes,
        shell: &Shell,
    ) -> Result<Vec<Explained>, Failure> {
        for one in &mut wanted {
            // The bench that had the scenario then.
            if let [only] = measured.measurements().named(&one.scenario)[..] {
                one.bench = only.bench.clone();
            }
        }
        let explainer = Explainer {
            run: &self.run(&measured.workspace, &measured.benches),
            built: &measured.results.built,
            shell,
        };
        explainer.explain(wanted, &|_| vec![("", Side::Old(changes))])
    }

    /// Builds the benches in the worktree at `tree` that the figures are of, and explains these
    /// there. Messages call its commit `label`, and `side` tells which of its lines were edited.
    pub(crate) fn explain<'s>(
        &self,
        tree: &Worktree<'_>,
        (label, side): (&'s str, Side<'s>),
        benches: &SelectedBenches,
        wanted: Vec<Explained>,
        shell: &Shell,
    ) -> Result<Vec<Explained>, Failure> {
        let at = |failure: Failure| failure.at(label);
        let mut benches = benches.clone();
        let is_wanted = |bench: &BenchId| wanted.iter().any(|one| one.bench == *bench);
        benches.names.retain(is_wanted);
        let (workspace, _) = self.prepared(tree.path(), shell).map_err(at)?;
        let config = &self.project.rules.config;
        let is_there = |bench: &&BenchId| is_there(&workspace, &config.target_of(bench));
        if let Some(absent) = benches.names.iter().find(|bench| !is_there(bench)) {
            let what = format!("there is no bench `{absent}`");
            return Err(at(
                Failure::build_failed(what).help("choose a commit that has it")
            ));
        }
        let run = self.run(&workspace, &benches);
        let built = run.compile(shell).map_err(at)?;
        let explainer = Explainer {
            run: &run,
            built: &built,
            shell,
        };
        explainer.explain(wanted, &|_| vec![(label, side)])
    }

    /// The workspace in the worktree, ready to build its benches.
    fn prepared(&self, tree: &Path, shell: &Shell) -> Result<(Workspace, BaseLock), Failure> {
        let mut workspace = self.workspace(tree)?;
        let lock = self.lock(&workspace, shell)?;
        let shared = self.project.workspace.build_directory(&self.target);
        if let Some(folder) = shared {
            workspace.share_build_directory(&folder);
        }
        Ok((workspace, lock))
    }

    /// The benches that the rules of the commit name, and those of this run don't; none if a part
    /// was selected.
    fn removed(&self, there: &Workspace, benches: &SelectedBenches) -> Vec<BenchId> {
        let here = &self.project.rules.config;
        if benches.selection != Selection::Whole {
            return Vec::new();
        }
        // Rules that can't be read name none.
        let text = files::read(&there.root().join(here.file())).unwrap_or_default();
        let rules = Config::parse(here.file(), &text).unwrap_or_else(|_| Config::without_file());
        let named = rules.benches.into_iter().filter(|bench| bench.run);
        let named = named.map(|bench| (bench.package, bench.name));
        let declared = there.declared_benches().unwrap_or_default();
        let all = named.chain(declared);
        let all = all.map(|(package, target)| BenchId { package, target });
        all.filter(|bench| here.bench(bench).is_none() && !benches.names.contains(bench))
            .collect()
    }

    fn run<'r>(&'r self, workspace: &'r Workspace, benches: &SelectedBenches) -> BenchRun<'r> {
        BenchRun {
            workspace,
            config: &self.project.rules.config,
            benches: benches.clone(),
            arguments: &self.build,
            output: &self.output,
            scratch: Scratch::below(&self.target),
            is_timed: false,
            folder: None,
        }
    }

    /// The workspace in the worktree.
    fn workspace(&self, tree: &Path) -> Result<Workspace, Failure> {
        let folder = tree.join(self.git.prefix());
        if !folder.join("Cargo.toml").is_file() {
            let place = self.git.prefix().join("Cargo.toml");
            return Err(
                Failure::metadata_failed(format!("there is no {}", place.display()))
                    .help("choose a commit that has the workspace in the same folder"),
            );
        }
        let workspace = Workspace::load(
            &self.output,
            Some(Elsewhere::new(folder, self.build.target_dir.as_deref())),
        )?;
        if !workspace.root().starts_with(tree) {
            return Err(Failure::metadata_failed(format!(
                "its workspace is outside the repository, in {}",
                workspace.root().display()
            ))
            .help("the whole workspace must be in the repository"));
        }
        Ok(workspace)
    }

    /// Copies the lock file of this workspace if none is committed, so that both sides have the
    /// same dependencies, and completes the copy for the manifests of the commit.
    fn lock(&self, there: &Workspace, shell: &Shell) -> Result<BaseLock, Failure> {
        let (from, to) = (
            self.project.workspace.root().join("Cargo.lock"),
            there.root().join("Cargo.lock"),
        );
        if to.exists() {
            return Ok(BaseLock::Own);
        }
        let is_offline = self.project.arguments.offline;
        let (lock, completed) = if from.exists() {
            shell.status(
                "Using",
                "the Cargo.lock of the working tree: the commit has none",
            );
            fs::copy(&from, &to).map_err(|error| {
                Failure::output_failed(format!("failed to write {}: {error}", to.display()))
                    .help("free some disk space where the repository is")
            })?;
            // Most often nothing has to be downloaded.
            let offline = there.complete_lock(true);
            let completed = offline.or_else(|said| {
                if is_offline {
                    Err(said)
                } else {
                    there.complete_lock(false)
                }
            });
            (BaseLock::OfWorkingTree, completed)
        } else {
            shell.status(
                "Using",
                "new versions of dependencies: there is no Cargo.lock",
            );
            (BaseLock::New, there.complete_lock(is_offline))
        };
        completed.map(|()| lock).map_err(|said| {
            Failure::build_failed(format!(
                "the commit has no Cargo.lock, and its dependencies can't be resolved: {said}"
            ))
            .help("run it once with a network, or choose a commit whose manifest can be resolved")
        })
    }
}

fn is_there(workspace: &Workspace, bench: &BenchId) -> bool {
    let package = workspace.package(&bench.package);
    package.is_some_and(|package| bench_targets(package).contains(&&*bench.target))
}
