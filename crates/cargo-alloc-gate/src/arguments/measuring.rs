//! The arguments of what `check`, `audit`, `run` and `list` measure, and of where
//! the tables of it go.

use std::path::PathBuf;

use alloc_gate::config::Pattern;
use clap::Args;

use super::{BuildArguments, OutputArguments, WorkspaceArguments, glob};

/// Of `check`, and of `audit`, which judges the same in copies.
#[derive(Debug, Args)]
pub(crate) struct JudgedArguments {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    #[command(flatten)]
    pub(crate) selection: ScenarioArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Judge recorded results, and run nothing
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["package", "bench", "scenarios"],
        help_heading = "Results"
    )]
    pub(crate) results: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) judged: JudgedArguments,
    #[command(flatten)]
    pub(crate) page: PageArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    #[command(flatten)]
    pub(crate) selection: ScenarioArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) page: PageArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    #[command(flatten)]
    pub(crate) selection: ScenarioArguments,
}

/// Which scenarios of the benches.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArguments {
    /// Only the scenarios whose full names one of the globs matches
    #[arg(
        long,
        visible_alias = "scenario",
        value_name = "GLOB",
        num_args = 1..,
        value_parser = glob,
        help_heading = "Bench selection"
    )]
    pub(crate) scenarios: Vec<Pattern>,
}

/// A page beside the reports.
#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// Renew the tables between the markers of a markdown page
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub(crate) update_tables: Option<PathBuf>,
}
