//! [`CfgSets`]: the cfgs that the compiler sets for targets, parsed from its output.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;

use cargo_platform::Cfg;

use crate::results::Measurements;
use crate::rules::Config;
use crate::rules::condition::{Condition, When};

/// The cfgs that the compiler sets, by target triple.
#[derive(Clone, Debug, Default)]
pub struct CfgSets(BTreeMap<String, Vec<Cfg>>);

/// A line that is not a cfg of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCfg {
    line: String,
    reason: String,
}

impl CfgSets {
    /// The targets of `measurements` whose cfgs the conditions of `config` need; empty unless a
    /// `when` needs more than the triple.
    #[must_use]
    pub fn needed<'m>(config: &Config, measurements: &'m Measurements) -> BTreeSet<&'m str> {
        let gates = config.gates.iter().map(|gate| &gate.condition);
        let waivers = config.waivers.iter().map(|waiver| &waiver.condition);
        let needs_cfgs =
            |condition: &Condition| condition.when.as_ref().is_some_and(When::needs_cfgs);
        if !gates.chain(waivers).any(needs_cfgs) {
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
    /// At the first line that can't be read.
    pub fn insert(&mut self, target: &str, printed: &str) -> Result<(), BadCfg> {
        let lines = printed
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let cfgs = lines.map(|line| {
            line.parse()
                .map_err(|error: cargo_platform::ParseError| BadCfg {
                    line: line.to_owned(),
                    reason: error.to_string(),
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

impl fmt::Display for BadCfg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is nothing that a compiler sets: {}",
            self.line, self.reason
        )
    }
}

impl Error for BadCfg {}
