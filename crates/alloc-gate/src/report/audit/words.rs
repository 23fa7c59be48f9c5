//! The words for the breaches of an audit.

use alloc_results::{Ratio, mean};

use crate::audit::{Breach, Figure, Found, Inconclusive, OutOfRange, Proof, RuleAudit, Why};
use crate::evaluation::Verdict;
use crate::figure::{Statistic, counted, thousands};
use crate::report::document::{Line, name, words};
use crate::report::words::absence_words;

/// The number of breaches.
pub(super) fn breach_count(count: usize) -> String {
    if count == 1 {
        String::from("1 breach")
    } else {
        format!("{count} breaches")
    }
}

/// The attempts to break a rule: the number of breaches, and an example.
pub(super) fn rule_breaches(rule: &RuleAudit) -> Line {
    let count = rule.breaches().count();
    let tried = || rule.comparisons.iter().flat_map(|c| &c.proofs);
    let example = tried().find_map(|proof| Some((proof, proof.breaches.first()?)));
    let mut words = match example {
        None => words!("nothing was injected"),
        Some((proof, breach)) => {
            let such_as = if count > 1 { ", such as" } else { ":" };
            words!(
                "{}{} {}",
                breach_count(count),
                such_as,
                breach_words(rule, proof, breach)
            )
        }
    };
    let unbreakable = tried()
        .filter(|proof| matches!(proof.found, Found::Unbreakable(_)))
        .count();
    if unbreakable > 0 {
        let scenarios = counted(unbreakable, "scenario");
        words.push(format!("; can't fail on {scenarios}"));
    }
    let left_out: usize = rule.comparisons.iter().map(|c| c.left_out).sum();
    if left_out > 0 {
        words.push(format!(
            "; {} more not tried",
            counted(left_out, "scenario")
        ));
    }
    words
}

/// `2.00 to 5.00 in 1 iteration of encode`.
pub(super) fn breach_words(rule: &RuleAudit, proof: &Proof, breach: &Breach) -> Line {
    let (before, after) = figures(breach);
    let count = usize::try_from(breach.changed).unwrap_or(usize::MAX);
    let of = |noun| format!("in {} of", counted(count, noun));
    let of = match (breach.after, rule.rule.metric.name()) {
        (Figure::Growth(_), _) => of("scenario"),
        (Figure::Value(_), _) if rule.rule.statistic == Statistic::First => of("first call"),
        (Figure::Value(_), "foreign-allocs") => String::from("beside"),
        (Figure::Value(_), "uncounted-allocs") => String::from("excluded in"),
        (Figure::Value(_), "faults") => String::from("of"),
        (Figure::Value(_), "time") if count != 1 => format!("in {} batches of", thousands(count)),
        (Figure::Value(_), "time") => of("batch"),
        (Figure::Value(_), _) => of("iteration"),
    };
    words!("{} to {} {} {}", before, after, of, &proof.scenario)
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

/// The result of a proof in words.
pub(in crate::report) fn found_words(rule: &RuleAudit, proof: &Proof) -> Line {
    match &proof.found {
        Found::Caught => words!("each breach was seen"),
        Found::Failing => words!("it fails on the results as they are"),
        Found::Missed => {
            let mut breaches = proof.breaches.iter();
            let missed = breaches.find(|breach| breach.verdict != Verdict::Fail);
            let words = missed.map(|breach| {
                words!(
                    "with {} the verdict is still {}",
                    breach_words(rule, proof, breach),
                    name(breach.verdict.name())
                )
            });
            words.into()
        }
        Found::Unbreakable(Why::Itself) => {
            words!("the limit is the scenario's own figure, and moves with it")
        }
        Found::Unbreakable(Why::Growth) => words!("no points of records grow faster"),
        Found::Unbreakable(Why::Range(range)) => {
            let OutOfRange { limit, least, most } = &**range;
            let end = match (least, most) {
                (Some(least), Some(most)) => format!("is from {least} to {most}"),
                (Some(least), None) => format!("is never below {least}"),
                (None, Some(most)) => format!("is never above {most}"),
                (None, None) => String::from("does not go so far"),
            };
            words!(
                "the limit comes to {}, and the figure of a record {}",
                limit,
                end
            )
        }
        Found::Inconclusive(Inconclusive::Missing(absence)) => absence_words(*absence),
        Found::Inconclusive(Inconclusive::Waived) => {
            words!("a waiver allows the smallest breach")
        }
        Found::Inconclusive(Inconclusive::Hidden) => {
            words!("another comparison of the rule fails already")
        }
        Found::Inconclusive(Inconclusive::Coupled) => {
            words!("the limit is computed from a figure that changes with this one")
        }
    }
}
