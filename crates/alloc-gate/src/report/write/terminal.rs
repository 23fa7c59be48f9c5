//! The writer for terminals and CI logs, with ANSI styles. The caller removes the styles where
//! they are not wanted.

use std::io;
use std::io::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};
use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{Cell, CellAlignment, presets};

use crate::diagnostic::Level;
use crate::printable::{one_line, plain_lines, styled_lines};
use crate::report::document::{
    Align, Block, Column, Columns, Excerpt, Excerpts, Inline, Line, Problem, Style, Table, WIDTH,
    styled,
};
use crate::report::write::around_call;

/// The sentences of a problem at most, unless all are asked for.
const MOST_SENTENCES: usize = 5;

/// Writes the blocks for a log.
pub(in crate::report) fn write(blocks: &[Block], out: &mut dyn Write) -> io::Result<()> {
    blocks.iter().try_for_each(|block| self::block(block, out))
}

/// The line without styles.
pub(in crate::report) fn plain(line: &Line) -> String {
    text(line, false)
}

fn block(block: &Block, out: &mut dyn Write) -> io::Result<()> {
    match block {
        Block::Log(blocks) => write(blocks, out),
        Block::Page(_) => Ok(()),
        Block::Fold { blocks, .. } => write(blocks, out),
        Block::Heading(_, line) | Block::Line(line) => self::line(line, out),
        Block::Space => writeln!(out),
        Block::Lines(lines) | Block::List(lines) => {
            lines.iter().try_for_each(|line| self::line(line, out))
        }
        Block::Problem(problem) => self::problem(problem, out),
        Block::Table(table) if table.rows.is_empty() => Ok(()),
        Block::Table(table) => grid(table, out),
        Block::Columns(columns) => self::columns(columns, out),
        Block::Excerpts(all) => writeln!(out, "{}", rendered(all)),
        Block::Preformatted(_, lines) => lines
            .iter()
            .try_for_each(|line| writeln!(out, "{}", plain_lines(&one_line(line.text())))),
    }
}

fn line(line: &Line, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", text(line, true))
}

fn problem(problem: &Problem, out: &mut dyn Write) -> io::Result<()> {
    let left_out = problem.sentences.len().saturating_sub(MOST_SENTENCES);
    let left_out = if problem.is_whole || left_out == 1 {
        0
    } else {
        left_out
    };
    let label = text(&problem.label.into(), true);
    let shown = problem.sentences.len() - left_out;
    for sentence in &problem.sentences[..shown] {
        writeln!(out, "{label}: {}", text(sentence, true))?;
    }
    if left_out > 0 {
        writeln!(out, "{label}: {left_out} more like these; `-v` shows all")?;
    }
    match &problem.help {
        Some(help) => writeln!(out, "  help: {}", text(help, true)),
        None => Ok(()),
    }
}

fn grid(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut grid = comfy_table::Table::new();
    grid.load_style(presets::ASCII_MARKDOWN);
    let cell = |line: &Line, align: Align| {
        let cell = Cell::new(plain(line).replace('|', "\\|"));
        match align {
            Align::Left => cell,
            Align::Right => cell.set_alignment(CellAlignment::Right),
        }
    };
    grid.set_header(
        table
            .columns
            .iter()
            .map(|(title, align)| cell(title, *align)),
    );
    for row in &table.rows {
        let cells = row.iter().zip(&table.columns);
        grid.add_row(cells.map(|(line, (_, align))| cell(line, *align)));
    }
    writeln!(out, "{}", grid.trim_fmt())
}

fn columns(all: &Columns, out: &mut dyn Write) -> io::Result<()> {
    let columns: Vec<(&Column, usize)> = all.columns.iter().zip(all.widths()).collect();
    for (cells, below) in &all.rows {
        let (mut row, mut end) = (String::new(), 0);
        for (number, (column, width)) in columns.iter().enumerate() {
            if *width == 0 && column.is_optional {
                continue;
            }
            let cell = cells.get(number);
            let is_last = number + 1 == columns.len();
            if is_last && let Some(cell) = cell.filter(|cell| end + cell.width() > WIDTH) {
                row.push_str(&wrapped(cell, end));
                continue;
            }
            let space = " ".repeat(width - cell.map_or(0, Line::width));
            let cell = cell.map_or_else(String::new, |cell| text(cell, true));
            row.push_str(&match column.align {
                Align::Left => cell + &space,
                Align::Right => space + &cell,
            });
            row.push_str(column.gap);
            end += width + column.gap.len();
        }
        writeln!(out, "{}", row.trim_end())?;
        write(below, out)?;
    }
    Ok(())
}

/// A cell that begins at a column, in several lines.
fn wrapped(cell: &Line, begin: usize) -> String {
    let (mut all, mut end) = (String::new(), begin);
    for part in parts(cell) {
        if end + 1 + part.width() > WIDTH && end > begin {
            all.push('\n');
            all.push_str(&" ".repeat(begin));
            end = begin;
        } else if end > begin {
            all.push(' ');
            end += 1;
        }
        all.push_str(&text(&part, true));
        end += part.width();
    }
    all
}

/// The parts behind which a line can end, instead of with a space.
fn parts(line: &Line) -> Vec<Line> {
    let mut all = vec![Line::default()];
    for inline in &line.0 {
        let pieces: Vec<Line> = match inline {
            Inline::Text(text) => {
                let text = text.text().replace(", ", ",\n").replace("; ", ";\n");
                text.split('\n').map(Line::from).collect()
            }
            Inline::Styled(style, line) => {
                let pieces = parts(line).into_iter();
                pieces.map(|part| styled(*style, part).into()).collect()
            }
            Inline::Words(_) | Inline::Name(_) | Inline::Place(_) | Inline::Label(_) => {
                vec![inline.clone().into()]
            }
        };
        for (number, piece) in pieces.into_iter().enumerate() {
            match all.last_mut() {
                Some(last) if number == 0 => last.push(piece),
                _ => all.push(piece),
            }
        }
    }
    all
}

fn text(line: &Line, is_styled: bool) -> String {
    let part = |part: &Inline| match part {
        Inline::Words(words) => one_line(words),
        Inline::Text(text) | Inline::Place(text) => one_line(text.text()),
        Inline::Name(name) => format!("`{}`", one_line(name.text())),
        Inline::Styled(style, line) if is_styled => {
            let style = ansi(*style);
            format!("{style}{}{style:#}", text(line, is_styled))
        }
        Inline::Styled(_, line) => text(line, is_styled),
        Inline::Label(label) => text(&label.styled(), is_styled),
    };
    line.0.iter().map(part).collect()
}

const fn ansi(style: Style) -> Ansi {
    match style {
        Style::Good => AnsiColor::Green.on_default().bold(),
        Style::Bad => AnsiColor::Red.on_default().bold(),
        Style::Doubtful => AnsiColor::Yellow.on_default().bold(),
        Style::Faint => Ansi::new().dimmed(),
        Style::Strong => Ansi::new().bold(),
    }
}

/// The title, and below it the excerpts and notes.
fn rendered(all: &Excerpts) -> String {
    let level = match all.label.map(|label| label.level) {
        Some(Level::Deny) => Shown::ERROR,
        Some(Level::Warn) => Shown::WARNING,
        Some(Level::Note) | None => Shown::NOTE,
    };
    let mut title = level.clone().primary_title(plain(&all.title));
    if let Some(code) = all.label.and_then(|label| label.code) {
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
        let notes = notes.map(|note| Shown::NOTE.message(plain(note)));
        groups.push(notes.fold(last, Group::element));
    }
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let reports = groups.into_iter().map(|group| renderer.render(&[group]));
    styled_lines(&reports.collect::<Vec<_>>().join("\n"))
}

fn excerpt<'e>(excerpt: &Excerpt, group: Group<'e>) -> Group<'e> {
    let [before, call, behind] = around_call(excerpt);
    let begin = before.len();
    let kind = if excerpt.is_old {
        AnnotationKind::Context
    } else {
        AnnotationKind::Primary
    };
    let annotation = kind
        .span(begin..begin + call.len())
        .label(plain(&excerpt.label));
    let snippet = Snippet::source(before + &call + &behind)
        .path(one_line(excerpt.file.text()))
        .line_start(usize::try_from(excerpt.line).unwrap_or(usize::MAX))
        .annotation(annotation);
    let before = excerpt.before.as_ref();
    let before = before.map(|code| ("before", one_line(code.text())));
    let places = [
        ("allocates in", &excerpt.allocates_in),
        ("called by", &excerpt.called_by),
        ("made by", &excerpt.made_by),
    ];
    let places = places
        .into_iter()
        .filter_map(|(name, place)| Some((name, plain(place.as_ref()?))));
    let notes = before.into_iter().chain(places);
    notes.fold(group.element(snippet), |group, (name, text)| {
        group.element(Shown::NOTE.with_name(name).message(text))
    })
}
