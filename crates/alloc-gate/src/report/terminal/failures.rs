//! Failures at a terminal: the figures of a scenario, or of those with the same cause, and
//! below them the lines of code that allocate.

use std::io::{self, Write};

use indexmap::{IndexMap, IndexSet};

use crate::figure::counted;
use crate::printable::one_line;
use crate::report::blocks::{Block, Row};
use crate::report::groups::BlockGroup;
use crate::report::terminal::{FAINT, style};

/// The columns of blocks: of the location behind a scenario's name, and the fewest of the
/// names of figures.
const LOCATION: usize = 56;
const FIGURE: usize = 10;

/// The spaces before the rows of a block.
const INDENT: &str = "       ";

/// The scenarios of one cause that are named at most, unless all are asked for.
const MOST_SCENARIOS: usize = 12;

/// Writes blocks that have the same cause, and then the lines of code.
pub(super) fn write(group: &BlockGroup, lists_all: bool, out: &mut dyn Write) -> io::Result<()> {
    match &group.blocks[..] {
        [only] => block(only, out)?,
        several => {
            scenarios(several, lists_all, out)?;
            if group.each.is_empty() {
                writeln!(
                    out,
                    "{INDENT}{FAINT}not explained; `--explain all` explains each{FAINT:#}"
                )?;
            }
        }
    }
    for lines in group.lines() {
        lines.terminal(out)?;
    }
    Ok(())
}

/// Writes what a scenario does not meet.
fn block(block: &Block, out: &mut dyn Write) -> io::Result<()> {
    heading(block, &block.title, &block.location, out)?;
    let width = |text: &dyn Fn(&Row) -> String| width(block.rows.iter().map(text));
    let before = |row: &Row| row.before.clone().unwrap_or_default();
    let [figures, points, befores, nows, differences] = [
        width(&|row| one_line(&row.figure)).max(FIGURE),
        width(&|row| one_line(&row.point)),
        width(&before),
        width(&|row| one_line(&row.now)),
        width(&|row| row.difference.clone()),
    ];
    let mut above: Option<&Row> = None;
    for row in &block.rows {
        // What the row above says is not repeated.
        let above_it = above.filter(|above| above.figure == row.figure);
        let figure = match above_it {
            Some(_) => String::new(),
            None => one_line(&row.figure),
        };
        let limits = match above_it {
            Some(above) if above.limits == row.limits => String::new(),
            Some(_) | None => one_line(&row.limits),
        };
        let mut line = format!("{INDENT}{figure:<figures$}  ");
        if points > 0 {
            line.push_str(&format!("{:<points$}  ", one_line(&row.point)));
        }
        if befores > 0 {
            let arrow = if row.before.is_some() { "->" } else { "  " };
            line.push_str(&format!("{:>befores$} {arrow} ", before(row)));
        }
        line.push_str(&format!("{:<nows$}", one_line(&row.now)));
        if differences > 0 {
            line.push_str(&format!(" {:<differences$}", row.difference));
        }
        line.push_str(&format!("    {limits}"));
        for other in &row.others {
            line.push_str(&format!("; {}", one_line(other)));
        }
        writeln!(out, "{}", line.trim_end())?;
        above = Some(row);
    }
    if block.left_out > 0 {
        let count = counted(block.left_out, "more figure");
        writeln!(out, "{INDENT}and {count}; `-v` shows all")?;
    }
    for note in block.notes.iter().chain(&block.first_operations) {
        writeln!(out, "{INDENT}{FAINT}{}{FAINT:#}", one_line(note))?;
    }
    Ok(())
}

/// Writes what several scenarios do not meet: a row for each, a column for each figure, and
/// the limits at the end.
fn scenarios(blocks: &[Block], lists_all: bool, out: &mut dyn Write) -> io::Result<()> {
    let places: IndexSet<&str> = blocks.iter().map(|block| &*block.location).collect();
    let place = if places.len() == 1 { places[0] } else { "" };
    let title = counted(blocks.len(), "scenario");
    heading(&blocks[0], &title, place, out)?;

    let mut limits: IndexMap<&str, IndexSet<&str>> = IndexMap::new();
    for row in blocks.iter().flat_map(|block| &block.rows) {
        let of_figure = limits.entry(&row.figure).or_default();
        of_figure.insert(&row.limits);
    }
    let cell = |(block, point): (&Block, &str), figure: &str| {
        let mut rows = block.rows.iter();
        let row = rows.find(|row| row.figure == figure && row.point == point);
        row.map_or_else(String::new, |row| {
            let all = [row.change()].into_iter().chain(row.others.iter().cloned());
            one_line(&all.collect::<Vec<_>>().join(", "))
        })
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    let header = [""].into_iter().chain(limits.keys().copied());
    rows.push(header.map(one_line).collect());
    for block in blocks {
        let points: IndexSet<&str> = block.rows.iter().map(|row| &*row.point).collect();
        for point in points {
            let name = one_line(format!("{} {point}", block.title).trim_end());
            let cells = limits.keys().map(|figure| cell((block, point), figure));
            let place = (place.is_empty()).then(|| one_line(&block.location));
            rows.push([name].into_iter().chain(cells).chain(place).collect());
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths = (0..columns).map(|at| width(rows.iter().filter_map(|row| row.get(at).cloned())));
    let widths: Vec<usize> = widths.collect();
    let left_out = match lists_all || rows.len() <= MOST_SCENARIOS + 2 {
        true => 0,
        false => rows.len() - 1 - MOST_SCENARIOS,
    };
    for row in rows.iter().take(rows.len() - left_out) {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("   ");
        writeln!(out, "{}", format!("{INDENT}{line}").trim_end())?;
    }
    if left_out > 0 {
        let count = counted(left_out, "more scenario");
        writeln!(out, "{INDENT}and {count}; `-v` shows all")?;
    }
    for (figure, limits) in &limits {
        let limits = limits.iter().copied().collect::<Vec<_>>().join(", ");
        let line = one_line(&format!("required: {figure} {limits}"));
        writeln!(out, "{INDENT}{FAINT}{line}{FAINT:#}")?;
    }
    for block in blocks {
        for note in &block.notes {
            let line = one_line(&format!("{}: {note}", block.title));
            writeln!(out, "{INDENT}{FAINT}{line}{FAINT:#}")?;
        }
    }
    Ok(())
}

/// Writes the verdict with what it is about, and where that was registered.
fn heading(block: &Block, title: &str, place: &str, out: &mut dyn Write) -> io::Result<()> {
    let style = style(block.level);
    let title = one_line(title);
    let room = LOCATION.saturating_sub(block.word.len() + 1 + title.chars().count());
    let line = format!(
        "{style}{}{style:#} {title}{:room$}  ",
        block.word,
        "",
        room = room.saturating_sub(2),
    );
    match place {
        "" => writeln!(out, "{}", line.trim_end()),
        place => writeln!(out, "{line}{FAINT}{}{FAINT:#}", one_line(place)),
    }
}

fn width(texts: impl Iterator<Item = String>) -> usize {
    let widths = texts.map(|text| text.chars().count());
    widths.max().unwrap_or_default()
}
