//! `bisect`: finds the first commit that changed a figure, by halving, like `git bisect`.
//! The search keeps its own state and runs in a worktree of its own, so that it changes
//! nothing in the user's repository.

mod search;

use alloc_gate::Statistic;
use alloc_gate::report::{Format, Report};
use alloc_results::Metric;
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::BuildArguments;
use crate::exit_code::Code;
use crate::explain::LineArguments;
use crate::failure::Failure;
use crate::git::Git;
use crate::git_base::{GitBase, lock_target};
use crate::project::Project;
use crate::shell_words::quoted;
use crate::worktree::{Worktree, label};

use search::Search;

/// Find the first commit that changed a figure
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct BisectArguments {
    /// A commit before the change
    #[arg(value_name = "GOOD")]
    good: String,
    /// A commit after the change
    #[arg(value_name = "BAD")]
    bad: String,
    /// The full name of the scenario, as `list` prints it
    ///
    /// BENCH/NAME or PACKAGE/BENCH/NAME where several benches have it.
    #[arg(long, value_name = "NAME")]
    scenario: String,
    /// The metric that changed
    #[arg(long, value_name = "METRIC", value_parser = metric)]
    metric: Metric,
    /// Which figure of it
    #[arg(long, value_name = "STATISTIC", default_value = "mean", value_parser = statistic)]
    statistic: Statistic,
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    lines: LineArguments,
}

const HELP: &str = "\
The search runs in a git worktree of its own. Like `git bisect`, it finds the first
commit whose figure differs from GOOD's. Commits that do not build or lack the
scenario are skipped.";

impl Runnable for BisectArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load_with_optional_rules(call.workspace, shell)?;
        let run = project.bench_run(&self.build)?;
        let git = Git::open(project.workspace.root())?;
        let (good, bad) = self.ends(&git)?;
        let lock = lock_target(&project.workspace, &self.build, &git, shell)?;
        let search = Search {
            arguments: self,
            base: GitBase::new(&project, &git, &self.build, &lock),
            tree: Worktree::new(&git, &good, &lock, shell)?,
            git: &git,
            shell,
        };
        let change = search.run(&good, &bad, &run.benches)?;
        drop(search);
        shell.list(&change.text)?;
        if !change.explained.is_empty() {
            let mut text = String::from("\n").into_bytes();
            // Writing to a vector can't fail.
            let _ = change.explained[..].write(Format::Terminal, &mut text);
            shell.report(&String::from_utf8_lossy(&text))?;
        }
        shell.verdict(&change.line?);
        Ok(Code::Held)
    }
}

impl BisectArguments {
    /// The good and the bad commit.
    fn ends(&self, git: &Git) -> Result<(String, String), Failure> {
        let (good, bad) = (git.commit(&self.good)?, git.commit(&self.bad)?);
        if good == bad {
            return Err(Failure::usage(format!(
                "{} and {} are the same commit",
                self.good, self.bad
            ))
            .help("choose a commit before the change and one after it"));
        }
        if !git.is_ancestor(&good, &bad)? {
            return Err(Failure::usage(format!(
                "{} is not an ancestor of {}",
                label(&self.good, &good),
                label(&self.bad, &bad)
            ))
            .help(format!(
                "give the older commit first; `{}` finds a common ancestor",
                quoted(["git", "merge-base", &self.good, &self.bad])
            )));
        }
        Ok((good, bad))
    }
}

fn metric(name: &str) -> Result<Metric, String> {
    let all = Metric::ALL.map(Metric::name);
    name.parse()
        .map_err(|()| format!("the metrics are {}", all.join(", ")))
}

fn statistic(name: &str) -> Result<Statistic, String> {
    // A series has no figure of one scenario.
    let figures = || {
        Statistic::ALL
            .into_iter()
            .filter(|statistic| !statistic.is_of_series())
    };
    let found = figures().find(|statistic| statistic.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = figures().map(Statistic::name).collect();
        format!("the statistics are {}", names.join(", "))
    })
}
