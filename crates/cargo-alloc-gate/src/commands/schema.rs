//! `schema`: prints the JSON schema of gates.toml, for editors.

use clap::Args;

use super::{Call, Runnable};
use crate::exit_code::Code;
use crate::failure::Failure;

/// Print the JSON schema of gates.toml, for editors
#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {}

impl Runnable for SchemaArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        call.shell.list(alloc_gate::schema::text())?;
        call.shell
            .verdict("alloc-gate: printed the schema of gates.toml");
        Ok(Code::Held)
    }
}
