//! [`ScenarioId`]: a scenario's bench and name, which identify it in a workspace; and [`Qualifiers`]:
//! the prefix of its name in reports where several benches have it. A name ends with the
//! values of the scenario's axes; without one of them it names a series.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use alloc_results::{AxisValue, BenchId, ByteUnit, ScenarioRecord};
use indexmap::{Equivalent, IndexMap};

/// A scenario's bench and name, which identify it in a workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScenarioId {
    pub bench: BenchId,
    pub name: String,
}

/// A borrowed [`ScenarioId`].
pub(crate) type IdRef<'a> = (&'a BenchId, &'a str);

impl ScenarioId {
    pub(crate) fn borrowed(&self) -> IdRef<'_> {
        (&self.bench, &self.name)
    }
}

impl From<IdRef<'_>> for ScenarioId {
    fn from((bench, name): IdRef<'_>) -> Self {
        Self {
            bench: bench.clone(),
            name: name.to_owned(),
        }
    }
}

/// Both hash the bench and then the name.
impl Equivalent<ScenarioId> for IdRef<'_> {
    fn equivalent(&self, key: &ScenarioId) -> bool {
        *self == key.borrowed()
    }
}

/// A scenario as a label calls it.
#[derive(Clone, Copy)]
pub(crate) struct CalledName<'n> {
    /// `None` for any package.
    pub(crate) package: Option<&'n str>,
    pub(crate) bench: &'n str,
    pub(crate) name: &'n str,
}

/// What a label means that is `bench/name` or `package/bench/name`.
pub(crate) fn qualified(label: &str) -> impl Iterator<Item = CalledName<'_>> {
    let first = label.split_once('/');
    let of_package = first.and_then(|(package, rest)| {
        let (bench, name) = rest.split_once('/')?;
        Some(CalledName {
            package: Some(package),
            bench,
            name,
        })
    });
    let of_bench = first.map(|(bench, name)| CalledName {
        package: None,
        bench,
        name,
    });
    of_bench.into_iter().chain(of_package)
}

/// The scenarios of `old` that another bench has in `new`, with this bench. Only a name that
/// each side has once shows a move.
pub(crate) fn moved<'a>(
    old: impl Iterator<Item = IdRef<'a>>,
    new: impl Iterator<Item = IdRef<'a>>,
) -> HashMap<IdRef<'a>, &'a BenchId> {
    let new = by_name(new);
    let old = by_name(old).into_iter();
    old.filter_map(|(name, bench)| {
        let (before, after) = (bench?, (*new.get(name)?)?);
        (before != after).then_some(((before, name), after))
    })
    .collect()
}

/// The bench of each name; `None` if several have it.
fn by_name<'a>(ids: impl Iterator<Item = IdRef<'a>>) -> HashMap<&'a str, Option<&'a BenchId>> {
    let mut benches = HashMap::new();
    for (bench, name) in ids {
        let several = |found: &mut Option<_>| *found = None;
        let found = benches.entry(name).and_modify(several);
        found.or_insert(Some(bench));
    }
    benches
}

/// The prefix of a scenario's name where several benches have the name: `bench/`,
/// or `package/bench/` if this is not enough.
///
/// The scenarios of a sweep have one name here, without their axes, so that a series has one
/// too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Qualifiers {
    /// By bench and name without axes. Other scenarios need nothing before their names.
    of_shared: IndexMap<ScenarioId, String>,
}

/// A scenario's bench, full name and axes.
pub(crate) type Named<'a> = (&'a BenchId, &'a str, &'a [AxisValue]);

impl Qualifiers {
    /// A name has to be unique in each group, such as the scenarios of one environment.
    pub(crate) fn new<'a, G: IntoIterator<Item = Named<'a>>>(
        groups: impl IntoIterator<Item = G>,
    ) -> Self {
        let mut shared: HashSet<&str> = HashSet::new();
        let mut ids: HashSet<IdRef<'a>> = HashSet::new();
        for group in groups {
            let mut benches: HashMap<&str, &BenchId> = HashMap::new();
            for (bench, name, axes) in group {
                let base = base_name(name, axes);
                if *benches.entry(base).or_insert(bench) != bench {
                    shared.insert(base);
                }
                ids.insert((bench, base));
            }
        }
        if shared.is_empty() {
            return Self::default();
        }
        let plain: HashSet<&str> = ids.iter().map(|(_, base)| *base).collect();
        ids.retain(|(_, base)| shared.contains(base));
        let with_bench = |(bench, base): IdRef<'_>| format!("{}/{base}", bench.target);
        let mut uses: HashMap<String, usize> = HashMap::new();
        for id in &ids {
            *uses.entry(with_bench(*id)).or_default() += 1;
        }
        let of_shared = ids.into_iter().map(|id| {
            let name = with_bench(id);
            let is_enough = uses.get(&name) == Some(&1) && !plain.contains(name.as_str());
            let qualifier = if is_enough {
                format!("{}/", id.0.target)
            } else {
                format!("{}/", id.0)
            };
            (id.into(), qualifier)
        });
        Self {
            of_shared: of_shared.collect(),
        }
    }

    /// The prefix of this name; empty if the name is enough.
    pub(crate) fn find(&self, (bench, name, axes): Named<'_>) -> &str {
        let found = self.of_shared.get(&(bench, base_name(name, axes)));
        found.map_or("", String::as_str)
    }

    /// The name as reports show it.
    pub(crate) fn label(&self, named: Named<'_>) -> String {
        format!("{}{}", self.find(named), named.1)
    }
}

/// The value of the scenario's `axis`, if it is a whole number.
pub(crate) fn axis_value(record: &ScenarioRecord, axis: &str) -> Option<u64> {
    let found = record.axes.iter().find(|value| value.axis == axis)?;
    whole_number(found)
}

/// The value of an axis, if it is a whole number.
pub(crate) fn whole_number(axis: &AxisValue) -> Option<u64> {
    axis.value.replace('_', "").parse().ok()
}

pub(crate) fn base_name<'n>(scenario: &'n str, axes: &[AxisValue]) -> &'n str {
    let mut rest = scenario;
    for (number, AxisValue { axis, value }) in axes.iter().enumerate().rev() {
        let separator = if number > 0 { ',' } else { '/' };
        let before = rest
            .strip_suffix(value.as_str())
            .and_then(|rest| rest.strip_suffix('='))
            .and_then(|rest| rest.strip_suffix(axis.as_str()))
            .and_then(|rest| rest.strip_suffix(separator));
        let Some(before) = before else {
            return value_alone(scenario, axes).unwrap_or(scenario);
        };
        rest = before;
    }
    rest
}

/// The name without the value of its one axis, if it ends with that alone, as in criterion:
/// `parse/lines/100`.
fn value_alone<'n>(scenario: &'n str, axes: &[AxisValue]) -> Option<&'n str> {
    let [AxisValue { value, .. }] = axes else {
        return None;
    };
    scenario.strip_suffix(value.as_str())?.strip_suffix('/')
}

/// The scenario's name with `*` for the value of `axis`.
pub(crate) fn series_name(scenario: &str, axes: &[AxisValue], axis: Option<&str>) -> String {
    let base = base_name(scenario, axes);
    let Some(axis) = axis.filter(|_| base.len() < scenario.len()) else {
        return scenario.to_owned();
    };
    if value_alone(scenario, axes) == Some(base) {
        let is_it = axes.iter().any(|value| value.axis == axis);
        return format!(
            "{base}/{}",
            if is_it {
                "*"
            } else {
                &scenario[base.len() + 1..]
            }
        );
    }
    let pairs = axes.iter().map(|AxisValue { axis: name, value }| {
        let value = if name == axis { "*" } else { value };
        format!("{name}={value}")
    });
    format!("{base}/{}", pairs.collect::<Vec<_>>().join(","))
}

/// Compares names with the numbers in them as numbers, so that `rows=25` sorts before
/// `rows=100`. The value of an axis can be a decimal, negative, or in a unit of bytes:
/// `size=64KiB` sorts before `size=1MiB`.
#[must_use]
pub fn compare_naturally(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        // Both have the same text up to here.
        let is_value = a[..a.len() - left.len()]
            .chars()
            .next_back()
            .is_none_or(|before| before == '=');
        let read = if is_value { amount } else { whole };
        if let Some(((one, after_left), (other, after_right))) = read(left).zip(read(right)) {
            if one != other {
                return one.cmp(&other);
            }
            (left, right) = (after_left, after_right);
            continue;
        }
        let (mut after_left, mut after_right) = (left.chars(), right.chars());
        match (after_left.next(), after_right.next()) {
            (Some(one), Some(other)) if one == other => {
                (left, right) = (after_left.as_str(), after_right.as_str());
            }
            // The texts differ at most in how they write numbers.
            (None, None) => return a.cmp(b),
            (one, other) => return one.cmp(&other),
        }
    }
}

/// Sorts names as [`compare_naturally`] does.
pub(crate) fn sort_naturally(names: &mut [String]) {
    names.sort_by(|one, other| compare_naturally(one, other));
}

/// The digits of a fraction that are compared.
const DECIMALS: usize = 6;

/// The number that begins `text`, in millionths, and the rest of the text. A number that is too
/// large counts as the largest.
fn amount(text: &str) -> Option<(i128, &str)> {
    let positive = text.strip_prefix('-');
    let (whole, mut rest) = whole(positive.unwrap_or(text))?;
    let mut value = whole.saturating_mul(10_i128.pow(DECIMALS as u32));
    if let Some((fraction, after)) = rest.strip_prefix('.').map(digits)
        && !fraction.is_empty()
    {
        let shown = &fraction[..fraction.len().min(DECIMALS)];
        value = value.saturating_add(format!("{shown:0<DECIMALS$}").parse().unwrap_or(0));
        rest = after;
    }
    let letters = rest.strip_prefix(' ').unwrap_or(rest);
    let end = letters.find(|c: char| !c.is_alphabetic());
    let (unit, after) = letters.split_at(end.unwrap_or(letters.len()));
    if let Ok(unit) = unit.parse::<ByteUnit>() {
        value = value.saturating_mul(unit.bytes().into());
        rest = after;
    }
    Some((if positive.is_some() { -value } else { value }, rest))
}

/// The whole number that begins `text`, and the rest of the text.
fn whole(text: &str) -> Option<(i128, &str)> {
    let (found, rest) = digits(text);
    let number = found.replace('_', "");
    (found.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| (number.parse().unwrap_or(i128::MAX), rest))
}

/// The digits that begin `text`, with `_` between them, and the rest of the text.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '_');
    text.split_at(end.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::MeasuredScenario;
    use crate::tests::{measured, rows};

    fn bench(name: &str) -> BenchId {
        let (package, target) = name.split_once('/').unwrap();
        BenchId {
            package: package.to_owned(),
            target: target.to_owned(),
        }
    }

    #[test]
    fn a_scenario_moved_if_both_sides_have_its_name_once() {
        let moves = |old: &str, new: &str| -> String {
            let [old, new] = [old, new].map(|side| {
                let names = side.split(' ').map(|name| name.rsplit_once('/').unwrap());
                names
                    .map(|(it, name)| (bench(it), name))
                    .collect::<Vec<_>>()
            });
            let [old, new] = [&old, &new].map(|side| side.iter().map(|(it, name)| (it, *name)));
            let moved = moved(old, new).into_iter();
            moved
                .map(|((_, name), to)| format!("{name} to {to};"))
                .collect()
        };
        let old = "a/x/stays a/x/moves a/x/twice a/x/gone";
        let new = "a/x/stays a/y/moves a/y/twice b/x/twice a/y/new";
        assert_eq!(moves(old, new), "moves to a/y;");
        // The old side has `twice` twice, and the new one once.
        assert_eq!(moves(new, "a/x/twice"), "");
    }

    #[test]
    fn a_label_is_the_shortest_unambiguous_name() {
        for (results, expected) in [
            (
                "bench a/x\nencode: 1 x\nbench a/y\nencode: 1 x\n\
                 bench b/y\nencode: 1 x\ndecode: 1 x",
                "x/encode a/y/encode b/y/encode decode",
            ),
            // A scenario of another bench is called `x/encode`.
            (
                "bench a/x\nencode: 1 x\nbench a/y\nencode: 1 x\nbench b/z\nx/encode: 1 x",
                "a/x/encode y/encode x/encode",
            ),
            // A sweep has one.
            (
                "bench a/x\nread/n=1: 1 x\nread/n=10: 1 x\nbench b/y\nread/n=100: 1 x",
                "x/read/n=1 x/read/n=10 y/read/n=100",
            ),
        ] {
            let measured = measured(results);
            let labels = measured.scenarios().iter().map(MeasuredScenario::label);
            assert_eq!(labels.collect::<Vec<_>>().join(" "), expected);
        }
    }

    #[test]
    fn a_name_is_ambiguous_only_within_a_group() {
        let (x, y) = (bench("a/x"), bench("a/y"));
        let labels = |groups: &[&[&BenchId]]| {
            let groups = groups.iter();
            let named = groups.map(|group| group.iter().map(|bench| (*bench, "encode", &[][..])));
            let qualifiers = Qualifiers::new(named);
            [&x, &y].map(|bench| qualifiers.label((bench, "encode", &[])))
        };
        assert_eq!(labels(&[&[&x], &[&y]]), ["encode", "encode"]);
        assert_eq!(labels(&[&[&x], &[&x, &y]]), ["x/encode", "y/encode"]);
    }

    #[test]
    fn axes_are_removed_from_the_end_of_a_name() {
        let axis = |axis: &str, value: &str| AxisValue {
            axis: axis.to_owned(),
            value: value.to_owned(),
        };
        let axes = [axis("n", "1"), axis("kind", "a/b=c")];
        let table = "
            read/n=1,kind=a/b=c | 2 | read
            a/read/n=1 | 1 | a/read
            read/n=10 | 1 | read/n=10
            read/n=1 | 2 | read/n=1
            read | 0 | read
            read/lines/1 | 1 | read/lines
            read/lines/1 | 2 | read/lines/1
            1 | 1 | 1";
        for [name, count, base] in rows(table) {
            let count: usize = count.parse().unwrap();
            assert_eq!(base_name(name, &axes[..count]), base);
        }
        let series = |name, axis| series_name(name, &axes[..1], Some(axis));
        assert_eq!(series("read/n=1", "n"), "read/n=*");
        assert_eq!(series("read/lines/1", "n"), "read/lines/*");
        assert_eq!(series("read/lines/1", "m"), "read/lines/1");
    }

    #[test]
    fn digits_compare_as_numbers_and_the_rest_as_text() {
        let sorted = " 1 01a 1a a a/n=2 a/n=2,m=9 a/n=2,m=10 a/n=10 a/n=010x \
                      a/n=100000000000000000000000000000000000000000 ab b b0 b00";
        let sorted: Vec<&str> = sorted.split(' ').collect();
        for (nth, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(compare_naturally(a, b), nth.cmp(&other), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn values_compare_as_amounts() {
        // Behind anything but `=`, a point separates whole numbers.
        for sorted in "\
            -10 < -2 < 0 < 0.25 < 0.5 < 1 < 1.5 < 10
            64 < 128B < 0.5KiB < 4KiB < 64 KiB < 1MiB < 2MB < 1GiB
            200 < 1_000 < 20_000
            n=2,size=64KiB < n=2,size=1MiB < n=10,size=4KiB
            load=0.25/x < load=0.5/x < load=0.5/y
            v1.9 < v1.10 < v1.10.2 < v1.10.10
            4K < 4KiBs < 16K"
            .lines()
        {
            let values = sorted.split('<').map(str::trim);
            assert!(
                values.is_sorted_by(|a, b| compare_naturally(a, b).is_lt()),
                "{sorted}"
            );
        }
        let huge = "9".repeat(99);
        assert_eq!(compare_naturally("1", &huge), Ordering::Less);
    }
}
