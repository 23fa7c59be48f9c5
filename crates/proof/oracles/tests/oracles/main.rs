//! Every operation of the corpus, counted by counting-alloc and by each oracle in
//! separate processes: the counts must agree exactly.
//!
//! The trials with valgrind's DHAT are ignored: they take a minute, and need valgrind. The
//! option `--ignored` runs them.

mod programs;
mod sensitivity;
mod valgrind;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use proof_oracles::Values;
use proof_oracles::conversion::{self, disagreements};
use proof_oracles::operation::Operation;
use proof_oracles::operations;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = operations::all().flat_map(compared_in_rust).collect();
    trials.extend(sensitivity::trials());
    let below_c = operations::all()
        .map(|operation| trial("valgrind", operation, compared_with_valgrind))
        .chain(sensitivity::trials_with_valgrind());
    trials.extend(below_c.map(|trial| trial.with_ignored_flag(true)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The trials of one operation that need no valgrind.
fn compared_in_rust(operation: &'static Operation) -> [Trial; 2] {
    [
        trial("recorder", operation, |operation| {
            let ours = programs::ours(operation)?;
            let converted = conversion::recorder(&ours);
            Ok((converted, conversion::reported_by_recorder(&ours)))
        }),
        trial("dhat", operation, |operation| {
            let ours = programs::ours(operation)?;
            Ok((conversion::dhat(&ours), programs::dhat(operation)?))
        }),
    ]
}

fn compared_with_valgrind(operation: &Operation) -> Result<(Values, Values), Failed> {
    let ours = programs::ours(operation)?;
    let reported = valgrind::count(operation)?;
    let converted = conversion::valgrind(&ours, reported.c_blocks);
    Ok((converted, reported.by_rust))
}

/// Returns our counts, converted, and the values that the oracle reports.
type Comparison = fn(&Operation) -> Result<(Values, Values), Failed>;

fn trial(oracle: &str, operation: &'static Operation, compare: Comparison) -> Trial {
    Trial::test(format!("{oracle}::{}", operation.name), move || {
        let (converted, reported) = compare(operation)?;
        match disagreements(&converted, &reported)[..] {
            [] => Ok(()),
            ref lines => Err(lines.join("\n").into()),
        }
    })
}
