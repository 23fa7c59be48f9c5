//! The notes of an audit on waivers: those that are not needed, and those without an end or
//! without a limit.

use crate::audit::{Audit, HiddenFigure, OpenWaiver};
use crate::evaluation::{IdleWaiver, Level};
use crate::report::explanation::Explanation;
use crate::report::words::{Dialect, idle_figures, listed};
use crate::requirement::rule_words;

/// A note for each waiver: first those that are not needed.
pub(super) fn notes(audit: &Audit, dialect: Dialect) -> Vec<Explanation> {
    let idle = audit.idle_waivers.iter();
    let idle = idle.map(|waiver| idle_note(audit, waiver, dialect));
    let open = audit.open_waivers.iter();
    idle.chain(open.map(|waiver| open_note(audit, waiver, dialect)))
        .collect()
}

fn idle_note(audit: &Audit, waiver: &IdleWaiver, dialect: Dialect) -> Explanation {
    let gate = (dialect.name)(&waiver.gate);
    let place = dialect.at(&audit.config_file, waiver.place);
    let (about, next) = if waiver.is_whole {
        (
            format!("a waiver of the gate {gate} hides nothing"),
            format!("take it out at {place}"),
        )
    } else {
        let figures = idle_figures(&waiver.figures, dialect);
        (
            format!("a waiver of the gate {gate} hides nothing for {figures}"),
            format!("name only what needs it at {place}"),
        )
    };
    note("idle", about, vec![("help", next)])
}

fn open_note(audit: &Audit, waiver: &OpenWaiver, dialect: Dialect) -> Explanation {
    let gate = (dialect.name)(&waiver.gate);
    let place = dialect.at(&audit.config_file, waiver.place);
    let is_unlimited = waiver.hides.iter().any(|hidden| hidden.is_unlimited);
    let (lacks, next) = match (waiver.has_end, is_unlimited) {
        (false, false) => ("no end", "add an `until`"),
        (false, true) => ("no end and no limit", "add an `until` and a limit"),
        (true, _) => ("no limit", "add a limit"),
    };
    let hides = waiver
        .hides
        .iter()
        .map(|hidden| hidden_words(hidden, dialect));
    note(
        "open",
        format!("a waiver of the gate {gate} has {lacks}"),
        vec![
            ("hides", listed(&hides.collect::<Vec<_>>(), "figure")),
            ("help", format!("{next} at {place}")),
        ],
    )
}

/// The failures that a waiver hides for one figure.
fn hidden_words(hidden: &HiddenFigure, dialect: Dialect) -> String {
    let words = |requirement| rule_words(&hidden.metric, hidden.statistic, requirement);
    let required = (dialect.name)(&words(&hidden.required));
    let scenario = (dialect.name)(&hidden.scenario);
    let failures = if hidden.is_unlimited {
        String::from("any failure")
    } else {
        let allowed = (dialect.name)(&hidden.allowed.to_string());
        format!("any figure that is {allowed}")
    };
    format!("{failures} of {required} in {scenario}")
}

fn note(word: &'static str, about: String, details: Vec<(&'static str, String)>) -> Explanation {
    Explanation {
        level: Level::Warn,
        word,
        about,
        details,
    }
}
