//! [`PatternIndex`]: which of many patterns match a name, asking only the few
//! that have a literal in common with it.
//!
//! A pattern is filed under one of its literals, the one that the fewest
//! patterns have. A name is cut into the texts under which something can be
//! filed, and what is found there is asked. So a name costs look-ups by its
//! length and the lengths of literals, and one match for each pattern that is
//! likely to hold; a pattern without any literal, such as `*`, is always asked.

use std::collections::HashMap;

use crate::judge::matching::literals::{Literal, Place, literals};
use crate::rules::Pattern;

/// Patterns, filed by a literal of each.
#[derive(Debug)]
pub(crate) struct PatternIndex<'p> {
    distinct: Vec<Distinct<'p>>,
    whole: Drawer,
    heads: Drawer,
    tails: Drawer,
    inside: Drawer,
    /// Those without a literal.
    others: Vec<usize>,
}

/// What several patterns may be written like.
#[derive(Debug)]
struct Distinct<'p> {
    pattern: &'p Pattern,
    /// Where in the order of all patterns it is found.
    positions: Vec<usize>,
}

/// Patterns by a literal of one kind.
#[derive(Debug, Default)]
struct Drawer {
    filed: HashMap<String, Vec<usize>>,
    /// The lengths of the literals in bytes, each once.
    lengths: Vec<usize>,
}

impl<'p> PatternIndex<'p> {
    pub(crate) fn new(patterns: impl IntoIterator<Item = &'p Pattern>) -> Self {
        let mut index = Self {
            distinct: distinct(patterns),
            whole: Drawer::default(),
            heads: Drawer::default(),
            tails: Drawer::default(),
            inside: Drawer::default(),
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
            // Of two that are as rare, one at an end takes a single look-up, and
            // a longer one is in fewer names.
            let rarest = literals.iter().min_by_key(|literal| {
                let is_inside = literal.place == Place::Inside;
                (
                    frequency[literal],
                    is_inside,
                    usize::MAX - literal.text.len(),
                )
            });
            match rarest {
                Some(literal) => match literal.place {
                    Place::Whole => &mut index.whole,
                    Place::Head => &mut index.heads,
                    Place::Tail => &mut index.tails,
                    Place::Inside => &mut index.inside,
                }
                .file(&literal.text, number),
                None => index.others.push(number),
            }
        }
        index
    }

    /// Replaces what is in `found` by the positions of the patterns that match,
    /// ascending.
    pub(crate) fn find(&self, name: &str, found: &mut Vec<usize>) {
        found.clear();
        found.extend(&self.others);
        self.whole.look_up(name, found);
        for &length in &self.heads.lengths {
            self.heads.look_up(name.get(..length), found);
        }
        for &length in &self.tails.lengths {
            let begin = name.len().checked_sub(length);
            self.tails
                .look_up(begin.and_then(|begin| name.get(begin..)), found);
        }
        for &length in &self.inside.lengths {
            for begin in 0..=name.len().saturating_sub(length) {
                self.inside.look_up(name.get(begin..begin + length), found);
            }
        }
        // A literal may be in a name more than once.
        found.sort_unstable();
        found.dedup();
        found.retain(|&number| self.distinct[number].pattern.matches(name));
        self.to_positions(found);
    }

    fn to_positions(&self, found: &mut Vec<usize>) {
        let numbers = found.len();
        for at in 0..numbers {
            let number = found[at];
            found.extend(&self.distinct[number].positions);
        }
        found.drain(..numbers);
        found.sort_unstable();
    }
}

impl Drawer {
    fn file(&mut self, text: &str, number: usize) {
        if !self.lengths.contains(&text.len()) {
            self.lengths.push(text.len());
        }
        self.filed.entry(text.to_owned()).or_default().push(number);
    }

    /// `None` for a part that a name does not have.
    fn look_up<'t>(&self, text: impl Into<Option<&'t str>>, found: &mut Vec<usize>) {
        if let Some(numbers) = text.into().and_then(|text| self.filed.get(text)) {
            found.extend(numbers);
        }
    }
}

/// The patterns by their texts: gates often share one.
fn distinct<'p>(patterns: impl IntoIterator<Item = &'p Pattern>) -> Vec<Distinct<'p>> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<Distinct<'p>> = Vec::new();
    for (position, pattern) in patterns.into_iter().enumerate() {
        let number = *numbers.entry(pattern.text()).or_insert(distinct.len());
        match distinct.get_mut(number) {
            Some(known) => known.positions.push(position),
            None => distinct.push(Distinct {
                pattern,
                positions: vec![position],
            }),
        }
    }
    distinct
}
