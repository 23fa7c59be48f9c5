//! Runs the counting programs and parses their values.

use std::process::Command;

use libtest_mimic::Failed;
use proof_oracles::Values;
use proof_oracles::conversion::OurCounts;
use proof_oracles::operation::Operation;
use proof_shared::child;

pub(crate) fn ours(operation: &Operation) -> Result<OurCounts, Failed> {
    let program = env!("CARGO_BIN_EXE_counted-by-counting-alloc");
    let values = count(program, operation)?;
    OurCounts::from_values(&values, operation.threads)
        .ok_or_else(|| format!("`{program}` left values out:\n{values}").into())
}

/// The counts of dhat-rs.
pub(crate) fn dhat(operation: &Operation) -> Result<Values, Failed> {
    count(env!("CARGO_BIN_EXE_counted-by-dhat"), operation)
}

fn count(program: &str, operation: &Operation) -> Result<Values, Failed> {
    let printed = child::stdout(Command::new(program).args(["operation", operation.name, "once"]))?;
    Values::parse(&printed).ok_or_else(|| format!("no values: {printed}").into())
}
