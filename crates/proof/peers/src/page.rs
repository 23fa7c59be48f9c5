//! The generated part of design/performance.md, and how it is put in its place.
//! What stands outside of the markers is a person's and stays.

use std::fmt::Write as _;

use crate::contender::PLAIN;
use crate::error::Error;
use crate::instructions::Table;
use crate::times::{Board, Column, Figure, SAME_AGAIN};

/// The line before the generated part.
pub const BEGIN: &str = "<!-- counters begin: written by `cargo xtask counters` -->";
/// The line after it.
pub const END: &str = "<!-- counters end -->";

/// `page` with `part` between the markers.
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

/// The tables, in markdown.
#[must_use]
pub fn part(machine: &str, instructions: &Table, boards: &[Board]) -> String {
    let mut part = format!("Measured on {machine}.\n\n");
    instructions_table(&mut part, instructions);
    for board in boards {
        part.push('\n');
        times_table(&mut part, board);
    }
    part
}

// Writing to a string can't fail, here and below.
fn instructions_table(part: &mut String, table: &Table) {
    part.push_str(
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
        let limit = row.contender.limit.map(|limit| format!("+{limit}"));
        let _ = writeln!(
            part,
            "| {} | {} | {} | +{} | {} | {} |",
            row.contender.name,
            row.contender.counts,
            row.pair.instructions,
            row.above_plain,
            limit.unwrap_or_default(),
            row.pair.locked
        );
    }
}

fn times_table(part: &mut String, board: &Board) {
    let _ = write!(
        part,
        "Time by that of the system's allocator, {}; median, and in parentheses the quartiles:\n\n\
         | counter |",
        blocks(board.live)
    );
    for column in &board.columns {
        let _ = write!(part, " {} |", heading(column));
    }
    part.push_str("\n|---|");
    part.push_str(&"---:|".repeat(board.columns.len()));
    let rows = board
        .columns
        .first()
        .map_or(&[][..], |first| &first.figures);
    for (nth, Figure { name, .. }) in rows.iter().enumerate() {
        let _ = write!(part, "\n| {name} |");
        for figure in board
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
    for column in &board.columns {
        let _ = write!(part, " {:.0} |", column.at_once_percent);
    }
    part.push_str("\n| System itself, ns a pair |");
    for column in &board.columns {
        let _ = write!(part, " {:.1} |", column.opponent_ns);
    }
    part.push('\n');
    let crowded = board.columns.iter().any(|column| column.crowded);
    if crowded {
        part.push_str("\n\\* More threads than cores.\n");
    }
    if let Some((low, high)) = indistinct(board) {
        let _ = writeln!(
            part,
            "\nThe copies of the A/A row lie between {low:.3} and {high:.3}: the method tells \
             nothing apart that differs by less."
        );
    }
}

/// `1 block at a time`, in words.
fn blocks(live: usize) -> String {
    match live {
        1 => String::from("one block at a time"),
        live => format!("{live} blocks allocated and then freed"),
    }
}

fn heading(column: &Column) -> String {
    let star = if column.crowded { "\\*" } else { "" };
    match column.threads {
        1 => format!("1 thread{star}"),
        threads => format!("{threads} threads{star}"),
    }
}

/// Three digits of a ratio, or all that stand before the point.
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

/// Between which medians the copies of the A/A row lie, on any number of threads.
fn indistinct(board: &Board) -> Option<(f64, f64)> {
    let figures = board.columns.iter().flat_map(|column| &column.figures);
    figures
        .filter(|figure| figure.name == SAME_AGAIN)
        .map(|figure| figure.copies)
        .reduce(|(low, high), (lower, higher)| (low.min(lower), high.max(higher)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::{COUNTING, DIVAN};
    use crate::instructions::{Pair, Row};

    #[test]
    fn the_text_around_the_markers_stays() {
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
            part: false,
            ratio,
            quartiles: (ratio - 0.25, ratio + 0.25),
            copies: (ratio - 0.125, ratio + 0.125),
        }
    }

    #[test]
    fn every_figure_is_in_the_tables_with_its_limit_spread_and_mark() {
        let row = |contender, above_plain, locked| Row {
            contender,
            pair: Pair {
                instructions: 150 + above_plain,
                locked,
            },
            above_plain,
        };
        let ours = Row {
            contender: crate::contender::Contender {
                limit: Some(18),
                ..COUNTING
            },
            ..row(COUNTING, 17, 0)
        };
        let table = Table {
            plain: Pair {
                instructions: 150,
                locked: 0,
            },
            rows: vec![ours, row(DIVAN, 28, 2)],
        };
        let column = |threads, crowded| Column {
            threads,
            crowded,
            at_once_percent: 97.5,
            opponent_ns: 5.25,
            figures: vec![figure(SAME_AGAIN, 1.0), figure("divan", 1.5)],
        };
        let board = Board {
            live: 1,
            columns: vec![column(1, false), column(4, true)],
        };
        let part = part("2 cores", &table, &[board]);
        let lines: Vec<&str> = part.lines().collect();
        for expected in [
            "Measured on 2 cores.",
            "| plain wrapper | nothing, it forwards | 150 | | | 0 |",
            "| counting-alloc | calls and bytes of all operations and failures, per thread \
             | 167 | +17 | +18 | 0 |",
            "| divan | calls and bytes, live and peak blocks and bytes, per thread \
             | 178 | +28 |  | 2 |",
            "| counter | 1 thread | 4 threads\\* |",
            "| divan | 1.50 (1.25 to 1.75) | 1.50 (1.25 to 1.75) |",
            "| slices that ran at once, % | 98 | 98 |",
            "| System itself, ns a pair | 5.2 | 5.2 |",
            "\\* More threads than cores.",
            "The copies of the A/A row lie between 0.875 and 1.125: the method tells \
             nothing apart that differs by less.",
        ] {
            assert!(lines.contains(&expected), "{expected}\n{part}");
        }
    }
}
