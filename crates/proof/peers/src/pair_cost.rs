//! The instructions of one pair of operations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::build::Build;
use crate::callgrind::{self, Profile};
use crate::counter::Counter;
use crate::error::Error;
use crate::locked::Code;

/// The cost of one allocation and its deallocation, or of another pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCost {
    /// Instructions, rounded: an allocator sometimes does more than usual.
    pub instructions: u64,
    /// The locked ones among them.
    pub locked: u64,
}

/// Runs the programs below a folder.
#[derive(Debug)]
pub struct Meter {
    /// Has a folder for each profile of cargo.
    target: PathBuf,
    /// The code of the programs and of their libraries.
    files: BTreeMap<PathBuf, Code>,
    /// What was measured already, by the program and its arguments.
    measured: BTreeMap<(PathBuf, [&'static str; 3]), PairCost>,
}

impl Meter {
    /// For programs below cargo's folder `target`.
    ///
    /// # Errors
    ///
    /// When valgrind is missing.
    pub fn new(target: &Path) -> Result<Self, Error> {
        callgrind::version()?;
        Ok(Self {
            target: target.to_owned(),
            files: BTreeMap::new(),
            measured: BTreeMap::new(),
        })
    }

    /// The cost of a pair with `counter`.
    ///
    /// # Errors
    ///
    /// When the program can't be run under valgrind.
    pub fn pair(&mut self, counter: &Counter, build: Build) -> Result<PairCost, Error> {
        let program = self.target.join(build.profile).join(counter.file_name());
        let words = [build.caller.name(), counter.mode.name, counter.pair.name()];
        let key = (program, words);
        if let Some(&cost) = self.measured.get(&key) {
            return Ok(cost);
        }
        let cost = self.measure(counter, &key.0, words)?;
        self.measured.insert(key, cost);
        Ok(cost)
    }

    /// Measures two runs that differ in a number of pairs. Their difference is the cost of
    /// these pairs.
    fn measure(
        &mut self,
        counter: &Counter,
        program: &Path,
        [caller, mode, pair]: [&str; 3],
    ) -> Result<PairCost, Error> {
        let run = |number: u64| callgrind::run(program, &[caller, mode, pair, &number.to_string()]);
        let (few, many) = (run(counter.few)?, run(counter.few + counter.pairs)?);
        let pairs = counter.pairs * counter.mode.calls;
        difference(&few, &many, pairs, |object, address| {
            if !self.files.contains_key(object) {
                self.files.insert(object.to_owned(), Code::read(object)?);
            }
            self.files
                .get(object)
                .and_then(|code| code.is_locked(address))
                .ok_or_else(|| Error::Unreadable {
                    what: object.display().to_string(),
                    why: "it has no code at an executed address",
                })
        })
    }
}

/// The difference of `many` and `few`, divided by `pairs`. Ignores instructions that
/// run in less than every hundredth pair.
fn difference(
    few: &Profile,
    many: &Profile,
    pairs: u64,
    mut is_locked: impl FnMut(&Path, u64) -> Result<bool, Error>,
) -> Result<PairCost, Error> {
    let rounded = |runs: u64| (runs + pairs / 2) / pairs;
    let mut locked = 0;
    for (at, runs) in &many.runs {
        let more = runs.saturating_sub(few.runs.get(at).copied().unwrap_or(0));
        if more < pairs / 100 {
            continue;
        }
        let (Some(object), address) = at else {
            return Err(Error::Unreadable {
                what: String::from("the output of callgrind"),
                why: "the file of an instruction is missing",
            });
        };
        if is_locked(object, *address)? {
            locked += more;
        }
    }
    Ok(PairCost {
        instructions: rounded(many.total.saturating_sub(few.total)),
        locked: rounded(locked),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_the_difference_of_two_runs() {
        let object = || Some(PathBuf::from("/bin/a"));
        let few = Profile {
            total: 5_500,
            runs: [((object(), 1), 500), ((object(), 9), 5_000)].into(),
        };
        // Each of 1,000 further pairs runs address 1 once and address 2 twice.
        // Address 9 runs at the start only, and address 5 once in all.
        let many = Profile {
            total: 8_501,
            runs: [
                ((object(), 1), 1_500),
                ((object(), 2), 2_000),
                ((object(), 5), 1),
                ((object(), 9), 5_000),
            ]
            .into(),
        };
        let mut asked = Vec::new();
        let pair = difference(&few, &many, 1_000, |_, address| {
            asked.push(address);
            Ok(address == 2)
        });
        assert_eq!(
            pair.unwrap(),
            PairCost {
                instructions: 3,
                locked: 2
            }
        );
        assert_eq!(asked, [1, 2]);
    }
}
