//! [`Matching`]: which scenarios each gate is about, for all gates at once. It
//! knows names and globs; what is required of a scenario is not looked at.

mod index;
mod literals;

use crate::{Config, Measurements};

use index::PatternIndex;

/// Which scenarios each gate of a [`Config`] is about by its `scenarios`; what it
/// excludes, and where it applies, is not looked at.
///
/// Gates, patterns and scenarios are told by their positions in
/// [`Config::gates`], in `scenarios` of a gate, and in
/// [`Measurements::scenarios`].
#[derive(Clone, Debug)]
pub struct Matching {
    gates: Vec<Matched>,
    gated: Vec<bool>,
}

/// What one gate matched.
#[derive(Clone, Debug)]
struct Matched {
    /// Ascending, each once.
    scenarios: Vec<usize>,
    /// For each pattern, whether it matched any.
    patterns: Vec<bool>,
}

impl Matching {
    /// Compares all names with all patterns: the same as asking each pattern
    /// about each name, in time that grows with the names and their matches.
    #[must_use]
    pub fn new(config: &Config, measurements: &Measurements) -> Self {
        let mut gates: Vec<Matched> = Vec::with_capacity(config.gates.len());
        let mut places = Vec::new();
        for (number, gate) in config.gates.iter().enumerate() {
            gates.push(Matched {
                scenarios: Vec::new(),
                patterns: vec![false; gate.scenarios.len()],
            });
            places.extend((0..gate.scenarios.len()).map(|pattern| (number, pattern)));
        }
        let index = PatternIndex::new(config.gates.iter().flat_map(|gate| &gate.scenarios));
        let scenarios = measurements.scenarios();
        let mut gated = Vec::with_capacity(scenarios.len());
        let mut matches = Vec::new();
        for (number, scenario) in scenarios.iter().enumerate() {
            index.find(&scenario.record.name, &mut matches);
            gated.push(!matches.is_empty());
            for &found in &matches {
                let (gate, pattern) = places[found];
                let gate = &mut gates[gate];
                gate.patterns[pattern] = true;
                // Several patterns of a gate may mean the same scenario.
                if gate.scenarios.last() != Some(&number) {
                    gate.scenarios.push(number);
                }
            }
        }
        Self { gates, gated }
    }

    /// The scenarios that this gate is about, ascending.
    #[must_use]
    pub fn scenarios_of(&self, gate: usize) -> &[usize] {
        &self.gates[gate].scenarios
    }

    /// Whether this pattern of the gate matches any scenario.
    #[must_use]
    pub fn is_matched(&self, gate: usize, pattern: usize) -> bool {
        self.gates[gate].patterns[pattern]
    }

    /// Whether any gate is about this scenario.
    #[must_use]
    pub fn is_gated(&self, scenario: usize) -> bool {
        self.gated[scenario]
    }
}
