//! `schema`: prints the JSON schema of gates.toml, for editors.

use clap::Args;

use super::Runnable;
use crate::arguments::WorkspaceArguments;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::shell::Shell;

/// Print the JSON schema of gates.toml, for editors
#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {}

impl Runnable for SchemaArguments {
    fn workspace(&self) -> Option<&WorkspaceArguments> {
        None
    }

    fn run(&self, _typed: &str, shell: &Shell) -> Result<Code, Failure> {
        shell.report(alloc_gate::schema::text().as_bytes())?;
        shell.verdict("alloc-gate: printed the schema of gates.toml");
        Ok(Code::Held)
    }
}
