//! [`Base`]: another commit, whose benches are measured with its sources, manifests and lock file,
//! and with the rules, options and toolchain of this run. A commit without a lock file is built
//! with the working tree's.

use std::fs;

use alloc_gate::report::compare::BaseLock;
use alloc_gate::sites::{Changes, Explained, Side};
use alloc_gate::{Config, Selection};
use alloc_results::BenchId;

use crate::arguments::BuildArguments;
use crate::bench::cargo::{Elsewhere, Workspace};
use crate::bench::run::RunResults;
use crate::bench::selection::SelectedBenches;
use crate::exit_code::Code;
use crate::explain::{BaseCommit, Explainer};
use crate::failure::Failure;
use crate::files;
use crate::git::Git;
use crate::git::worktree::{TargetLock, Worktree};
use crate::project::{BenchRun, Project};

/// A commit that is checked out, ready to build its benches.
pub(crate) struct Base<'b> {
    project: &'b Project<'b>,
    build: &'b BuildArguments,
    label: String,
    workspace: Workspace,
    /// The lock file that it is built with.
    pub(crate) lock: BaseLock,
    /// Removed before another run may build.
    _tree: Worktree<'b>,
    _target: TargetLock,
}

/// What was measured in a worktree.
pub(crate) struct MeasuredBase {
    benches: SelectedBenches,
    /// The benches that the rules of the commit name, and the rules of this run don't.
    pub(crate) removed: Vec<BenchId>,
    pub(crate) results: RunResults,
}

impl<'b> Base<'b> {
    /// Checks the commit out, to be built with the options of this run.
    pub(crate) fn check_out(
        project: &'b Project<'b>,
        build: &'b BuildArguments,
        git: &'b Git,
        commit: &BaseCommit,
    ) -> Result<Self, Failure> {
        let shell = project.shell;
        let target = TargetLock::wait_for(project.workspace.target_directory(), git, shell)?;
        shell.status("Checking out", &commit.label);
        let tree = Worktree::new(git, &commit.commit, &target, shell)?;
        let prepare = || {
            let mut workspace = workspace(project, git, &tree, &target)?;
            let lock = lock(&mut workspace, &project.workspace)?;
            if let Some(folder) = project.workspace.build_directory() {
                workspace.share_build_directory(folder);
            }
            Ok((workspace, lock))
        };
        let (workspace, lock) = prepare().map_err(|failure: Failure| failure.at(&commit.label))?;
        Ok(Self {
            project,
            build,
            label: commit.label.clone(),
            workspace,
            lock,
            _tree: tree,
            _target: target,
        })
    }

    /// Builds and runs the benches, except new ones, which the commit doesn't have.
    pub(crate) fn measure(&self, benches: &SelectedBenches) -> Result<MeasuredBase, Failure> {
        let removed = self.removed(benches);
        let mut benches = benches.clone();
        benches.names.retain(|bench| self.has(bench));
        let run = self.run(&benches);
        let results = run.measure(&[]).and_then(|all| all.whole(run.shell));
        let results = results.map_err(|failure| {
            let did_not_build = failure.code == Code::BuildFailed;
            let failure = failure.at(&self.label);
            match (did_not_build, self.lock) {
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
        })
    }

    /// Runs the benches that measured once more, and explains values there. `changes` are those
    /// since that commit.
    pub(crate) fn explain_measured(
        &self,
        measured: &MeasuredBase,
        mut wanted: Vec<Explained>,
        changes: &Changes,
    ) -> Result<Vec<Explained>, Failure> {
        for one in &mut wanted {
            // The bench that had the scenario then.
            if let [only] = measured.results.measurements.named(&one.scenario)[..] {
                one.bench = only.bench.clone();
            }
        }
        let explainer = Explainer {
            run: &self.run(&measured.benches),
            built: &measured.results.built,
        };
        explainer.explain(wanted, &|_| vec![("", Side::Old(changes))])
    }

    /// Builds the benches that the values are of, and explains these there.
    pub(crate) fn explain(
        &self,
        benches: &SelectedBenches,
        wanted: Vec<Explained>,
        changes: &Changes,
    ) -> Result<Vec<Explained>, Failure> {
        let mut benches = benches.clone();
        let is_wanted = |bench: &BenchId| wanted.iter().any(|one| one.bench == *bench);
        benches.names.retain(is_wanted);
        if let Some(absent) = benches.names.iter().find(|bench| !self.has(bench)) {
            let what = format!("there is no bench `{absent}`");
            let failure = Failure::build_failed(what).help("choose a commit that has it");
            return Err(failure.at(&self.label));
        }
        let run = self.run(&benches);
        let built = run.compile().map_err(|it| it.at(&self.label))?;
        let explainer = Explainer {
            run: &run,
            built: &built,
        };
        explainer.explain(wanted, &|_| vec![(&*self.label, Side::Old(changes))])
    }

    fn has(&self, bench: &BenchId) -> bool {
        let target = self.project.rules.config.target_of(bench);
        self.workspace.has_bench(&target)
    }

    /// The benches that the rules of the commit name, and the rules of this run don't; none if a part
    /// was selected.
    fn removed(&self, benches: &SelectedBenches) -> Vec<BenchId> {
        let here = &self.project.rules.config;
        if benches.selection != Selection::Whole {
            return Vec::new();
        }
        // Rules that can't be read name none.
        let file = self.workspace.root().join(here.file());
        let rules = Config::parse(here.file(), &files::read(&file).unwrap_or_default());
        let named = rules.map_or_else(|_| Vec::new(), |rules| rules.benches);
        let named = named.into_iter().filter(|bench| bench.run);
        let named = named.map(|bench| BenchId {
            package: bench.package,
            target: bench.name,
        });
        named.filter(|bench| here.bench(bench).is_none()).collect()
    }

    fn run(&self, benches: &SelectedBenches) -> BenchRun<'_> {
        BenchRun::new(self.project, &self.workspace, benches.clone(), self.build)
    }
}

fn workspace(
    project: &Project<'_>,
    git: &Git,
    tree: &Worktree<'_>,
    target: &TargetLock,
) -> Result<Workspace, Failure> {
    let folder = tree.path().join(&git.prefix);
    if !folder.join("Cargo.toml").is_file() {
        let place = git.prefix.join("Cargo.toml");
        return Err(
            Failure::metadata_failed(format!("there is no {}", place.display()))
                .help("choose a commit that has the workspace in the same folder"),
        );
    }
    let elsewhere = Elsewhere::new(folder, &target.target());
    let workspace = Workspace::load(project.arguments, Some(elsewhere))?;
    if !workspace.root().starts_with(tree.path()) {
        return Err(Failure::metadata_failed(format!(
            "its workspace is outside the repository, in {}",
            workspace.root().display()
        ))
        .help("the whole workspace must be in the repository"));
    }
    Ok(workspace)
}

/// Holds the workspace to its lock file. If none is committed, it gets the lock file of the workspace
/// `here`, so that both sides have the same dependencies, and cargo completes the copy.
fn lock(there: &mut Workspace, here: &Workspace) -> Result<BaseLock, Failure> {
    let [from, to] = [here, there].map(|workspace| workspace.root().join("Cargo.lock"));
    if to.exists() {
        there.hold_to_lock();
        return Ok(BaseLock::Own);
    }
    if from.exists() {
        fs::copy(&from, &to).map_err(|error| files::failed(&to, &error))?;
        return Ok(BaseLock::OfWorkingTree);
    }
    Ok(BaseLock::New)
}
