//! [`PatternIndex`]: finds the patterns that match a name, and tries only those
//! that share a literal with it.
//!
//! Each pattern is stored under one of its literals: the one that the fewest
//! patterns have. For a name, every substring that can be such a literal is looked
//! up, and the patterns found are tried. The cost of a name is therefore a number
//! of look-ups that depends on its length and the lengths of the literals, plus a
//! match for each likely pattern. A pattern without a literal, such as `*`, is
//! always tried.

use std::collections::HashMap;

use crate::judge::matching::literals::{Literal, Position, literals};
use crate::rules::Pattern;

/// Patterns, each stored under one of its literals.
#[derive(Debug)]
pub(crate) struct PatternIndex<'p> {
    distinct: Vec<Distinct<'p>>,
    whole: LiteralMap,
    prefixes: LiteralMap,
    suffixes: LiteralMap,
    infixes: LiteralMap,
    /// The patterns without a literal.
    others: Vec<usize>,
}

/// A pattern, stored once even if it was given several times.
#[derive(Debug)]
struct Distinct<'p> {
    pattern: &'p Pattern,
    /// Its indices among all patterns.
    indices: Vec<usize>,
}

/// Patterns by a literal in one [`Position`].
#[derive(Debug, Default)]
struct LiteralMap {
    patterns: HashMap<String, Vec<usize>>,
    /// The lengths of the literals in bytes, without duplicates.
    lengths: Vec<usize>,
}

impl<'p> PatternIndex<'p> {
    pub(crate) fn new(patterns: impl IntoIterator<Item = &'p Pattern>) -> Self {
        let mut index = Self {
            distinct: distinct(patterns),
            whole: LiteralMap::default(),
            prefixes: LiteralMap::default(),
            suffixes: LiteralMap::default(),
            infixes: LiteralMap::default(),
            others: Vec::new(),
        };
        let all: Vec<Vec<Literal>> = index
            .distinct
            .iter()
            .map(|distinct| literals(distinct.pattern.text()))
            .collect();
        let mut frequency: HashMap<&Literal, usize> = HashMap::new();
        for literal in all.iter().flatten() {
            *frequency.entry(literal).or_default() += 1;
        }
        for (number, literals) in all.iter().enumerate() {
            // Of two equally rare literals, a prefix or suffix needs one look-up
            // only, and a longer one is in fewer names.
            let rarest = literals.iter().min_by_key(|literal| {
                let is_infix = literal.position == Position::Infix;
                (
                    frequency[literal],
                    is_infix,
                    usize::MAX - literal.text.len(),
                )
            });
            match rarest {
                Some(literal) => match literal.position {
                    Position::Whole => &mut index.whole,
                    Position::Prefix => &mut index.prefixes,
                    Position::Suffix => &mut index.suffixes,
                    Position::Infix => &mut index.infixes,
                }
                .insert(&literal.text, number),
                None => index.others.push(number),
            }
        }
        index
    }

    /// Replaces the content of `found` by the indices of the patterns that match,
    /// ascending.
    pub(crate) fn find(&self, name: &str, found: &mut Vec<usize>) {
        found.clear();
        found.extend(&self.others);
        self.whole.look_up(name, found);
        for &length in &self.prefixes.lengths {
            self.prefixes.look_up(name.get(..length), found);
        }
        for &length in &self.suffixes.lengths {
            let begin = name.len().checked_sub(length);
            self.suffixes
                .look_up(begin.and_then(|begin| name.get(begin..)), found);
        }
        for &length in &self.infixes.lengths {
            for begin in 0..=name.len().saturating_sub(length) {
                self.infixes.look_up(name.get(begin..begin + length), found);
            }
        }
        // A name may contain a literal more than once.
        found.sort_unstable();
        found.dedup();
        found.retain(|&number| self.distinct[number].pattern.matches(name));
        self.to_indices(found);
    }

    /// Replaces the numbers of distinct patterns by the indices of all patterns.
    fn to_indices(&self, found: &mut Vec<usize>) {
        let numbers = found.len();
        for at in 0..numbers {
            let number = found[at];
            found.extend(&self.distinct[number].indices);
        }
        found.drain(..numbers);
        found.sort_unstable();
    }
}

impl LiteralMap {
    fn insert(&mut self, text: &str, number: usize) {
        if !self.lengths.contains(&text.len()) {
            self.lengths.push(text.len());
        }
        let patterns = self.patterns.entry(text.to_owned()).or_default();
        patterns.push(number);
    }

    /// Adds the patterns stored under `text`. `None` stands for a substring that the
    /// name does not have.
    fn look_up<'t>(&self, text: impl Into<Option<&'t str>>, found: &mut Vec<usize>) {
        if let Some(numbers) = text.into().and_then(|text| self.patterns.get(text)) {
            found.extend(numbers);
        }
    }
}

/// The patterns without duplicates: several gates often use the same text.
fn distinct<'p>(patterns: impl IntoIterator<Item = &'p Pattern>) -> Vec<Distinct<'p>> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<Distinct<'p>> = Vec::new();
    for (index, pattern) in patterns.into_iter().enumerate() {
        let number = *numbers.entry(pattern.text()).or_insert(distinct.len());
        match distinct.get_mut(number) {
            Some(known) => known.indices.push(index),
            None => distinct.push(Distinct {
                pattern,
                indices: vec![index],
            }),
        }
    }
    distinct
}
