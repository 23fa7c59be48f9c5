//! [`Delta`]: the differences between two measurements of the same benches. It judges
//! nothing.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;

use alloc_results::{BenchId, CustomMetric, Metric, Ratio, ScenarioRecord, Unit};
use indexmap::IndexMap;

use crate::measure::{Custom, Measure, Statistic};
use crate::results::names::{IdRef, Qualifiers, compare_naturally, moved, sort_naturally};
use crate::results::{MeasuredScenario, Measurements};
use crate::sites::Explained;

/// The difference between a base and a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// The values that differ, worst first: what is no longer measured, more `allocs` by how
    /// many, and other metrics by relative growth.
    pub changes: Vec<Change>,
    /// The number of scenarios that both sides have.
    pub compared: usize,
    /// The number of metrics of these scenarios without a changed statistic.
    pub unchanged: usize,
    /// The scenarios that only the head has, as reports show them, sorted.
    pub added: Vec<String>,
    /// The scenarios that only the base has, as reports show them, sorted.
    pub removed: Vec<String>,
    /// Other differences between the sides, which may explain changed values, as
    /// `a/b: harness h 1 -> h 2`: whose it is, the property, and both values.
    pub dissimilarities: Vec<String>,
}

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The scenario's full name.
    pub scenario: String,
    /// The head's bench.
    pub bench: BenchId,
    /// The prefix of the name in reports; see [`MeasuredScenario::qualifier`].
    pub qualifier: String,
    pub metric: Measure,
    /// The statistic: the mean, or another one if the mean did not change.
    pub statistic: Statistic,
    /// The value of the base; `None` if it was not measured.
    pub base: Option<Ratio>,
    /// The value of the head; `None` if it was not measured.
    pub head: Option<Ratio>,
    /// Whether all iterations of the scenario are equal, on both sides.
    pub deterministic: bool,
}

/// Why two measurements can't be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomparable {
    /// This side has no scenario.
    Empty(&'static str),
    /// This side is incomplete: it was filtered, or a scenario panicked.
    Incomplete(&'static str),
    /// The sides were not built alike.
    Environment(String),
}

/// Compares the scenarios that both sides have. A scenario whose name each side has once may be
/// in another bench.
///
/// # Errors
///
/// If a side has benches without scenarios, or is incomplete, or the two were built with another
/// compiler, for another target, with another profile or other features.
pub fn compare(base: &Measurements, head: &Measurements) -> Result<Delta, Incomparable> {
    for (side, measurements) in [("base", base), ("head", head)] {
        if measurements.is_filtered() || !measurements.failures().is_empty() {
            return Err(Incomparable::Incomplete(side));
        }
        // A base without benches is older than all of them.
        let is_older = side == "base" && measurements.origins().is_empty();
        if measurements.scenarios().is_empty() && !is_older {
            return Err(Incomparable::Empty(side));
        }
    }
    let moved = moved(base.ids(), head.ids());
    let before = by_id(base, |id| (moved.get(&id).copied().unwrap_or(id.0), id.1));
    let after = by_id(head, |id| id);
    let qualifiers = Qualifiers::new([&before, &after].map(|side| {
        let all = side.iter();
        all.map(|(&(bench, name), one)| (bench, name, &*one.record.axes))
    }));
    let label = |(bench, name): IdRef<'_>, measured: &MeasuredScenario| {
        qualifiers.label((bench, name, &measured.record.axes))
    };
    let only = |these: &Scenarios<'_>, those: &Scenarios<'_>| -> Vec<String> {
        let only = these.iter().filter(|(id, _)| !those.contains_key(*id));
        let mut labels: Vec<String> = only.map(|(id, measured)| label(*id, measured)).collect();
        sort_naturally(&mut labels);
        labels
    };
    let mut delta = Delta {
        added: only(&after, &before),
        removed: only(&before, &after),
        ..Delta::default()
    };
    let mut dissimilarities = BTreeSet::new();
    for (id, now) in &after {
        let Some(then) = before.get(id) else {
            continue;
        };
        let qualifier = qualifiers.find((id.0, id.1, &now.record.axes));
        dissimilarities.extend(differing(&label(*id, now), then, now)?);
        delta.compared += 1;
        for metric in measures(&then.record, &now.record) {
            match changes(&metric, &then.record, now, qualifier) {
                None => {}
                Some(changes) if changes.is_empty() => delta.unchanged += 1,
                Some(changes) => delta.changes.extend(changes),
            }
        }
    }
    delta.changes.sort_by(worst_first);
    delta.dissimilarities = dissimilarities.into_iter().collect();
    Ok(delta)
}

impl Delta {
    /// The changes by scenario, in the order of the worst change of each.
    #[must_use]
    pub fn scenarios(&self) -> Vec<Vec<&Change>> {
        let mut scenarios: IndexMap<IdRef<'_>, Vec<&Change>> = IndexMap::new();
        for change in &self.changes {
            let id = (&change.bench, &*change.scenario);
            scenarios.entry(id).or_default().push(change);
        }
        scenarios.into_values().collect()
    }

    /// The values that grew, one of each scenario, the worst first: `allocs`, or else the first
    /// metric that call stacks can explain.
    #[must_use]
    pub fn to_explain(&self) -> Vec<Explained> {
        let scenarios = self.scenarios().into_iter();
        let worst = scenarios.filter_map(|changes| {
            let grown = changes.into_iter().filter_map(|change| {
                let metric = change.metric.counted()?;
                (change.head? > change.base?).then_some((metric, change))
            });
            let rank = |metric| (metric != Metric::Allocs, metric);
            let (metric, change) =
                grown.min_by_key(|(metric, change)| (rank(*metric), change.statistic))?;
            Some(Explained {
                label: change.label(),
                judged: change.head,
                ..Explained::new(&change.bench, &change.scenario, metric, change.statistic)
            })
        });
        worst.collect()
    }
}

impl Change {
    /// The scenario's name as reports show it: with its bench if other benches have the name
    /// too.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.qualifier, self.scenario)
    }

    /// The rank of the change: a class, and the size within it.
    fn severity(&self) -> (u8, f64) {
        let (Some(base), Some(head)) = (self.base, self.head) else {
            // A value that is no longer measured may have become anything.
            return (if self.base.is_some() { 4 } else { 0 }, 0.0);
        };
        let (base, difference) = (base.to_f64(), head.to_f64() - base.to_f64());
        // Growth from 0 would be infinite, and the worst by itself.
        let relative = difference / base.abs().max(1.0);
        let is_steady = self.statistic != Statistic::First;
        match self.metric.counted() {
            _ if difference < 0.0 => (1, relative),
            Some(Metric::Allocs) if is_steady => (3, difference),
            _ => (2, relative),
        }
    }
}

/// The counted metrics, and the custom metrics of both sides. Times are left out:
/// they are comparable only within one run.
fn measures(then: &ScenarioRecord, now: &ScenarioRecord) -> Vec<Measure> {
    let counted = Metric::ALL.into_iter().map(Measure::Counted);
    // A metric whose unit changed counts as removed and added.
    let is_removed = |value: &&CustomMetric| {
        let now = now.custom_metric(&value.name);
        now.is_none_or(|now| now.unit != value.unit)
    };
    let custom = now.metrics.iter();
    let custom = custom.chain(then.metrics.iter().filter(is_removed));
    let custom = custom.filter(|value| value.unit != Unit::Nanoseconds);
    let custom = custom.map(|value| Custom::new(&value.name, value.unit));
    counted.chain(custom.map(Measure::Custom)).collect()
}

/// The statistics of a metric that differ; `None` if neither side measured it. A
/// changed mean stands for the whole distribution. The first call is added if it
/// changed in another way.
fn changes(
    metric: &Measure,
    then: &ScenarioRecord,
    measured: &MeasuredScenario,
    qualifier: &str,
) -> Option<Vec<Change>> {
    let now = &measured.record;
    let change = |statistic: Statistic| Change {
        scenario: now.name.clone(),
        bench: measured.bench.clone(),
        qualifier: qualifier.to_owned(),
        metric: metric.clone(),
        statistic,
        base: metric.value(statistic, then),
        head: metric.value(statistic, now),
        deterministic: then.is_deterministic() && now.is_deterministic(),
    };
    let differs = |change: &Change| change.base != change.head;
    let (mean, first) = (change(Statistic::Mean), change(Statistic::First));
    if [mean.base, mean.head, first.base, first.head] == [None; 4] {
        return None;
    }
    let mut changes = Vec::new();
    let first_is_like_the_mean = (first.base, first.head) == (mean.base, mean.head);
    if differs(&mean) {
        changes.push(mean);
    } else {
        changes.extend(Some(change(Statistic::Max)).filter(differs));
    }
    if differs(&first) && !first_is_like_the_mean {
        changes.push(first);
    }
    Some(changes)
}

/// The differences between two scenarios that affect counts; an error for one that makes them
/// incomparable.
fn differing(
    label: &str,
    then: &MeasuredScenario,
    now: &MeasuredScenario,
) -> Result<Vec<String>, Incomparable> {
    let mut found = Vec::new();
    for ((of, what, base), (_, _, head)) in properties(then).into_iter().zip(properties(now)) {
        if base == head {
            continue;
        }
        let subject = match of {
            Of::Build | Of::Bench => now.bench.to_string(),
            Of::Scenario => label.to_owned(),
        };
        let [base, head] = [base, head].map(|value| match &*value {
            "" => String::from("none"),
            _ => value,
        });
        let difference = format!("{subject}: {what} {base} -> {head}");
        if of == Of::Build {
            return Err(Incomparable::Environment(difference));
        }
        found.push(difference);
    }
    Ok(found)
}

/// Whose property it is. Counts are incomparable where one of the build differs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Build,
    Bench,
    Scenario,
}

/// The properties of a measured scenario on which counts can depend.
fn properties(measured: &MeasuredScenario) -> [(Of, &'static str, String); 12] {
    let (environment, record) = (&measured.environment, &measured.record);
    let assertions = ["off", "on"][usize::from(environment.debug_assertions)];
    let scope = format!("{:?}", record.scope).to_lowercase();
    let drop = format!("{:?}", record.output_drop).to_lowercase();
    [
        (Of::Build, "compiler", environment.rustc.clone()),
        (Of::Build, "target", environment.target.clone()),
        (Of::Build, "profile", environment.profile.clone()),
        (Of::Build, "features", environment.features.join(" ")),
        (Of::Bench, "inner allocator", environment.allocator.clone()),
        (Of::Bench, "debug assertions", assertions.to_owned()),
        (Of::Bench, "harness", environment.harness.clone()),
        (Of::Scenario, "iterations", record.iterations.to_string()),
        (Of::Scenario, "warm-up", record.warmup.to_string()),
        (Of::Scenario, "threads", record.threads.to_string()),
        (Of::Scenario, "scope", scope),
        (Of::Scenario, "drop of the output", drop),
    ]
}

type Scenarios<'m> = BTreeMap<IdRef<'m>, &'m MeasuredScenario>;

/// The scenarios with the ids that `id` returns for theirs.
fn by_id<'m>(measurements: &'m Measurements, id: impl Fn(IdRef<'m>) -> IdRef<'m>) -> Scenarios<'m> {
    let scenarios = measurements.scenarios().iter();
    scenarios
        .map(|measured| (id(measured.id()), measured))
        .collect()
}

fn worst_first(one: &Change, other: &Change) -> Ordering {
    let ((class, size), (class_2, size_2)) = (one.severity(), other.severity());
    class_2
        .cmp(&class)
        .then_with(|| size_2.total_cmp(&size))
        .then_with(|| compare_naturally(&one.scenario, &other.scenario))
        .then_with(|| one.bench.cmp(&other.bench))
        .then_with(|| (&one.metric, one.statistic).cmp(&(&other.metric, other.statistic)))
}

impl fmt::Display for Incomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(side) => write!(f, "the {side} has no scenarios"),
            Self::Incomplete(side) => {
                write!(
                    f,
                    "the {side} is incomplete: it was filtered, or a scenario panicked"
                )
            }
            Self::Environment(difference) => {
                write!(f, "the two sides were built differently: {difference}")
            }
        }
    }
}

impl Error for Incomparable {}

#[cfg(test)]
mod tests;
