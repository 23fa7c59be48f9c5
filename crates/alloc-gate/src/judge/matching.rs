//! [`Matching`]: the scenarios that match each gate's `scenarios`, `package` and `bench`, found
//! for all gates at once.
//!
//! Of each pattern, one literal is searched for in the names: the one that the fewest
//! patterns have. Only the patterns whose literal is found are tried. A pattern without
//! a literal, such as `*`, is always tried.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::mem;

use alloc_results::BenchId;

use crate::results::Measurements;
use crate::rules::{Config, Pattern};

/// The scenarios that match the `scenarios`, `package` and `bench` of each gate of a
/// [`Config`]. The gate's `exclude` and its condition are not applied.
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
        let patterns = |gate: usize| {
            let scenarios = config.gates[gate].filter.scenarios.iter();
            scenarios.map(move |pattern| (gate, pattern))
        };
        let everywhere =
            (0..config.gates.len()).filter(|&g| config.gates[g].filter.benches.is_empty());
        let everywhere = PatternIndex::new(everywhere.flat_map(patterns));
        // The gates of some benches, by one of their filters.
        let filters = || {
            config
                .gates
                .iter()
                .map(|gate| &gate.filter.benches)
                .enumerate()
        };
        let packages = filters().filter_map(|(gate, own)| Some((gate, own.package.as_ref()?)));
        let packages = PatternIndex::new(packages);
        let targets = filters().filter(|(_, own)| own.package.is_none());
        let targets = targets.filter_map(|(gate, own)| Some((gate, own.bench.as_ref()?)));
        let targets = PatternIndex::new(targets);
        let gates_in = |bench: &BenchId| -> BTreeSet<usize> {
            let likely = packages.likely(&bench.package);
            let likely = likely.chain(targets.likely(&bench.target));
            let likely = likely.map(|(gate, _)| *gate);
            likely
                .filter(|&gate| config.gates[gate].filter.benches.includes(bench))
                .collect()
        };
        // Benches with the same gates share an index.
        let mut by_gates: HashMap<BTreeSet<usize>, PatternIndex<'_>> = HashMap::new();
        let mut gates_of: HashMap<&BenchId, BTreeSet<usize>> = HashMap::new();
        for measured in measurements.scenarios() {
            if !gates_of.contains_key(&measured.bench) {
                let own = gates_in(&measured.bench);
                if !by_gates.contains_key(&own) {
                    let index = PatternIndex::new(own.iter().copied().flat_map(patterns));
                    by_gates.insert(own.clone(), index);
                }
                gates_of.insert(&measured.bench, own);
            }
        }
        for (number, scenario) in measurements.scenarios().iter().enumerate() {
            let name = &scenario.record.name;
            let own = by_gates.get(&gates_of[&scenario.bench]);
            let own = own.into_iter().flat_map(|index| index.likely(name));
            for &(gate, pattern) in everywhere.likely(name).chain(own) {
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
    /// The patterns by their literals, sorted by these.
    by_literal: Vec<(String, GatePattern<'p>)>,
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
        let (mut by_literal, mut others) = (Vec::new(), Vec::new());
        for (pattern, literals) in &all {
            // Of two equally rare literals, the longer one is in fewer names.
            let key = |literal: &&String| (frequency[literal.as_str()], Reverse(literal.len()));
            match literals.iter().min_by_key(key) {
                Some(literal) => by_literal.push((literal.clone(), *pattern)),
                None => others.push(*pattern),
            }
        }
        by_literal.sort_by(|(one, _), (other, _)| one.cmp(other));
        Self { by_literal, others }
    }

    /// The patterns that may match the name; some may occur several times.
    fn likely<'i>(&'i self, name: &'i str) -> impl Iterator<Item = &'i GatePattern<'p>> {
        let suffixes = (0..name.len()).map(|start| &name.as_bytes()[start..]);
        let found = suffixes.flat_map(|suffix| self.beginning(suffix));
        self.others.iter().chain(found)
    }

    /// The patterns with whose literals `text` begins. The literals that share a beginning with
    /// it are a range, which becomes smaller with each byte.
    fn beginning<'i>(&'i self, text: &'i [u8]) -> impl Iterator<Item = &'i GatePattern<'p>> {
        let mut range = &self.by_literal[..];
        let by_length = text.iter().enumerate().map_while(move |(index, byte)| {
            let at = |literal: &str| literal.as_bytes()[index];
            let first = range.partition_point(|(literal, _)| at(literal) < *byte);
            range = &range[first..];
            range = &range[..range.partition_point(|(literal, _)| at(literal) == *byte)];
            // The literals that end here are the first ones.
            let whole = range.partition_point(|(literal, _)| literal.len() == index + 1);
            let found = &range[..whole];
            range = &range[whole..];
            (!found.is_empty() || !range.is_empty()).then_some(found)
        });
        by_length.flatten().map(|(_, pattern)| pattern)
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
