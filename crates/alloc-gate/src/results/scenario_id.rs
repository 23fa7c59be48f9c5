//! [`ScenarioId`]: a scenario's bench and name, which identify it in a workspace.

use std::collections::HashMap;

use alloc_results::BenchId;
use indexmap::Equivalent;

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

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;

    fn bench(package: &str, target: &str) -> BenchId {
        BenchId {
            package: package.to_owned(),
            target: target.to_owned(),
        }
    }

    #[test]
    fn a_borrowed_id_finds_the_owned_one() {
        let (a, b) = (bench("a", "x"), bench("b", "x"));
        let ids = [(&a, "encode"), (&b, "encode"), (&b, "decode")];
        let map: IndexMap<ScenarioId, usize> = ids
            .iter()
            .enumerate()
            .map(|(number, id)| (ScenarioId::from(*id), number))
            .collect();
        for (number, id) in ids.iter().enumerate() {
            assert_eq!(map.get(id), Some(&number));
        }
        assert_eq!(map.get(&(&a, "decode")), None);
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
}
