//! What a pair costs in instructions, and whether ours keep their limits. Unlike
//! times, these are the same on a loaded machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::callgrind::{self, Profile};
use crate::contender::{CONTENDERS, Contender, PLAIN};
use crate::error::Error;
use crate::locked::Code;

/// What one allocation and its deallocation take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Instructions, rounded to whole ones. The rest is an allocator that does
    /// something more now and then.
    pub instructions: u64,
    /// The locked ones among them.
    pub locked: u64,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Whose row it is.
    pub contender: Contender,
    /// What it takes.
    pub pair: Pair,
    /// Instructions above the plain wrapper.
    pub above_plain: u64,
}

/// The figures of all contenders.
#[derive(Clone, Debug)]
pub struct Table {
    /// What the plain wrapper takes.
    pub plain: Pair,
    /// The others.
    pub rows: Vec<Row>,
}

/// Counts for every contender; the programs lie in `folder`.
///
/// # Errors
///
/// When valgrind is missing, or a program can't be run under it.
pub fn measure(folder: &Path) -> Result<Table, Error> {
    callgrind::version()?;
    let mut files = BTreeMap::new();
    let plain = pair(&PLAIN, folder, &mut files)?;
    let mut rows = Vec::new();
    for contender in CONTENDERS {
        rows.push(row(contender, pair(&contender, folder, &mut files)?, plain));
    }
    Ok(Table { plain, rows })
}

impl Table {
    /// For a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "for one allocation and deallocation of 64 bytes\n\
             {:<28} {:>12}  {:>6}  {:>11}  {:>5}\n{:<28} {:>12}  {:>6}",
            "",
            "instructions",
            "locked",
            "above plain",
            "limit",
            PLAIN.name,
            self.plain.instructions,
            self.plain.locked
        );
        for row in &self.rows {
            // Writing to a string can't fail.
            let _ = write!(
                text,
                "\n{:<28} {:>12}  {:>6}  {:>11}",
                row.contender.name,
                row.pair.instructions,
                row.pair.locked,
                format!("+{}", row.above_plain)
            );
            if let Some(limit) = row.contender.limit {
                let _ = write!(text, "  {:>5}", format!("+{limit}"));
            }
        }
        text
    }

    /// A sentence for each limit that is not kept. What has a limit may not have
    /// locked instructions either.
    #[must_use]
    pub fn exceeded(&self) -> Vec<String> {
        let mut exceeded = Vec::new();
        for row in &self.rows {
            let Some(limit) = row.contender.limit else {
                continue;
            };
            let name = row.contender.name;
            if row.above_plain > limit {
                exceeded.push(format!(
                    "{name} takes {} instructions more than a plain wrapper, and may take {limit}",
                    row.above_plain
                ));
            }
            if row.pair.locked > self.plain.locked {
                exceeded.push(format!(
                    "{name} has {} locked instructions in a pair, and may have none",
                    row.pair.locked - self.plain.locked
                ));
            }
        }
        exceeded
    }
}

fn row(contender: Contender, pair: Pair, plain: Pair) -> Row {
    Row {
        contender,
        pair,
        above_plain: pair.instructions.saturating_sub(plain.instructions),
    }
}

/// Two runs that differ in a number of pairs differ in what these cost.
fn pair(
    contender: &Contender,
    folder: &Path,
    files: &mut BTreeMap<PathBuf, Code>,
) -> Result<Pair, Error> {
    /// Enough for what happens once, such as the first allocation of a size.
    const FEW: u64 = 500;
    let program = folder.join(contender.program);
    let run = |pairs: u64| callgrind::run(&program, &[contender.mode.name, &pairs.to_string()]);
    let (few, many) = (run(FEW)?, run(FEW + contender.pairs)?);
    difference(&few, &many, contender.pairs, |object, address| {
        if !files.contains_key(object) {
            files.insert(object.to_owned(), Code::read(object)?);
        }
        files
            .get(object)
            .and_then(|code| code.is_locked(address))
            .ok_or_else(|| Error::Unreadable {
                what: object.display().to_string(),
                why: "it has no code at an address that ran",
            })
    })
}

/// What `many` has more than `few`, by `pairs`. Only instructions that run in
/// at least every hundredth pair are looked at.
fn difference(
    few: &Profile,
    many: &Profile,
    pairs: u64,
    mut is_locked: impl FnMut(&Path, u64) -> Result<bool, Error>,
) -> Result<Pair, Error> {
    let rounded = |runs: u64| (runs + pairs / 2) / pairs;
    let mut locked = 0;
    for (at, runs) in &many.runs {
        let more = runs.saturating_sub(few.runs.get(at).copied().unwrap_or(0));
        if more < pairs / 100 {
            continue;
        }
        let (Some(object), address) = at else {
            return Err(Error::Unreadable {
                what: String::from("what callgrind wrote"),
                why: "it does not say to which file the instructions of a pair belong",
            });
        };
        if is_locked(object, *address)? {
            locked += more;
        }
    }
    Ok(Pair {
        instructions: rounded(many.total.saturating_sub(few.total)),
        locked: rounded(locked),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::{COUNTING, DIVAN};

    fn table(rows: &[(Contender, u64, u64)]) -> Table {
        let plain = Pair {
            instructions: 150,
            locked: 0,
        };
        let rows = rows.iter().map(|&(contender, more, locked)| {
            let pair = Pair {
                instructions: 150 + more,
                locked,
            };
            row(contender, pair, plain)
        });
        Table {
            plain,
            rows: rows.collect(),
        }
    }

    #[test]
    fn a_limit_is_kept_at_the_limit_and_exceeded_by_one_more() {
        let limit = COUNTING.limit.unwrap();
        assert_eq!(table(&[(COUNTING, limit, 0)]).exceeded(), [""; 0]);
        assert_eq!(
            table(&[(COUNTING, limit + 1, 0)]).exceeded(),
            [format!(
                "counting-alloc takes {} instructions more than a plain wrapper, \
                 and may take {limit}",
                limit + 1
            )]
        );
    }

    #[test]
    fn a_locked_instruction_of_ours_is_one_too_many() {
        assert_eq!(
            table(&[(COUNTING, 0, 1)]).exceeded(),
            ["counting-alloc has 1 locked instructions in a pair, and may have none"]
        );
    }

    #[test]
    fn peers_have_no_limit() {
        assert_eq!(table(&[(DIVAN, 100_000, 6)]).exceeded(), [""; 0]);
    }

    #[test]
    fn a_pair_is_what_the_longer_run_has_more() {
        let object = || Some(PathBuf::from("/bin/a"));
        let few = Profile {
            total: 5_500,
            runs: [((object(), 1), 500), ((object(), 9), 5_000)].into(),
        };
        // In each of 1,000 further pairs address 1 once and address 2 twice;
        // address 9 runs at the start alone, and address 5 once in all.
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
            Pair {
                instructions: 3,
                locked: 2
            }
        );
        assert_eq!(asked, [1, 2]);
    }
}
