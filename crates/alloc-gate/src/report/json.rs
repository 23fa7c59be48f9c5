//! The JSON reports. Their keys are written only here, so that the engine's types can change
//! without breaking readers. Within a version of the format, fields may be added.

#![expect(
    non_camel_case_types,
    reason = "in an object, the type of each field has the field's name"
)]

use std::io::{self, Write};

use alloc_results::{Location, Metric, Ratio, integer, mean};
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use crate::compare::Change;
use crate::diagnostic::{Diagnostic, Where};
use crate::evaluation::{Evaluation, GateSummary, Judgement};
use crate::growth::Growth;
use crate::printable::is_hidden;
use crate::report::compare::{Comparison, line};
use crate::report::explain::{Entry, Lines, SitesText, shown_metrics};
use crate::report::verdict_of_all;
use crate::results::{MeasuredScenario, Origin};
use crate::sites::{Explained, Line as SourceLine, SitePlace};

/// An object: a plain struct with these fields, of the types of their values.
macro_rules! object {
    ($($key:ident: $value:expr,)+) => {{
        #[derive(Serialize)]
        #[serde(rename_all = "kebab-case")]
        struct Object<$($key),+> {
            $($key: $key,)+
        }
        Object { $($key: $value),+ }
    }};
}

/// Writes a whole report. Hidden characters, and what a CI system would read as a command, are
/// written as escapes; readers get the same text.
pub(super) fn write(report: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let json = serde_json::to_string_pretty(report)?;
    let json = json
        .replace("##[", "#\\u0023[")
        .replace("##vso[", "#\\u0023vso[");
    let mut text = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        if character == '\n' || !is_hidden(character) {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    writeln!(out, "{text}")
}

/// A rational number, exact and as text.
fn value(value: Ratio) -> impl Serialize {
    object! {
        numerator: value.numerator(),
        denominator: value.denominator(),
        text: value.as_whole().map_or_else(|| mean(value, 2), integer),
    }
}

fn place(location: &Location) -> String {
    format!("{}:{}", location.file, location.line)
}

/// Writes the report of a check; of several environments, a list of them.
pub(super) fn write_check(evaluations: &[Evaluation], out: &mut dyn Write) -> io::Result<()> {
    if let [evaluation] = evaluations {
        return write(&check(evaluation), out);
    }
    write(&evaluations.iter().map(check).collect::<Vec<_>>(), out)
}

fn check(evaluation: &Evaluation) -> impl Serialize {
    let gates = evaluation.gates.iter();
    let gates = gates.map(|gate| self::gate(gate, &evaluation.config_file));
    let tally = evaluation.tally();
    object! {
        program: "alloc-gate",
        schema: 1,
        outcome: evaluation.outcome().name(),
        verdict: verdict_of_all(std::slice::from_ref(evaluation)),
        gates_judged: tally.judged,
        scenarios_measured: tally.scenarios,
        // The numbers of what was left out.
        scenarios_left_out: evaluation.left_out,
        benches_left_out: evaluation.benches_left_out,
        environments: evaluation.origins.iter().map(environment).collect::<Vec<_>>(),
        gates: gates.collect::<Vec<_>>(),
        findings: evaluation.diagnostics().into_iter().map(finding).collect::<Vec<_>>(),
        sites: evaluation.explained.iter().map(explained_value).collect::<Vec<_>>(),
        scenarios: evaluation.scenarios.iter().map(scenario).collect::<Vec<_>>(),
    }
}

/// Where, when and from which sources a bench measured.
fn environment(origin: &Origin) -> impl Serialize {
    let environment = &origin.environment;
    object! {
        bench: origin.bench.to_string(),
        target: &environment.target,
        profile: &environment.profile,
        opt_level: &origin.opt_level,
        quick: origin.quick,
        features: &environment.features,
        debug_assertions: environment.debug_assertions,
        allocator: &environment.allocator,
        rustc: &environment.rustc,
        harness: &environment.harness,
        commit: &origin.commit,
        dirty: origin.dirty,
        unix_time: origin.unix_time,
    }
}

fn gate(gate: &GateSummary, file: &str) -> impl Serialize {
    let unmatched = gate.unmatched.iter().map(|one| &one.message);
    let judgements = gate.judgements.iter().map(|one| judgement(one, file));
    object! {
        name: &gate.name,
        verdict: gate.verdict.name(),
        reason: &gate.reason,
        place: format!("{file}:{}", gate.place),
        skipped: gate.skip.as_ref().map(|skip| &skip.message),
        // Patterns without a scenario, and scenarios that could not be measured.
        unmatched: unmatched.collect::<Vec<_>>(),
        judgements: judgements.collect::<Vec<_>>(),
        // The number of other judgements, if there are very many.
        left_out: gate.left_out,
    }
}

fn judgement(judgement: &Judgement, file: &str) -> impl Serialize {
    let details = judgement.details.as_deref();
    let computed = details.map(|details| &details.computed);
    let limit = computed.and_then(|computed| computed.value.as_ref());
    let reference = computed.and_then(|computed| computed.reference.as_ref());
    let broken = judgement.broken().map(ToString::to_string);
    object! {
        scenario: &judgement.scenario,
        bench: judgement.bench.to_string(),
        scenario_place: place(&judgement.location),
        metric: judgement.metric.name(),
        statistic: judgement.statistic.name(),
        requirement: judgement.requirement.to_string(),
        place: format!("{file}:{}", judgement.place),
        verdict: judgement.verdict.name(),
        // The code of what is missing for a verdict.
        absent: judgement.verdict.absence().map(|code| code.name()),
        measured: judgement.measured.map(value),
        baseline: judgement.baseline.map(value),
        broken: broken.collect::<Vec<_>>(),
        // The limit that is computed from another value, and the scenario of that.
        limit: limit.copied().map(value),
        reference: reference.map(|other| object! {
            scenario: &other.scenario,
            measured: other.value.map(value),
        }),
        growth: judgement.growth().map(growth),
        // The value of the first call, if it is above a limit of zero and has no limit.
        first_call: details.and_then(|details| details.first_call).map(value),
        first_operations: details.and_then(|details| details.first_operations.as_ref()),
    }
}

fn growth(growth: &Growth) -> impl Serialize {
    let points = growth.points.iter();
    let points = points.map(|&(n, measured)| (n, value(measured)));
    object! {
        axis: &growth.axis,
        class: growth.class.name(),
        deviation_permille: growth.deviation_permille,
        points: points.collect::<Vec<_>>(),
    }
}

fn finding(diagnostic: &Diagnostic) -> impl Serialize {
    object! {
        code: diagnostic.code.name(),
        level: diagnostic.level.name(),
        message: &diagnostic.message,
        help: &diagnostic.help,
        place: match &diagnostic.place {
            Where::Scenario(one) => Some(place(&one.location)),
            Where::Place { file, place } => Some(format!("{file}:{place}")),
            Where::Nowhere | Where::Span(_) | Where::Bench(_) => None,
        },
    }
}

fn scenario(measured: &MeasuredScenario) -> impl Serialize {
    let record = &measured.record;
    let counted = Metric::ALL.into_iter().filter_map(|metric| {
        let first = metric.value(&record.first);
        Some((metric.name(), record.distribution(metric)?, first))
    });
    let own = record.metrics.iter().map(|value| {
        let first = value.first.into();
        (&*value.name, value.samples.clone(), Some(first))
    });
    let metrics = counted.chain(own).map(|(metric, values, first)| {
        object! {
            metric: metric,
            mean: value(values.mean()),
            min: values.min(),
            max: values.max(),
            total: values.total(),
            first: first,
        }
    });
    object! {
        name: &record.name,
        bench: measured.bench.to_string(),
        iterations: record.iterations,
        deterministic: record.is_deterministic(),
        metrics: metrics.collect::<Vec<_>>(),
    }
}

pub(super) fn compare(all: Comparison<'_>) -> impl Serialize {
    let (sides, delta) = (all.sides, all.delta);
    let benches = sides.removed.iter().map(ToString::to_string);
    object! {
        program: "alloc-gate",
        schema: 1,
        summary: line(delta),
        // The base as the user named it, its commit, and where its Cargo.lock is from.
        reference: &sides.reference,
        base: &sides.base,
        lock: sides.lock.name(),
        // The commit of the working tree, and the number of files that differ from it.
        head: &sides.head,
        uncommitted: sides.uncommitted,
        scenarios_compared: delta.compared,
        values_unchanged: delta.unchanged,
        // Worst first.
        changes: delta.changes.iter().map(change).collect::<Vec<_>>(),
        new: &delta.added,
        removed: &delta.removed,
        removed_benches: benches.collect::<Vec<_>>(),
        approved: all.approved,
        dissimilarities: &delta.dissimilarities,
        sites: all.explained.iter().map(explained_value).collect::<Vec<_>>(),
        // The report of `check`, if gates were judged.
        check: all.evaluation.map(check),
    }
}

fn change(change: &Change) -> impl Serialize {
    object! {
        scenario: &change.scenario,
        bench: change.bench.to_string(),
        metric: change.metric.name(),
        statistic: change.statistic.name(),
        base: change.base.map(value),
        head: change.head.map(value),
        deterministic: change.deterministic,
    }
}

pub(super) fn explain(explained: &[Explained]) -> impl Serialize {
    object! {
        program: "alloc-gate",
        schema: 1,
        sites: explained.iter().map(explained_value).collect::<Vec<_>>(),
    }
}

/// A value with its lines.
fn explained_value(explained: &Explained) -> impl Serialize {
    let text = SitesText::new(explained).excerpts;
    let metrics = shown_metrics(explained.metric).into_iter();
    let metrics: IndexSet<Metric> = metrics.chain(Metric::ALL).collect();
    let known = Lines::new(explained, metrics.into_iter().collect()).ok();
    let known = known.as_ref();
    let base = known.and_then(Lines::base);
    let since = known.and_then(|lines| lines.found.since());
    object! {
        scenario: &explained.scenario,
        bench: explained.bench.to_string(),
        metric: explained.metric.name(),
        statistic: explained.statistic.name(),
        failed: explained.is_failure,
        // The title of the report; without lines, why there are none.
        summary: text.title,
        notes: text.notes,
        // The base that the lines are compared with, or the commit since which lines count as edited.
        base: base,
        since: since.filter(|_| base.is_none()),
        // The sum of all lines.
        measured: known.map(|lines| value(lines.totals[0].1)),
        lines: known.map(|lines| lines.entries.iter().map(|it| source_line(it, lines)).collect::<Vec<_>>()),
    }
}

/// A line with its values: of the base, if there is one, and of the run.
fn source_line(entry: &Entry<'_>, lines: &Lines<'_>) -> impl Serialize + use<> {
    let site = entry.site;
    let before = entry.before.filter(|before| before.place != site.place);
    let places = |places: &IndexMap<SitePlace, i128>| {
        let places = places.keys().map(|place| {
            let line = place.line().map(SourceLine::location);
            (place.function().map(str::to_owned), line)
        });
        places.collect::<Vec<_>>()
    };
    // The metrics that are above zero on either side.
    let values = lines.metrics.iter().zip(&entry.values);
    let values = values.filter(|(_, values)| **values != (Ratio::ZERO, Ratio::ZERO));
    let values = values.map(|(metric, &(base, head))| {
        object! {
            metric: metric.name(),
            base: lines.base().map(|_| value(base)),
            measured: value(head),
        }
    });
    object! {
        kind: match &site.place {
            SitePlace::Line(_) => "line",
            SitePlace::Function(_) => "function",
            SitePlace::Dependency(_) => "dependency",
            SitePlace::Untraced(_) => "untraced",
            SitePlace::FurtherStacks => "further-stacks",
            SitePlace::Before => "before",
        },
        function: site.place.function().map(str::to_owned),
        place: site.place.line().map(source),
        // The function that the line calls.
        call: site.how.clone(),
        // What happened to the line since the base, or what a diff did to it.
        change: entry.change(),
        // The line at the base, if it moved or was edited.
        before: before.and_then(|before| before.place.line()).map(source),
        allocates_in: places(&site.allocates_in),
        called_by: places(&site.called_by),
        values: values.collect::<Vec<_>>(),
    }
}

fn source(line: &SourceLine) -> impl Serialize + use<> {
    object! {
        file: line.file.clone(),
        line: line.line,
        column: line.column,
        text: line.text.clone(),
    }
}
