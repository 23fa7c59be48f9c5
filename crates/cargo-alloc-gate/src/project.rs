//! [`Project`]: a workspace with its rules.

use crate::arguments::{BuildArguments, WorkspaceArguments};
use crate::bench_run::BenchRun;
use crate::cargo::Workspace;
use crate::failure::Failure;
use crate::rules::Rules;
use crate::scratch::Scratch;
use crate::selection::SelectedBenches;
use crate::shell::Shell;
use crate::worktree::clear_left;

/// A workspace with its rules.
pub(crate) struct Project<'a> {
    pub(crate) arguments: &'a WorkspaceArguments,
    pub(crate) workspace: Workspace,
    pub(crate) rules: Rules,
}

impl<'a> Project<'a> {
    /// Reads the workspace and its rules. Without rules it fails.
    pub(crate) fn load(arguments: &'a WorkspaceArguments, shell: &Shell) -> Result<Self, Failure> {
        Self::load_with(arguments, shell, Rules::load)
    }

    /// Reads the workspace and its rules. Without rules it has those of no file.
    pub(crate) fn load_with_optional_rules(
        arguments: &'a WorkspaceArguments,
        shell: &Shell,
    ) -> Result<Self, Failure> {
        Self::load_with(arguments, shell, |workspace, arguments| {
            let rules = Rules::load_if_there(workspace, arguments)?;
            Ok(rules.unwrap_or_else(|| Rules::none(workspace)))
        })
    }

    /// Reads the workspace and its rules, with `read`.
    pub(crate) fn load_with(
        arguments: &'a WorkspaceArguments,
        shell: &Shell,
        read: impl FnOnce(&Workspace, &WorkspaceArguments) -> Result<Rules, Failure>,
    ) -> Result<Self, Failure> {
        let workspace = load_workspace(arguments, shell)?;
        let rules = read(&workspace, arguments)?;
        Ok(Self {
            arguments,
            workspace,
            rules,
        })
    }

    /// A run of the benches that the arguments select.
    pub(crate) fn bench_run<'p>(
        &'p self,
        build: &'p BuildArguments,
    ) -> Result<BenchRun<'p>, Failure> {
        let config = &self.rules.config;
        Ok(BenchRun {
            workspace: &self.workspace,
            config,
            benches: SelectedBenches::new(&self.workspace, config, build)?,
            arguments: build,
            output: self.arguments,
            scratch: Scratch::below(build.target(&self.workspace)),
            is_timed: false,
            folder: None,
        })
    }
}

/// Reads the workspace, and removes what a killed comparison has left.
fn load_workspace(arguments: &WorkspaceArguments, shell: &Shell) -> Result<Workspace, Failure> {
    let workspace = Workspace::load(arguments, None)?;
    clear_left(workspace.root(), workspace.target_directory(), shell);
    Ok(workspace)
}
