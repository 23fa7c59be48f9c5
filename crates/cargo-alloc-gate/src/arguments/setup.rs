//! The arguments of `suggest` and `init`.

use std::path::PathBuf;

use clap::Args;

use super::{BuildArguments, WorkspaceArguments};

#[derive(Debug, Args)]
pub(crate) struct SuggestArguments {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    /// Suggest gates for all scenarios, not only for those without one
    #[arg(long)]
    pub(crate) all: bool,
    /// Append the gates to gates.toml as well
    #[arg(long)]
    pub(crate) write: bool,
    /// Suggest from recorded results, and run nothing
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["package", "bench"],
        help_heading = "Results"
    )]
    pub(crate) results: Vec<PathBuf>,
}

/// Write a first bench, its lines in Cargo.toml, and gates.toml
///
/// They go into the package that -p names, or the one in the present folder.
/// Nothing that exists is overwritten: all of it is written, or nothing.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    /// Measure the benches that packages' metadata names, and write a gates.toml for
    /// them; without any, the same as without this
    #[arg(long)]
    pub(crate) suggest: bool,
    /// Where alloc-scenario comes from, instead of its version on crates.io, such as
    /// 'path = "../alloc-gate/crates/alloc-scenario"'
    #[arg(long, value_name = "TOML")]
    pub(crate) dependency: Option<String>,
}
