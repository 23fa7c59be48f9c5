//! Tests of the ends of expressions: some computed by hand, and many random ones compared
//! with their values between the corners.

use super::*;
use crate::rules::{Config, Quantity};
use crate::sample_results::streams;

/// The times that the rules declare.
const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/// The ends of an expression. Each time has two iterations with the given values.
fn ends_with(expression: &str, times: &[(&str, [i64; 2])]) -> Option<(Exact, Exact)> {
    let metrics = NAMES.map(|name| format!("{name} = \"nanoseconds\"\n"));
    let rules = format!(
        "version = 1\n[metrics]\n{}[[table]]\nname = \"t\"\nscenarios = [\"*\"]\n\
         rows = \"scenario\"\nmetrics = [{{ {expression}, label = \"x\" }}]\n",
        metrics.concat()
    );
    let config = Config::parse("gates.toml", &rules).expect("the rules are valid");
    let Quantity::Derived { expression, .. } = &config.tables[0].figures[0].quantity else {
        panic!("it is derived");
    };
    let times = times
        .iter()
        .map(|(name, [one, other])| format!(" | custom {name} nanoseconds 1 x {one}; 1 x {other}"));
    let times: Vec<String> = times.collect();
    let results = format!("s: 2 x allocs=2 | elements=6{}", times.concat());
    let streams = streams(&results).expect("the results are well written");
    let spread = of_expression(expression, &streams[0].scenarios[0])?;
    Some((spread.low, spread.high))
}

fn ends(expression: &str, times: &[(&str, [i64; 2])]) -> Option<(Exact, Exact)> {
    ends_with(&format!("derived = \"{expression}\""), times)
}

fn bound(numerator: i128, denominator: u64) -> Exact {
    Exact::from(Ratio::new(numerator, denominator).expect("not over 0"))
}

fn whole(low: i128, high: i128) -> Option<(Exact, Exact)> {
    Some((bound(low, 1), bound(high, 1)))
}

#[test]
fn a_quotient_by_a_time_is_smallest_where_the_time_is_longest() {
    assert_eq!(ends("elements / a", &[("a", [2, 3])]), whole(2, 3));
    assert_eq!(ends("10 - a", &[("a", [2, 3])]), whole(7, 8));
    assert_eq!(
        ends("allocs / a - 1", &[("a", [4, 8])]),
        Some((bound(-3, 4), bound(-1, 2)))
    );
}

#[test]
fn different_times_are_independent_and_a_repeated_time_is_one() {
    let (a, b) = (("a", [10, 20]), ("b", [30, 60]));
    assert_eq!(ends("a + b", &[a, b]), whole(40, 80));
    assert_eq!(ends("b - a", &[a, b]), whole(10, 50));
    // 10 of 70 and 20 of 50, in percent. With `a` independent in both places, the ends
    // would be 12.5 and 50.
    assert_eq!(
        ends("100 * a / (a + b)", &[a, b]),
        Some((bound(100, 7), bound(40, 1)))
    );
    assert_eq!(ends("a - a", &[a]), whole(0, 0));
    assert_eq!(ends("a / a", &[a]), whole(1, 1));
    assert_eq!(ends("2 * a - a", &[a]), whole(10, 20));
    // The value falls with `a` if `b` is below 3, and rises otherwise.
    assert_eq!(ends("a * (b - 3)", &[a, ("b", [2, 5])]), whole(-20, 40));
}

#[test]
fn an_expression_that_is_not_linear_in_a_time_has_no_ends() {
    let times = [("a", [-1, 2]), ("b", [1, 2])];
    // 1 and 4 at the corners, but 0 between them.
    assert_eq!(ends("a * a", &times), None);
    // 2 and 2.5 at the corners, but 2 wherever both times are equal.
    assert_eq!(ends("a / b + b / a", &[("a", [1, 2]), ("b", [1, 2])]), None);
    assert_eq!(ends("a * b", &times), whole(-2, 4));
}

#[test]
fn a_divisor_that_can_be_0_leaves_no_ends() {
    for (divisor, times) in [
        ("a", [("a", [-1, 1]), ("b", [1, 1])]),
        ("a", [("a", [0, 1]), ("b", [1, 1])]),
        ("(a - b)", [("a", [1, 3]), ("b", [2, 5])]),
    ] {
        assert_eq!(ends(&format!("1 / {divisor}"), &times), None, "{divisor}");
    }
    let apart = [("a", [1, 3]), ("b", [5, 7])];
    assert_eq!(
        ends("1 / (a - b)", &apart),
        Some((bound(-1, 2), bound(-1, 6)))
    );
}

#[test]
fn only_times_of_several_measured_values_have_ends() {
    let times = [("a", [2, 4])];
    assert_eq!(ends("elements / allocs", &times), None);
    assert_eq!(ends("5", &times), None);
    for (statistic, expected) in [
        ("mean", whole(2, 4)),
        ("p50", whole(2, 4)),
        ("p99", whole(2, 4)),
        ("per-element", Some((bound(1, 3), bound(2, 3)))),
        ("min", None),
        ("max", None),
        ("first", None),
        ("total", None),
    ] {
        let expression = format!("derived = \"a * 1\", statistic = \"{statistic}\"");
        assert_eq!(ends_with(&expression, &times), expected, "{statistic}");
    }
    assert_eq!(ends("a + b", &times), None, "`b` was not measured");
}

#[test]
fn more_than_eight_times_have_no_ends() {
    let sum = |count| {
        let times = &NAMES[..count];
        let values: Vec<_> = times.iter().map(|time| (*time, [1, 2])).collect();
        ends(&times.join(" + "), &values)
    };
    assert_eq!(sum(8), whole(8, 16));
    assert_eq!(sum(9), None);
}

/// A deterministic random number generator (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// An expression as a tree, evaluated independently of the code under test.
enum Tree {
    Number(i128),
    Time(usize),
    Both(Operation, Box<[Tree; 2]>),
}

impl Tree {
    fn random(numbers: &mut Numbers, depth: u32) -> Self {
        let kind = numbers.below(if depth == 0 { 4 } else { 12 });
        match kind {
            0 => Self::Number(numbers.below(5).into()),
            1..4 => Self::Time(usize::try_from(kind - 1).expect("it is small")),
            _ => {
                let operation = [
                    Operation::Add,
                    Operation::Subtract,
                    Operation::Multiply,
                    Operation::Divide,
                ][usize::try_from(kind % 4).expect("it is small")];
                let mut part = || Self::random(numbers, depth - 1);
                Self::Both(operation, Box::new([part(), part()]))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Time(number) => NAMES[*number].to_owned(),
            Self::Both(operation, parts) => {
                let [left, right] = &**parts;
                let sign = match operation {
                    Operation::Add => '+',
                    Operation::Subtract => '-',
                    Operation::Multiply => '*',
                    Operation::Divide => '/',
                };
                format!("({} {sign} {})", left.text(), right.text())
            }
        }
    }

    fn times(&self) -> Vec<usize> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Time(number) => vec![*number],
            Self::Both(_, parts) => parts.iter().flat_map(Self::times).collect(),
        }
    }

    /// The value at these times.
    fn at(&self, times: &[Exact; 3]) -> Option<Exact> {
        match self {
            Self::Number(number) => Some(bound(*number, 1)),
            Self::Time(number) => Some(times[*number].clone()),
            Self::Both(operation, parts) => {
                let [left, right] = &**parts;
                joined(*operation, &left.at(times)?, &right.at(times)?)
            }
        }
    }

    /// The ends by interval arithmetic, which is exact if each time occurs at most once.
    fn ends(&self, times: &[[i64; 2]; 3]) -> Option<(Exact, Exact)> {
        match self {
            Self::Number(number) => Some((bound(*number, 1), bound(*number, 1))),
            Self::Time(number) => {
                let [one, other] = times[*number].map(i128::from);
                whole(one.min(other), one.max(other))
            }
            Self::Both(operation, parts) => {
                let [left, right] = &**parts;
                let (a, b) = left.ends(times)?;
                let (c, d) = right.ends(times)?;
                let zero = bound(0, 1);
                if *operation == Operation::Divide && c <= zero && zero <= d {
                    return None;
                }
                let all = [(&a, &c), (&a, &d), (&b, &c), (&b, &d)];
                let all = all.map(|(left, right)| joined(*operation, left, right));
                let all: Option<Vec<Exact>> = all.into_iter().collect();
                let all = all?;
                Some((all.iter().min()?.clone(), all.iter().max()?.clone()))
            }
        }
    }
}

fn joined(operation: Operation, left: &Exact, right: &Exact) -> Option<Exact> {
    match operation {
        Operation::Add => Some(left + right),
        Operation::Subtract => Some(left - right),
        Operation::Multiply => Some(left * right),
        Operation::Divide => left.checked_div(right),
    }
}

#[test]
fn no_value_lies_outside_the_ends_and_some_value_reaches_them() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut shown, mut alone, mut shared) = (0, 0, 0);
    for _ in 0..1_500 {
        let tree = Tree::random(&mut numbers, 4);
        let text = tree.text();
        let times = [(); 3].map(|()| [0, 0].map(|_| i64::try_from(numbers.below(9)).unwrap() - 2));
        let named: Vec<_> = NAMES.into_iter().zip(times).collect();
        let found = ends(&text, &named);
        let mut used = tree.times();
        let count = used.len();
        used.sort_unstable();
        used.dedup();
        if used.len() == count && count > 0 {
            assert_eq!(found, tree.ends(&times), "{text} with {times:?}");
            alone += usize::from(found.is_some());
        }
        let Some((low, high)) = found else { continue };
        shown += 1;
        shared += usize::from(used.len() < count);
        // Each time at its two ends and at two values between them.
        let mut reached = (high.clone(), low.clone());
        for point in 0..4_usize.pow(3) {
            let at = [(0, 1), (1, 4), (2, 16)].map(|(number, unit)| {
                let [one, other]: [i128; 2] = times[number].map(i128::from);
                let step = i128::try_from(point / unit % 4).expect("it is small");
                bound(3 * one + step * (other - one), 3)
            });
            let value = tree.at(&at).expect("it is nowhere divided by 0");
            assert!(low <= value && value <= high, "{text} at {at:?}");
            reached = (reached.0.min(value.clone()), reached.1.max(value));
        }
        assert_eq!(reached, (low, high), "{text} with {times:?}");
    }
    assert!(
        shown > 300 && alone > 150 && shared > 50,
        "{shown} {alone} {shared}"
    );
}
