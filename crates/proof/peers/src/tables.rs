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
