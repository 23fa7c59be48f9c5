//! The writer for terminals and CI logs, with ANSI styles. The caller removes the styles where
//! they are not wanted.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};
use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{Cell, CellAlignment, presets};

use crate::diagnostic::Level;
use crate::printable::{one_line, plain_lines, styled_lines};
use crate::report::text::{Block, Excerpt, Excerpts, Line, Look, Style, Table};

pub(in crate::report) fn write(blocks: &[Block], out: &mut dyn Write) -> io::Result<()> {
    for block in blocks {
        match block {
            Block::Title(_, line) | Block::Line(line) => writeln!(out, "{}", text(line))?,
            Block::Lines(lines) | Block::List(lines) => {
                for line in lines {
                    writeln!(out, "{}", text(line))?;
                }
            }
            Block::Space => writeln!(out)?,
            Block::Table(table) if table.rows.is_empty() => {}
            Block::Table(table) => match table.look {
                Look::Grid => grid(table, out)?,
                Look::Titled(indent) | Look::Plain(indent) => columns(table, indent, out)?,
            },
            Block::Excerpts(all) => writeln!(out, "{}", rendered(all))?,
            Block::Code(_, lines) => {
                for line in lines {
                    writeln!(out, "{}", plain_lines(&one_line(line)))?;
                }
            }
            Block::Fold { title, blocks, .. } => {
                writeln!(out, "{}:", text(title))?;
                write(blocks, out)?;
            }
        }
    }
    Ok(())
}

/// The line with styles.
fn text(line: &Line) -> String {
    let part = |(style, text): &(Style, String)| {
        let (style, text) = (ansi(*style), one_line(text));
        format!("{style}{text}{style:#}")
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

/// Columns that are as wide as their cells.
fn columns(table: &Table, indent: usize, out: &mut dyn Write) -> io::Result<()> {
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
    for row in rows() {
        let cells = row.iter().zip(&table.columns).zip(&widths);
        let cells = cells.map(|((cell, column), all)| {
            let space = " ".repeat(all - width(cell));
            if column.is_right {
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
fn rendered(all: &Excerpts) -> String {
    let level = match all.label {
        Some((Level::Deny, _)) => Shown::ERROR,
        Some((Level::Warn, _)) => Shown::WARNING,
        Some((Level::Note, _)) | None => Shown::NOTE,
    };
    let mut title = level.clone().primary_title(one_line(&all.title));
    if let Some((_, code)) = all.label {
        title = title.id(code);
    }
    // A report for each excerpt: within one, a second path begins with `:::`, which a CI
    // system could read as a command.
    let mut groups = vec![Group::with_title(title)];
    for (number, excerpt) in all.list.iter().enumerate() {
        let group = match number {
            0 => groups.swap_remove(0),
            _ => Group::with_level(level.clone()),
        };
        groups.push(self::excerpt(excerpt, group));
    }
    if let Some(last) = groups.pop() {
        let notes = all.notes.iter();
        let notes = notes.map(|note| Shown::NOTE.message(one_line(note)));
        groups.push(notes.fold(last, Group::element));
    }
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let reports = groups.into_iter().map(|group| renderer.render(&[group]));
    styled_lines(&reports.collect::<Vec<_>>().join("\n"))
}

fn excerpt<'e>(excerpt: &Excerpt, group: Group<'e>) -> Group<'e> {
    let [before, call, behind] = excerpt.around_call();
    let begin = before.len();
    let kind = if excerpt.is_old {
        AnnotationKind::Context
    } else {
        AnnotationKind::Primary
    };
    let annotation = kind
        .span(begin..begin + call.len())
        .label(one_line(&excerpt.label));
    let snippet = Snippet::source(before + &call + &behind)
        .path(one_line(&excerpt.file))
        .line_start(usize::try_from(excerpt.line).unwrap_or(usize::MAX))
        .annotation(annotation);
    let notes = excerpt.notes.iter();
    notes.fold(group.element(snippet), |group, (name, line)| {
        group.element(Shown::NOTE.with_name(*name).message(line.plain()))
    })
}
