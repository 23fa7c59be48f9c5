//! The problems that an audit found: comparisons that can't fail, fail already or are not
//! proved, and then the other weaknesses of the suite.

use alloc_results::mean;

use crate::audit::{
    Audit, AuditStatus, ComparisonAudit, Found, GateAudit, HiddenFigure, Inconclusive, LooseLimit,
    OpenWaiver, Proof, RuleAudit,
};
use crate::report::audit::words::found_words;
use crate::report::audit::{style, word};
use crate::report::document::{Block, Document, Line, Style, at, name, styled, words};
use crate::report::words::{listed, rule_line};
use crate::requirement::rule_words;

pub(super) fn notes(audit: &Audit) -> Document {
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
                notes.extend(own.flat_map(|one| comparison(audit, gate, rule, one)));
            }
        }
    }
    let loose = audit.loose_limits.iter();
    notes.extend(loose.flat_map(|limit| loose_limit(audit, limit)));
    let open = audit.open_waivers.iter();
    notes.extend(open.flat_map(|waiver| open_waiver(audit, waiver)));
    notes
}

/// A problem with facts, and advice at the end.
fn note(
    style: Style,
    word: &'static str,
    about: impl Into<Line>,
    facts: Vec<(&'static str, Line)>,
) -> [Block; 3] {
    let about = words!("{} {}", styled(style, word), about.into());
    [Block::Space, about.into(), Block::Facts(facts)]
}

fn warning(word: &'static str, about: Line, facts: Vec<(&'static str, Line)>) -> [Block; 3] {
    note(Style::Doubtful, word, about, facts)
}

/// The note on a comparison that is not proved.
fn comparison(
    audit: &Audit,
    gate: &GateAudit,
    rule: &RuleAudit,
    comparison: &ComparisonAudit,
) -> [Block; 3] {
    let status = comparison.status();
    let place = at(&audit.config_file, rule.rule.place);
    let mut required = words!("{} ({})", name(rule.rule.words()), place.clone());
    if rule.comparisons.len() > 1 {
        let one = name(&comparison.comparison);
        required.push(words!(", of which {}", one));
    }
    let deciding = deciding(comparison);
    let mut facts = vec![("required", required)];
    let why = match deciding {
        Some(proof) => {
            let proofs = comparison.proofs.iter();
            let others = proofs.filter(|one| one.found == proof.found).count() - 1;
            let others = (others > 0).then(|| format!(", and {others} more"));
            facts.push(("scenario", words!("{}{}", name(&proof.scenario), others)));
            found_words(rule, proof)
        }
        None => words!("it judges no scenario of this run"),
    };
    facts.push(("why", why));
    let help = match (status, deciding.map(|proof| &proof.found)) {
        (AuditStatus::CannotFail, Some(Found::Missed)) => words!(
            "the breach should have failed the check: report it to alloc-gate, with the results"
        ),
        (AuditStatus::CannotFail, _) => words!(
            "write a limit at {} that a figure can break, or take it out",
            place
        ),
        (AuditStatus::Failing, _) => words!("see `cargo alloc-gate` for what is broken"),
        (
            AuditStatus::Inconclusive | AuditStatus::Proved,
            Some(Found::Inconclusive(Inconclusive::Waived)),
        ) => words!("audit again when the waiver is gone"),
        (AuditStatus::Inconclusive | AuditStatus::Proved, _) => {
            words!("audit again where `cargo alloc-gate` can judge it")
        }
    };
    facts.push(("help", help));
    note(style(status), word(status), &gate.name, facts)
}

/// The proof that makes the status of a comparison.
fn deciding(comparison: &ComparisonAudit) -> Option<&Proof> {
    let proofs = &comparison.proofs;
    proofs.iter().find(|proof| match comparison.status() {
        AuditStatus::CannotFail => {
            proof.found == Found::Missed || proofs.iter().all(|one| one.found != Found::Missed)
        }
        AuditStatus::Failing => proof.found == Found::Failing,
        AuditStatus::Inconclusive => matches!(proof.found, Found::Inconclusive(_)),
        AuditStatus::Proved => false,
    })
}

fn loose_limit(audit: &Audit, limit: &LooseLimit) -> [Block; 3] {
    let rule = &limit.rule;
    let place = at(&audit.config_file, rule.place);
    let required = words!("{} ({})", name(rule.words()), place.clone());
    let help = match &limit.tightened {
        Some(tightened) => words!(
            "{} at {} leaves no room",
            name(rule_line(&rule.metric, rule.statistic, tightened)),
            place
        ),
        None => words!("write a tighter limit at {}", place),
    };
    let worst = words!("{} of {}", mean(limit.worst, 0), name(&limit.scenario));
    let facts = vec![("worst", worst), ("required", required), ("help", help)];
    let gate = &limit.gate;
    let about = words!("{}: the limit is far from what is measured", gate);
    warning("far", about, facts)
}

fn open_waiver(audit: &Audit, waiver: &OpenWaiver) -> [Block; 3] {
    let is_unlimited = waiver.hides.iter().any(|hidden| hidden.is_unlimited);
    let (lacks, help) = match (waiver.has_end, is_unlimited) {
        (false, false) => ("no end", words!("add an `until`")),
        (false, true) => ("no end and no limit", words!("add an `until` and a limit")),
        (true, _) => ("no limit", words!("add a limit")),
    };
    let about = words!("a waiver of the gate {} has {}", name(&waiver.gate), lacks);
    let hides = waiver.hides.iter().map(hidden_words);
    let help = words!("{} at {}", help, at(&audit.config_file, waiver.place));
    let hides = listed(hides.collect(), "figure");
    warning("open", about, vec![("hides", hides), ("help", help)])
}

/// The failures that a waiver hides for one figure.
fn hidden_words(hidden: &HiddenFigure) -> Line {
    let required = rule_words(&hidden.metric, hidden.statistic, &hidden.required);
    let failures = if hidden.is_unlimited {
        words!("any failure")
    } else {
        words!("any figure that is {}", name(&hidden.allowed))
    };
    words!(
        "{} of {} in {}",
        failures,
        name(required),
        name(&hidden.scenario)
    )
}
