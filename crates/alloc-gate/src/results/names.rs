//! [`ScenarioId`]: a scenario's bench and name, which identify it in a workspace; and [`Qualifiers`]:
//! what stands before its name in reports where several benches have it.

use std::collections::{HashMap, HashSet};

use alloc_results::{AxisValue, BenchId};
use indexmap::{Equivalent, IndexMap};

use crate::results::axis::base_name;

/// A scenario's bench and name, which identify it in a workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScenarioId {
    /// The bench target.
    pub bench: BenchId,
    /// The full name.
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

/// What stands before the name of a scenario where several benches have the name: `bench/`,
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

    /// What stands before this name; empty if the name is enough.
    pub(crate) fn find(&self, (bench, name, axes): Named<'_>) -> &str {
        let found = self.of_shared.get(&(bench, base_name(name, axes)));
        found.map_or("", String::as_str)
    }

    /// The name as reports show it.
    pub(crate) fn label(&self, named: Named<'_>) -> String {
        format!("{}{}", self.find(named), named.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench(package: &str, target: &str) -> BenchId {
        BenchId {
            package: package.to_owned(),
            target: target.to_owned(),
        }
    }

    #[test]
    fn a_scenario_moved_if_both_sides_have_its_name_once() {
        let (x, y, z) = (bench("a", "x"), bench("a", "y"), bench("b", "x"));
        let old = [(&x, "stays"), (&x, "moves"), (&x, "twice"), (&x, "gone")];
        let new = [
            (&x, "stays"),
            (&y, "moves"),
            (&y, "twice"),
            (&z, "twice"),
            (&y, "new"),
        ];
        let moves = |old: &[IdRef<'_>], new: &[IdRef<'_>]| -> Vec<(String, String)> {
            let moved = moved(old.iter().copied(), new.iter().copied());
            let moved = moved.into_iter();
            let moved = moved.map(|((_, name), bench)| (name.to_owned(), bench.to_string()));
            moved.collect()
        };
        let expected = [(String::from("moves"), String::from("a/y"))];
        assert_eq!(moves(&old, &new), expected);
        // The old side has `twice` twice, and the new one once.
        assert_eq!(moves(&new, &[(&x, "twice")]), []);
    }

    /// The labels of scenarios, given as package, bench and name.
    fn labels(groups: &[&[(&str, &str, &str)]]) -> Vec<String> {
        type Owned = (BenchId, String, Vec<AxisValue>);
        let owned = |&(package, target, name): &(&str, &str, &str)| -> Owned {
            let bench = BenchId {
                package: package.to_owned(),
                target: target.to_owned(),
            };
            let pair = name
                .rsplit('/')
                .next()
                .and_then(|last| last.split_once('='));
            let axis = pair.map(|(axis, value)| AxisValue {
                axis: axis.to_owned(),
                value: value.to_owned(),
            });
            (bench, name.to_owned(), axis.into_iter().collect())
        };
        let groups = groups.iter().map(|group| group.iter().map(owned).collect());
        let groups: Vec<Vec<Owned>> = groups.collect();
        let borrowed = || {
            let groups = groups.iter();
            groups.map(|group| {
                group
                    .iter()
                    .map(|(bench, name, axes)| (bench, &**name, &**axes))
            })
        };
        let qualifiers = Qualifiers::new(borrowed());
        let all = borrowed().flatten();
        all.map(|named| qualifiers.label(named)).collect()
    }

    #[test]
    fn a_label_is_the_shortest_unambiguous_name() {
        let ambiguous = [
            ("a", "x", "encode"),
            ("a", "y", "encode"),
            ("b", "y", "encode"),
            ("b", "y", "decode"),
        ];
        let expected = ["x/encode", "a/y/encode", "b/y/encode", "decode"];
        assert_eq!(labels(&[&ambiguous]), expected);
        // A scenario of another bench is called `x/encode`.
        let taken = [
            ("a", "x", "encode"),
            ("a", "y", "encode"),
            ("b", "z", "x/encode"),
        ];
        let expected = ["a/x/encode", "y/encode", "x/encode"];
        assert_eq!(labels(&[&taken]), expected);
    }

    #[test]
    fn a_sweep_has_one_qualifier() {
        let sweeps = [
            ("a", "x", "read/n=1"),
            ("a", "x", "read/n=10"),
            ("b", "y", "read/n=100"),
            ("b", "y", "write/n=1"),
        ];
        let expected = ["x/read/n=1", "x/read/n=10", "y/read/n=100", "write/n=1"];
        assert_eq!(labels(&[&sweeps]), expected);
    }

    #[test]
    fn a_name_is_ambiguous_only_within_a_group() {
        let moved: &[&[_]] = &[&[("a", "x", "encode")], &[("a", "y", "encode")]];
        assert_eq!(labels(moved), ["encode", "encode"]);
        let both = [("a", "x", "encode"), ("a", "y", "encode")];
        let later: &[&[_]] = &[&[("a", "x", "encode")], &both];
        assert_eq!(labels(later), ["x/encode", "x/encode", "y/encode"]);
    }
}
