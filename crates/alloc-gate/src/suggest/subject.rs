//! [`Subject`]: the scenario of a suggested gate, or the series of scenarios that
//! differ in one axis.

use std::collections::BTreeMap;

use alloc_results::{AxisValue, BenchId, Counts, Ratio, ScenarioRecord, Scope, integer};

use crate::figure::{Growth, counted};
use crate::results::axis::{axis_value, whole_number};
use crate::results::scenario_id::IdRef;
use crate::results::{Environment, MeasuredScenario};
use crate::suggest::words::{escaped, kebab, paragraph};

/// One scenario, or a series with enough points to determine its growth.
pub(super) struct Subject<'m> {
    /// At least one scenario. Those of a series ascend in its axis.
    pub(super) members: Vec<&'m MeasuredScenario>,
    pub(super) series: Option<Series<'m>>,
}

/// What the scenarios of a series have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Series<'m> {
    /// The axis in which they differ.
    pub(super) axis: &'m str,
    /// Their names before the value of the axis.
    before: String,
    /// Their names after the value of the axis.
    after: String,
    /// Whether another axis has whole numbers, too.
    is_ambiguous: bool,
}

type Key<'m> = (Series<'m>, &'m BenchId, &'m Environment);

/// The subjects of gates, in the order of the scenarios. A scenario is in one series
/// only, even if several are possible.
pub(super) fn subjects<'m>(wanted: &[&'m MeasuredScenario]) -> Vec<Subject<'m>> {
    let mut possible: BTreeMap<Key<'m>, Vec<&'m MeasuredScenario>> = BTreeMap::new();
    for measured in wanted {
        for key in keys(measured) {
            possible.entry(key).or_default().push(measured);
        }
    }
    let mut chosen: BTreeMap<Key<'m>, Vec<&'m MeasuredScenario>> = BTreeMap::new();
    for measured in wanted {
        let key = keys(measured).find(|key| possible.get(key).is_some_and(|m| is_enough(key, m)));
        if let Some(key) = key {
            chosen.entry(key).or_default().push(measured);
        }
    }
    // A series that lost points to another one may have too few now.
    chosen.retain(|key, members| is_enough(key, members));
    let series_of: BTreeMap<IdRef<'_>, &Key<'_>> = chosen
        .iter()
        .flat_map(|(key, members)| members.iter().map(move |m| (m.id(), key)))
        .collect();
    let mut subjects = Vec::new();
    for measured in wanted {
        let key = series_of.get(&measured.id());
        let Some((key, members)) = key.and_then(|key| chosen.get_key_value(*key)) else {
            subjects.push(Subject {
                members: vec![measured],
                series: None,
            });
            continue;
        };
        // The gate comes at the position of its first scenario.
        if members
            .first()
            .is_some_and(|first| std::ptr::eq(*first, *measured))
        {
            let mut members = members.clone();
            members.sort_by_key(|member| axis_value(&member.record, key.0.axis));
            subjects.push(Subject {
                members,
                series: Some(key.0.clone()),
            });
        }
    }
    subjects
}

/// The possible series of a scenario, one for each axis of whole numbers.
fn keys(measured: &MeasuredScenario) -> impl Iterator<Item = Key<'_>> {
    let record = &measured.record;
    let is_ambiguous = record.axes.iter().filter_map(whole_number).count() > 1;
    let numbers = record.axes.iter().enumerate();
    numbers
        .filter(|(_, axis)| whole_number(axis).is_some())
        .filter_map(move |(index, axis)| {
            let (before, after) = around(record, index)?;
            let series = Series {
                axis: &axis.axis,
                before,
                after,
                is_ambiguous,
            };
            Some((series, &measured.bench, &measured.environment))
        })
}

/// The name before and after the value of the axis with this index. `None` if the
/// name does not end with its axes.
fn around(record: &ScenarioRecord, index: usize) -> Option<(String, String)> {
    let pairs = |axes: &[AxisValue]| -> Vec<String> {
        let pairs = axes.iter();
        pairs
            .map(|AxisValue { axis, value }| format!("{axis}={value}"))
            .collect()
    };
    let all = format!("/{}", pairs(&record.axes).join(","));
    let base = record.name.strip_suffix(&all)?;
    let mut before = pairs(&record.axes[..index]);
    before.push(format!("{}=", record.axes[index].axis));
    let mut after = pairs(&record.axes[index + 1..]);
    after.insert(0, String::new());
    Some((format!("{base}/{}", before.join(",")), after.join(",")))
}

/// Whether the points are enough to determine growth.
fn is_enough(key: &Key<'_>, members: &[&MeasuredScenario]) -> bool {
    let points: Vec<_> = members
        .iter()
        .filter_map(|member| Some((axis_value(&member.record, key.0.axis)?, Ratio::whole(1))))
        .collect();
    Growth::fit(key.0.axis, &points).is_ok()
}

impl<'m> Subject<'m> {
    pub(super) fn environment(&self) -> &'m Environment {
        &self.members[0].environment
    }

    /// A name for the gate. Another gate may have the same.
    pub(super) fn gate_name(&self) -> String {
        match &self.series {
            None => kebab(&self.members[0].record.name),
            Some(series) => {
                let pair = format!("{}=", series.axis);
                let before = series.before.strip_suffix(&pair).unwrap_or(&series.before);
                let rest = kebab(&format!("{before}{}", series.after));
                format!("{rest}-by-{}", kebab(series.axis))
            }
        }
    }

    /// The bench of the members, if other benches have scenarios with their names.
    pub(super) fn needed_bench(&self) -> Option<&'m BenchId> {
        let first = self.members[0];
        (!first.qualifier.is_empty()).then_some(&first.bench)
    }

    /// Globs that match the subject's scenarios and no other of `all`, of their bench if the
    /// gate has to name it.
    pub(super) fn globs(&self, all: &[MeasuredScenario]) -> Vec<String> {
        let is_member = |name: &str| self.members.iter().any(|m| m.record.name == name);
        let bench = self.needed_bench();
        if let Some(series) = &self.series {
            let all = all.iter();
            let all = all.filter(|one| bench.is_none_or(|bench| one.bench == *bench));
            let names = all.map(|measured| measured.record.name.as_str());
            // The names that a single `*` matches.
            let mut matched = names.filter(|name| {
                name.len() >= series.before.len() + series.after.len()
                    && name.starts_with(&series.before)
                    && name.ends_with(&series.after)
            });
            if matched.all(is_member) {
                return vec![series.glob()];
            }
        }
        let names = self.members.iter();
        names.map(|member| escaped(&member.record.name)).collect()
    }

    /// The axis, if the gate has to name it.
    pub(super) fn growth_axis(&self) -> Option<&'m str> {
        let series = self.series.as_ref().filter(|series| series.is_ambiguous);
        series.map(|series| series.axis)
    }

    /// The value of the axis in a member.
    pub(super) fn point(&self, member: &MeasuredScenario) -> Option<u64> {
        axis_value(&member.record, self.series.as_ref()?.axis)
    }

    /// Comments on the measurement; `varies` says whether iterations differ in a metric that has
    /// a limit.
    pub(super) fn remarks(&self, varies: bool) -> Vec<String> {
        let records = || self.members.iter().map(|member| &member.record);
        let BenchId { package, target } = &self.members[0].bench;
        let iterations = self.iterations();
        let mut remarks = vec![match &self.series {
            None => format!(
                "`{}` of {package}/{target}: {iterations}.",
                self.members[0].record.name
            ),
            Some(series) => format!(
                "`{}` of {package}/{target}: {}, {iterations} each.",
                series.glob(),
                counted(self.members.len(), "scenario")
            ),
        }];
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
        let calls = |counts: &Counts| counts.allocs.saturating_add(counts.deallocs);
        let foreign = records()
            .filter(|record| record.scope == Scope::Thread)
            .flat_map(|record| {
                let first = record.outside.as_ref().map(|outside| outside.foreign_first);
                [Some(record.foreign), first]
            });
        let foreign = foreign.flatten().map(|counts| calls(&counts));
        let foreign = foreign.fold(0, u64::saturating_add);
        if foreign > 0 {
            remarks.push(format!(
                "Other threads allocated or deallocated {} times during the measurement. Its \
                 figures do not include these (foreign).",
                integer(foreign.into())
            ));
        }
        let uncounted = records()
            .filter_map(|record| record.outside.as_ref())
            .flat_map(|outside| [outside.uncounted, outside.uncounted_first])
            .map(|counts| calls(&counts))
            .fold(0, u64::saturating_add);
        if uncounted > 0 {
            remarks.push(format!(
                "`uncounted` excluded {} allocations and deallocations from its figures.",
                integer(uncounted.into())
            ));
        }
        if let Some(threads) = records().map(|record| record.threads).max()
            && threads > 1
        {
            remarks.push(format!("The figures are sums over {threads} threads."));
        }
        let custom: Vec<String> = self.members[0]
            .record
            .custom()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        if !custom.is_empty() {
            remarks.push(format!(
                "It also measures {} itself. No limit is suggested for that.",
                custom.join(", ")
            ));
        }
        remarks.iter().map(|remark| paragraph(remark)).collect()
    }

    /// The number of iterations of the members, as in `5 iterations`.
    pub(super) fn iterations(&self) -> String {
        let of_member = self.members.iter().map(|member| member.record.iterations);
        let (least, most) = of_member.fold((u64::MAX, 0), |(least, most), n| {
            (least.min(n), most.max(n))
        });
        let noun = if most == 1 { "iteration" } else { "iterations" };
        if least == most {
            return format!("{} {noun}", integer(most.into()));
        }
        format!(
            "{} to {} {noun}",
            integer(least.into()),
            integer(most.into())
        )
    }
}

impl Series<'_> {
    fn glob(&self) -> String {
        format!("{}*{}", escaped(&self.before), escaped(&self.after))
    }
}
