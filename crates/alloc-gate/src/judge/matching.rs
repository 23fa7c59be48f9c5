//! [`Matching`]: which scenarios each gate is about, for all gates at once. It
//! knows names and globs; what is required of a scenario is not looked at.

use crate::judge::matching::index::PatternIndex;
use crate::results::Measurements;
use crate::rules::Config;

mod index;
mod literals;

/// Which scenarios each gate of a [`Config`] is about by its `scenarios`; what it
/// excludes, and where it applies, is not looked at.
///
/// Gates and scenarios are told by their positions in [`Config::gates`] and in
/// [`Measurements::scenarios`].
#[derive(Clone, Debug)]
pub struct Matching {
    /// For each gate its scenarios: ascending, each once.
    gates: Vec<Vec<usize>>,
}

impl Matching {
    /// Compares all names with all patterns: the same as asking each pattern
    /// about each name, in time that grows with the names and their matches.
    #[must_use]
    pub fn new(config: &Config, measurements: &Measurements) -> Self {
        let mut gates: Vec<Vec<usize>> = vec![Vec::new(); config.gates.len()];
        let numbered = config.gates.iter().enumerate();
        let gate_of_pattern: Vec<usize> = numbered
            .flat_map(|(number, gate)| gate.scenarios.iter().map(move |_| number))
            .collect();
        let index = PatternIndex::new(config.gates.iter().flat_map(|gate| &gate.scenarios));
        let mut matches = Vec::new();
        for (number, scenario) in measurements.scenarios().iter().enumerate() {
            index.find(&scenario.record.name, &mut matches);
            for &found in &matches {
                let scenarios = &mut gates[gate_of_pattern[found]];
                // Several patterns of a gate may mean the same scenario.
                if scenarios.last() != Some(&number) {
                    scenarios.push(number);
                }
            }
        }
        Self { gates }
    }

    /// The scenarios that this gate is about, ascending.
    #[must_use]
    pub fn scenarios_of(&self, gate: usize) -> &[usize] {
        &self.gates[gate]
    }
}
