//! How the run ended: the table, the closing line and the exit code, computed
//! from the same records. It prints nothing.

use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

use super::step::Step;

/// How a step ended. A step that did not run is never a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All of it ran and succeeded.
    Passed,
    /// Something did not, for this reason.
    Failed(String),
    /// None of it ran, for this reason.
    Skipped(String),
}

/// One step that is over.
#[derive(Debug)]
pub(crate) struct Record {
    /// The step.
    pub(crate) step: Step,
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// How long it took, by the clock on the wall.
    pub(crate) duration: Duration,
}

/// One line a step: its name, how it ended, its seconds, and the reason.
pub(crate) fn table(records: &[Record]) -> String {
    let mut table = format!("\n{:<9} {:<8} {:>8}\n", "step", "outcome", "seconds");
    for record in records {
        let (word, reason) = record.outcome.words();
        let line = format!(
            "{:<9} {word:<8} {:>8.1}  {reason}",
            record.step.name(),
            record.duration.as_secs_f64(),
        );
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}

/// The last line of the output, which CI services read.
pub(crate) fn closing_line(records: &[Record]) -> String {
    let (mut passed, mut failed, mut skipped) = (0_usize, 0_usize, 0_usize);
    for record in records {
        match record.outcome {
            Outcome::Passed => passed += 1,
            Outcome::Failed(_) => failed += 1,
            Outcome::Skipped(_) => skipped += 1,
        }
    }
    format!("ci: {passed} passed, {failed} failed, {skipped} skipped")
}

/// Success, unless a step failed.
pub(crate) fn exit_code(records: &[Record]) -> ExitCode {
    let failed = |record: &Record| matches!(record.outcome, Outcome::Failed(_));
    match records.iter().any(failed) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

impl Outcome {
    fn words(&self) -> (&'static str, &str) {
        match self {
            Self::Passed => ("passed", ""),
            Self::Failed(reason) => ("failed", reason),
            Self::Skipped(reason) => ("skipped", reason),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            (word, "") => f.write_str(word),
            (word, reason) => write!(f, "{word}: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let record = |step, outcome, milliseconds| Record {
            step,
            outcome,
            duration: Duration::from_millis(milliseconds),
        };
        vec![
            record(Step::Fmt, Outcome::Passed, 1_230),
            record(
                Step::Test,
                Outcome::Failed("`cargo test`: exit status: 101".into()),
                61_000,
            ),
            record(Step::Nextest, Outcome::Skipped("not installed".into()), 0),
        ]
    }

    #[test]
    fn the_closing_line_counts_every_outcome_by_itself() {
        assert_eq!(
            closing_line(&records()),
            "ci: 1 passed, 1 failed, 1 skipped"
        );
        assert_eq!(closing_line(&[]), "ci: 0 passed, 0 failed, 0 skipped");
    }

    #[test]
    fn the_table_has_a_line_for_each_step_with_its_reason() {
        assert_eq!(
            table(&records()),
            "
step      outcome   seconds
fmt       passed        1.2
test      failed       61.0  `cargo test`: exit status: 101
nextest   skipped       0.0  not installed
"
        );
    }

    #[test]
    fn one_failure_fails_the_run_and_a_skip_does_not() {
        let mut records = records();
        assert_eq!(exit_code(&records), ExitCode::FAILURE);
        records.remove(1);
        assert_eq!(exit_code(&records), ExitCode::SUCCESS);
    }
}
