//! The cost of a pair in instructions, and the limits of counting-alloc. Unlike times,
//! instructions are the same on a loaded machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::callgrind::{self, Profile};
use crate::counter::{COUNTERS, Counter, OTHERS, PLAIN};
use crate::error::Error;
use crate::locked::Code;
use crate::pairs::Pair;

/// The cost of one allocation and its deallocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCost {
    /// Instructions, rounded: an allocator sometimes does more than usual.
    pub instructions: u64,
    /// The locked ones among them.
    pub locked: u64,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The counter.
    pub counter: Counter,
    /// The cost of a pair.
    pub pair: PairCost,
    /// Instructions above the plain wrapper.
    pub above_plain: u64,
}

/// The costs of all counters.
#[derive(Clone, Debug)]
pub struct InstructionTable {
    /// The cost of the plain wrapper.
    pub plain: PairCost,
    /// The other counters.
    pub rows: Vec<Row>,
    /// counting-alloc with other operations, each above the plain wrapper with the same.
    pub others: Vec<Row>,
}

/// Counts the instructions of every counter. `folder` contains the programs.
///
/// # Errors
///
/// When valgrind is missing, or a program can't be run under it.
pub fn measure(folder: &Path) -> Result<InstructionTable, Error> {
    callgrind::version()?;
    let mut files = BTreeMap::new();
    let plain = pair(&PLAIN, folder, &mut files)?;
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    for counter in COUNTERS {
        rows.push(row(counter, pair(&counter, folder, &mut files)?, plain));
    }
    for counter in OTHERS {
        let plain = Counter {
            pair: counter.pair,
            ..PLAIN
        };
        let plain = pair(&plain, folder, &mut files)?;
        others.push(row(counter, pair(&counter, folder, &mut files)?, plain));
    }
    Ok(InstructionTable {
        plain,
        rows,
        others,
    })
}

impl InstructionTable {
    /// The table as text for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "for one allocation and deallocation of 64 bytes\n\
             {:<41} {:>12}  {:>6}  {:>11}  {:>5}\n{:<41} {:>12}  {:>6}",
            "",
            "instructions",
            "locked",
            "above plain",
            "limit",
            PLAIN.name,
            self.plain.instructions,
            self.plain.locked
        );
        for row in self.rows.iter().chain(&self.others) {
            // Writing to a string can't fail.
            let _ = write!(
                text,
                "\n{:<41} {:>12}  {:>6}  {:>11}",
                row.name(),
                row.pair.instructions,
                row.pair.locked,
                format!("+{}", row.above_plain)
            );
            if let Some(limit) = row.counter.limit {
                let _ = write!(text, "  {:>5}", format!("+{limit}"));
            }
        }
        text
    }

    /// A sentence for each exceeded limit. A counter with a limit may have no locked
    /// instructions either.
    #[must_use]
    pub fn exceeded(&self) -> Vec<String> {
        let mut exceeded = Vec::new();
        for row in self.rows.iter().chain(&self.others) {
            let Some(limit) = row.counter.limit else {
                continue;
            };
            let name = row.name();
            if row.above_plain > limit {
                exceeded.push(format!(
                    "{name} takes {} instructions more than a plain wrapper; the limit is {limit}",
                    row.above_plain
                ));
            }
            if row.pair.locked > self.plain.locked {
                exceeded.push(format!(
                    "{name} has {} locked instructions in a pair; the limit is 0",
                    row.pair.locked - self.plain.locked
                ));
            }
        }
        exceeded
    }
}

impl Row {
    /// The counter, and the operations unless they are `alloc` and `dealloc`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.counter.pair {
            Pair::Alloc => self.counter.name.to_owned(),
            pair @ (Pair::AllocZeroed | Pair::Realloc) => {
                format!("{}, {}", self.counter.name, pair.name())
            }
        }
    }
}

fn row(counter: Counter, pair: PairCost, plain: PairCost) -> Row {
    Row {
        counter,
        pair,
        above_plain: pair.instructions.saturating_sub(plain.instructions),
    }
}

/// Measures two runs that differ in a number of pairs. Their difference is the cost of
/// these pairs.
fn pair(
    counter: &Counter,
    folder: &Path,
    files: &mut BTreeMap<PathBuf, Code>,
) -> Result<PairCost, Error> {
    /// Enough for one-time work, such as the first allocation of a size.
    const FEW: u64 = 500;
    let program = folder.join(counter.program);
    let run = |pairs: u64| {
        let (mode, pair) = (counter.mode.name, counter.pair.name());
        callgrind::run(&program, &[mode, pair, &pairs.to_string()])
    };
    let (few, many) = (run(FEW)?, run(FEW + counter.pairs)?);
    difference(&few, &many, counter.pairs, |object, address| {
        if !files.contains_key(object) {
            files.insert(object.to_owned(), Code::read(object)?);
        }
        files
            .get(object)
            .and_then(|code| code.is_locked(address))
            .ok_or_else(|| Error::Unreadable {
                what: object.display().to_string(),
                why: "it has no code at an executed address",
            })
    })
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
    use crate::counter::{COUNTING, DIVAN};

    fn table(rows: &[(Counter, u64, u64)]) -> InstructionTable {
        let plain = PairCost {
            instructions: 150,
            locked: 0,
        };
        let rows = rows.iter().map(|&(counter, more, locked)| {
            let pair = PairCost {
                instructions: 150 + more,
                locked,
            };
            row(counter, pair, plain)
        });
        InstructionTable {
            plain,
            rows: rows.collect(),
            others: Vec::new(),
        }
    }

    #[test]
    fn a_limit_is_exceeded_by_one_more() {
        let limit = COUNTING.limit.unwrap();
        assert_eq!(table(&[(COUNTING, limit, 0)]).exceeded(), [""; 0]);
        assert_eq!(
            table(&[(COUNTING, limit + 1, 0)]).exceeded(),
            [format!(
                "counting-alloc takes {} instructions more than a plain wrapper; \
                 the limit is {limit}",
                limit + 1
            )]
        );
    }

    #[test]
    fn a_locked_instruction_of_counting_alloc_is_one_too_many() {
        assert_eq!(
            table(&[(COUNTING, 0, 1)]).exceeded(),
            ["counting-alloc has 1 locked instructions in a pair; the limit is 0"]
        );
    }

    #[test]
    fn peers_have_no_limit() {
        assert_eq!(table(&[(DIVAN, 100_000, 6)]).exceeded(), [""; 0]);
    }

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
