//! [`Matching`]: the scenarios that match each gate's `scenarios`, found for all
//! gates at once.

use crate::judge::matching::index::PatternIndex;
use crate::results::Measurements;
use crate::rules::Config;

mod index;
mod literals;

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
        let gate_of_pattern: Vec<usize> = numbered
            .flat_map(|(number, gate)| gate.scenarios.iter().map(move |_| number))
            .collect();
        let index = PatternIndex::new(config.gates.iter().flat_map(|gate| &gate.scenarios));
        let mut matches = Vec::new();
        for (number, scenario) in measurements.scenarios().iter().enumerate() {
            index.find(&scenario.record.name, &mut matches);
            for &found in &matches {
                let scenarios = &mut gates[gate_of_pattern[found]];
                // Several patterns of one gate may match the same scenario.
                if scenarios.last() != Some(&number) {
                    scenarios.push(number);
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
