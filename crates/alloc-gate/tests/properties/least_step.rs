//! A rule that a record holds fails after the least step beyond its limit. Values and limits
//! are computed here again, from plain integers.

use alloc_gate::baseline::Coverage;
use alloc_gate::{Baseline, Config, Measurements, Outcome, Verdict};
use alloc_results::Metric;
use sample_results::{Generator, rounds};

use crate::{judged, measured};

/// A scenario with the values of one metric.
#[derive(Clone, Debug)]
struct Record {
    values: Vec<i128>,
    first: i128,
}

const ELEMENTS: i128 = 4;

/// Where a record has the values of a metric.
#[derive(Clone, Copy)]
enum Place {
    Counted(Metric),
    /// Only the sum of all iterations.
    Foreign,
    Custom,
}

impl Place {
    const fn statistics(self) -> &'static [&'static str] {
        match self {
            Self::Counted(_) | Self::Custom => &["mean", "max", "first", "per-element"],
            Self::Foreign => &["mean", "first"],
        }
    }

    /// The smallest value of an iteration.
    fn least(self) -> i128 {
        let is_signed = match self {
            Self::Counted(metric) => metric.definition().is_signed,
            Self::Custom => true,
            Self::Foreign => false,
        };
        if is_signed { i128::MIN } else { 0 }
    }

    /// The scenarios of these names.
    fn measured(self, scenarios: [(&str, &Record); 2]) -> Measurements {
        let line = |(name, Record { values, first }): (&str, &Record)| {
            let each = |shown: &dyn Fn(&i128) -> String| -> String {
                let each: Vec<String> = values.iter().map(shown).collect();
                format!("1 x {}", each.join("; 1 x "))
            };
            let parts = match self {
                Self::Counted(metric) => {
                    let shown = |value: &i128| reading(metric, *value);
                    format!("{} | first {}", each(&shown), shown(first))
                }
                Self::Foreign => {
                    let sum: i128 = values.iter().sum();
                    let count = values.len();
                    format!("{count} x | foreign allocs={sum} | foreign-first allocs={first}")
                }
                Self::Custom => {
                    let (count, values) = (values.len(), each(&i128::to_string));
                    format!("{count} x | custom rows count {values}, first {first}")
                }
            };
            format!("{name}: {parts} | elements={ELEMENTS}\n")
        };
        measured(&scenarios.map(line).concat())
    }
}

fn reading(metric: Metric, value: i128) -> String {
    let field = match metric {
        Metric::NetBytes if value < 0 => "freed-bytes",
        Metric::NetBytes => "bytes",
        Metric::NetBlocks if value < 0 => "deallocs",
        Metric::NetBlocks => "allocs",
        Metric::PeakBytes => "peak",
        Metric::Allocs | Metric::Bytes | Metric::Deallocs | Metric::Reallocs => metric.name(),
        other => panic!("the value of {other} is not known"),
    };
    format!("{field}={}", value.abs())
}

/// A numerator and a positive denominator.
type Fraction = (i128, i128);

fn is_less((a, b): Fraction, (c, d): Fraction) -> bool {
    a * d < c * b
}

fn value(statistic: &str, Record { values, first }: &Record) -> Fraction {
    let count = i128::try_from(values.len()).expect("it is small");
    let sum: i128 = values.iter().sum();
    let most = values.iter().max().copied().expect("there is one");
    match statistic {
        "mean" => (sum, count),
        "max" => (most, 1),
        "first" => (*first, 1),
        _ => (sum, count * ELEMENTS),
    }
}

/// A limit as written, and its value.
fn limit(
    generator: &mut Generator,
    (place, statistic): (Place, &str),
    operator: &str,
    base: Fraction,
    other: Fraction,
) -> (String, Fraction) {
    let number = i128::try_from(generator.below(8) + 2).expect("it is small");
    let sign = if operator.starts_with('<') { 1 } else { -1 };
    let beside = |(a, b): Fraction, (c, d): Fraction| (a * d + sign * c * b, b * d);
    let margin = if sign == 1 { '+' } else { '-' };
    let tenth = |(a, b): Fraction| (a.abs(), b * 10);
    // A baseline does not have the allocations of other threads.
    let kinds = match place {
        Place::Foreign => 3,
        // `==` has no tolerance.
        Place::Counted(_) | Place::Custom if operator == "==" => 4,
        Place::Counted(_) | Place::Custom => 6,
    };
    match generator.below(kinds) {
        0 => (String::from("2 * [b]"), (2 * other.0, other.1)),
        1 if matches!(statistic, "mean" | "per-element") => {
            (format!("{number}.5"), (2 * number + 1, 2))
        }
        1 | 2 => (number.to_string(), (number, 1)),
        3 => (String::from("baseline"), base),
        4 => (format!("baseline {margin} 1"), beside(base, (1, 1))),
        _ => (format!("baseline {margin} 10%"), beside(base, tenth(base))),
    }
}

fn holds(operator: &str, value: Fraction, limit: Fraction) -> bool {
    match operator {
        "<" => is_less(value, limit),
        "<=" => !is_less(limit, value),
        ">" => is_less(limit, value),
        ">=" => !is_less(value, limit),
        _ => !is_less(value, limit) && !is_less(limit, value),
    }
}

/// Changes one value by 1. `None` if none can be less.
fn step(
    generator: &mut Generator,
    (place, statistic): (Place, &str),
    record: &Record,
    by: i128,
) -> Option<Record> {
    let mut altered = record.clone();
    let mut values: Vec<&mut i128> = match statistic {
        "first" => vec![&mut altered.first],
        _ => altered.values.iter_mut().collect(),
    };
    values.retain(|value| by > 0 || **value > place.least());
    let chosen = generator.below(values.len().max(1));
    **values.get_mut(chosen)? += by;
    Some(altered)
}

#[test]
fn what_holds_fails_after_the_least_step_beyond_its_limit() {
    let mut generator = Generator::new(9);
    let counted = Metric::ALL.map(|metric| (metric.name(), Place::Counted(metric)));
    let others = [("foreign-allocs", Place::Foreign), ("rows", Place::Custom)];
    for (metric, place) in counted.into_iter().chain(others) {
        for &statistic in place.statistics() {
            for operator in ["<", "<=", "==", ">=", ">"] {
                let broken = (0..rounds(4))
                    .map(|_| broken(&mut generator, metric, (place, statistic), operator))
                    .sum::<usize>();
                assert!(broken > 0, "{metric} {statistic} {operator} was not broken");
            }
        }
    }
}

/// Breaks a limit in each direction in which it can be broken. The number of breaches.
fn broken(generator: &mut Generator, metric: &str, part: (Place, &str), operator: &str) -> usize {
    let (place, statistic) = part;
    let count = generator.below(5) + 1;
    let [mut record, accepted, other] = [(); 3].map(|()| {
        let mut value = || i128::try_from(generator.below(6) + 2).expect("it is small");
        Record {
            values: (0..count).map(|_| value()).collect(),
            first: value(),
        }
    });
    let (base, beside) = (value(statistic, &accepted), value(statistic, &other));
    let (written, limit) = limit(generator, part, operator, base, beside);
    let config = format!(
        "version = 1\n[baseline]\ndata = 'b'\n[metrics]\nrows = 'count'\n[[gate]]\nname = 'g'\n\
         scenarios = ['a']\n{metric} = {{ {statistic} = '{operator} {written}' }}\n"
    );
    let config = Config::parse("gates.toml", &config).unwrap_or_else(|error| panic!("{error}"));
    let accepted = place.measured([("a", &accepted), ("b", &other)]);
    let baseline = Baseline::default().accept(&accepted, Coverage::AllBenches);
    let holds = |record: &Record| holds(operator, value(statistic, record), limit);
    let expect = |record: &Record| {
        let now = place.measured([("a", record), ("b", &other)]);
        let evaluation = judged(&config, &now, &baseline);
        let found = evaluation.gates[0].judgements[0].verdict;
        let shown = format!("{metric} {statistic} {operator} {written}: {record:?}: {found:?}");
        if holds(record) {
            assert!(matches!(found, Verdict::Pass | Verdict::Stale), "{shown}");
        } else {
            assert_eq!(found, Verdict::Fail, "{shown}");
            assert_eq!(evaluation.gates[0].verdict, Verdict::Fail, "{shown}");
            assert_eq!(evaluation.outcome(), Outcome::Failed, "{shown}");
        }
    };
    // Towards the limit, until it holds; some are met by nothing, such as a maximum of 2.5.
    let directions: &[i128] = match operator {
        "<" | "<=" => &[1],
        "==" => &[1, -1],
        _ => &[-1],
    };
    for _ in 0..200 {
        let is_too_small = is_less(value(statistic, &record), limit);
        let by = [-1, 1][usize::from(is_too_small || directions == [-1])];
        match step(generator, part, &record, by) {
            Some(nearer) if !holds(&record) => record = nearer,
            Some(_) | None => break,
        }
    }
    if !holds(&record) {
        return 0;
    }
    let mut breaches = 0;
    for &by in directions {
        let mut last = record.clone();
        while let Some(next) = step(generator, part, &last, by) {
            if !holds(&next) {
                expect(&last);
                expect(&next);
                breaches += 1;
                break;
            }
            last = next;
        }
    }
    breaches
}

#[test]
fn growth_fails_at_the_next_class() {
    type Growth = fn(u64) -> u64;
    let classes: [(_, Growth); 6] = [
        ("O(1)", |_| 5),
        ("O(log n)", |n| 3 * u64::from(n.ilog2())),
        ("O(n)", |n| 2 * n),
        ("O(n log n)", |n| n * u64::from(n.ilog2())),
        ("O(n^2)", |n| n * n),
        ("O(n^3)", |n| n * n * n),
    ];
    for pair in classes.windows(2) {
        let [(limit, holding), (_, beyond)] = [pair[0], pair[1]];
        for metric in ["allocs", "bytes"] {
            let config = format!(
                "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\n\
                 {metric} = {{ growth = '{limit}' }}\n"
            );
            let config = Config::parse("gates.toml", &config).expect("the rules are valid");
            let verdict = |count: fn(u64) -> u64| {
                let series = [16, 256, 4_096, 65_536].map(|n| {
                    let count = count(n);
                    format!("a/n={n}: 4 x allocs={count} bytes={count}\n")
                });
                let now = measured(&series.concat());
                judged(&config, &now, &Baseline::default()).gates[0].verdict
            };
            assert_eq!(verdict(holding), Verdict::Pass, "{metric} {limit}");
            assert_eq!(verdict(beyond), Verdict::Fail, "{metric} {limit}");
        }
    }
}
