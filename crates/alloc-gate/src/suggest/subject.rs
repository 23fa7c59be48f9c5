//! [`Subject`]: the scenarios of one suggested gate. They have the begin of their names in
//! common, and the same kinds of limits.

use std::collections::BTreeSet;

use alloc_results::{BenchId, Counts, Metric, Ratio, ScenarioRecord, Scope};
use indexmap::IndexMap;

use crate::figure::Growth;
use crate::grouped::grouped;
use crate::results::axis::{axis_value, base_name, series_name, whole_number};
use crate::results::{Environment, MeasuredScenario};
use crate::suggest::repeat::Repeat;
use crate::suggest::rules::metrics;
use crate::suggest::words::{escaped, kebab, paragraph};

/// The scenarios of a gate.
pub(super) struct Subject<'m> {
    /// At least one scenario, in the order of the bench.
    pub(super) members: Vec<&'m MeasuredScenario>,
    pub(super) common: Common<'m>,
}

/// What the scenarios of a subject have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Common<'m> {
    bench: &'m BenchId,
    pub(super) environment: &'m Environment,
    group: &'m str,
    /// The axes with enough points in all series to determine growth.
    pub(super) axes: Vec<&'m str>,
    /// The metrics that get a limit.
    pub(super) settled: Vec<Metric>,
    /// The metrics that get none, because they can differ in the next run.
    pub(super) unsettled: Vec<Metric>,
}

/// A sweep: the bench, the name without the values of the axes, and the axes.
type Sweep<'m> = (&'m BenchId, &'m Environment, &'m str, Vec<&'m str>);

/// The subjects of gates, in the order of their first scenarios. The scenarios of a sweep
/// are in one subject.
pub(super) fn subjects<'m>(
    wanted: &[&'m MeasuredScenario],
    repeat: &Repeat<'_>,
) -> Vec<Subject<'m>> {
    let mut sweeps: IndexMap<Sweep<'m>, Vec<&'m MeasuredScenario>> = IndexMap::new();
    for measured in wanted {
        let record = &measured.record;
        let axes = record.axes.iter().map(|axis| axis.axis.as_str());
        let sweep = (
            &measured.bench,
            &measured.environment,
            base_name(&record.name, &record.axes),
            axes.collect(),
        );
        sweeps.entry(sweep).or_default().push(measured);
    }
    let mut subjects: IndexMap<Common<'m>, Vec<&'m MeasuredScenario>> = IndexMap::new();
    for ((bench, environment, name, axes), members) in sweeps {
        let is_settled = |metric: &Metric| repeat.is_settled(&members, *metric);
        let (settled, unsettled) = metrics(&members).into_iter().partition(is_settled);
        let has_growth = |axis: &&str| {
            let series = series(&members, axis);
            series.iter().all(|series| is_enough(axis, series))
        };
        let common = Common {
            bench,
            environment,
            group: group(name),
            axes: axes.into_iter().filter(has_growth).collect(),
            settled,
            unsettled,
        };
        subjects.entry(common).or_default().extend(members);
    }
    let subjects = subjects.into_iter();
    subjects
        .flat_map(|(common, members)| {
            let parts = similar(members, &common);
            let subject = move |members| Subject {
                members,
                common: common.clone(),
            };
            parts.into_iter().map(subject)
        })
        .collect()
}

/// The scenarios in parts whose figures, or figures per element, differ by at most a tenth: one
/// limit for all would let the smaller ones grow. Scenarios with a class of growth stay together.
fn similar<'m>(
    members: Vec<&'m MeasuredScenario>,
    common: &Common<'_>,
) -> Vec<Vec<&'m MeasuredScenario>> {
    if !common.axes.is_empty() {
        return vec![members];
    }
    grouped(members, |part, member| {
        part.iter().all(|other| {
            let mut metrics = common.settled.iter();
            metrics.all(|metric| is_near(&member.record, &other.record, *metric))
        })
    })
}

/// Whether the largest figures differ by at most a tenth, or those per element where each
/// iteration has the same.
fn is_near(one: &ScenarioRecord, other: &ScenarioRecord, metric: Metric) -> bool {
    let is_within = |one: i128, other: i128| {
        let largest = one.unsigned_abs().max(other.unsigned_abs());
        one.abs_diff(other) <= largest / 10
    };
    let (Some(figures), Some(others)) = (one.distribution(metric), other.distribution(metric))
    else {
        return false;
    };
    let elements = one.work.elements.zip(other.work.elements);
    let elements = elements.filter(|_| figures.is_constant() && others.is_constant());
    is_within(figures.max(), others.max())
        || elements.is_some_and(|(own, of_other)| {
            let times = |figure: i128, elements: u64| figure.saturating_mul(i128::from(elements));
            is_within(times(figures.max(), of_other), times(others.max(), own))
        })
}

/// The begin of a name, up to the first `/` or ` (`: what `read/short` and `read/long` have in
/// common.
fn group(name: &str) -> &str {
    let ends = ["/", " ("].map(|separator| name.find(separator));
    let end = ends.into_iter().flatten().min();
    end.map_or(name, |end| &name[..end])
}

/// The scenarios by series: those of one series differ in `axis` alone.
pub(super) fn series<'m>(
    members: &[&'m MeasuredScenario],
    axis: &str,
) -> Vec<Vec<&'m MeasuredScenario>> {
    let mut series: IndexMap<String, Vec<&MeasuredScenario>> = IndexMap::new();
    for member in members {
        let name = series_name(&member.record.name, &member.record.axes, Some(axis));
        series.entry(name).or_default().push(member);
    }
    series.into_values().collect()
}

/// Whether the scenarios have enough points to determine growth, and nothing else.
fn is_enough(axis: &str, members: &[&MeasuredScenario]) -> bool {
    let points: Option<Vec<_>> = members
        .iter()
        .map(|member| Some((axis_value(&member.record, axis)?, Ratio::whole(1))))
        .collect();
    points.is_some_and(|points| Growth::fit(axis, &points).is_ok())
}

impl<'m> Subject<'m> {
    /// A name for the gate. Another gate may have the same.
    pub(super) fn gate_name(&self) -> String {
        match self.members.as_slice() {
            [only] => kebab(&only.record.name),
            _ => kebab(self.common.group),
        }
    }

    /// The bench of the members, if other benches have scenarios with their names.
    pub(super) fn needed_bench(&self) -> Option<&'m BenchId> {
        let mut members = self.members.iter();
        let is_shared = members.any(|member| !member.qualifier.is_empty());
        is_shared.then_some(self.common.bench)
    }

    /// Globs that match the subject's scenarios and no other of `all`, of their bench if the
    /// gate has to name it.
    pub(super) fn globs(&self, all: &[MeasuredScenario]) -> Vec<String> {
        let bench = self.needed_bench();
        let names: BTreeSet<&str> = self.names().collect();
        // A single `*` behind this text matches members and nothing else.
        let is_exact = |begin: &str| {
            let judged = all
                .iter()
                .filter(|one| bench.is_none_or(|bench| one.bench == *bench));
            let names_of_all = judged.map(|measured| measured.record.name.as_str());
            let mut matched = names_of_all.filter(|name| name.starts_with(begin));
            matched.all(|name| names.contains(name))
        };
        let mut globs: Vec<String> = Vec::new();
        let mut found: Vec<String> = Vec::new();
        let group = self.common.group;
        for member in &self.members {
            let name = &member.record.name;
            if found.iter().any(|begin| name.starts_with(begin)) {
                continue;
            }
            let begins = ["/", " ("].map(|separator| format!("{group}{separator}"));
            let axes = &member.record.axes;
            let sweep = (!axes.is_empty()).then(|| format!("{}/", base_name(name, axes)));
            let begin = begins
                .into_iter()
                .chain(sweep)
                .filter(|begin| name.starts_with(begin) && is_exact(begin))
                .find(|begin| self.names().filter(|name| name.starts_with(begin)).count() > 1);
            match begin {
                Some(begin) => {
                    globs.push(format!("{}*", escaped(&begin)));
                    found.push(begin);
                }
                None => globs.push(escaped(name)),
            }
        }
        globs
    }

    fn names(&self) -> impl Iterator<Item = &'m str> {
        let names = self.members.iter();
        names.map(|member| member.record.name.as_str())
    }

    /// Whether a gate has to name the axis of its growth.
    pub(super) fn is_ambiguous(&self) -> bool {
        let numbers = |member: &&MeasuredScenario| {
            let axes = member.record.axes.iter();
            axes.filter_map(whole_number).count()
        };
        self.members.iter().any(|member| numbers(member) > 1)
    }

    /// Comments on the measurement; `varies` says whether iterations differ in a metric that has
    /// a limit.
    pub(super) fn remarks(&self, varies: bool) -> String {
        let records = || self.members.iter().map(|member| &member.record);
        let BenchId { package, target } = self.common.bench;
        let mut remarks = vec![format!("Measured by {package}/{target}.")];
        if varies {
            remarks.push(String::from(
                "Its iterations differ, in the same way in both measurements: the limit on `max` \
                 is the worst value.",
            ));
        }
        if records().any(|record| record.scope == Scope::Process) {
            remarks.push(String::from(
                "Process scope: allocations of other threads are counted, too.",
            ));
        }
        let any_calls = |counts: &Counts| counts.allocs > 0 || counts.deallocs > 0;
        let has_foreign = |record: &ScenarioRecord| {
            record.scope == Scope::Thread
                && (any_calls(&record.foreign) || any_calls(&record.outside.foreign_first))
        };
        if records().any(has_foreign) {
            remarks.push(String::from(
                "Other threads allocated or deallocated during the measurement. The figures do \
                 not include this (foreign).",
            ));
        }
        let mut outside = records().map(|record| &record.outside);
        if outside
            .any(|outside| any_calls(&outside.uncounted) || any_calls(&outside.uncounted_first))
        {
            remarks.push(String::from(
                "`uncounted` excluded allocations or deallocations from the figures.",
            ));
        }
        if records().any(|record| record.threads > 1) {
            remarks.push(String::from("The figures are sums over several threads."));
        }
        let custom: BTreeSet<&str> = records()
            .flat_map(|record| record.custom().map(|(name, _)| name))
            .collect();
        if !custom.is_empty() {
            let custom: Vec<String> = custom.iter().map(|name| format!("`{name}`")).collect();
            remarks.push(format!(
                "Also measured: {}. No limit is suggested for that.",
                custom.join(", ")
            ));
        }
        remarks.iter().map(|remark| paragraph(remark)).collect()
    }
}
