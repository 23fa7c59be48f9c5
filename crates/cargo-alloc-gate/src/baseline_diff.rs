//! The differences between two baselines, as lines for the person who accepts them.

use std::collections::BTreeSet;

use alloc_gate::baseline::{Accepted, AcceptedScenario};
use alloc_gate::report::{change, is_implied};
use alloc_gate::{Baseline, Environment, ScenarioId, Statistic, compare_naturally};
use alloc_results::Metric;

/// A line for each scenario that is new, gone or different in `after`. Where
/// `several` environments were measured, it says in which.
pub(crate) fn changes(before: &Baseline, after: &Baseline, several: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for now in after.environments() {
        let then = before.accepted_in(&now.environment);
        if then.is_none() {
            lines.push(format!("new environment: {}", now.environment));
        }
        let here = in_environment(then, now).into_iter();
        lines.extend(here.map(|line| labelled(line, &now.environment, several)));
    }
    for then in before.environments() {
        if after.accepted_in(&then.environment).is_none() {
            lines.push(format!("removed environment: {}", then.environment));
        }
    }
    lines
}

fn labelled(line: String, environment: &Environment, several: bool) -> String {
    if several {
        format!("{line} (on {environment})")
    } else {
        line
    }
}

/// Whether both have the same figures. The versions of compiler and harness may differ,
/// and older data has no axes.
pub(crate) fn same_figures(before: &Baseline, after: &Baseline) -> bool {
    let figures = |baseline: &Baseline| -> Vec<_> {
        let environments = baseline.environments().iter();
        environments
            .map(|accepted| {
                let mut scenarios = accepted.scenarios.clone();
                scenarios
                    .values_mut()
                    .for_each(|scenario| scenario.axes.clear());
                scenarios
            })
            .collect()
    };
    changes(before, after, false).is_empty() && figures(before) == figures(after)
}

/// Whether all that differs between `before` and `now` is in `after` as it is in `now`.
pub(crate) fn keeps(before: &Baseline, now: &Baseline, after: &Baseline) -> bool {
    let all = before.environments().iter().chain(now.environments());
    let mut rows = all.flat_map(|all| all.scenarios.keys().map(|id| (&all.environment, id)));
    rows.all(|(environment, id)| {
        let row = |side: &Baseline| {
            let here = side.accepted_in(environment)?;
            here.scenarios.get(id).cloned()
        };
        let now = row(now);
        row(before) == now || row(after) == now
    })
}

fn in_environment(before: Option<&Accepted>, now: &Accepted) -> Vec<String> {
    let then = before.map(|before| before.moved_like(now));
    let sides: Vec<&Accepted> = then.as_deref().into_iter().chain([now]).collect();
    let mut labels: Vec<(&ScenarioId, String)> = Accepted::labels(&sides).into_iter().collect();
    labels.sort_by(|(_, one), (_, other)| compare_naturally(one, other));
    let moved = before.into_iter().zip(then.as_deref());
    let moved = moved.flat_map(|(old, new)| old.scenarios.keys().zip(new.scenarios.keys()));
    let moved = moved
        .filter(|(old, new)| old != new)
        .map(|(old, new)| format!("moved: {} from {} to {}", old.name, old.bench, new.bench));
    let mut lines: Vec<String> = moved.collect();
    let changed = labels.into_iter().filter_map(|(id, name)| {
        let before = then.as_deref().and_then(|then| then.scenarios.get(id));
        match (before, now.scenarios.get(id)) {
            (None, Some(_)) => Some(format!("new: {name}")),
            (Some(_), None) => Some(format!("gone: {name}")),
            (Some(then), Some(now)) => {
                let changed = changed(then, now);
                (!changed.is_empty()).then(|| format!("{name}: {}", changed.join(", ")))
            }
            (None, None) => None,
        }
    });
    lines.extend(changed);
    lines
}

/// The metrics with another mean, such as `allocs 4 -> 3 (-1)`, without those that follow from
/// others; or a line that says that other figures differ.
fn changed(then: &AcceptedScenario, now: &AcceptedScenario) -> Vec<String> {
    let counted = Metric::ALL.into_iter().filter_map(|metric| {
        let figure = |scenario: &AcceptedScenario| scenario.figure(metric, Statistic::Mean);
        let (old, new) = (figure(then), figure(now));
        (old != new).then(|| (metric, change(metric.unit(), old, new)))
    });
    let counted: Vec<(Metric, String)> = counted.collect();
    let metrics: Vec<Metric> = counted.iter().map(|(metric, _)| *metric).collect();
    let counted = counted.into_iter();
    let counted = counted
        .filter(|(metric, _)| !is_implied(*metric, &metrics))
        .map(|(metric, words)| format!("{metric} {words}"));
    let names: BTreeSet<&String> = then.custom.keys().chain(now.custom.keys()).collect();
    let custom = names.into_iter().filter_map(|name| {
        let figure = |scenario: &AcceptedScenario| scenario.custom_figure(name, Statistic::Mean);
        let (old, new) = (figure(then), figure(now));
        let unit = now.custom.get(name).or(then.custom.get(name))?.unit;
        (old != new).then(|| format!("{name} {}", change(unit, old, new)))
    });
    let mut changed: Vec<String> = counted.chain(custom).collect();
    if changed.is_empty() && then != now {
        changed.push(String::from(
            "the number of iterations or single values changed",
        ));
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(custom: &str) -> Baseline {
        let text = format!(
            "version = 1\n[[environment]]\ntarget = \"t\"\nprofile = \"bench\"\nfeatures = []\n\
             allocator = \"a\"\ndebug-assertions = false\nrustc = \"r\"\nharness = \"h\"\n\
             [[environment.scenario]]\nname = \"encode\"\n\
             bench = {{ package = \"p\", target = \"b\" }}\niterations = 2\nwarmup = 0\n\
             [environment.scenario.metrics]\n{custom}"
        );
        Baseline::parse("b.toml", &text).expect("it is well written")
    }

    #[test]
    fn changes_of_custom_metrics_are_shown() {
        let figures = |name: &str, total: i64| {
            let half = total / 2;
            format!(
                "{name} = {{ unit = \"bytes\", total = {total}, min = {half}, p50 = {half}, \
                 p99 = {half}, max = {half}, first = {half} }}\n"
            )
        };
        let table = "[environment.scenario.custom]\n";
        let before = format!("{table}{}{}", figures("body", 80), figures("head", 10));
        let after = format!("{table}{}{}", figures("body", 84), figures("tail", 2));
        let lines = changes(&baseline(&before), &baseline(&after), false);
        assert_eq!(
            lines,
            ["encode: body 40 -> 42 (1.05x), head 5 -> not measured, tail not measured -> 1"]
        );
        assert_eq!(
            changes(&baseline(&after), &baseline(&after), false),
            [""; 0]
        );
    }
}
