//! The rules of a suggested gate: for each metric, the tightest requirement that its
//! figures meet, and a comment with the figures.

use alloc_results::{Distribution, Metric, Ratio, integer, mean};

use crate::figure::{Growth, GrowthClass, Measure, Statistic};
use crate::results::MeasuredScenario;
use crate::suggest::repeat::Repeat;
use crate::suggest::subject::Subject;
use crate::suggest::words::commented;

/// The metrics of rules, in this order. The others, such as deallocations and sums,
/// follow from these.
const METRICS: [Metric; 7] = [
    Metric::Allocs,
    Metric::Reallocs,
    Metric::Bytes,
    Metric::PeakBytes,
    Metric::NetBytes,
    Metric::NativeAllocs,
    Metric::NativeBytes,
];

/// The metrics of rules if nothing was allocated: one rule for both kinds of calls, and none
/// on bytes, of which there are none without calls.
const METRICS_WITHOUT_CALLS: [Metric; 4] = [
    Metric::AllocCalls,
    Metric::NetBytes,
    Metric::NativeAllocs,
    Metric::NativeBytes,
];

/// The most points that a comment lists.
const MOST_POINTS: usize = 8;

/// A rule of a suggested gate.
pub(super) struct SuggestedRule {
    /// The line, with its comment.
    pub(super) text: String,
    /// Whether it requires a class of growth.
    pub(super) has_growth: bool,
}

/// The rules of a suggested gate.
pub(super) struct SuggestedRules {
    /// In the order of the metrics; empty if all of them can differ.
    pub(super) rules: Vec<SuggestedRule>,
    /// Whether iterations differ in a metric that has a rule.
    pub(super) varies: bool,
    /// The metrics without a rule, because they can differ in the next run, with their figures.
    unsettled: Vec<String>,
}

impl SuggestedRules {
    /// Comments on the measurement and on the metrics without a rule.
    pub(super) fn remarks(&self, subject: &Subject<'_>, repeat: &Repeat<'_>) -> String {
        let mut text = subject.remarks(self.varies).concat();
        text.push_str(&repeat.remark(&self.unsettled, !self.rules.is_empty()));
        text
    }
}

/// The rules on the metrics that don't differ from run to run.
pub(super) fn rules(subject: &Subject<'_>, repeat: &Repeat<'_>) -> SuggestedRules {
    let metrics = if is_zero(subject, Metric::AllocCalls) {
        &METRICS_WITHOUT_CALLS[..]
    } else {
        &METRICS
    };
    let mut found = SuggestedRules {
        rules: Vec::new(),
        varies: false,
        unsettled: Vec::new(),
    };
    for &metric in metrics {
        if let Some(figures) = repeat.unsettled(subject, metric) {
            found.unsettled.push(figures);
            continue;
        }
        found.rules.extend(rule(subject, metric));
        let mut members = subject.members.iter();
        let measure = Measure::from(metric);
        found.varies |= members.any(|m| measure.range_if_varying(&m.record).is_some());
    }
    found
}

/// Whether the metric is 0 in all iterations.
fn is_zero(subject: &Subject<'_>, metric: Metric) -> bool {
    let mut distributions = subject
        .members
        .iter()
        .map(|m| m.record.distribution(metric));
    distributions.all(|values| values.is_some_and(|v| (v.min(), v.max()) == (0, 0)))
}

/// The rule on a metric. `None` if the metric was not measured.
fn rule(subject: &Subject<'_>, metric: Metric) -> Option<SuggestedRule> {
    let values: Option<Vec<(&MeasuredScenario, Distribution)>> = subject
        .members
        .iter()
        .map(|member| Some((*member, member.record.distribution(metric)?)))
        .collect();
    let values = values?;
    let iterations = subject.iterations();
    let worst = values.iter().map(|(_, values)| values.max()).max()?;
    let least = values.iter().map(|(_, values)| values.min()).min()?;
    let without_growth = |rule: &str, comment: &str| SuggestedRule {
        text: commented(&format!("{metric} = {rule}"), comment),
        has_growth: false,
    };
    if (least, worst) == (0, 0) {
        return Some(without_growth(
            "\"== 0\"",
            &format!("0 in each of {iterations}"),
        ));
    }
    if subject.series.is_some() {
        return Some(series_rule(subject, metric, &values, worst));
    }
    let (_, distribution) = values.first()?;
    let limit = limit(worst);
    Some(if distribution.is_constant() {
        without_growth(
            &format!("\"<= {limit}\""),
            &format!("{} in each of {iterations}", integer(worst)),
        )
    } else {
        without_growth(
            &format!("{{ max = \"<= {limit}\" }}"),
            &format!("{} in {iterations}", range(distribution)),
        )
    })
}

/// The rule on a metric of a series.
fn series_rule(
    subject: &Subject<'_>,
    metric: Metric,
    values: &[(&MeasuredScenario, Distribution)],
    worst: i128,
) -> SuggestedRule {
    let mut has_growth = false;
    let mut statistics = vec![format!("max = \"<= {}\"", limit(worst))];
    let mut comment = points(subject, values);
    let is_constant = values.iter().all(|(_, values)| values.is_constant());
    // The class could change with means that vary from run to run, and negative
    // figures have no class.
    if is_constant
        && !metric.is_signed()
        && let Some(growth) = fit(subject, values)
    {
        comment.push_str(&class_words(&growth));
        if growth.class >= GrowthClass::Linear
            && let Some((limit, words)) = per_element(subject, metric)
        {
            statistics.push(format!("per-element = \"<= {limit}\""));
            comment.push_str(&words);
        }
        if growth.class <= GrowthClass::Quadratic {
            statistics.push(format!("growth = \"{}\"", growth.class));
            has_growth = true;
        }
    }
    let rule = format!("{metric} = {{ {} }}", statistics.join(", "));
    SuggestedRule {
        text: commented(&rule, &comment),
        has_growth,
    }
}

/// The figures of the points, as in `by rows: 2 at 10, 2 at 100`. Of many points, the
/// middle ones are left out.
fn points(subject: &Subject<'_>, values: &[(&MeasuredScenario, Distribution)]) -> String {
    let axis = subject.series.as_ref().map_or("", |series| series.axis);
    let mut words: Vec<String> = values
        .iter()
        .map(|(member, values)| {
            let n = integer(subject.point(member).unwrap_or_default().into());
            format!("{} at {n}", range(values))
        })
        .collect();
    if words.len() > MOST_POINTS {
        words.splice(MOST_POINTS / 2..words.len() - 1, [String::from("...")]);
    }
    format!("by {axis}: {}", words.join(", "))
}

/// The values, as in `2` or `2 to 3 (mean 2.50)`.
pub(super) fn range(values: &Distribution) -> String {
    if values.is_constant() {
        return integer(values.max());
    }
    format!(
        "{} to {} (mean {})",
        integer(values.min()),
        integer(values.max()),
        mean(values.mean(), 2)
    )
}

fn fit(subject: &Subject<'_>, values: &[(&MeasuredScenario, Distribution)]) -> Option<Growth> {
    let series = subject.series.as_ref()?;
    let points: Option<Vec<_>> = values
        .iter()
        .map(|(member, values)| Some((subject.point(member)?, values.mean())))
        .collect();
    Growth::fit(series.axis, &points?).ok()
}

fn class_words(growth: &Growth) -> String {
    let class = growth.class;
    match (class, growth.deviation_permille) {
        (GrowthClass::Cubic, _) => format!("; {class}, which is more than a rule can allow"),
        (_, 0) => format!("; {class}"),
        (_, permille) => {
            let percent = mean(
                Ratio::new(permille.into(), 10).unwrap_or(Ratio::whole(0)),
                1,
            );
            format!("; {class}, off by {percent}% at most")
        }
    }
}

/// The largest mean per element, as a limit and in words. `None` if a scenario has no
/// number of elements.
fn per_element(subject: &Subject<'_>, metric: Metric) -> Option<(String, String)> {
    let figure = |member: &&MeasuredScenario| {
        let figure = Measure::from(metric).figure(Statistic::PerElement, &member.record)?;
        Some((figure, subject.point(member)?))
    };
    let figures: Option<Vec<(Ratio, u64)>> = subject.members.iter().map(figure).collect();
    let (most, at) = figures?
        .into_iter()
        .reduce(|most, next| if next.0 > most.0 { next } else { most })?;
    let words = format!("; {} per element at {}", mean(most, 2), integer(at.into()));
    Some((millionths(most)?, words))
}

/// A limit that the figure meets: exact if six decimals are enough, or else rounded up
/// to six.
fn millionths(figure: Ratio) -> Option<String> {
    const DECIMALS: usize = 6;
    const SCALE: i128 = 1_000_000;
    let scaled = Ratio::new(figure.numerator().checked_mul(SCALE)?, figure.denominator())?;
    let rounded = -(-scaled).floor();
    if rounded < 0 {
        return None;
    }
    let fraction = format!("{:0DECIMALS$}", rounded % SCALE);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{}{point}{fraction}", limit(rounded / SCALE)))
}

/// A whole number as rules write it: `10_000`.
fn limit(value: i128) -> String {
    integer(value).replace(',', "_")
}
