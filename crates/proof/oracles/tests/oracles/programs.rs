//! Runs the counting programs and parses their values.

use std::process::Command;

use libtest_mimic::Failed;
use proof_oracles::Figures;
use proof_oracles::conversion::OurCounts;
use proof_oracles::operation::Operation;
use proof_shared::child;

pub(crate) fn ours(operation: &Operation) -> Result<OurCounts, Failed> {
    let program = env!("CARGO_BIN_EXE_counted-by-counting-alloc");
    let figures = count(program, operation)?;
    OurCounts::from_figures(&figures, operation.threads)
        .ok_or_else(|| format!("`{program}` left figures out:\n{figures}").into())
}

/// The counts of dhat-rs.
pub(crate) fn dhat(operation: &Operation) -> Result<Figures, Failed> {
    count(env!("CARGO_BIN_EXE_counted-by-dhat"), operation)
}

fn count(program: &str, operation: &Operation) -> Result<Figures, Failed> {
    let printed = child::stdout(Command::new(program).args(["operation", operation.name, "once"]))?;
    Figures::parse(&printed).ok_or_else(|| format!("no figures: {printed}").into())
}
