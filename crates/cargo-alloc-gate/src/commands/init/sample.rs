//! [`Sample`]: the bench with one scenario that `init` writes, and the gate on it.

use alloc_gate::{Config, Measurements};
use cargo_metadata::{Edition, Package};

/// The name of the bench target.
pub(super) const BENCH: &str = "alloc_count";

/// The begin of a gates.toml.
pub(super) const RULES_HEAD: &str = include_str!("gates.toml.in");

const BENCH_TEXT: &str = include_str!("alloc_count.rs.in");
const BENCH_RULE: &str = include_str!("bench.toml.in");
const GATE: &str = include_str!("gate.toml.in");

/// The sample for one package.
pub(in crate::commands) struct Sample {
    package: String,
    scenario: String,
    gate: String,
}

impl Sample {
    /// The sample that is in the text of the bench or of the rules, or else a new one.
    pub(super) fn of(package: &Package, bench: Option<&str>, rules: Option<&str>) -> Self {
        let alone = Self::alone(&package.name);
        let is_there = match (bench, rules) {
            (_, None) => true,
            (Some(bench), _) => bench == alone.bench(package.edition),
            (None, Some(rules)) => {
                rules.contains(&alone.rules(true).replace('\n', line_end(rules)))
            }
        };
        if is_there {
            alone
        } else {
            Self::beside_others(&package.name)
        }
    }

    /// In a gates.toml of its own.
    pub(in crate::commands) fn alone(package: &str) -> Self {
        Self {
            package: package.to_owned(),
            scenario: String::from("collect words"),
            gate: String::from("one-vector"),
        }
    }

    /// In a gates.toml that other packages may have samples in.
    pub(in crate::commands) fn beside_others(package: &str) -> Self {
        Self {
            package: package.to_owned(),
            scenario: format!("{package}: collect words"),
            gate: format!("{package}-one-vector"),
        }
    }

    /// The source of the bench, for a package of the edition.
    pub(super) fn bench(&self, edition: Edition) -> String {
        // In the first edition, `use` finds only crates that are declared.
        let declaration = if edition == Edition::E2015 {
            "extern crate alloc_scenario;\n\n"
        } else {
            ""
        };
        self.filled(&BENCH_TEXT.replace("{declaration}", declaration))
    }

    /// The bench for gates.toml, with the gate if the bench has the sample.
    pub(super) fn rules(&self, has_sample: bool) -> String {
        let gate = if has_sample { GATE } else { "" };
        self.filled(BENCH_RULE) + &self.filled(gate)
    }

    /// The text of `rules` with the bench and, if that has the sample, the gate, or a new text;
    /// or why they can't be added.
    pub(super) fn added_to(
        &self,
        rules: Option<&str>,
        has_sample: bool,
        file: &str,
    ) -> Result<String, String> {
        let added = self.rules(has_sample);
        let Some(rules) = rules else {
            return Ok(format!("{RULES_HEAD}{added}"));
        };
        let line_end = line_end(rules);
        let added = added.replace('\n', line_end);
        let text = format!("{}{line_end}{added}", rules.trim_end());
        Config::parse(file, &text)
            .map(|_| text)
            .map_err(|mistakes| mistakes.to_string())
    }

    /// Removes the gate from `rules`, unless it was edited or its scenario is still measured.
    /// Returns whether it did.
    pub(in crate::commands) fn remove_gate(
        &self,
        rules: &mut String,
        measurements: &Measurements,
    ) -> bool {
        let gate = self.filled(GATE).replace('\n', line_end(rules));
        let scenarios = measurements.scenarios();
        let has_bench = scenarios.iter().any(|measured| {
            measured.bench.package == self.package && measured.bench.target == BENCH
        });
        let has_scenario = scenarios.iter().any(|m| m.record.name == self.scenario);
        let Some(at) = rules.find(&gate).filter(|_| has_bench && !has_scenario) else {
            return false;
        };
        rules.replace_range(at..at + gate.len(), "");
        true
    }

    /// The name of the gate.
    pub(in crate::commands) fn gate(&self) -> &str {
        &self.gate
    }

    fn filled(&self, text: &str) -> String {
        text.replace("{package}", &self.package)
            .replace("{bench}", BENCH)
            .replace("{scenario}", &self.scenario)
            .replace("{gate}", &self.gate)
    }
}

/// The line ends of the text.
pub(super) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}
