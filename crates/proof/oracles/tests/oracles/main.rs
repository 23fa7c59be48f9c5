//! Every operation of the corpus, counted by us and by each oracle in processes
//! of their own: the figures have to agree exactly.
//!
//! The trials with valgrind's DHAT are ignored where valgrind is missing, and a
//! line on stderr says so.

#![expect(
    clippy::disallowed_methods,
    reason = "ignored comparisons are told on stderr"
)]

mod children;
mod doubts;
mod valgrind;

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use proof_oracles::Figures;
use proof_oracles::conversion::{self, Ours, disagreements};
use proof_oracles::operation::{self, Operation};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = operation::all().flat_map(compared_in_rust).collect();
    trials.extend(doubts::trials());
    let valgrind = valgrind::missing();
    let below_c = operation::all()
        .map(|operation| trial("valgrind", operation, compared_with_valgrind))
        .chain(doubts::trials_with_valgrind());
    trials.extend(below_c.map(|trial| trial.with_ignored_flag(valgrind.is_some())));
    if let Some(reason) = &valgrind
        && !arguments.list
    {
        say(reason);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The trials of one operation that need nothing but cargo.
fn compared_in_rust(operation: &'static Operation) -> [Trial; 3] {
    [
        trial("recorder", operation, |operation| {
            let ours = children::ours(operation)?;
            let converted = conversion::recorder(&ours);
            Ok((converted, conversion::reported_by_recorder(&ours)))
        }),
        trial("dhat", operation, |operation| {
            let ours = children::ours(operation)?;
            Ok((conversion::dhat(&ours), children::dhat(operation)?))
        }),
        trial("stats_alloc", operation, |operation| {
            let ours = children::ours(operation)?;
            let reported = children::stats_alloc(operation)?;
            Ok((conversion::stats_alloc(&ours), reported))
        }),
    ]
}

fn compared_with_valgrind(operation: &Operation) -> Result<(Figures, Figures), Failed> {
    let ours: Ours = children::ours(operation)?;
    let reported = valgrind::count(operation)?;
    let converted = conversion::valgrind(&ours, reported.c_blocks);
    Ok((converted, reported.by_rust))
}

/// A comparison yields what we convert to, and what the oracle reports.
type Comparison = fn(&Operation) -> Result<(Figures, Figures), Failed>;

fn trial(oracle: &str, operation: &'static Operation, compare: Comparison) -> Trial {
    Trial::test(format!("{oracle}::{}", operation.name), move || {
        let (converted, reported) = compare(operation)?;
        match disagreements(&converted, &reported)[..] {
            [] => Ok(()),
            ref lines => Err(lines.join("\n").into()),
        }
    })
}

fn say(line: &dyn Display) {
    // When stderr is closed, the ignored trials still say it.
    let _ = writeln!(std::io::stderr(), "{line}");
}
