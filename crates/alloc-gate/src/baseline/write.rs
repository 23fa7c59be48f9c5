//! Writes the data file of a [`Baseline`].

use std::fmt::Write;

use crate::baseline::{Accepted, AcceptedFigure, AcceptedScenario, Baseline, Summary, VERSION};
use crate::results::ScenarioId;

pub(super) fn write(baseline: &Baseline) -> String {
    let mut text = format!(
        "# What `cargo alloc-gate accept` measured and a person accepted. Don't edit it:\n\
         # run the command again, and read the difference.\n\
         version = {VERSION}\n",
    );
    for accepted in &baseline.environments {
        environment(&mut text, accepted);
        for (id, scenario) in &accepted.scenarios {
            self::scenario(&mut text, id, scenario);
        }
    }
    text
}

fn environment(text: &mut String, accepted: &Accepted) {
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

fn scenario(text: &mut String, id: &ScenarioId, scenario: &AcceptedScenario) {
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
        let figures = match summary.constant_value(scenario.iterations) {
            Some(value) => value.to_string(),
            None => format!("{{ {} }}", statistics(summary)),
        };
        let _ = writeln!(text, "{metric} = {figures}");
    }
    if !scenario.custom.is_empty() {
        text.push_str("[environment.scenario.custom]\n");
    }
    for (name, AcceptedFigure { unit, summary }) in &scenario.custom {
        let figures = match summary.constant_value(scenario.iterations) {
            Some(value) => format!("value = {value}"),
            None => statistics(summary),
        };
        // The name of a custom metric needs no quotes.
        let _ = writeln!(text, "{name} = {{ unit = \"{unit}\", {figures} }}");
    }
}

fn statistics(summary: &Summary) -> String {
    let Summary {
        total,
        min,
        p50,
        p99,
        max,
        first,
    } = summary;
    format!("total = {total}, min = {min}, p50 = {p50}, p99 = {p99}, max = {max}, first = {first}")
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
