//! [`Matching`]: the scenarios that match each gate's `scenarios`, found for all
//! gates at once.
//!
//! Of each pattern, one literal is searched for in the names: the one that the fewest
//! patterns have. Only the patterns whose literal is found are tried. A pattern without
//! a literal, such as `*`, is always tried.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::results::Measurements;
use crate::rules::{Config, Pattern};

/// The scenarios that match the `scenarios` of each gate of a [`Config`]. The
/// gate's `exclude` and its condition are not applied.
///
/// Gates and scenarios are given as indices into [`Config::gates`] and
/// [`Measurements::scenarios`].
#[derive(Clone, Debug)]
pub struct Matching {
    /// The scenarios of each gate: ascending, without duplicates.
    gates: Vec<Vec<usize>>,
}

impl Matching {
    /// Matches all names against all patterns. The result is the same as trying
    /// each pattern on each name, but the time grows with the number of names and
    /// matches only.
    #[must_use]
    pub fn new(config: &Config, measurements: &Measurements) -> Self {
        let mut gates: Vec<Vec<usize>> = vec![Vec::new(); config.gates.len()];
        let numbered = config.gates.iter().enumerate();
        let index = PatternIndex::new(
            numbered.flat_map(|(gate, rules)| rules.scenarios.iter().map(move |p| (gate, p))),
        );
        for (number, scenario) in measurements.scenarios().iter().enumerate() {
            let name = &scenario.record.name;
            for &(gate, pattern) in index.likely(name) {
                // Several patterns of one gate may match the same scenario.
                if gates[gate].last() != Some(&number) && pattern.matches(name) {
                    gates[gate].push(number);
                }
            }
        }
        Self { gates }
    }

    /// The scenarios that match this gate, ascending.
    #[must_use]
    pub fn scenarios_of(&self, gate: usize) -> &[usize] {
        &self.gates[gate]
    }
}

/// The index of a gate, and one of its patterns.
type GatePattern<'p> = (usize, &'p Pattern);

/// Patterns, each with the literal that it is found by.
struct PatternIndex<'p> {
    /// `None` if the literals are too many to search for.
    searcher: Option<AhoCorasick>,
    /// The patterns of the literals, in the order of the searcher.
    by_literal: Vec<GatePattern<'p>>,
    /// The patterns without a literal.
    others: Vec<GatePattern<'p>>,
}

impl<'p> PatternIndex<'p> {
    fn new(patterns: impl Iterator<Item = GatePattern<'p>>) -> Self {
        let all: Vec<(GatePattern<'p>, Vec<String>)> = patterns
            .map(|pattern| (pattern, literals(pattern.1.text())))
            .collect();
        let mut frequency: HashMap<&str, usize> = HashMap::new();
        for literal in all.iter().flat_map(|(_, literals)| literals) {
            *frequency.entry(literal).or_default() += 1;
        }
        let (mut by_literal, mut others, mut rarest) = (Vec::new(), Vec::new(), Vec::new());
        for (pattern, literals) in &all {
            // Of two equally rare literals, the longer one is in fewer names.
            let key = |literal: &&String| (frequency[literal.as_str()], Reverse(literal.len()));
            match literals.iter().min_by_key(key) {
                Some(literal) => {
                    by_literal.push(*pattern);
                    rarest.push(literal);
                }
                None => others.push(*pattern),
            }
        }
        // An audit builds an index for each mutation, so building is as cheap as searching.
        let searcher = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .prefilter(false)
            .build(rarest)
            .ok();
        if searcher.is_none() {
            others.append(&mut by_literal);
        }
        Self {
            searcher,
            by_literal,
            others,
        }
    }

    /// The patterns that may match the name; some may occur several times.
    fn likely<'i>(&'i self, name: &'i str) -> impl Iterator<Item = &'i GatePattern<'p>> {
        let searcher = self.searcher.iter();
        let found = searcher.flat_map(move |searcher| searcher.find_overlapping_iter(name));
        let found = found.map(|found| &self.by_literal[found.pattern().as_usize()]);
        self.others.iter().chain(found)
    }
}

/// Texts that every name matching a glob contains; none is empty. The glob is
/// valid. Its part behind the first class or alternates yields none.
fn literals(glob: &str) -> Vec<String> {
    let (mut literals, mut literal) = (Vec::new(), String::new());
    let mut characters = glob.chars();
    while let Some(character) = characters.next() {
        match character {
            '[' | '{' => break,
            '?' | '*' => literals.push(mem::take(&mut literal)),
            '\\' => literal.extend(characters.next()),
            _ => literal.push(character),
        }
    }
    literals.push(literal);
    literals.retain(|literal| !literal.is_empty());
    literals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_matching_name_contains_the_literals_of_a_glob() {
        for (glob, expected) in [
            ("encode", &["encode"][..]),
            ("group17/*", &["group17/"]),
            ("*,rows=9", &[",rows=9"]),
            ("*fast*", &["fast"]),
            ("a?c*d[xy]e", &["a", "c", "d"]),
            (r"x\*y\[", &["x*y["]),
            ("*", &[]),
            ("[]*]a", &[]),
            ("[!]]a*", &[]),
            ("a{b,{c,[}]},d}e", &["a"]),
            (r"{\},x}e", &[]),
            ("a/**/b", &["a/", "/b"]),
            ("größe/*", &["größe/"]),
            ("a,b*", &["a,b"]),
        ] {
            assert_eq!(literals(glob), expected, "{glob}");
        }
    }
}
