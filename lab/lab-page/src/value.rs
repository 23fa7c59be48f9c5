//! [`Value`]: what a column of a table shows of a cell, and its text with honest digits.

use crate::results::Cell;

#[derive(Clone, Copy, Debug)]
pub struct Value {
    source: Source,
    /// How it is written. Only times have net values and ratios.
    pub unit: Unit,
    pub better: Better,
    /// Whether the floor is subtracted from a time.
    pub is_net: bool,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Time(Per),
    Metric(&'static str, Statistic, Per),
    Derived(fn(&Cell) -> Option<f64>),
}

/// What a value is divided by.
#[derive(Clone, Copy, Debug)]
enum Per {
    Call,
    Element,
}

/// Which value of a metric counts.
#[derive(Clone, Copy, Debug)]
pub enum Statistic {
    /// The smallest; of a time of several threads, the median.
    Min,
    P50,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Time,
    Count,
    /// Bytes, as KiB and MiB with three digits.
    Memory,
    Percent,
    Rate,
    /// To the baseline's value.
    Ratio,
    /// 1 or 0.
    YesNo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    Less,
    More,
    Neither,
}

/// The net time of a call, and of a pair, a block or another element.
pub const CALL: Value = Value::new(Source::Time(Per::Call), Unit::Time).net();
pub const ELEMENT: Value = Value::new(Source::Time(Per::Element), Unit::Time).net();

/// A time that the workload measures itself, of a call and of an element.
pub const fn time(metric: &'static str) -> Value {
    min(metric, Unit::Time).net()
}

pub const fn element_time(metric: &'static str, statistic: Statistic) -> Value {
    let source = Source::Metric(metric, statistic, Per::Element);
    Value::new(source, Unit::Time).net()
}

/// The smallest value of a metric, the median, and the largest.
pub const fn min(metric: &'static str, unit: Unit) -> Value {
    Value::new(Source::Metric(metric, Statistic::Min, Per::Call), unit)
}

pub const fn median(metric: &'static str, unit: Unit) -> Value {
    Value::new(Source::Metric(metric, Statistic::P50, Per::Call), unit)
}

pub const fn max(metric: &'static str, unit: Unit) -> Value {
    Value::new(Source::Metric(metric, Statistic::Max, Per::Call), unit)
}

/// The smallest value of a metric, where less is better.
pub const fn least(metric: &'static str, unit: Unit) -> Value {
    min(metric, unit).better(Better::Less)
}

/// A formula, where neither, less or more is better.
pub const fn derived(value: fn(&Cell) -> Option<f64>, unit: Unit) -> Value {
    Value::new(Source::Derived(value), unit)
}

pub const fn less(value: fn(&Cell) -> Option<f64>, unit: Unit) -> Value {
    derived(value, unit).better(Better::Less)
}

pub const fn more(value: fn(&Cell) -> Option<f64>, unit: Unit) -> Value {
    derived(value, unit).better(Better::More)
}

impl Value {
    const fn new(source: Source, unit: Unit) -> Self {
        Self {
            source,
            unit,
            better: Better::Neither,
            is_net: false,
        }
    }

    const fn net(self) -> Self {
        Self {
            is_net: true,
            better: Better::Less,
            ..self
        }
    }

    /// The same value as a merit: the best ones are bold.
    pub const fn better(self, better: Better) -> Self {
        Self { better, ..self }
    }

    /// Whether it is the time of the windows. If threads take turns, no floor is a part of it.
    pub const fn is_wall_time(&self) -> bool {
        matches!(self.source, Source::Time(_))
    }

    /// The value of a cell; `None` if it was not measured, or if a request failed.
    pub fn of(&self, cell: &Cell) -> Option<f64> {
        let cell = Some(cell).filter(|cell| cell.is_sound())?;
        let (value, per) = match self.source {
            Source::Time(per) => (cell.headline()?, per),
            Source::Metric(name, statistic, per) => {
                let metric = cell.metrics.get(name)?;
                let value = match statistic {
                    Statistic::Min if self.unit == Unit::Time => cell.fastest(name)?,
                    Statistic::Min => metric.min as f64,
                    Statistic::P50 => metric.p50 as f64,
                    Statistic::Max => metric.max as f64,
                };
                (value, per)
            }
            Source::Derived(value) => (value(cell)?, Per::Call),
        };
        Some(match per {
            Per::Call => value,
            Per::Element => value / cell.elements? as f64,
        })
    }
}

impl Unit {
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Time => in_unit(value, TIMES),
            Self::Count => grouped(value),
            Self::Memory => in_unit(value, MEMORY),
            Self::Percent => format!("{value:.1} %"),
            Self::Rate => digits(value, true),
            Self::Ratio => ratio_text(value),
            Self::YesNo if value == 0.0 => "no".to_owned(),
            Self::YesNo => "yes".to_owned(),
        }
    }
}

const TIMES: [(&str, f64); 4] = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];

const MEMORY: [(&str, f64); 4] = [
    ("B", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
];

/// `value` in the largest unit that it has one of, with three digits.
fn in_unit(value: f64, units: [(&str, f64); 4]) -> String {
    let fits = |&&(_, size): &&(&str, f64)| rounded(value.abs() / size, 3) >= 1.0;
    let &(name, size) = units.iter().rev().find(fits).unwrap_or(&units[0]);
    format!("{} {name}", digits(value / size, size == 1.0))
}

/// Three significant digits. Of the smallest unit at most one decimal.
fn digits(value: f64, is_smallest: bool) -> String {
    let size = rounded(value.abs(), 3);
    let decimals = match size {
        _ if value == 0.0 => 0,
        _ if is_smallest && size < 100.0 => 1,
        _ if size < 10.0 => 2,
        _ if size < 100.0 => 1,
        _ => 0,
    };
    match decimals {
        0 => grouped(value),
        _ => format!("{value:.decimals$}"),
    }
}

/// A ratio with two digits: `0.82x`, `1.3x`, `13x`.
pub fn ratio_text(ratio: f64) -> String {
    let decimals = match rounded(ratio, 2) {
        size if size < 1.0 => 2,
        size if size < 10.0 => 1,
        _ => 0,
    };
    match ratio {
        _ if ratio < 0.005 => "<0.01x".to_owned(),
        _ if decimals == 0 => grouped(ratio) + "x",
        _ => format!("{ratio:.decimals$}x"),
    }
}

/// A whole number with its thousands apart: `110,956,206`.
pub fn grouped(value: f64) -> String {
    let text = format!("{:.0}", value.abs());
    let mut grouped = String::new();
    for (index, digit) in text.chars().enumerate() {
        if index > 0 && (text.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match value.round() < 0.0 {
        true => format!("-{grouped}"),
        false => grouped,
    }
}

/// A value above zero with this many significant digits.
fn rounded(value: f64, digits: i32) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let exponent = value.log10().floor() as i32;
    let scale = 10_f64.powi(digits - 1 - exponent);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether values have these texts: of `0.5: a | 2: b`.
    #[track_caller]
    fn check(text: impl Fn(f64) -> String, expected: &str) {
        for (value, expected) in expected.split(" | ").filter_map(|one| one.split_once(": ")) {
            assert_eq!(text(value.parse().unwrap()), expected, "{value}");
        }
    }

    #[test]
    fn times_have_three_digits_and_no_more_than_a_tenth_of_a_nanosecond() {
        check(
            |value| Unit::Time.text(value),
            "0: 0 ns | 0.04: 0.0 ns | 8.44: 8.4 ns | 99.96: 100 ns | 123.4: 123 ns | \
             999.6: 1.00 µs | 1234: 1.23 µs | 45600: 45.6 µs | 38.4e6: 38.4 ms | 2.5e9: 2.50 s",
        );
    }

    #[test]
    fn memory_has_binary_units_and_counts_are_whole() {
        let memory = "67108864: 64.0 MiB | 1536: 1.50 KiB | -8192: -8.00 KiB";
        check(|value| Unit::Memory.text(value), memory);
        check(|value| Unit::Count.text(value), "-1000: -1,000");
        check(|value| Unit::Percent.text(value), "36.875: 36.9 %");
    }

    #[test]
    fn ratios_have_two_digits() {
        check(
            ratio_text,
            "0.001: <0.01x | 0.04: 0.04x | 0.823: 0.82x | 0.996: 1.0x | 1.26: 1.3x | 9.96: 10x | \
             128.4: 128x | 1024: 1,024x",
        );
    }
}
