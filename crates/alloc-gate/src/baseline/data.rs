//! The data file of a [`Baseline`]: TOML with a line for each metric, so that a diff reads like a
//! report. Reading stops at the first mistake: the tool writes the file, so most come from a merge.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write;
use std::ops::Range;

use alloc_results::{AxisValue, BenchId, Metric, Unit, check_custom_name};
use indexmap::IndexMap;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::baseline::{Accepted, AcceptedScenario, AcceptedValue, Baseline, Summary, VERSION};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::results::Environment;
use crate::results::names::ScenarioId;

const HELP: &str = "restore the file with git, or delete it and run `cargo alloc-gate accept`";

pub(super) fn read(file: &str, text: &str) -> Result<Baseline, Diagnostics> {
    validate(text).map_err(|(span, message)| {
        let diagnostic = Diagnostic::mistake(Code::BadBaseline, span, message).help(HELP);
        Diagnostics::new(file, text, vec![diagnostic])
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawBaseline {
    version: Spanned<i64>,
    #[serde(default)]
    environment: Vec<Spanned<RawEnvironment>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawEnvironment {
    target: String,
    profile: String,
    features: Vec<String>,
    allocator: String,
    debug_assertions: bool,
    rustc: String,
    harness: String,
    #[serde(default)]
    scenario: Vec<RawScenario>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RawScenario {
    name: Spanned<String>,
    bench: RawBench,
    /// Missing without axes.
    #[serde(default)]
    axes: Vec<(String, String)>,
    iterations: Spanned<u64>,
    warmup: u64,
    elements: Option<u64>,
    metrics: BTreeMap<Spanned<String>, RawSummary>,
    /// By unit.
    #[serde(default)]
    custom: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, RawSummary>>,
}

/// Unknown keys are ignored.
#[derive(Deserialize)]
struct RawBench {
    package: String,
    target: String,
}

/// The values of a metric.
enum RawSummary {
    /// The value of each iteration and of the first call.
    Constant(i64),
    Statistics(Summary),
}

impl<'de> Deserialize<'de> for RawSummary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values;

        impl<'de> Visitor<'de> for Values {
            type Value = RawSummary;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or a table of values")
            }

            fn visit_i64<E>(self, value: i64) -> Result<RawSummary, E> {
                Ok(RawSummary::Constant(value))
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<RawSummary, A::Error> {
                let table = MapAccessDeserializer::new(table);
                Summary::deserialize(table).map(RawSummary::Statistics)
            }
        }

        deserializer.deserialize_any(Values)
    }
}

type Mistake = (Range<usize>, String);

fn validate(text: &str) -> Result<Baseline, Mistake> {
    let raw: RawBaseline = toml::from_str(text).map_err(|error| {
        let message = format!("not a baseline: {}", error.message().trim());
        (error.span().unwrap_or(0..0), message)
    })?;
    if *raw.version.get_ref() != VERSION {
        let message = format!("a baseline of a version other than {VERSION}");
        return Err((raw.version.span(), message));
    }
    let mut environments: Vec<Accepted> = Vec::new();
    for raw in raw.environment {
        let span = raw.span();
        let accepted = environment(raw.into_inner())?;
        let twice = environments
            .iter()
            .any(|other| other.environment.is_comparable_to(&accepted.environment));
        if twice {
            return Err((
                span,
                format!("the environment {} occurs twice", accepted.environment),
            ));
        }
        environments.push(accepted);
    }
    Ok(Baseline {
        environments,
        is_measured: false,
    })
}

fn environment(raw: RawEnvironment) -> Result<Accepted, Mistake> {
    let mut scenarios = IndexMap::new();
    for raw in raw.scenario {
        let span = raw.name.span();
        let id = ScenarioId {
            bench: BenchId {
                package: raw.bench.package.clone(),
                target: raw.bench.target.clone(),
            },
            name: raw.name.get_ref().clone(),
        };
        let scenario = scenario(raw)?;
        if scenarios.contains_key(&id) {
            let message = format!("the scenario `{}` of {} occurs twice", id.name, id.bench);
            return Err((span, message));
        }
        scenarios.insert(id, scenario);
    }
    Ok(Accepted {
        environment: Environment {
            target: raw.target,
            profile: raw.profile,
            features: raw.features,
            allocator: raw.allocator,
            debug_assertions: raw.debug_assertions,
            rustc: raw.rustc,
            harness: raw.harness,
        },
        scenarios,
    })
}

fn scenario(raw: RawScenario) -> Result<AcceptedScenario, Mistake> {
    let iterations = *raw.iterations.get_ref();
    if iterations == 0 {
        let message = String::from("a scenario has no iterations");
        return Err((raw.iterations.span(), message));
    }
    let mut metrics = BTreeMap::new();
    for (name, raw) in raw.metrics {
        let metric: Metric = name
            .get_ref()
            .parse()
            .map_err(|()| (name.span(), format!("unknown metric `{}`", name.get_ref())))?;
        let is_signed = metric.definition().is_signed;
        metrics.insert(metric, summary(&name, raw, iterations, is_signed)?);
    }
    let mut custom = BTreeMap::new();
    for (text, values) in raw.custom {
        let unit = text.get_ref().parse();
        let unit =
            unit.map_err(|()| (text.span(), format!("unknown unit `{}`", text.get_ref())))?;
        for (name, raw) in values {
            check_custom_name(name.get_ref()).map_err(|error| (name.span(), error.to_string()))?;
            let summary = summary(&name, raw, iterations, true)?;
            let span = name.span();
            let name = name.into_inner();
            let message = format!("`{name}` has two units");
            let value = AcceptedValue { unit, summary };
            if custom.insert(name, value).is_some() {
                return Err((span, message));
            }
        }
    }
    let axes = raw.axes.into_iter();
    let axes = axes.map(|(axis, value)| AxisValue { axis, value });
    Ok(AcceptedScenario {
        axes: axes.collect(),
        iterations,
        warmup: raw.warmup,
        elements: raw.elements,
        metrics,
        custom,
    })
}

/// The values of a metric, perhaps of one measurement.
fn summary(
    metric: &Spanned<String>,
    raw: RawSummary,
    iterations: u64,
    is_signed: bool,
) -> Result<Summary, Mistake> {
    let name = metric.get_ref();
    let summary = match raw {
        RawSummary::Statistics(summary) => summary,
        RawSummary::Constant(value) => Summary::constant(value, iterations).ok_or_else(|| {
            let message = format!("the total of `{name}` is too large");
            (metric.span(), message)
        })?,
    };
    let Summary {
        total,
        p99,
        max,
        first,
    } = summary;
    let contradiction = if p99 > max {
        String::from("`p99` is above `max`")
    } else if i128::from(total) > i128::from(max) * i128::from(iterations) {
        String::from("the mean is above `max`")
    } else if !is_signed && total.min(p99).min(first) < 0 {
        String::from("a value is negative")
    } else {
        return Ok(summary);
    };
    let message = format!("the values of `{name}` contradict each other: {contradiction}");
    Err((metric.span(), message))
}

pub(super) fn write(baseline: &Baseline) -> String {
    let mut text = format!(
        "# What `cargo alloc-gate accept` measured and a person accepted. Don't edit it:\n\
         # run the command again, and read the difference.\n\
         version = {VERSION}\n",
    );
    for accepted in &baseline.environments {
        write_environment(&mut text, accepted);
        for (id, scenario) in &accepted.scenarios {
            write_scenario(&mut text, id, scenario);
        }
    }
    text
}

fn write_environment(text: &mut String, accepted: &Accepted) {
    let environment = &accepted.environment;
    let features: Vec<String> = environment.features.iter().map(|f| quoted(f)).collect();
    // Writing to a `String` can't fail.
    let _ = write!(
        text,
        "\n[[environment]]\n\
         target = {}\n\
         profile = {}\n\
         features = [{}]\n\
         allocator = {}\n\
         debug-assertions = {}\n\
         rustc = {}\n\
         harness = {}\n",
        quoted(&environment.target),
        quoted(&environment.profile),
        features.join(", "),
        quoted(&environment.allocator),
        environment.debug_assertions,
        quoted(&environment.rustc),
        quoted(&environment.harness),
    );
}

fn write_scenario(text: &mut String, id: &ScenarioId, scenario: &AcceptedScenario) {
    let _ = write!(
        text,
        "\n[[environment.scenario]]\n\
         name = {}\n\
         bench = {{ package = {}, target = {} }}\n",
        quoted(&id.name),
        quoted(&id.bench.package),
        quoted(&id.bench.target),
    );
    if !scenario.axes.is_empty() {
        let axes = scenario.axes.iter();
        let axes = axes.map(|a| format!("[{}, {}]", quoted(&a.axis), quoted(&a.value)));
        let axes: Vec<String> = axes.collect();
        let _ = writeln!(text, "axes = [{}]", axes.join(", "));
    }
    let _ = write!(
        text,
        "iterations = {}\n\
         warmup = {}\n",
        scenario.iterations, scenario.warmup,
    );
    if let Some(elements) = scenario.elements {
        let _ = writeln!(text, "elements = {elements}");
    }
    text.push_str("[environment.scenario.metrics]\n");
    for (metric, summary) in &scenario.metrics {
        write_summary(text, metric.name(), summary, scenario.iterations);
    }
    for unit in Unit::ALL {
        let values = scenario.custom.iter();
        let mut values = values.filter(|(_, value)| value.unit == unit).peekable();
        if values.peek().is_some() {
            let _ = writeln!(text, "[environment.scenario.custom.{unit}]");
        }
        for (name, value) in values {
            // The name of a custom metric needs no quotes.
            write_summary(text, name, &value.summary, scenario.iterations);
        }
    }
}

fn write_summary(text: &mut String, name: &str, summary: &Summary, iterations: u64) {
    let Summary {
        total,
        p99,
        max,
        first,
    } = summary;
    let _ = match summary.constant_value(iterations) {
        Some(value) => writeln!(text, "{name} = {value}"),
        None => writeln!(
            text,
            "{name} = {{ total = {total}, p99 = {p99}, max = {max}, first = {first} }}"
        ),
    };
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
