//! What reports say of where rules apply: skipped gates, waivers, and what was
//! noticed about both.

use crate::evaluation::{Judgement, ScopeRemark, Skip, Verdict, WaiverNote};
use crate::report::words::{Dialect, pattern_advice};
use crate::requirement::rule_words;

/// Why a gate is skipped.
pub(in crate::report) fn skip_words(skip: &Skip, dialect: Dialect) -> String {
    let name = dialect.name;
    match skip {
        Skip::NotSelected => String::from("none of its scenarios was selected"),
        Skip::OthersNotSelected => {
            String::from("what it compares its scenarios with was not selected")
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
        Skip::Unanswered => String::from("nothing says whether it applies"),
    }
}

/// What the waiver of a judgement allows, why, and where it is worked on; nothing
/// without a waiver.
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

/// What to do about a judgement that is waived.
pub(super) fn waived_advice(
    judgement: &Judgement,
    waiver: &WaiverNote,
    config_file: &str,
    dialect: Dialect,
) -> String {
    let place = dialect.at(config_file, waiver.place);
    let location = dialect.location(&judgement.location);
    match waiver.until {
        Some(until) => format!(
            "mend what {location} runs by {until}, and take the waiver out at {place}; from the \
             day after it fails"
        ),
        None => format!("mend what {location} runs, and take the waiver out at {place}"),
    }
}

/// A finding in a sentence, and what to do about it.
pub(super) fn remark_words(
    remark: &ScopeRemark,
    config_file: &str,
    dialect: Dialect,
) -> (String, String) {
    let name = dialect.name;
    let at = |place| dialect.at(config_file, place);
    match remark {
        ScopeRemark::UnmatchedExclude {
            gate,
            pattern,
            place,
        } => (
            format!(
                "the gate {} excludes {}, and has no such scenario",
                name(gate),
                name(pattern)
            ),
            pattern_advice(&at(*place)),
        ),
        ScopeRemark::Unanswered {
            owner,
            condition,
            about,
            place,
        } => (
            format!(
                "nothing says whether {} applies: {} asks for more than is known of {}",
                (dialect.text)(owner),
                name(condition),
                (dialect.text)(about)
            ),
            format!(
                "hand in what `rustc --print cfg` says of the target, or change the condition at {}",
                at(*place)
            ),
        ),
        ScopeRemark::ExpiredWaiver {
            gate,
            until,
            reason,
            issue,
            place,
        } => {
            let issue = issue
                .as_ref()
                .map(|issue| format!(", {}", (dialect.text)(issue)));
            (
                format!(
                    "a waiver of the gate {} held until {until}: {}{}",
                    name(gate),
                    (dialect.text)(reason),
                    issue.unwrap_or_default()
                ),
                format!(
                    "mend what it is about, and take it out at {}; or say in review why it is to \
                     hold until a later day",
                    at(*place)
                ),
            )
        }
        ScopeRemark::IdleWaiver { gate, place } => (
            format!(
                "a waiver of the gate {} hides nothing: what it is about holds without it",
                name(gate)
            ),
            format!(
                "take it out at {}, so that it can't hide the next failure",
                at(*place)
            ),
        ),
        ScopeRemark::UnmatchedWaiver {
            gate,
            pattern,
            place,
        } => (
            format!(
                "a waiver is for {}, and the gate {} judges no such scenario",
                name(pattern),
                name(gate)
            ),
            pattern_advice(&at(*place)),
        ),
    }
}
