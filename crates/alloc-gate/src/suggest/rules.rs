//! The rules of a suggested gate: for each metric, the tightest requirement that its
//! figures meet.

use alloc_requirement::Number;
use alloc_results::{Distribution, Metric, Ratio};

use crate::figure::{Growth, GrowthClass, Measure, Statistic};
use crate::results::MeasuredScenario;
use crate::results::axis::axis_value;
use crate::suggest::subject::{Subject, series};

/// The metrics of rules, in this order. The others, such as deallocations, follow from
/// these; `bytes` limits the peak too.
const METRICS: [Metric; 5] = [
    Metric::AllocCalls,
    Metric::Bytes,
    Metric::NetBytes,
    Metric::NativeAllocs,
    Metric::NativeBytes,
];

/// The metrics of the rules on these scenarios.
pub(super) fn metrics(members: &[&MeasuredScenario]) -> Vec<Metric> {
    let distributions = |metric| members.iter().map(move |m| m.record.distribution(metric));
    let makes_no_call = |values: Option<Distribution>| {
        values.is_some_and(|values| (values.min(), values.max()) == (0, 0))
    };
    // Without calls there are no bytes.
    let without_calls = distributions(Metric::AllocCalls).all(makes_no_call);
    let metrics = METRICS.into_iter();
    let metrics = metrics.filter(|metric| !without_calls || *metric != Metric::Bytes);
    let is_measured = |metric: &Metric| distributions(*metric).all(|values| values.is_some());
    metrics.filter(is_measured).collect()
}

/// Whether iterations differ in a metric that has a rule.
pub(super) fn varies(subject: &Subject<'_>) -> bool {
    let mut metrics = subject.common.settled.iter();
    metrics.any(|metric| {
        let measure = Measure::from(*metric);
        let mut members = subject.members.iter();
        members.any(|member| measure.range_if_varying(&member.record).is_some())
    })
}

/// The rules of the gate, a line each.
pub(super) fn rules(subject: &Subject<'_>) -> String {
    let metrics = subject.common.settled.iter();
    let lines = metrics.filter_map(|&metric| {
        let requirement = requirement(subject, metric)?;
        Some(format!("{metric} = {requirement}\n"))
    });
    lines.collect()
}

/// The rules of a gate that requires growth over `axis` alone, a line each.
pub(super) fn growth_rules(subject: &Subject<'_>, axis: &str) -> String {
    let metrics = subject.common.settled.iter();
    let lines = metrics.filter_map(|&metric| {
        let values = distributions(subject, metric)?;
        let class = class(subject, metric, axis)?;
        let is_above_zero = values.iter().any(|values| values.max() > 0);
        let growth = required(class).filter(|_| is_above_zero)?;
        Some(format!("{metric} = {{ {growth} }}\n"))
    });
    lines.collect()
}

/// The requirement on a metric. `None` if a scenario did not measure it.
fn requirement(subject: &Subject<'_>, metric: Metric) -> Option<String> {
    let values = distributions(subject, metric)?;
    let least = values.iter().map(Distribution::min).min()?;
    let most = values.iter().map(Distribution::max).max()?;
    let is_constant = values.iter().all(Distribution::is_constant);
    if (least, most) == (0, 0) {
        return Some(String::from("\"== 0\""));
    }
    let limit = Number::from(most);
    let mut statistics = vec![format!("max = \"<= {limit}\"")];
    let axis = subject.common.axes.first();
    let class = axis.and_then(|axis| class(subject, metric, axis));
    let grows = class.map_or(least != most, |class| class >= GrowthClass::Linear);
    if grows
        && is_constant
        && let Some(limit) = per_element(subject, metric)
    {
        statistics.push(format!("per-element = \"<= {limit}\""));
    }
    statistics.extend(class.and_then(required));
    if statistics.len() == 1 && is_constant {
        return Some(format!("\"<= {limit}\""));
    }
    Some(format!("{{ {} }}", statistics.join(", ")))
}

/// The requirement of a class. `None` if no rule can allow it.
fn required(class: GrowthClass) -> Option<String> {
    (class <= GrowthClass::Quadratic).then(|| format!("growth = \"{class}\""))
}

/// The values of a metric in all scenarios. `None` if one did not measure it.
fn distributions(subject: &Subject<'_>, metric: Metric) -> Option<Vec<Distribution>> {
    let members = subject.members.iter();
    members
        .map(|member| member.record.distribution(metric))
        .collect()
}

/// The class of the series that grows fastest over the axis. Means that vary from run to
/// run could change the class, and negative figures have none.
fn class(subject: &Subject<'_>, metric: Metric, axis: &str) -> Option<GrowthClass> {
    if metric.is_signed() {
        return None;
    }
    let classes = series(&subject.members, axis);
    let classes = classes.iter().map(|series| {
        let points = series.iter().map(|member| {
            let values = member.record.distribution(metric)?;
            let value = values.is_constant().then(|| values.mean())?;
            Some((axis_value(&member.record, axis)?, value))
        });
        let points = points.collect::<Option<Vec<_>>>()?;
        Some(Growth::fit(axis, &points).ok()?.class)
    });
    classes.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// The largest mean per element, as a limit. `None` if a scenario has no number of
/// elements.
fn per_element(subject: &Subject<'_>, metric: Metric) -> Option<Number> {
    let figures = subject
        .members
        .iter()
        .map(|member| Measure::from(metric).figure(Statistic::PerElement, &member.record));
    let figures = figures.collect::<Option<Vec<Ratio>>>()?;
    millionths(figures.into_iter().max()?)
}

/// A limit that the figure meets: exact if six decimals are enough, or else rounded up
/// to six.
fn millionths(figure: Ratio) -> Option<Number> {
    const SCALE: i128 = 1_000_000;
    let scaled = Ratio::new(figure.numerator().checked_mul(SCALE)?, figure.denominator())?;
    Number::new(-(-scaled).floor(), 6).filter(|limit| *limit >= Number::ZERO)
}
