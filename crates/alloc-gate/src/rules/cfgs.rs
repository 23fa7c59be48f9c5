//! [`CfgSets`]: the cfgs that the compiler sets for targets, parsed from its output.

use std::collections::{BTreeMap, BTreeSet};

use cargo_platform::Cfg;

use crate::results::Measurements;
use crate::rules::Config;
use crate::rules::condition::{Condition, When};

/// The cfgs that the compiler sets, by target triple.
#[derive(Clone, Debug, Default)]
pub struct CfgSets(BTreeMap<String, Vec<Cfg>>);

impl CfgSets {
    /// The targets of `measurements` whose cfgs the conditions of `config` need; empty unless a
    /// `when` needs more than the triple.
    #[must_use]
    pub fn needed<'m>(config: &Config, measurements: &'m Measurements) -> BTreeSet<&'m str> {
        let mut gates = config.gates.iter().map(|gate| &gate.condition);
        let needs_cfgs =
            |condition: &Condition| condition.when.as_ref().is_some_and(When::needs_cfgs);
        if !gates.any(needs_cfgs) {
            return BTreeSet::new();
        }
        let environments = measurements.environments().iter();
        environments
            .map(|environment| environment.target.as_str())
            .collect()
    }

    /// Adds the output of `rustc --print cfg --target TARGET`.
    ///
    /// # Errors
    ///
    /// Says which line is the first that can't be read, and why.
    pub fn insert(&mut self, target: &str, printed: &str) -> Result<(), String> {
        let lines = printed
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let cfgs = lines.map(|line| {
            line.parse().map_err(|error: cargo_platform::ParseError| {
                format!("`{line}` is not a cfg of the compiler: {error}")
            })
        });
        let cfgs = cfgs.collect::<Result<_, _>>()?;
        self.0.insert(target.to_owned(), cfgs);
        Ok(())
    }

    /// The cfgs of a target, if they were added.
    pub(crate) fn get(&self, target: &str) -> Option<&[Cfg]> {
        self.0.get(target).map(Vec::as_slice)
    }
}
