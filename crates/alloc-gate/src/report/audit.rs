//! Reports of an [`Audit`], and the words that the three formats share.

use alloc_results::{Ratio, integer, mean};

use crate::audit::{
    Audit, AuditOutcome, AuditStatus, Breach, ComparisonAudit, Figure, Found, GateAudit,
    Inconclusive, LooseLimit, Proof, RuleAudit, Why,
};
use crate::evaluation::{Level, Verdict};
use crate::figure::{Statistic, counted};
use crate::report::explanation::Explanation;
use crate::report::format::formats;
use crate::report::words::{Dialect, absence_words, rule_line, skip_words};
use crate::requirement::rule_words;

pub mod json;
pub mod markdown;
pub mod terminal;
mod waivers;

/// An audit, and whether a terminal lists all breaches.
#[derive(Clone, Copy, Debug)]
pub struct AuditReport<'a> {
    /// The audit.
    pub audit: &'a Audit,
    /// Whether a terminal lists all breaches, and not one of each rule.
    pub lists_all: bool,
}

formats! {
    /// The formats of an [`Audit`].
    AuditFormat for<'d> AuditReport<'d>:
    Terminal("terminal", "For people at a terminal and for logs") =
        |it: AuditReport<'_>, out| terminal::write(it.audit, it.lists_all, out),
    Markdown("markdown", "For step summaries and comments") =
        |it: AuditReport<'_>, out| markdown::write(it.audit, out),
    Json("json", "For programs") = |it: AuditReport<'_>, out| json::write(it.audit, out),
}

/// The result of the audit in words, for the last line of a run.
#[must_use]
pub fn verdict_line(audit: &Audit) -> String {
    let injected = audit.breaches().count();
    let with = |verdict| {
        let breaches = audit.breaches();
        breaches.filter(|one| one.verdict == verdict).count()
    };
    let (caught, waived) = (with(Verdict::Fail), with(Verdict::Waived));
    let missed = injected - caught - waived;
    let caught = match (injected, missed + waived) {
        (0, _) => String::new(),
        (_, 0) => String::from(", all seen"),
        (_, _) => format!(", {caught} seen"),
    };
    let rules = |status, words: &str| {
        let rules = audit.rules().filter(|rule| rule.status() == status);
        let count = rules.count();
        (count, format!("{} {words}", counted(count, "rule")))
    };
    let parts = [
        (missed, format!("{missed} not seen")),
        (waived, format!("{waived} waived")),
        rules(AuditStatus::CannotFail, "can't fail"),
        rules(AuditStatus::Failing, "failing already"),
        rules(AuditStatus::Inconclusive, "not proved here"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: String = parts.map(|(_, words)| format!(", {words}")).collect();
    let word = match audit.outcome() {
        AuditOutcome::Proved => "audited",
        AuditOutcome::CannotFail => "AUDIT FAILED",
        AuditOutcome::NothingAudited => "NOTHING AUDITED",
    };
    format!(
        "alloc-gate: {word}: {}, {}, {} injected{caught}{parts}",
        counted(audit.gates.len(), "gate"),
        counted(audit.rules().count(), "rule"),
        breach_count(injected),
    )
}

/// The number of breaches.
fn breach_count(count: usize) -> String {
    if count == 1 {
        String::from("1 breach")
    } else {
        format!("{count} breaches")
    }
}

/// The word for a status.
const fn word(status: AuditStatus) -> &'static str {
    match status {
        AuditStatus::Proved => "proved",
        AuditStatus::Failing => "failing",
        AuditStatus::Inconclusive => "not proved",
        AuditStatus::CannotFail => "CAN'T FAIL",
    }
}

/// The words behind a gate's name: its number of rules, or why it is skipped.
fn gate_words(gate: &GateAudit, dialect: Dialect) -> String {
    match &gate.skip {
        Some(skip) => skip_words(skip, dialect),
        None => counted(gate.rules.len(), "rule"),
    }
}

/// The attempts to break a rule: the number of breaches, and an example.
fn rule_breaches(rule: &RuleAudit) -> String {
    let count = rule.breaches().count();
    let tried = || rule.comparisons.iter().flat_map(|c| &c.proofs);
    let example = tried().find_map(|proof| Some((proof, proof.breaches.first()?)));
    let mut text = match example {
        None => String::from("nothing was injected"),
        Some((proof, breach)) => {
            let such_as = if count > 1 { ", such as" } else { ":" };
            format!(
                "{}{such_as} {}",
                breach_count(count),
                breach_words(rule, proof, breach)
            )
        }
    };
    let unbreakable = tried()
        .filter(|proof| matches!(proof.found, Found::Unbreakable(_)))
        .count();
    if unbreakable > 0 {
        let scenarios = counted(unbreakable, "scenario");
        text.push_str(&format!("; can't fail on {scenarios}"));
    }
    let left_out: usize = rule.comparisons.iter().map(|c| c.left_out).sum();
    if left_out > 0 {
        text.push_str(&format!(
            "; {} more not tried",
            counted(left_out, "scenario")
        ));
    }
    text
}

/// `2.00 to 5.00 in 1 iteration of encode`.
fn breach_words(rule: &RuleAudit, proof: &Proof, breach: &Breach) -> String {
    let (before, after) = figures(breach);
    let count = usize::try_from(breach.changed).unwrap_or(usize::MAX);
    let noun = match (breach.after, rule.metric.name()) {
        (Figure::Growth(_), _) => "scenario",
        (Figure::Value(_), _) if rule.statistic == Statistic::First => "first call",
        (Figure::Value(_), "foreign-allocs") => {
            return format!("{before} to {after} beside {}", proof.scenario);
        }
        (Figure::Value(_), "uncounted-allocs") => {
            return format!("{before} to {after} excluded in {}", proof.scenario);
        }
        (Figure::Value(_), "faults") => {
            return format!("{before} to {after} of {}", proof.scenario);
        }
        (Figure::Value(_), "time") => "batch",
        (Figure::Value(_), _) => "iteration",
    };
    let number = integer(breach.changed.into());
    let noun = match (noun, count) {
        ("batch", 2..) => String::from("batches"),
        (_, 1) => noun.to_owned(),
        (_, _) => format!("{noun}s"),
    };
    format!(
        "{before} to {after} in {number} {noun} of {}",
        proof.scenario
    )
}

/// The figures before and after, with enough decimals to differ.
fn figures(breach: &Breach) -> (String, String) {
    match (breach.before, breach.after) {
        (Figure::Value(before), Figure::Value(after)) => {
            if before.as_whole().is_some() && after.as_whole().is_some() {
                return (mean(before, 0), mean(after, 0));
            }
            let shown = |figure: Ratio, decimals| mean(figure, decimals);
            let decimals = (2..18).find(|&d| shown(before, d) != shown(after, d));
            let decimals = decimals.unwrap_or(18);
            (shown(before, decimals), shown(after, decimals))
        }
        (before, after) => {
            let class = |figure| match figure {
                Figure::Growth(class) => class.to_string(),
                Figure::Value(value) => mean(value, 2),
            };
            (class(before), class(after))
        }
    }
}

/// The problems: comparisons that can't fail, fail already or are not proved, and then
/// the other weaknesses of the suite.
fn notes(audit: &Audit, dialect: Dialect) -> Vec<Explanation> {
    let mut notes = Vec::new();
    for status in [
        AuditStatus::CannotFail,
        AuditStatus::Failing,
        AuditStatus::Inconclusive,
    ] {
        for gate in audit.gates.iter().filter(|gate| gate.skip.is_none()) {
            for rule in &gate.rules {
                let comparisons = rule.comparisons.iter();
                let own = comparisons.filter(|comparison| comparison.status() == status);
                notes.extend(own.map(|c| comparison_note(audit, gate, rule, c, dialect)));
            }
        }
    }
    let warning = |word, about, details| Explanation {
        level: Level::Warn,
        word,
        about,
        details,
    };
    let loose = audit.loose_limits.iter();
    notes.extend(loose.map(|limit| loose_limit_note(audit, limit, dialect)));
    notes.extend(waivers::notes(audit, dialect));
    notes.extend(audit.ungated.iter().map(|(scenario, location)| {
        warning(
            "ungated",
            format!(
                "nothing gates {} ({})",
                (dialect.name)(scenario),
                dialect.location(location)
            ),
            vec![("help", String::from("add it to the `scenarios` of a gate"))],
        )
    }));
    notes
}

/// The note on a comparison that is not proved.
fn comparison_note(
    audit: &Audit,
    gate: &GateAudit,
    rule: &RuleAudit,
    comparison: &ComparisonAudit,
    dialect: Dialect,
) -> Explanation {
    let status = comparison.status();
    let words = rule_words(&rule.metric, rule.statistic, &rule.requirement);
    let place = dialect.at(&audit.config_file, rule.place);
    let mut required = format!("{} ({place})", (dialect.name)(&words));
    if rule.comparisons.len() > 1 {
        let one = (dialect.name)(&comparison.comparison.to_string());
        required.push_str(&format!(", of which {one}"));
    }
    let deciding = comparison.proofs.iter().find(|proof| match status {
        AuditStatus::CannotFail => {
            proof.found == Found::Missed
                || comparison.proofs.iter().all(|p| p.found != Found::Missed)
        }
        AuditStatus::Failing => proof.found == Found::Failing,
        AuditStatus::Inconclusive => matches!(proof.found, Found::Inconclusive(_)),
        AuditStatus::Proved => false,
    });
    let mut details = vec![("required", required)];
    let why = match deciding {
        Some(proof) => {
            let others = comparison
                .proofs
                .iter()
                .filter(|p| p.found == proof.found)
                .count()
                - 1;
            let mut scenario = (dialect.name)(&proof.scenario);
            if others > 0 {
                scenario.push_str(&format!(", and {others} more"));
            }
            details.push(("scenario", scenario));
            (dialect.text)(&found_words(rule, proof))
        }
        None => String::from("it judges no scenario of this run"),
    };
    details.push(("why", why));
    let next = match (status, deciding.map(|proof| &proof.found)) {
        (AuditStatus::CannotFail, Some(Found::Missed)) => String::from(
            "the breach should have failed the check: report it to alloc-gate, with the results",
        ),
        (AuditStatus::CannotFail, _) => {
            format!("write a limit at {place} that a figure can break, or take it out")
        }
        (AuditStatus::Failing, _) => String::from("see `cargo alloc-gate` for what is broken"),
        (
            AuditStatus::Inconclusive | AuditStatus::Proved,
            Some(Found::Inconclusive(Inconclusive::Waived)),
        ) => String::from("audit again when the waiver is gone"),
        (AuditStatus::Inconclusive | AuditStatus::Proved, _) => {
            String::from("audit again where `cargo alloc-gate` can judge it")
        }
    };
    details.push(("help", next));
    Explanation {
        level: if status == AuditStatus::CannotFail {
            Level::Deny
        } else {
            Level::Warn
        },
        word: word(status),
        about: (dialect.text)(&gate.name),
        details,
    }
}

/// The result of a proof in words.
fn found_words(rule: &RuleAudit, proof: &Proof) -> String {
    match &proof.found {
        Found::Caught => String::from("each breach was seen"),
        Found::Failing => String::from("it fails on the results as they are"),
        Found::Missed => {
            let mut breaches = proof.breaches.iter();
            let missed = breaches.find(|breach| breach.verdict != Verdict::Fail);
            missed.map_or_else(String::new, |breach| {
                format!(
                    "with {} the verdict is still `{}`",
                    breach_words(rule, proof, breach),
                    breach.verdict
                )
            })
        }
        Found::Unbreakable(Why::Itself) => {
            String::from("the limit is the scenario's own figure, and moves with it")
        }
        Found::Unbreakable(Why::Growth) => String::from("no points of records grow faster"),
        Found::Unbreakable(Why::Range { limit, least, most }) => {
            let end = match (least, most) {
                (Some(least), Some(most)) => format!("is from {least} to {most}"),
                (Some(least), None) => format!("is never below {least}"),
                (None, Some(most)) => format!("is never above {most}"),
                (None, None) => String::from("does not go so far"),
            };
            format!("the limit comes to {limit}, and the figure of a record {end}")
        }
        Found::Inconclusive(Inconclusive::Missing(absence)) => absence_words(*absence, None),
        Found::Inconclusive(Inconclusive::Waived) => {
            String::from("a waiver allows the smallest breach")
        }
        Found::Inconclusive(Inconclusive::Hidden) => {
            String::from("another comparison of the rule fails already")
        }
        Found::Inconclusive(Inconclusive::Coupled) => {
            String::from("the limit is computed from a figure that changes with this one")
        }
    }
}

/// The note on a loose limit.
fn loose_limit_note(audit: &Audit, limit: &LooseLimit, dialect: Dialect) -> Explanation {
    let place = dialect.at(&audit.config_file, limit.place);
    let words = rule_words(&limit.metric, limit.statistic, &limit.requirement);
    let worst = mean(limit.worst, 0);
    let next = match &limit.tightened {
        Some(tightened) => {
            let line = rule_line(&limit.metric, limit.statistic, tightened);
            format!("{} at {place} leaves no room", (dialect.name)(&line))
        }
        None => format!("write a tighter limit at {place}"),
    };
    Explanation {
        level: Level::Warn,
        word: "far",
        about: format!(
            "{}: the limit is far from what is measured",
            (dialect.text)(&limit.gate)
        ),
        details: vec![
            (
                "worst",
                format!(
                    "{} of {}",
                    (dialect.text)(&worst),
                    (dialect.name)(&limit.scenario)
                ),
            ),
            ("required", format!("{} ({place})", (dialect.name)(&words))),
            ("help", next),
        ],
    }
}

#[cfg(test)]
mod tests;
