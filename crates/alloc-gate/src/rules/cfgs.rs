//! [`CfgSets`]: what a compiler says of targets, handed in as it printed it. This
//! asks no compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;

use cargo_platform::Cfg;

use crate::results::Measurements;
use crate::rules::Config;
use crate::rules::condition::{Condition, When};

/// What a compiler sets for targets, by their triples.
#[derive(Clone, Debug, Default)]
pub struct CfgSets(BTreeMap<String, Vec<Cfg>>);

/// A line that is not what a compiler sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCfg {
    line: String,
    reason: String,
}

impl CfgSets {
    /// The targets of `measurements` that have to be known to judge by `config`:
    /// none, unless a `when` asks for more than a triple.
    #[must_use]
    pub fn needed<'m>(config: &Config, measurements: &'m Measurements) -> BTreeSet<&'m str> {
        let gates = config.gates.iter().map(|gate| &gate.condition);
        let waivers = config.waivers.iter().map(|waiver| &waiver.condition);
        let asks = |condition: &Condition| condition.when.as_ref().is_some_and(When::asks_compiler);
        if !gates.chain(waivers).any(asks) {
            return BTreeSet::new();
        }
        let environments = measurements.environments().iter();
        environments
            .map(|environment| environment.target.as_str())
            .collect()
    }

    /// Adds what `rustc --print cfg --target TARGET` printed.
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

    pub(crate) fn of(&self, target: &str) -> Option<&[Cfg]> {
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
