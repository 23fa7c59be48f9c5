//! Skipped gates and waivers in words.

use crate::evaluation::{Judgement, Skip, Verdict, WaiverNote};
use crate::report::document::{Line, at, name, words};
use crate::requirement::rule_words;

/// Why a gate is skipped, in words.
pub(in crate::report) fn skip_words(skip: &Skip) -> Line {
    match skip {
        Skip::NotSelected => words!("none of its scenarios was selected"),
        Skip::OthersNotSelected => {
            words!("the scenarios that it compares with were not selected")
        }
        Skip::When {
            condition,
            target,
            debug_assertions,
        } => {
            let assertions = match debug_assertions {
                None => "",
                Some(true) => " with debug assertions",
                Some(false) => " without debug assertions",
            };
            words!(
                "{} does not hold for {}{}",
                name(format!("when {condition}")),
                target,
                assertions
            )
        }
        Skip::Rustc { requirement, rustc } => words!(
            "{} does not hold for {}",
            name(format!("rustc {requirement}")),
            rustc
        ),
        Skip::Unanswered => words!("it is not known whether it applies"),
    }
}

/// The limit, the reason and the issue of a judgement's waiver; `None` without a waiver.
pub(in crate::report) fn waiver_words(judgement: &Judgement, config_file: &str) -> Option<Line> {
    let waiver = judgement.waiver.as_ref()?;
    let rule = rule_words(&judgement.metric, judgement.statistic, &waiver.requirement);
    let until = waiver.until.map(|until| format!(", until {until}"));
    let holds = match judgement.verdict {
        Verdict::Waived => "",
        Verdict::Skipped | Verdict::Pass | Verdict::Stale | Verdict::Missing(_) | Verdict::Fail => {
            ", which does not hold either"
        }
    };
    let issue = waiver.issue.as_ref();
    Some(words!(
        "{} ({}){}{}; {}{}",
        name(rule),
        at(config_file, waiver.place),
        until,
        holds,
        &waiver.reason,
        issue.map(|issue| words!("; {}", issue))
    ))
}

/// Advice for a judgement that is waived.
pub(super) fn waived_advice(waiver: &WaiverNote, config_file: &str) -> Line {
    let place = at(config_file, waiver.place);
    match waiver.until {
        Some(until) => {
            words!(
                "fix the code, and remove the waiver at {}; after {} the gate fails",
                place,
                &until
            )
        }
        None => words!("fix the code, and remove the waiver at {}", place),
    }
}
