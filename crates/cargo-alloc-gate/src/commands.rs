//! The commands. Each reads like a summary: what is loaded, what is asked of the
//! engine, what is written.

mod accept;
mod audit;
mod bisect;
mod check;
mod compare;
mod init;
mod list;
mod run;
mod schema;
mod suggest;

use crate::arguments::{Arguments, Chosen};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::shell::Shell;

/// Does what was asked for. The code is that of a verdict; whatever prevents one
/// is a failure. The command line is for what is to say where it comes from.
pub(crate) fn dispatch(
    arguments: &Arguments,
    command_line: &str,
    shell: &mut Shell,
) -> Result<Code, Failure> {
    match arguments.chosen() {
        Chosen::Check(arguments) => check::check(arguments, command_line, shell),
        Chosen::Run(arguments) => run::run(arguments, command_line, shell),
        Chosen::Accept(arguments) => accept::accept(arguments, shell),
        Chosen::Compare(arguments) => compare::compare(arguments, shell),
        Chosen::Bisect(arguments) => bisect::bisect(arguments, shell),
        Chosen::List(arguments) => list::list(arguments, shell),
        Chosen::Audit(arguments) => audit::audit(arguments, shell),
        Chosen::Suggest(arguments) => suggest::suggest(arguments, shell),
        Chosen::Init(arguments) => init::init(arguments, shell),
        Chosen::Schema => schema::schema(shell),
    }
}
