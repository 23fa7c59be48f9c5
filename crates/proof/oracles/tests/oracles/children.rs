//! Starts the counting programs and reads what they print.

use std::process::Command;

use libtest_mimic::Failed;
use proof_oracles::Figures;
use proof_oracles::conversion::Ours;
use proof_oracles::operation::Operation;

/// What we count.
pub(crate) fn ours(operation: &Operation) -> Result<Ours, Failed> {
    let program = env!("CARGO_BIN_EXE_counted-by-counting-alloc");
    let figures = count(program, operation)?;
    Ours::read(&figures, operation.threads)
        .ok_or_else(|| format!("`{program}` left figures out:\n{figures}").into())
}

/// What dhat-rs counts.
pub(crate) fn dhat(operation: &Operation) -> Result<Figures, Failed> {
    count(env!("CARGO_BIN_EXE_counted-by-dhat"), operation)
}

/// What stats_alloc counts.
pub(crate) fn stats_alloc(operation: &Operation) -> Result<Figures, Failed> {
    count(env!("CARGO_BIN_EXE_counted-by-stats-alloc"), operation)
}

fn count(program: &str, operation: &Operation) -> Result<Figures, Failed> {
    let printed = output(Command::new(program).args(["operation", operation.name, "once"]))?;
    Figures::parse(&printed).ok_or_else(|| format!("no figures: {printed}").into())
}

/// What a command prints to stdout. A command that fails is a failure.
pub(crate) fn output(command: &mut Command) -> Result<String, Failed> {
    let output = command.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{said}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
