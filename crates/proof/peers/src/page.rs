//! The generated part of design/performance.md, between two markers. The rest of the
//! page is written by hand and is kept.

use std::fmt::Write as _;

use crate::build;
use crate::counter::PLAIN;
use crate::error::Error;
use crate::instructions::{InstructionTable, Row};
use crate::times::table::{BASELINE_AGAIN, Column, Figure, TimeTable};

/// The line before the generated part.
pub const BEGIN: &str = "<!-- counters begin: written by `cargo xtask counters` -->";
/// The line after it.
pub const END: &str = "<!-- counters end -->";

/// Replaces the text between the markers of `page` with `part`.
///
/// # Errors
///
/// When `page` does not have both markers, once each and in this order.
pub fn with_part(page: &str, part: &str) -> Result<String, Error> {
    let broken = || Error::Unreadable {
        what: String::from("the page"),
        why: "it does not have the lines `<!-- counters begin ... -->` and \
              `<!-- counters end -->`, once each and in this order",
    };
    let (before, rest) = page.split_once(BEGIN).ok_or_else(broken)?;
    let (_, after) = rest.split_once(END).ok_or_else(broken)?;
    if before.contains(END) || after.contains(END) || rest.contains(BEGIN) {
        return Err(broken());
    }
    Ok(format!(
        "{before}{BEGIN}\n\n{}\n\n{END}{after}",
        part.trim()
    ))
}

/// The tables as markdown.
#[must_use]
pub fn part(machine: &str, instructions: &InstructionTable, tables: &[TimeTable]) -> String {
    let mut part = format!(
        "Measured on {machine}.\n\n{}",
        self::instructions(instructions)
    );
    for table in tables {
        part.push('\n');
        times_table(&mut part, table);
    }
    part
}

/// The tables of instructions as markdown.
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

fn times_table(part: &mut String, table: &TimeTable) {
    let _ = write!(
        part,
        "Time relative to the system's allocator, {}: median (quartiles)\n\n\
         | counter |",
        blocks(table.live)
    );
    for column in &table.columns {
        let _ = write!(part, " {} |", heading(column));
    }
    part.push_str("\n|---|");
    part.push_str(&"---:|".repeat(table.columns.len()));
    let rows = table
        .columns
        .first()
        .map_or(&[][..], |first| &first.figures);
    for (nth, Figure { name, .. }) in rows.iter().enumerate() {
        let _ = write!(part, "\n| {name} |");
        for figure in table
            .columns
            .iter()
            .filter_map(|column| column.figures.get(nth))
        {
            let (low, high) = figure.quartiles;
            let _ = write!(
                part,
                " {} ({} to {}) |",
                shown(figure.ratio),
                shown(low),
                shown(high)
            );
        }
    }
    part.push_str("\n| slices that ran at once, % |");
    for column in &table.columns {
        let _ = write!(part, " {:.0} |", column.concurrent_percent);
    }
    part.push_str("\n| System itself, ns a pair |");
    for column in &table.columns {
        let _ = write!(part, " {:.1} |", column.baseline_ns);
    }
    part.push('\n');
    let oversubscribed = table.columns.iter().any(|column| column.oversubscribed);
    if oversubscribed {
        part.push_str("\n\\* More threads than cores.\n");
    }
    if let Some((low, high)) = aa_range(table) {
        let _ = writeln!(
            part,
            "\nThe copies of the A/A row lie between {low:.3} and {high:.3}: smaller differences \
             can't be detected."
        );
    }
}

/// The workload with this number of live blocks, in words.
fn blocks(live: usize) -> String {
    match live {
        1 => String::from("one block at a time"),
        live => format!("{live} blocks allocated and then freed"),
    }
}

fn heading(column: &Column) -> String {
    let star = if column.oversubscribed { "\\*" } else { "" };
    match column.threads {
        1 => format!("1 thread{star}"),
        threads => format!("{threads} threads{star}"),
    }
}

/// A ratio with three digits, or with all digits before the point.
#[must_use]
pub fn shown(ratio: f64) -> String {
    if ratio < 9.995 {
        format!("{ratio:.2}")
    } else if ratio < 99.95 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}

/// The lowest and the highest median of a copy in the A/A row, with any number of
/// threads.
fn aa_range(table: &TimeTable) -> Option<(f64, f64)> {
    let figures = table.columns.iter().flat_map(|column| &column.figures);
    figures
        .filter(|figure| figure.name == BASELINE_AGAIN)
        .map(|figure| figure.copies)
        .reduce(|(low, high), (lower, higher)| (low.min(lower), high.max(higher)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::RELEASE;
    use crate::counter::{COUNTING, Counter, DIVAN};
    use crate::pair_cost::PairCost;
    use proof_pairs::pairs::Pair;

    #[test]
    fn the_text_around_the_markers_is_kept() {
        let page = format!("# Title\n\nabove\n\n{BEGIN}\nold\n{END}\n\nbelow\n");
        let written = with_part(&page, "new\n").unwrap();
        assert_eq!(
            written,
            format!("# Title\n\nabove\n\n{BEGIN}\n\nnew\n\n{END}\n\nbelow\n")
        );
        assert_eq!(with_part(&written, "new").unwrap(), written);
    }

    #[test]
    fn a_page_without_both_markers_in_order_is_refused() {
        for page in [
            String::from("no markers"),
            format!("{BEGIN} no end"),
            format!("{END} {BEGIN}"),
            format!("{BEGIN} {END} {END}"),
            format!("{BEGIN} {END} {BEGIN}"),
        ] {
            assert!(with_part(&page, "new").is_err(), "{page}");
        }
    }

    #[test]
    fn a_ratio_is_shown_with_three_digits() {
        assert_eq!(shown(1.0), "1.00");
        assert_eq!(shown(9.99), "9.99");
        assert_eq!(shown(9.999), "10.0");
        assert_eq!(shown(99.96), "100");
        assert_eq!(shown(1369.8), "1370");
    }

    fn figure(name: &'static str, ratio: f64) -> Figure {
        Figure {
            name,
            ratio,
            quartiles: (ratio - 0.25, ratio + 0.25),
            copies: (ratio - 0.125, ratio + 0.125),
        }
    }

    #[test]
    fn the_tables_have_every_figure_with_its_limit_quartiles_and_mark() {
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
        let column = |threads, oversubscribed| Column {
            threads,
            oversubscribed,
            concurrent_percent: 97.5,
            baseline_ns: 5.25,
            figures: vec![figure(BASELINE_AGAIN, 1.0), figure("divan", 1.5)],
        };
        let times = TimeTable {
            live: 1,
            columns: vec![column(1, false), column(4, true)],
        };
        let part = part("2 cores", &instructions, &[times]);
        let lines: Vec<&str> = part.lines().collect();
        for expected in [
            "Measured on 2 cores.",
            "| plain wrapper | nothing, it forwards | 150 | | | 0 |",
            "| counting-alloc | calls and bytes of all operations and failures, per thread \
             | 167 | +17 | +18 | 0 |",
            "| divan | calls and bytes, live and peak blocks and bytes, per thread \
             | 178 | +28 |  | 2 |",
            "|  | other crate | own crate | other crate, O2 | own crate, O2 | fat LTO |",
            "| counting-alloc, realloc | +32 of +40 | +61 of +60 |  |  |  |",
            "| divan, Vec | +29 |  |  |  |  |",
            "| counter | 1 thread | 4 threads\\* |",
            "| divan | 1.50 (1.25 to 1.75) | 1.50 (1.25 to 1.75) |",
            "| slices that ran at once, % | 98 | 98 |",
            "| System itself, ns a pair | 5.2 | 5.2 |",
            "\\* More threads than cores.",
            "The copies of the A/A row lie between 0.875 and 1.125: smaller differences \
             can't be detected.",
        ] {
            assert!(lines.contains(&expected), "{expected}\n{part}");
        }
    }
}
