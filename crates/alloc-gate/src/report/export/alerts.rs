//! [`Alert`]: a requirement that fails the check, on a line of the code.

use crate::printable::one_line;
use crate::report::export::blamed::Blamed;
use crate::report::export::cases::{Case, State, Unmet, cases};
use crate::report::export::runs::Runs;

/// The frames of a call stack at most. GitHub shows no more.
const MOST_FRAMES: usize = 100;

/// A requirement that fails the check.
pub(super) struct Alert {
    /// The gate's name, or the code of a finding.
    pub(super) rule: String,
    /// Why there is the rule, and what to do.
    pub(super) reason: String,
    pub(super) help: String,
    /// A sentence.
    pub(super) text: String,
    /// The lines that allocate, with their code.
    pub(super) lines: Vec<String>,
    /// The line that allocates, or else the scenario, or else the rule.
    pub(super) spot: Spot,
    pub(super) scenario: Option<Spot>,
    pub(super) rule_spot: Spot,
    /// The functions that lead to the line, outermost first, as far as the repository has them.
    pub(super) stack: Vec<(Spot, String)>,
    /// What the same problem has in another run, with other lines above it.
    pub(super) fingerprint: String,
}

/// A place in a file of the repository.
#[derive(Clone)]
pub(super) struct Spot {
    pub(super) file: String,
    pub(super) line: usize,
    /// From where to where, in characters from 1.
    pub(super) columns: Option<[usize; 2]>,
}

/// The alerts of all environments.
pub(super) fn alerts(runs: Runs<'_>) -> Vec<Alert> {
    let mut alerts = Vec::new();
    for evaluation in runs.evaluations {
        let environment = runs.environment(evaluation);
        for case in cases(evaluation) {
            if let State::Failed(unmet) = &case.state {
                let rules = &evaluation.config_file;
                alerts.extend(
                    unmet
                        .iter()
                        .map(|one| alert(runs, &case, one, rules, &environment)),
                );
            }
        }
    }
    alerts
}

fn alert(
    runs: Runs<'_>,
    case: &Case<'_>,
    unmet: &Unmet<'_>,
    rules: &str,
    environment: &str,
) -> Alert {
    let spot = |file: &str, line| Spot {
        file: runs.path(file),
        line,
        columns: None,
    };
    let rule_spot = spot(rules, unmet.rule_line);
    let scenario = case.location.map(|(file, line)| spot(file, line as usize));
    let blamed = unmet.blamed.as_deref();
    let place = blamed.map(|blamed| Spot {
        columns: columns(blamed),
        ..spot(&blamed.file, blamed.line as usize)
    });
    let stack = blamed.into_iter().flat_map(|blamed| blamed.stack);
    let stack = stack.filter_map(|frame| {
        let spot = spot(frame.file.as_deref()?, frame.line? as usize);
        let is_inside = !spot.file.starts_with('/') && !spot.file.contains(':');
        is_inside.then(|| (spot, frame.function.to_string()))
    });
    let mut stack: Vec<_> = stack.take(MOST_FRAMES).collect();
    stack.reverse();
    Alert {
        rule: one_line(case.rule),
        reason: case.reason.clone(),
        help: case.help.clone(),
        text: format!("{}{environment}", unmet.text),
        lines: blamed
            .map(|blamed| blamed.texts.clone())
            .unwrap_or_default(),
        spot: place
            .or_else(|| scenario.clone())
            .unwrap_or_else(|| rule_spot.clone()),
        scenario,
        rule_spot,
        stack,
        fingerprint: case.fingerprint(unmet, environment),
    }
}

/// From the call to the end of the line.
fn columns(blamed: &Blamed<'_>) -> Option<[usize; 2]> {
    let begin = usize::try_from(blamed.column?.checked_sub(1)?).ok()?;
    let before = blamed.code.get(..begin)?.chars().count() + 1;
    let end = blamed.code.trim_end().chars().count() + 1;
    (before < end).then_some([before, end])
}
