//! The tables of instructions as markdown, as in design/performance.md.

use std::fmt::Write as _;

use crate::build;
use crate::counter::PLAIN;
use crate::instructions::{InstructionTable, Row};

/// All tables.
#[must_use]
// Writing to a string can't fail, here and below.
pub fn instructions(table: &InstructionTable) -> String {
    let mut part = String::from(
        "Instructions for one allocation and deallocation of 64 bytes:\n\n\
         | counter | made to count | instructions | above plain | limit | locked |\n\
         |---|---|---:|---:|---:|---:|\n",
    );
    let _ = writeln!(
        part,
        "| {} | {} | {} | | | {} |",
        PLAIN.name, PLAIN.counts, table.plain.instructions, table.plain.locked
    );
    for row in &table.rows {
        let limit = row.counter.limit.map(|limit| format!("+{limit}"));
        let _ = writeln!(
            part,
            "| {} | {} | {} | +{} | {} | {} |",
            row.name(),
            row.counter.counts,
            row.pair.instructions,
            row.above_plain(),
            limit.unwrap_or_default(),
            row.pair.locked
        );
    }
    part.push_str(
        "\nInstructions of counting-alloc above the plain wrapper, and their limits, by the crate \
         of the measured code and the profile:\n\n",
    );
    variants_table(&mut part, &table.variants);
    part.push_str(
        "\nThe same in a program with all kinds of operations at many call sites, beside \
         divan:\n\n",
    );
    variants_table(&mut part, &table.mixed);
    part
}

fn variants_table(part: &mut String, variants: &[Vec<Row>]) {
    part.push_str("|  |");
    for build in build::ALL {
        let _ = write!(part, " {} |", build.name);
    }
    part.push_str("\n|---|");
    part.push_str(&"---:|".repeat(build::ALL.len()));
    for variant in variants {
        let name = variant.first().map(Row::name).unwrap_or_default();
        let _ = write!(part, "\n| {name} |");
        for row in variant {
            let _ = write!(part, " {} |", row.above_plain_and_limit());
        }
        part.push_str(&"  |".repeat(build::ALL.len().saturating_sub(variant.len())));
    }
    part.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::RELEASE;
    use crate::counter::{COUNTING, Counter, DIVAN};
    use crate::pair_cost::PairCost;
    use proof_pairs::pairs::Pair;

    #[test]
    fn the_tables_have_every_row_with_its_limits() {
        let plain = PairCost {
            instructions: 150,
            locked: 0,
        };
        let row = |counter, above_plain: u64, locked| Row {
            counter,
            build: RELEASE,
            pair: PairCost {
                instructions: 150 + above_plain,
                locked,
            },
            plain,
        };
        let limited = |counter, limit| Counter {
            limit: Some(limit),
            ..counter
        };
        let resized = |limit| limited(COUNTING.with(Pair::Realloc), limit);
        let instructions = InstructionTable {
            plain,
            rows: vec![row(limited(COUNTING, 18), 17, 0), row(DIVAN, 28, 2)],
            variants: vec![vec![row(resized(40), 32, 0), row(resized(60), 61, 0)]],
            mixed: vec![vec![row(DIVAN.with(Pair::Vec), 29, 0)]],
        };
        let part = super::instructions(&instructions);
        let lines: Vec<&str> = part.lines().collect();
        for expected in [
            "| plain wrapper | nothing, it forwards | 150 | | | 0 |",
            "| counting-alloc | calls and bytes of all operations and failures, per thread \
             | 167 | +17 | +18 | 0 |",
            "| divan | calls and bytes, live and peak blocks and bytes, per thread \
             | 178 | +28 |  | 2 |",
            "|  | other crate | own crate | other crate, O2 | own crate, O2 | fat LTO |",
            "| counting-alloc, realloc | +32 of +40 | +61 of +60 |  |  |  |",
            "| divan, Vec | +29 |  |  |  |  |",
        ] {
            assert!(lines.contains(&expected), "{expected}\n{part}");
        }
    }
}
