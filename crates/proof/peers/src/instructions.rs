//! The cost of a pair in instructions, and the limits of counting-alloc. Unlike times,
//! instructions are the same on a loaded machine.

use proof_pairs::pairs::Pair;

use crate::build::{self, Build};
use crate::counter::{COUNTERS, Counter, Kinds, PLAIN};
use crate::error::Error;
use crate::pair_cost::{Meter, PairCost};
use crate::variant::{MIXED, VARIANTS, Variant};

/// The cost of a pair with a counter.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The counter.
    pub counter: Counter,
    /// How its program was compiled.
    pub build: Build,
    /// The cost of a pair.
    pub pair: PairCost,
    /// The cost of the same pair with the plain wrapper, compiled in the same way.
    pub plain: PairCost,
}

/// The costs of all counters.
#[derive(Clone, Debug)]
pub struct InstructionTable {
    /// The cost of the plain wrapper.
    pub plain: PairCost,
    /// The other counters, in the release profile.
    pub rows: Vec<Row>,
    /// The variants of counting-alloc, each in [`build::ALL`].
    pub variants: Vec<Vec<Row>>,
    /// The same in the program with all kinds of operations, and the rows of divan.
    pub mixed: Vec<Vec<Row>>,
}

/// Counts the instructions of every counter.
///
/// # Errors
///
/// When a program can't be run under valgrind.
pub fn measure(meter: &mut Meter) -> Result<InstructionTable, Error> {
    let mut row = |counter: Counter, build| {
        let plain = Counter {
            kinds: counter.kinds,
            ..PLAIN.with(counter.pair)
        };
        Ok(Row {
            counter,
            build,
            pair: meter.pair(&counter, build)?,
            plain: meter.pair(&plain, build)?,
        })
    };
    let rows = COUNTERS.map(|counter| row(counter, build::RELEASE));
    let mut in_builds = |variant: Variant| {
        let rows = variant.in_builds();
        rows.map(|(counter, build)| row(counter, build)).collect()
    };
    let variants = VARIANTS.map(&mut in_builds);
    let mixed = MIXED.map(in_builds);
    Ok(InstructionTable {
        rows: rows.into_iter().collect::<Result<_, Error>>()?,
        variants: variants.into_iter().collect::<Result<_, Error>>()?,
        mixed: mixed.into_iter().collect::<Result<_, Error>>()?,
        plain: meter.pair(&PLAIN, build::RELEASE)?,
    })
}

impl InstructionTable {
    /// A sentence for each exceeded limit. A counter with a limit may have no locked
    /// instructions either.
    #[must_use]
    pub fn exceeded(&self) -> Vec<String> {
        let mut exceeded = Vec::new();
        let variants = self.variants.iter().chain(&self.mixed).flatten();
        for row in self.rows.iter().chain(variants) {
            let Some(limit) = row.counter.limit else {
                continue;
            };
            let program = match row.counter.kinds {
                Kinds::Raw => "",
                Kinds::All => ", all kinds",
            };
            let name = format!("{} ({}{program})", row.name(), row.build.name);
            if row.above_plain() > limit {
                exceeded.push(format!(
                    "{name} takes {} instructions more than a plain wrapper; the limit is {limit}",
                    row.above_plain()
                ));
            }
            if row.pair.locked > row.plain.locked {
                exceeded.push(format!(
                    "{name} has {} locked instructions in a pair; the limit is 0",
                    row.pair.locked - row.plain.locked
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
        let Counter { name, pair, .. } = self.counter;
        if pair == Pair::Alloc {
            name.to_owned()
        } else {
            format!("{name}, {}", pair.name())
        }
    }

    /// Instructions above the plain wrapper.
    #[must_use]
    pub fn above_plain(&self) -> u64 {
        self.pair
            .instructions
            .saturating_sub(self.plain.instructions)
    }

    /// For a cell of a table: `+16 of +18`.
    #[must_use]
    pub fn above_plain_and_limit(&self) -> String {
        let limit = self.counter.limit.map(|limit| format!(" of +{limit}"));
        format!("+{}{}", self.above_plain(), limit.unwrap_or_default())
    }
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
            Row {
                counter,
                build: build::RELEASE,
                pair,
                plain,
            }
        });
        InstructionTable {
            plain,
            rows: rows.collect(),
            variants: Vec::new(),
            mixed: Vec::new(),
        }
    }

    #[test]
    fn a_limit_is_exceeded_by_one_more() {
        let limit = COUNTING.limit.unwrap();
        assert_eq!(table(&[(COUNTING, limit, 0)]).exceeded(), [""; 0]);
        assert_eq!(
            table(&[(COUNTING, limit + 1, 0)]).exceeded(),
            [format!(
                "counting-alloc (other crate) takes {} instructions more than a plain wrapper; \
                 the limit is {limit}",
                limit + 1
            )]
        );
    }

    #[test]
    fn a_locked_instruction_of_counting_alloc_is_one_too_many() {
        assert_eq!(
            table(&[(COUNTING, 0, 1)]).exceeded(),
            ["counting-alloc (other crate) has 1 locked instructions in a pair; the limit is 0"]
        );
    }

    #[test]
    fn peers_have_no_limit() {
        assert_eq!(table(&[(DIVAN, 100_000, 6)]).exceeded(), [""; 0]);
    }
}
