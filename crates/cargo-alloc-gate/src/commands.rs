//! The subcommands. Each has a file with its arguments, its help and its work, and a
//! line in the list below.

mod accept;
mod check;
mod compare;
mod completions;
mod explain;
mod init;
mod list;
mod run;
mod suggest;

use clap::Subcommand;

use crate::arguments::WorkspaceArguments;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::output::shell::Shell;

pub(crate) use check::CheckArguments;

/// A subcommand with the arguments that were typed.
pub(crate) trait Runnable {
    /// Runs it. The code is a verdict; a failure says why there is none.
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure>;
}

/// What every command is called with.
pub(crate) struct Call<'c> {
    pub(crate) workspace: &'c WorkspaceArguments,
    pub(crate) shell: &'c Shell,
    /// Makes the definition of the whole command line.
    pub(crate) definition: fn() -> clap::Command,
}

macro_rules! commands {
    ($($Name:ident($Arguments:ty),)+) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($Name($Arguments),)+
        }

        impl Command {
            pub(crate) fn as_runnable(&self) -> &dyn Runnable {
                match self {
                    $(Self::$Name(arguments) => arguments,)+
                }
            }
        }
    };
}

// In the order of the help. A line of help is the doc comment of the arguments.
commands! {
    Check(CheckArguments),
    Run(run::RunArguments),
    Accept(accept::AcceptArguments),
    Explain(explain::ExplainArguments),
    Compare(compare::CompareArguments),
    List(list::ListArguments),
    Suggest(suggest::SuggestArguments),
    Init(init::InitArguments),
    Completions(completions::CompletionsArguments),
}
