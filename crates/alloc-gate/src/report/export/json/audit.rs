//! The audit as JSON: one object. Its keys and words are written only here.

use crate::audit::{
    Audit, Breach, ComparisonAudit, Figure, Found, GateAudit, LooseLimit, OpenWaiver, Proof,
    RuleAudit,
};
use crate::report::audit::verdict_line;
use crate::report::audit::words::found_words;
use crate::report::export::json::environment;
use crate::report::export::json::object::{Json, Object};
use crate::report::words::skip_words;
use crate::report::write::plain;
use crate::rules::Rule;

/// The version of the format. Adding a field does not change it.
const SCHEMA: u32 = 1;

pub(in crate::report) fn report(audit: &Audit) -> Object {
    Object::default()
        .with("schema", SCHEMA)
        .with("outcome", audit.outcome().name())
        .with("verdict", verdict_line(audit))
        .with("file", &audit.config_file)
        .with("scenarios-measured", audit.scenarios)
        .with_list("environments", audit.origins.iter().map(environment))
        .with_some("rules", audit.overrides.rules.as_deref())
        .with_some_list("variables", &audit.overrides.variables)
        .with("breaches", audit.breaches().count())
        .with_list("gates", audit.gates.iter().map(gate))
        .with_list("open-waivers", audit.open_waivers.iter().map(open_waiver))
        .with_list("far-limits", audit.loose_limits.iter().map(loose_limit))
}

fn gate(gate: &GateAudit) -> Object {
    let skipped = gate.skip.as_ref();
    Object::default()
        .with("name", &gate.name)
        .with_place(gate.place)
        .with("standing", gate.status().name())
        .with("skipped", skipped.map(|skip| plain(&skip_words(skip))))
        .with_list("rules", gate.rules.iter().map(rule))
}

impl Object {
    fn with_rule(self, rule: &Rule) -> Self {
        self.with_figure(rule.metric.name(), rule.statistic)
            .with("requirement", rule.requirement.to_string())
            .with_place(rule.place)
    }
}

fn rule(rule: &RuleAudit) -> Object {
    let comparisons = rule.comparisons.iter();
    Object::default()
        .with_rule(&rule.rule)
        .with("standing", rule.status().name())
        .with_list("comparisons", comparisons.map(|one| comparison(rule, one)))
}

fn comparison(rule: &RuleAudit, audit: &ComparisonAudit) -> Object {
    let proofs = audit.proofs.iter();
    Object::default()
        .with("comparison", audit.comparison.to_string())
        .with("standing", audit.status().name())
        // The number of scenarios for which nothing was tried.
        .with("left-out", audit.left_out)
        .with_list("proofs", proofs.map(|one| proof(rule, one)))
}

fn proof(rule: &RuleAudit, proof: &Proof) -> Object {
    Object::default()
        .with("scenario", &proof.scenario)
        .with("found", found_word(&proof.found))
        .with("why", plain(&found_words(rule, proof)))
        .with_list("breaches", proof.breaches.iter().map(breach))
}

fn breach(breach: &Breach) -> Object {
    let figure = |figure| match figure {
        Figure::Value(value) => Json::from(value),
        Figure::Growth(class) => Json::from(class.name()),
    };
    Object::default()
        .with("before", figure(breach.before))
        .with("after", figure(breach.after))
        .with("changed", breach.changed)
        .with("verdict", breach.verdict.name())
}

fn loose_limit(limit: &LooseLimit) -> Object {
    let tightened = limit.tightened.as_ref();
    Object::default()
        .with("gate", &limit.gate)
        .with_rule(&limit.rule)
        .with("scenario", &limit.scenario)
        .with("worst", limit.worst)
        .with("tightened", tightened.map(ToString::to_string))
}

fn open_waiver(waiver: &OpenWaiver) -> Object {
    let hides = waiver.hides.iter().map(|hidden| {
        Object::default()
            .with("scenario", &hidden.scenario)
            .with_figure(hidden.metric.name(), hidden.statistic)
            .with("required", hidden.required.to_string())
            .with("allowed", hidden.allowed.to_string())
            .with("unlimited", hidden.is_unlimited)
    });
    Object::default()
        .with("gate", &waiver.gate)
        .with_place(waiver.place)
        .with("has-end", waiver.has_end)
        .with_list("hides", hides)
}

const fn found_word(found: &Found) -> &'static str {
    match found {
        Found::Caught => "seen",
        Found::Failing => "failing",
        Found::Missed => "unseen",
        Found::Unbreakable(_) => "out-of-reach",
        Found::Inconclusive(_) => "not-proved",
    }
}
