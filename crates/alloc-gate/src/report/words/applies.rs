//! Skipped gates and waivers in words.

use crate::evaluation::{Judgement, Skip, Verdict, WaiverNote};
use crate::report::words::Dialect;
use crate::requirement::rule_words;

/// Why a gate is skipped, in words.
pub(in crate::report) fn skip_words(skip: &Skip, dialect: Dialect) -> String {
    let name = dialect.name;
    match skip {
        Skip::NotSelected => String::from("none of its scenarios was selected"),
        Skip::OthersNotSelected => {
            String::from("the scenarios that it compares with were not selected")
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
            format!(
                "{} does not hold for {}{assertions}",
                name(&format!("when {condition}")),
                (dialect.text)(target)
            )
        }
        Skip::Rustc { requirement, rustc } => format!(
            "{} does not hold for {}",
            name(&format!("rustc {requirement}")),
            (dialect.text)(rustc)
        ),
        Skip::Unanswered => String::from("it is not known whether it applies"),
    }
}

/// The limit, the reason and the issue of a judgement's waiver; empty without a waiver.
pub(in crate::report) fn waiver_details(
    judgement: &Judgement,
    config_file: &str,
    dialect: Dialect,
) -> Vec<(&'static str, String)> {
    let Some(waiver) = &judgement.waiver else {
        return Vec::new();
    };
    let rule = rule_words(&judgement.metric, judgement.statistic, &waiver.requirement);
    let mut allowed = format!(
        "{} ({})",
        (dialect.name)(&rule),
        dialect.at(config_file, waiver.place)
    );
    if let Some(until) = waiver.until {
        allowed.push_str(&format!(", until {until}"));
    }
    match judgement.verdict {
        Verdict::Waived => {}
        Verdict::Skipped | Verdict::Pass | Verdict::Stale | Verdict::Missing(_) | Verdict::Fail => {
            allowed.push_str(", which does not hold either");
        }
    }
    let mut details = vec![
        ("allowed", allowed),
        ("because", (dialect.text)(&waiver.reason)),
    ];
    if let Some(issue) = &waiver.issue {
        details.push(("issue", (dialect.text)(issue)));
    }
    details
}

/// Advice for a judgement that is waived.
pub(super) fn waived_advice(waiver: &WaiverNote, config_file: &str, dialect: Dialect) -> String {
    let place = dialect.at(config_file, waiver.place);
    match waiver.until {
        Some(until) => {
            format!("fix the code, and remove the waiver at {place}; after {until} the gate fails")
        }
        None => format!("fix the code, and remove the waiver at {place}"),
    }
}
