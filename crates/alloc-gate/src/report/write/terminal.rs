//! The writer for terminals and CI logs, with ANSI styles. The caller removes the styles where
//! they are not wanted.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};
use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{Cell, CellAlignment, presets};

use crate::diagnostic::Level;
use crate::printable::{breaks, one_line, plain_lines, styled_lines, wrapped};
use crate::report::text::{Block, Excerpt, Excerpts, Line, Look, Style, Table, notes, numbered};

/// The columns in front of a title, with its label: `error[allocates-more]: `.
const LABEL: usize = 23;

/// The columns around the name of a note: `   = called by: `.
const NOTE: usize = 9;

/// A text in fewer columns is not worth it.
const MIN_WIDTH: usize = 30;

/// Writes the blocks, whose sentences end at the `width` of the terminal, if there is one.
pub(in crate::report) fn write(
    blocks: &[Block],
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for block in blocks {
        match block {
            Block::Title(_, line) | Block::Line(line) => {
                writeln!(out, "{}", sentence(line, width))?
            }
            Block::Lines(lines) | Block::List(lines) => {
                for line in lines {
                    writeln!(out, "{}", sentence(line, width))?;
                }
            }
            Block::Space => writeln!(out)?,
            Block::Table(table) if table.rows.is_empty() => {}
            Block::Table(table) => match table.look {
                Look::Grid => grid(table, out)?,
                Look::Titled(indent) | Look::Plain(indent) => columns(table, indent, width, out)?,
            },
            Block::Excerpts(all) => writeln!(out, "{}", rendered(all, width))?,
            Block::Code(_, lines) => {
                for line in lines {
                    writeln!(out, "{}", plain_lines(&one_line(line)))?;
                }
            }
            Block::Fold { title, blocks, .. } => {
                writeln!(out, "{}:", text(title))?;
                write(blocks, width, out)?;
            }
        }
    }
    Ok(())
}

fn text(line: &Line) -> String {
    sentence(line, None)
}

/// The line with styles, which goes on in the next one where a terminal has no more columns.
fn sentence(line: &Line, width: Option<usize>) -> String {
    let (ends, indent) = match width {
        Some(width) => breaks(&line.plain(), width),
        None => (Vec::new(), 0),
    };
    let (mut ends, mut at) = (ends.into_iter().peekable(), 0);
    let part = |(style, text): &(Style, String)| {
        let (style, text) = (ansi(*style), one_line(text));
        let mut part = String::new();
        for character in text.chars() {
            match ends.next_if_eq(&at) {
                Some(_) => part += &format!("\n{:indent$}", ""),
                None => part.push(character),
            }
            at += character.len_utf8();
        }
        format!("{style}{part}{style:#}")
    };
    line.0.iter().map(part).collect()
}

const fn ansi(style: Style) -> Ansi {
    match style {
        Style::Plain | Style::Foreign | Style::Place | Style::Code => Ansi::new(),
        Style::Good => AnsiColor::Green.on_default().bold(),
        Style::Bad => AnsiColor::Red.on_default().bold(),
        Style::Doubtful => AnsiColor::Yellow.on_default().bold(),
        Style::Dim => Ansi::new().dimmed(),
        Style::Strong => Ansi::new().bold(),
    }
}

fn grid(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut grid = comfy_table::Table::new();
    grid.load_style(presets::ASCII_MARKDOWN);
    let aligned = |text: &str, is_right: bool| {
        let cell = Cell::new(text.replace('|', "\\|"));
        if is_right {
            cell.set_alignment(CellAlignment::Right)
        } else {
            cell
        }
    };
    let columns = || table.columns.iter();
    grid.set_header(columns().map(|column| aligned(&column.title, column.is_right)));
    for row in &table.rows {
        let cells = row.iter().zip(columns());
        grid.add_row(cells.map(|(cell, column)| aligned(&cell.plain(), column.is_right)));
    }
    writeln!(out, "{}", grid.trim_fmt())
}

/// Columns that are as wide as their cells. The last one ends at the `limit` of the terminal.
fn columns(
    table: &Table,
    indent: usize,
    limit: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let titles: Vec<Line> = table
        .columns
        .iter()
        .map(|it| it.title.as_str().into())
        .collect();
    let titles = Some(&titles).filter(|_| matches!(table.look, Look::Titled(_)));
    let rows = || titles.into_iter().chain(&table.rows);
    let width = |cell: &Line| cell.plain().chars().count();
    let widths = (0..table.columns.len()).map(|at| rows().map(|row| width(&row[at])).max());
    let widths: Vec<usize> = widths.map(Option::unwrap_or_default).collect();
    let last = widths.split_last().map_or(&[][..], |(_, others)| others);
    let begin = indent + last.iter().map(|width| width + 2).sum::<usize>();
    // Where the last one has no room, the file with the report has it.
    let has_room = limit.is_none_or(|limit| begin + MIN_WIDTH / 2 <= limit);
    let shown = last.len() + usize::from(has_room || titles.is_none());
    let limit = limit.map(|limit| limit.saturating_sub(begin).max(MIN_WIDTH / 2));
    for row in rows() {
        let cells = row.iter().zip(&table.columns).zip(&widths).take(shown);
        let cells = cells.enumerate().map(|(number, ((cell, column), all))| {
            let space = " ".repeat(all - width(cell));
            if number == last.len() {
                sentence(cell, limit).replace('\n', &format!("\n{:begin$}", ""))
            } else if column.is_right {
                space + &text(cell)
            } else {
                text(cell) + &space
            }
        });
        let cells = cells.collect::<Vec<_>>().join("  ");
        writeln!(out, "{}{}", " ".repeat(indent), cells.trim_end())?;
    }
    Ok(())
}

/// The title, and below it the excerpts and notes.
fn rendered(all: &Excerpts, width: Option<usize>) -> String {
    let folded = |text: &str, before: usize| {
        let text = one_line(text);
        let width = width.map(|width| width.saturating_sub(before).max(MIN_WIDTH));
        width.map_or_else(|| text.clone(), |width| wrapped(&text, width))
    };
    let level = match all.label {
        Some((Level::Deny, _)) => Shown::ERROR,
        Some((Level::Warn, _)) => Shown::WARNING,
        Some((Level::Note, _)) | None => Shown::NOTE,
    };
    let mut title = level.clone().primary_title(folded(&all.title, LABEL));
    if let Some((_, code)) = all.label {
        title = title.id(code);
    }
    // A report for each excerpt: within one, a second path begins with `:::`, which a CI
    // system could read as a command.
    let mut groups = vec![Group::with_title(title)];
    for (number, shared) in all.shared().iter().enumerate() {
        let group = match number {
            0 => groups.swap_remove(0),
            _ => Group::with_level(level.clone()),
        };
        groups.push(excerpt(shared, group, width, &folded));
    }
    if let Some(last) = groups.pop() {
        let notes = all.notes.iter();
        let notes = notes.map(|note| Shown::NOTE.message(folded(note, "note".len() + NOTE)));
        groups.push(notes.fold(last, Group::element));
    }
    let mut renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    if let Some(width) = width {
        renderer = renderer.term_width(width);
    }
    let reports = groups.into_iter().map(|group| renderer.render(&[group]));
    styled_lines(&reports.collect::<Vec<_>>().join("\n"))
}

fn excerpt<'e>(
    shared: &[&Excerpt],
    group: Group<'e>,
    width: Option<usize>,
    folded: &dyn Fn(&str, usize) -> String,
) -> Group<'e> {
    let lines = numbered(shared, 0);
    let (mut source, mut annotations, mut below) = (String::new(), Vec::new(), Vec::new());
    for (number, text) in &lines {
        for excerpt in shared.iter().filter(|one| one.line == *number) {
            let (begin, call) = (source.len(), excerpt.call());
            let kind = if excerpt.is_old {
                AnnotationKind::Context
            } else {
                AnnotationKind::Primary
            };
            let mut annotation = kind.span(begin + call.start..begin + call.end);
            let (label, before) = (one_line(&excerpt.label), &text[..call.start]);
            let line = format!("{number} |  {} {label}", &text[..call.end]);
            if width.is_none_or(|width| line.chars().count() <= width) {
                annotation = annotation.label(label);
            } else {
                below.push((format!("at {number}:{}", before.chars().count() + 1), label));
            }
            annotations.push(annotation);
        }
        source += text;
        source.push('\n');
    }
    let first = lines.first_key_value().map(|(number, _)| *number);
    let snippet = Snippet::source(source)
        .path(shared.first().map(|excerpt| one_line(&excerpt.file)))
        .line_start(first.and_then(|it| usize::try_from(it).ok()).unwrap_or(1))
        .fold(false)
        .annotations(annotations);
    let group = group.element(snippet);
    let notes = notes(shared).into_iter();
    let notes = notes.map(|(name, line)| (name.to_owned(), line.plain()));
    let notes = below.into_iter().chain(notes);
    notes.fold(group, |group, (name, text)| {
        let text = folded(&text, name.len() + NOTE);
        group.element(Shown::NOTE.with_name(name).message(text))
    })
}
