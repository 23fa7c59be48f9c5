//! [`SiteDiff`]: the sites of a base and of a head in pairs. Each site is in one pair, so the
//! differences add up to the scenario's.

use std::collections::{BTreeMap, HashMap, HashSet};

use alloc_results::{Metric, Ratio};

use crate::sites::attribute::Sites;
use crate::sites::changes::Changes;
use crate::sites::site::{Amounts, Line, Site};

/// The sites of two sides, in pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteDiff {
    /// The pairs: first the head's sites in their order, then what was removed.
    pub deltas: Vec<SiteDelta>,
    pub head: Sites,
    pub base: Sites,
}

/// A site on both sides, or on one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteDelta {
    /// What happened to the line.
    pub change: SiteChange,
    /// The index of the base's site.
    pub base: Option<usize>,
    /// The index of the head's site.
    pub head: Option<usize>,
}

named! {
    /// What happened to the line of a site.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum SiteChange {
        /// The base does not have the line.
        Added = "added",
        /// The line has another text.
        Edited = "edited",
        /// The text is the same, and the line is elsewhere.
        Moved = "moved",
        Same = "same",
        /// The head does not have the line.
        Removed = "removed",
    }
}

impl SiteDiff {
    /// Pairs the sites of both sides. Where both do the same in the innermost line, an edited line on
    /// the way is not blamed for it: an extracted function, for example, changes nothing.
    #[must_use]
    pub fn new(base: Sites, head: Sites, changes: &Changes) -> Self {
        let edits = Self::pairs(base, head, changes);
        let innermost = [&edits.base, &edits.head].map(|side| side.without_edits_at(None));
        let [base, head] = innermost;
        let [old, new] = Self::pairs(base, head, changes).alike(&edits);
        let mut head = edits.head.without_edits_at(Some(&new));
        mark_added(&mut head.list, changes);
        Self::pairs(edits.base.without_edits_at(Some(&old)), head, changes)
    }

    /// The stacks of each side that do the same in the same line: all of a line that does not differ,
    /// and otherwise one on each side, first such as are also in one pair by their edited lines.
    fn alike(&self, edits: &Self) -> [HashSet<usize>; 2] {
        let mut alike = [HashSet::new(), HashSet::new()];
        let mut pairs = [HashMap::new(), HashMap::new()];
        for (number, &delta) in edits.deltas.iter().enumerate() {
            let (base, head) = edits.sites(delta);
            for (pairs, site) in pairs.iter_mut().zip([base, head]) {
                pairs.extend(stacks(site).map(|(stack, _)| (stack, number)));
            }
        }
        for &delta in &self.deltas {
            let (base, head) = self.sites(delta);
            if !self.differs(delta) {
                for (alike, site) in alike.iter_mut().zip([base, head]) {
                    alike.extend(stacks(site).map(|(stack, _)| stack));
                }
                continue;
            }
            for by_edits in [true, false] {
                let mut free: BTreeMap<_, [Vec<usize>; 2]> = BTreeMap::new();
                let sides = [(&self.base, base), (&self.head, head)];
                for (side, (sites, site)) in sides.into_iter().enumerate() {
                    for (stack, amounts) in stacks(site) {
                        let pair = by_edits.then(|| pairs[side].get(&stack));
                        let values = Metric::ALL.map(|it| sites.value_of(&amounts, it));
                        if !alike[side].contains(&stack) {
                            free.entry((pair, values)).or_default()[side].push(stack);
                        }
                    }
                }
                for [old, new] in free.values() {
                    for (&old, &new) in old.iter().zip(new) {
                        alike[0].insert(old);
                        alike[1].insert(new);
                    }
                }
            }
        }
        alike
    }

    fn differs(&self, delta: SiteDelta) -> bool {
        let values = Metric::ALL.map(|metric| self.values(delta, metric));
        values.iter().any(|(base, head)| base != head)
    }

    fn is_alike(&self, base: usize, head: usize) -> bool {
        !self.differs(SiteDelta {
            change: SiteChange::Edited,
            base: Some(base),
            head: Some(head),
        })
    }

    /// Each site of both sides, in pairs where they are the same.
    fn pairs(base: Sites, head: Sites, changes: &Changes) -> Self {
        let heads = head.list.iter().enumerate();
        let heads = heads.map(|(number, site)| SiteDelta {
            change: match site.place.line() {
                Some(line) if !changes.is_new(&line.file, line.line) => SiteChange::Same,
                _ => SiteChange::Added,
            },
            base: None,
            head: Some(number),
        });
        let bases = base.list.iter().enumerate();
        let bases = bases.map(|(number, site)| SiteDelta {
            change: match site.place.line() {
                Some(line) if changes.line_now(&line.file, line.line).is_some() => SiteChange::Same,
                _ => SiteChange::Removed,
            },
            base: Some(number),
            head: None,
        });
        let mut diff = Self {
            deltas: heads.chain(bases).collect(),
            head,
            base,
        };
        diff.pair_all(changes);
        diff.deltas
            .retain(|delta| (delta.base, delta.head) != (None, None));
        diff
    }

    /// The base's and the head's site of a pair.
    #[must_use]
    pub fn sites(&self, delta: SiteDelta) -> (Option<&Site>, Option<&Site>) {
        (
            delta.base.and_then(|at| self.base.list.get(at)),
            delta.head.and_then(|at| self.head.list.get(at)),
        )
    }

    /// The values of a pair on both sides; 0 where there is no site.
    #[must_use]
    pub fn values(&self, delta: SiteDelta, metric: Metric) -> (Ratio, Ratio) {
        let (base, head) = self.sites(delta);
        let value = |sites: &Sites, site: Option<&Site>| {
            site.map_or(Ratio::whole(0), |site| sites.value(site, metric))
        };
        (value(&self.base, base), value(&self.head, head))
    }

    /// Pairs by one rule after the other; a site that is in a pair is used up.
    fn pair_all(&mut self, changes: &Changes) {
        use SiteChange::{Edited, Moved, Same};
        let is_at = |old: &Line, new: &Line| {
            let now = changes.line_now(&old.file, old.line);
            now == Some((&*new.file, new.line)) && old.column == new.column
        };
        let is_gone = |old: &Line| changes.line_now(&old.file, old.line).is_none();
        let in_function = |old: &Line, new: &Line| {
            changes.file_now(&old.file) == Some(&*new.file) && old.function == new.function
        };
        let is_new = |new: &Line| changes.is_new(&new.file, new.line);

        for head in 0..self.head.list.len() {
            self.pair_places(head);
        }
        // Identical lines of two functions that changed places are in the diff of the wrong
        // one, so the function counts first. Its name can change as well.
        self.pair(Same, |(old, how), (new, now)| {
            is_at(old, new) && old.function == new.function && how == now
        });
        self.pair(Same, |(old, _), (new, _)| {
            is_at(old, new) && old.function == new.function
        });
        self.pair(Moved, |(old, how), (new, now)| {
            in_function(old, new) && same_text(old, new) && how == now
        });
        self.pair(Same, |(old, _), (new, _)| is_at(old, new));
        self.pair(Moved, |(old, _), (new, _)| {
            in_function(old, new) && same_text(old, new)
        });
        let replaces =
            |old: &Line, new: &Line| changes.replaces((&old.file, old.line), (&new.file, new.line));
        self.pair_edited(false, |old, new| {
            let has_a_tie = old.function == new.function || replaces(old, new);
            is_gone(old) && is_new(new) && has_a_tie
        });
        for has_same_function in [true, false] {
            self.pair(Moved, |(old, how), (new, now)| {
                is_gone(old)
                    && is_new(new)
                    && same_text(old, new)
                    && how == now
                    && (!has_same_function || old.function == new.function)
            });
        }
        self.pair(Edited, |(old, _), (new, _)| {
            in_function(old, new) && replaces(old, new)
        });
        // A line that became a part of another one, elsewhere.
        self.pair_edited(true, |old, new| is_gone(old) && is_new(new));
    }

    /// Pairs a site that has no line with the one of the base that says the same.
    fn pair_places(&mut self, head: usize) {
        let new = &self.head.list[head];
        if new.place.line().is_some() {
            return;
        }
        let is_same = |old: &Site| old.place == new.place && old.how == new.how;
        if let Some(base) = self.base.list.iter().position(is_same) {
            self.join(base, head, SiteChange::Same);
        }
    }

    /// Pairs lines that are the same by a rule, in their order.
    fn pair(&mut self, change: SiteChange, is_same: impl Fn(Call<'_>, Call<'_>) -> bool) {
        for head in 0..self.head.list.len() {
            let Some(new) = self.free_head(head) else {
                continue;
            };
            let mut bases = 0..self.base.list.len();
            let is_it = |&base: &usize| self.free_base(base).is_some_and(|old| is_same(old, new));
            if let Some(base) = bases.find(is_it) {
                self.join(base, head, change);
            }
        }
    }

    /// Pairs lines with similar texts, the most similar ones first; or lines that make the same call and
    /// do the same.
    fn pair_edited(&mut self, only_alike: bool, is_possible: impl Fn(&Line, &Line) -> bool) {
        let mut similar = Vec::new();
        for head in 0..self.head.list.len() {
            let Some((new, now)) = self.free_head(head) else {
                continue;
            };
            for base in 0..self.base.list.len() {
                if let Some((old, how)) = self.free_base(base)
                    && let (Some(before), Some(after)) = (&old.text, &new.text)
                    && !same_text(old, new)
                    && is_possible(old, new)
                    && (!only_alike || how == now && self.is_alike(base, head))
                    && let ratio = similarity(before, after)
                    && (ratio >= SIMILAR || only_alike)
                {
                    similar.push((ratio, how == now, base, head));
                }
            }
        }
        similar.sort_by(|one, other| {
            let by_text = other.0.total_cmp(&one.0).then(other.1.cmp(&one.1));
            by_text.then((one.2, one.3).cmp(&(other.2, other.3)))
        });
        for (_, _, base, head) in similar {
            if self.free_base(base).is_some() && self.free_head(head).is_some() {
                self.join(base, head, SiteChange::Edited);
            }
        }
    }

    /// A line of the head that is in no pair.
    fn free_head(&self, head: usize) -> Option<Call<'_>> {
        let is_free = self.deltas[head].base.is_none();
        call(&self.head.list[head]).filter(|_| is_free)
    }

    /// A line of the base that is in no pair. Its delta comes after the head's.
    fn free_base(&self, base: usize) -> Option<Call<'_>> {
        let is_free = self.deltas[self.head.list.len() + base].base.is_some();
        call(&self.base.list[base]).filter(|_| is_free)
    }

    fn join(&mut self, base: usize, head: usize, change: SiteChange) {
        self.deltas[head].change = change;
        self.deltas[head].base = Some(base);
        self.deltas[self.head.list.len() + base].base = None;
    }
}

fn stacks(site: Option<&Site>) -> impl Iterator<Item = (usize, Amounts)> {
    let stacks = site.into_iter().flat_map(|site| &site.stacks);
    stacks.copied()
}

type Call<'s> = (&'s Line, &'s str);

fn call(site: &Site) -> Option<Call<'_>> {
    Some((site.place.line()?, &site.how))
}

fn same_text(old: &Line, new: &Line) -> bool {
    match (&old.text, &new.text) {
        (Some(old), Some(new)) => old.trim() == new.trim(),
        (None, _) | (_, None) => false,
    }
}

/// How similar two texts of one function are at least, if one is the other after an edit.
pub(super) const SIMILAR: f64 = 0.5;

/// The similarity of a line to one that contains it. A chain of calls that is broken into
/// several lines is still the same code.
const CONTAINED: f64 = 0.5;

/// The share of the pairs of characters that two lines have in common, from 0 to 1, without
/// spaces; at least 0.5 if one of them contains the other.
pub(super) fn similarity(one: &str, other: &str) -> f64 {
    let code = |line: &str| line.trim().trim_end_matches([';', ',']).to_owned();
    let (a, b) = (code(one), code(other));
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let is_contained = short.len() > 3 && long.contains(&short);
    let least = if is_contained { CONTAINED } else { 0.0 };
    least.max(strsim::sorensen_dice(one, other))
}

/// Marks the sites on edited lines for which no old line of the file is similar and makes the same
/// call. An old line stands for one site, the most similar one.
pub(super) fn mark_added(list: &mut [Site], changes: &Changes) {
    let mut pairs = Vec::new();
    for (number, site) in list.iter_mut().enumerate().filter(|(_, it)| it.is_edited) {
        site.is_added = true;
        let Some(line) = site.place.line() else {
            continue;
        };
        let (call, text) = (last_segment(&site.how), line.text.as_deref());
        for (old, removed) in changes.removed_in(&line.file).enumerate() {
            let ratio = similarity(text.unwrap_or_default(), removed);
            if removed.contains(call) && ratio >= SIMILAR {
                pairs.push((ratio, number, (line.file.clone(), old)));
            }
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut used = Vec::new();
    for (_, number, old) in pairs {
        if list[number].is_added && !used.contains(&old) {
            list[number].is_added = false;
            used.push(old);
        }
    }
}

/// `with_capacity` of `Vec::with_capacity`.
fn last_segment(how: &str) -> &str {
    how.rsplit("::").next().unwrap_or(how)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_are_1_and_empty_ones_0() {
        for (one, other, expected) in [
            ("  a + b;", "a + b;  ", 1.0),
            ("abc", "", 0.0),
            ("abcd", "abcx", 2.0 / 3.0),
            (
                "let units = text.encode_utf16().collect();",
                "    .collect();",
                0.5,
            ),
        ] {
            assert!(
                (similarity(one, other) - expected).abs() < 1e-9,
                "{one} {other}"
            );
        }
        let long = "x".repeat(1_000_000);
        assert!(similarity(&long, &long) > 0.99);
    }
}
