//! The JSON report. Its keys and words are written only here, so that the engine's types can
//! change without breaking readers.

use std::slice;

use alloc_results::{Metric, Ratio};

use crate::diagnostic::{Code, Diagnostic, Where};
use crate::evaluation::{Evaluation, GateSummary, Judgement, Outcome, ReferencedFigure, Tally};
use crate::growth::Growth;
use crate::report::json::explain::explained;
use crate::report::json::object::{Json, Object};
use crate::report::verdict_of_all;
use crate::results::{MeasuredScenario, Origin};

pub(in crate::report) mod compare;
pub(in crate::report) mod explain;
pub(in crate::report) mod object;

/// The version of the format; within it, fields may be added.
const SCHEMA: u32 = 1;

/// The reports of several runs in one object; of one run its own.
pub(in crate::report) fn reports(evaluations: &[Evaluation]) -> Object {
    match evaluations {
        [evaluation] => report(evaluation),
        several => verdict(several).with_list("runs", several.iter().map(report)),
    }
}

/// What a report begins with.
fn verdict(evaluations: &[Evaluation]) -> Object {
    let tally = Tally::of_all(evaluations);
    Object::default()
        .with("program", "alloc-gate")
        .with("schema", SCHEMA)
        .with("outcome", Outcome::of_all(evaluations).name())
        .with("verdict", verdict_of_all(evaluations))
        .with("gates-judged", tally.judged)
        .with("scenarios-measured", tally.scenarios)
}

fn report(evaluation: &Evaluation) -> Object {
    let gates = evaluation.gates.iter();
    let gates = gates.map(|gate| self::gate(gate, &evaluation.config_file));
    let findings = evaluation.diagnostics().into_iter().map(diagnostic);
    let left_out = evaluation.left_out;
    let benches = evaluation.benches_left_out;
    verdict(slice::from_ref(evaluation))
        .with_list("environments", evaluation.origins.iter().map(environment))
        // Only rules that are not the workspace's own.
        // The number of scenarios that the user left out.
        .with_some("scenarios-left-out", (left_out > 0).then_some(left_out))
        .with_some("benches-left-out", (benches > 0).then_some(benches))
        .with_list("gates", gates)
        .with_list("findings", findings)
        .with_some_list("sites", evaluation.explained.iter().map(explained))
        .with_list("scenarios", evaluation.scenarios.iter().map(scenario))
}

/// Where, when and from which sources a bench measured.
pub(super) fn environment(origin: &Origin) -> Object {
    let environment = &origin.environment;
    Object::default()
        .with_bench(&origin.bench)
        .with("target", &environment.target)
        .with("profile", &environment.profile)
        .with("opt-level", origin.opt_level.as_deref())
        .with_some("quick", origin.quick.then_some(true))
        .with_list("features", &environment.features)
        .with("debug-assertions", environment.debug_assertions)
        .with("allocator", &environment.allocator)
        .with("rustc", &environment.rustc)
        .with("harness", &environment.harness)
        .with("commit", origin.commit.as_deref())
        .with("dirty", origin.dirty)
        .with("unix-time", origin.unix_time)
}

fn gate(gate: &GateSummary, file: &str) -> Object {
    let skipped = gate.skip.as_ref().map(|skip| &skip.message);
    Object::default()
        .with("name", &gate.name)
        .with("verdict", gate.verdict.name())
        .with("reason", gate.reason.as_deref())
        .with("file", file)
        .with_place(gate.place)
        .with("skipped", skipped)
        // Patterns that match no measured scenario, and scenarios that can't be measured here.
        .with_list("unmatched", gate.unmatched.iter().map(|one| &one.message))
        .with_list("judgements", gate.judgements.iter().map(judgement))
        // The number of other judgements, if there are very many.
        .with_some("left-out", (gate.left_out > 0).then_some(gate.left_out))
}

fn judgement(judgement: &Judgement) -> Object {
    let details = judgement.details.as_deref();
    let computed = details.map(|details| &details.computed);
    let limit = computed.and_then(|computed| computed.value.as_ref());
    let reference = computed.and_then(|computed| computed.reference.as_ref());
    let broken: Vec<String> = judgement.broken().map(ToString::to_string).collect();
    Object::default()
        .with("scenario", &judgement.scenario)
        .with_bench(&judgement.bench)
        .with("scenario-file", &judgement.location.file)
        .with("scenario-line", judgement.location.line)
        .with_figure(judgement.metric.name(), judgement.statistic)
        .with("requirement", judgement.requirement.to_string())
        // The comparison that decided, if one did.
        .with("decisive", judgement.decisive().map(ToString::to_string))
        // All comparisons that fail, if that is several.
        .with_some("broken", (broken.len() > 1).then(|| Json::list(&broken)))
        .with_place(judgement.place)
        .with("verdict", judgement.verdict.name())
        .with("absent", judgement.verdict.absence().map(Code::name))
        .with("measured", judgement.measured)
        .with("baseline", judgement.baseline)
        // The computed limit, if it is not written as a number.
        .with_some("limit", limit.copied())
        // The figure of another scenario that the limit refers to.
        .with_some("reference", reference.map(self::reference))
        .with_some("growth", judgement.growth().map(growth))
        // The figure of the first call, if it is above a limit of zero and has no limit.
        .with_some("first-call", details.and_then(|d| d.first_call))
        // The first operations of an iteration, if a requirement on them fails.
        .with_some(
            "first-operations",
            details.and_then(|d| d.first_operations.as_deref()),
        )
}

fn reference(other: &ReferencedFigure) -> Object {
    Object::default()
        .with("scenario", &other.scenario)
        .with("measured", other.value)
}

fn growth(growth: &Growth) -> Object {
    Object::default()
        .with("axis", &growth.axis)
        .with("class", growth.class.name())
        .with("deviation-permille", growth.deviation_permille)
        .with_list("points", growth.points.iter().map(point))
}

fn point(&(n, measured): &(u64, Ratio)) -> Object {
    Object::default().with("n", n).with("measured", measured)
}

fn diagnostic(one: &Diagnostic) -> Object {
    let place = Object::default();
    let place = match &one.place {
        Where::Nowhere | Where::Span(_) => None,
        Where::Bench(bench) => Some(place.with_bench(bench)),
        Where::Place { file, place: at } => Some(place.with("file", file).with_place(*at)),
        Where::Scenario(one) => Some(
            place
                .with("scenario", &one.name)
                .with_bench(&one.bench)
                .with("file", &one.location.file)
                .with("line", one.location.line),
        ),
    };
    Object::default()
        .with("code", one.code.name())
        .with("level", one.level.name())
        .with("place", place)
        .with("message", &one.message)
        .with("help", one.help.as_ref())
}

fn scenario(measured: &MeasuredScenario) -> Object {
    let record = &measured.record;
    let counted = Metric::ALL.into_iter().filter_map(|metric| {
        let first = metric.value(&record.first);
        Some((metric.name(), record.distribution(metric)?, first))
    });
    let own = record.custom().map(|(name, figure)| {
        let first = figure.first().into();
        (name, figure.distribution().clone(), Some(first))
    });
    let metrics = counted.chain(own).map(|(metric, values, first)| {
        Object::default()
            .with("metric", metric)
            .with("mean", values.mean())
            .with("min", values.min())
            .with("max", values.max())
            .with("total", values.total())
            .with("first", first)
    });
    Object::default()
        .with("name", &record.name)
        .with_bench(&measured.bench)
        .with("iterations", record.iterations)
        .with("deterministic", record.is_deterministic())
        .with_list("metrics", metrics)
}
