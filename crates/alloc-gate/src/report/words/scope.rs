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
            "fix the code that {location} measures, and remove the waiver at {place}; after {until} \
             the gate fails"
        ),
        None => format!("fix the code that {location} measures, and remove the waiver at {place}"),
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
                "the gate {} excludes {}, which matches none of its scenarios",
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
                "it is not known whether {} applies: {} asks for more than is known of {}",
                (dialect.text)(owner),
                name(condition),
                (dialect.text)(about)
            ),
            format!(
                "provide what `rustc --print cfg` prints for the target, or change the condition at {}",
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
                    "a waiver of the gate {} ended on {until}: {}{}",
                    name(gate),
                    (dialect.text)(reason),
                    issue.unwrap_or_default()
                ),
                format!(
                    "fix the cause and remove the waiver at {}, or agree on a later `until`",
                    at(*place)
                ),
            )
        }
        ScopeRemark::IdleWaiver { gate, place } => (
            format!(
                "a waiver of the gate {} is not needed: the gate holds without it",
                name(gate)
            ),
            format!(
                "remove it at {}, so that it can't hide the next failure",
                at(*place)
            ),
        ),
        ScopeRemark::UnmatchedWaiver {
            gate,
            pattern,
            place,
        } => (
            format!(
                "a waiver is for {}, which matches no scenario of the gate {}",
                name(pattern),
                name(gate)
            ),
            pattern_advice(&at(*place)),
        ),
    }
}
