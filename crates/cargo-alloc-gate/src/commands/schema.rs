//! `schema`: the JSON schema of gates.toml, for editors. It needs no workspace.

use crate::exit_code::Code;
use crate::failure::Failure;
use crate::shell::Shell;

pub(crate) fn schema(shell: &Shell) -> Result<Code, Failure> {
    shell.report(alloc_gate::schema::text().as_bytes())?;
    shell.verdict("alloc-gate: nothing judged, as asked: the schema of gates.toml");
    Ok(Code::Held)
}
