//! [`Past`]: the benches of the present rules, measured at another commit: the
//! same targets, options, parameters and toolchain, with the sources, manifests
//! and lock file of that commit.

use std::fs;
use std::path::{Path, absolute};

use alloc_gate::{Config, Measurements};

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::cargo::{Elsewhere, Workspace, bench_targets, listed};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::git::Git;
use crate::results::Job;
use crate::selection::Selection;
use crate::shell::Shell;
use crate::worktree::Held;

/// What it takes to measure another commit.
pub(crate) struct Past<'p> {
    workspace: &'p Workspace,
    config: &'p Config,
    git: &'p Git,
    build: BuildArguments,
    output: WorkspaceArguments,
}

/// Holds the folder in which the other commits of this workspace are built.
pub(crate) fn hold(
    workspace: &Workspace,
    arguments: &BuildArguments,
    git: &Git,
    shell: &Shell,
) -> Result<Held, Failure> {
    let target = arguments.target_dir.as_deref();
    let target = target.unwrap_or(workspace.target_directory());
    let target = absolute(target).unwrap_or_else(|_| target.to_path_buf());
    Held::wait_for(&target, git, shell)
}

impl<'p> Past<'p> {
    /// With the options of this run.
    pub(crate) fn new(
        workspace: &'p Workspace,
        config: &'p Config,
        git: &'p Git,
        build: &BuildArguments,
        output: &WorkspaceArguments,
        held: &Held,
    ) -> Self {
        Self {
            workspace,
            config,
            git,
            build: BuildArguments {
                target_dir: Some(held.target()),
                ..build.clone()
            },
            output: WorkspaceArguments {
                locked: true,
                ..output.clone()
            },
        }
    }

    /// Builds and runs the benches in the worktree at `tree`; `label` is what
    /// messages call its commit.
    pub(crate) fn measure(
        &self,
        tree: &Path,
        label: &str,
        selection: &Selection,
        shell: &Shell,
    ) -> Result<Measurements, Failure> {
        let at = |mut failure: Failure| {
            failure.what = format!("at {label}: {}", failure.what);
            failure
        };
        let workspace = self.workspace(tree).map_err(at)?;
        present(&workspace, selection).map_err(at)?;
        self.lock(&workspace, shell).map_err(at)?;
        let job = Job::of(
            &workspace,
            self.config,
            selection.clone(),
            &self.build,
            &self.output,
        );
        let run = job.run(shell).map_err(|failure| {
            let did_not_build = failure.code == Code::BuildFailed;
            let failure = at(failure);
            if did_not_build {
                failure.next(
                    "that commit has to build with the toolchain that is in force here, and with \
                     its own lock file; or name another one",
                )
            } else {
                failure
            }
        })?;
        Ok(run.measurements)
    }

    /// The same workspace there.
    fn workspace(&self, tree: &Path) -> Result<Workspace, Failure> {
        let folder = tree.join(self.git.prefix());
        if !folder.join("Cargo.toml").is_file() {
            let place = self.git.prefix().join("Cargo.toml");
            return Err(Failure::new(
                Code::MetadataFailed,
                format!("there is no {}", place.display()),
            )
            .next("name a commit that has the workspace in the same folder"));
        }
        let workspace = Workspace::load_elsewhere(
            &self.output,
            Elsewhere::new(folder, self.build.target_dir.as_deref()),
        )?;
        if !workspace.root().starts_with(tree) {
            return Err(Failure::new(
                Code::MetadataFailed,
                format!(
                    "its workspace is outside of the repository, in {}",
                    workspace.root().display()
                ),
            )
            .next("the repository has to have the whole workspace"));
        }
        Ok(workspace)
    }

    /// Where no lock file is committed, the one that is here stands for it, so
    /// that both sides have the same dependencies.
    fn lock(&self, there: &Workspace, shell: &Shell) -> Result<(), Failure> {
        let (from, to) = (
            self.workspace.root().join("Cargo.lock"),
            there.root().join("Cargo.lock"),
        );
        if to.exists() || !from.exists() {
            return Ok(());
        }
        shell.status("Using", "the Cargo.lock that is here: there is none");
        fs::copy(&from, &to).map(drop).map_err(|error| {
            Failure::new(
                Code::OutputFailed,
                format!("failed to write {}: {error}", to.display()),
            )
            .next("make room in the folder for temporary files, or name another one with TMPDIR")
        })
    }
}

/// Whether the commit has the benches at all.
fn present(workspace: &Workspace, selection: &Selection) -> Result<(), Failure> {
    for bench in &selection.benches {
        let targets = workspace.package(&bench.package).map(bench_targets);
        let what = match targets {
            None => format!("there is no package `{}`", bench.package),
            Some(targets) if !targets.contains(&bench.target.as_str()) => format!(
                "the package `{}` has no bench `{}`; it has {}",
                bench.package,
                bench.target,
                listed(&targets)
            ),
            Some(_) => continue,
        };
        return Err(Failure::new(Code::BuildFailed, what).next(
            "name a commit that has it, or select benches that both sides have with --package and \
             --bench",
        ));
    }
    Ok(())
}
