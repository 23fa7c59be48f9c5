//! The verdict in a line.

use std::slice;

use crate::evaluation::{Evaluation, Outcome, Tally};
use crate::measure::{counted, thousands};
use crate::report::check::end::failed_gates;

/// The last line of a run, with the verdict.
#[must_use]
pub fn verdict_line(evaluation: &Evaluation) -> String {
    verdict_of_all(slice::from_ref(evaluation))
}

/// The last line of a run, with the verdict over all environments.
#[must_use]
pub fn verdict_of_all(evaluations: &[Evaluation]) -> String {
    let (word, rest) = verdict(evaluations);
    format!("alloc-gate: {word}{rest}")
}

/// The word of the verdict, and what was checked: `passed` and `: 2 gates checked, 3 scenarios
/// measured`; `FAILED` and `: 4 of 8 scenarios, 2 of 3 gates`.
pub(super) fn verdict(evaluations: &[Evaluation]) -> (&'static str, String) {
    let words = Words::new(evaluations);
    let word = match words.outcome {
        Outcome::Held => "passed",
        Outcome::Failed => "FAILED",
        Outcome::NothingJudged => "NOTHING CHECKED",
    };
    let (gates, scenarios, details) = (words.gates, words.scenarios, words.details);
    let rest = match &words.failed[..] {
        [] => format!(": {gates} checked{details}, {scenarios} measured"),
        failed => format!(": {}{details}", failed.join(", ")),
    };
    (word, rest)
}

/// The verdict as a sentence, if that is possible: `4 of 8 scenarios and 2 of 3 gates failed`.
pub(super) fn headline(evaluations: &[Evaluation]) -> String {
    let words = Words::new(evaluations);
    let (gates, scenarios, details) = (&*words.gates, words.scenarios, words.details);
    match (words.outcome, &words.failed[..]) {
        (Outcome::Held, _) if gates == "1 gate" => format!("1 gate holds for {scenarios}{details}"),
        (Outcome::Held, _) => format!("All {gates} hold for {scenarios}{details}"),
        (Outcome::Failed, failed @ [_, ..]) => format!("{} failed{details}", failed.join(" and ")),
        (Outcome::Failed | Outcome::NothingJudged, _) => {
            let (word, rest) = verdict(evaluations);
            word.to_owned() + &rest
        }
    }
}

/// What a verdict says.
struct Words {
    outcome: Outcome,
    /// `4 of 8 scenarios` and `2 of 3 gates`, as far as some failed.
    failed: Vec<String>,
    gates: String,
    /// The scenarios that were measured.
    scenarios: String,
    /// ` in 2 environments (1 missing, 2 skipped)`.
    details: String,
}

impl Words {
    fn new(evaluations: &[Evaluation]) -> Self {
        let place = match evaluations {
            [_] => String::new(),
            several => format!(" in {}", counted(several.len(), "environment")),
        };
        let left_out = evaluations.iter().map(|one| one.left_out).sum();
        let benches = evaluations.iter().map(|one| one.benches_left_out).max();
        let benches = benches.unwrap_or_default();
        let tally = Tally::of_all(evaluations);
        let not_selected = tally.not_selected;
        let skipped = tally.skipped - not_selected;
        let number = |count: usize, what: &str| (count, format!("{} {what}", thousands(count)));
        let outcome = Outcome::of_all(evaluations);
        let has_failed = outcome == Outcome::Failed;
        let parts: Vec<String> = [
            number(tally.missing, "missing"),
            number(tally.stale, "stale"),
            (tally.denied, counted(tally.denied, "error")),
            number(skipped, "skipped"),
            number(not_selected, "not selected"),
            match left_out {
                left_out if has_failed => (left_out, counted(left_out, "scenario") + " left out"),
                _ => (0, String::new()),
            },
            match benches {
                1 => number(1, "bench left out"),
                _ => number(benches, "benches left out"),
            },
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(_, words)| words)
        .collect();
        let details = match &parts[..] {
            [] => place,
            parts => format!("{place} ({})", parts.join(", ")),
        };
        let gates = counted(tally.judged, "gate");
        let failed =
            |some: usize, of: String| (some > 0).then(|| format!("{} of {of}", thousands(some)));
        let failed = [
            failed(
                evaluations.iter().map(|one| one.failed.len()).sum(),
                counted(tally.scenarios, "scenario"),
            ),
            failed(
                evaluations.iter().flat_map(failed_gates).count(),
                gates.clone(),
            ),
        ];
        Self {
            outcome,
            failed: failed
                .into_iter()
                .flatten()
                .filter(|_| has_failed)
                .collect(),
            gates,
            scenarios: measured(tally.scenarios, left_out),
            details,
        }
    }
}

/// `3 scenarios`, or `3 of 10 scenarios` if the user left the others out.
#[must_use]
pub fn measured(scenarios: usize, left_out: usize) -> String {
    match left_out {
        0 => counted(scenarios, "scenario"),
        left_out => format!(
            "{} of {}",
            thousands(scenarios),
            counted(scenarios + left_out, "scenario")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Diagnostic, Level, Place, Where};
    use crate::evaluation::{GateSummary, Verdict};
    use crate::judge::unjudged;
    use crate::results::{Measurements, Selection};
    use crate::rules::Config;
    use crate::tests::rows;

    fn evaluation(words: &str) -> Evaluation {
        let config = Config::without_file();
        let mut evaluation = unjudged(&config, &Measurements::default(), Selection::Whole);
        let diagnostic = |level| Diagnostic::new(Code::NotSelected, level, Where::Nowhere, "");
        for word in words.split(' ') {
            let verdict = match word {
                "pass" => Verdict::Pass,
                "fail" => Verdict::Fail,
                "skip" => Verdict::Skipped,
                level => {
                    let level = [Level::Warn, Level::Deny][usize::from(level == "deny")];
                    evaluation.findings.push(diagnostic(level));
                    continue;
                }
            };
            evaluation.gates.push(GateSummary {
                name: String::from("g"),
                reason: None,
                place: Place { line: 1, column: 1 },
                scenarios: 0,
                judgements: Vec::new(),
                left_out: 0,
                unmatched: Vec::new(),
                skip: (verdict == Verdict::Skipped).then(|| diagnostic(Level::Note)),
                verdict,
            });
        }
        evaluation
    }

    /// An environment in which nothing is judged does not pass with another.
    #[test]
    fn several_environments_have_the_worst_outcome_and_the_sum_of_the_gates() {
        let table = "
            | NothingJudged | NOTHING CHECKED: 0 gates checked in 0 environments, 0 scenarios measured
            pass pass warn | Held | passed: 2 gates checked, 0 scenarios measured
            pass deny | Failed | FAILED: 1 gate checked (1 error), 0 scenarios measured
            pass skip, pass pass | Held | passed: 3 gates checked in 2 environments (1 not selected), 0 scenarios measured
            pass, skip, fail | Failed | FAILED: 1 of 2 gates in 3 environments (1 not selected)
            pass, skip | NothingJudged | NOTHING CHECKED: 1 gate checked in 2 environments (1 not selected), 0 scenarios measured";
        for [runs, outcome, line] in rows(table) {
            let runs = runs.split_terminator(", ").map(evaluation);
            let runs: Vec<Evaluation> = runs.collect();
            assert_eq!(format!("{:?}", Outcome::of_all(&runs)), outcome);
            let shown = verdict_of_all(&runs);
            assert_eq!(shown, format!("alloc-gate: {line}"));
        }
    }
}
