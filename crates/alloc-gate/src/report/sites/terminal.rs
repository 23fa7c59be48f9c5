//! The lines behind a figure, for a terminal: excerpts as rustc shows them, and a table.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};

use crate::evaluation::Level;
use crate::figure::Measure;
use crate::printable::{one_line, styled_lines};
use crate::report::sites::words::STACKS;
use crate::report::sites::{Excerpt, Row, SitesText};
use crate::requirement::figure_words;
use crate::sites::{Explained, Line};

const INDENT: &str = "   ";

/// Writes the scenario and the figure.
pub(super) fn heading(space: &str, explained: &Explained, out: &mut dyn Write) -> io::Result<()> {
    let figure = figure_words(&Measure::Counted(explained.metric), explained.statistic);
    writeln!(out, "{space}{}: {figure}", one_line(&explained.label))
}

impl SitesText {
    pub(in crate::report) fn terminal(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n{}", self.title_and_excerpts())?;
        if !self.rows.is_empty() {
            writeln!(out)?;
            self.table(out)?;
        }
        if !self.stacks.is_empty() {
            writeln!(out, "\n{INDENT}{STACKS}:")?;
            for line in &self.stacks {
                writeln!(out, "{line}")?;
            }
        }
        writeln!(out)
    }

    /// The title, and below it the excerpts and notes, as rustc shows errors.
    fn title_and_excerpts(&self) -> String {
        let level = match self.level {
            Some((Level::Deny, _)) => Shown::ERROR,
            Some((Level::Warn, _)) => Shown::WARNING,
            None => Shown::NOTE,
        };
        let title = one_line(&self.title);
        let excerpts: Vec<(Excerpt, String)> =
            self.excerpts.iter().map(Excerpt::printable).collect();
        let notes: Vec<String> = self.notes.iter().map(|note| one_line(note)).collect();
        let mut title = level.clone().primary_title(title);
        if let Some((_, code)) = self.level {
            title = title.id(code);
        }
        // A report for each excerpt: within one, a second path begins with `:::`, which a CI
        // system could read as a command.
        let mut groups = vec![Group::with_title(title)];
        for (number, (excerpt, text)) in excerpts.iter().enumerate() {
            let group = match number {
                0 => groups.swap_remove(0),
                _ => Group::with_level(level.clone()),
            };
            groups.push(excerpt.group(text, group));
        }
        if let Some(last) = groups.pop() {
            let messages = notes.iter().map(|note| Shown::NOTE.message(note));
            groups.push(messages.fold(last, Group::element));
        }
        let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
        let reports = groups.into_iter().map(|group| renderer.render(&[group]));
        styled_lines(&reports.collect::<Vec<_>>().join("\n"))
    }

    /// The table: figures on the right of their columns, and the places in one column.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = |text: &dyn Fn(&Row) -> &str| {
            let widths = self.rows.iter().map(|row| text(row).chars().count());
            widths.max().unwrap_or_default()
        };
        let numbers = self.metrics.iter().enumerate().map(|(at, metric)| {
            let number = width(&|row| &row.figures[at].0).max(metric.name().len());
            (number, width(&|row| &row.figures[at].1))
        });
        let numbers: Vec<(usize, usize)> = numbers.collect();
        let changes = width(&|row| row.change);
        let places = self
            .rows
            .iter()
            .map(|row| one_line(&row.place).chars().count());
        let places = places.max().unwrap_or_default();
        let line = |figures: &[(&str, &str)], change: &str, place: &str, what: &str| {
            let mut line = String::from(INDENT);
            for ((number, difference), (numbers, differences)) in figures.iter().zip(&numbers) {
                line.push_str(&format!("{number:>numbers$}"));
                if *differences > 0 {
                    line.push_str(&format!(" {difference:<differences$}"));
                }
                line.push_str("  ");
            }
            if changes > 0 {
                line.push_str(&format!("{change:<changes$}  "));
            }
            line.push_str(&format!("{place:<places$}  {what}"));
            line.trim_end().to_owned()
        };
        let names: Vec<(&str, &str)> = self.metrics.iter().map(|it| (it.name(), "")).collect();
        writeln!(out, "{}", line(&names, "", "line", ""))?;
        for row in &self.rows {
            let figures: Vec<(&str, &str)> = row
                .figures
                .iter()
                .map(|(now, by)| (&**now, &**by))
                .collect();
            let (place, what) = (one_line(&row.place), one_line(&row.what));
            writeln!(out, "{}", line(&figures, row.change, &place, &what))?;
        }
        Ok(())
    }
}

impl Excerpt {
    /// The excerpt with printable text, and the text of its line.
    fn printable(&self) -> (Self, String) {
        let text = self.line.text.clone().unwrap_or_default();
        let column = self
            .line
            .column
            .and_then(|column| usize::try_from(column).ok());
        let column = column.map_or(0, |column| column.saturating_sub(1));
        let indent = text.len() - text.trim_start().len();
        let column = if column == 0 {
            indent
        } else {
            column.min(text.len())
        };
        let column = (0..=column).rev().find(|&at| text.is_char_boundary(at));
        let (before, after) = text.split_at(column.unwrap_or_default());
        // The place of the call can move, if characters before it are escaped.
        let before = one_line(before);
        let printable = Self {
            line: Line {
                file: one_line(&self.line.file),
                column: u32::try_from(before.len()).ok(),
                ..self.line.clone()
            },
            label: one_line(&self.label),
            before: self.before.as_deref().map(one_line),
            called_by: self.called_by.as_deref().map(one_line),
        };
        (printable, before + &one_line(after))
    }

    /// A printable excerpt with its `text`, and what is to say about it.
    fn group<'e>(&'e self, text: &'e str, group: Group<'e>) -> Group<'e> {
        let begin = self.column();
        let annotation = AnnotationKind::Primary
            .span(begin..begin + call_length(&text[begin..]))
            .label(&self.label);
        let snippet = Snippet::source(text)
            .path(&self.line.file)
            .line_start(usize::try_from(self.line.line).unwrap_or(usize::MAX))
            .annotation(annotation);
        let before = self.before.as_ref().map(|text| ("before", text));
        let called_by = self.called_by.as_ref().map(|text| ("called by", text));
        let group = group.element(snippet);
        before
            .into_iter()
            .chain(called_by)
            .fold(group, |group, (name, text)| {
                group.element(Shown::NOTE.with_name(name).message(text))
            })
    }

    /// Where the call begins in the text of a printable excerpt.
    fn column(&self) -> usize {
        self.line
            .column
            .and_then(|it| usize::try_from(it).ok())
            .unwrap_or_default()
    }
}

/// The length of the path of a call: `Vec::<u8>::with_capacity`, `vec!`, `collect`.
fn call_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut length = 0;
    for (at, character) in text.char_indices() {
        let is_generic = character == '<' && text[..at].ends_with("::");
        match character {
            _ if is_generic || (character == '<' && depth > 0) => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '_' | ':' => {}
            '!' => return at + 1,
            _ if character.is_alphanumeric() => {}
            _ => break,
        }
        length = at + character.len_utf8();
    }
    match length {
        0 => text.chars().next().map_or(0, char::len_utf8),
        length => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_path_of_the_call() {
        for (text, path) in [
            ("Vec::with_capacity(n)", "Vec::with_capacity"),
            ("vec![0; n]", "vec!"),
            ("collect::<Vec<Option<_>>>();", "collect::<Vec<Option<_>>>"),
            ("a < b", "a"),
            ("+ b", "+"),
            ("größe()", "größe"),
            ("", ""),
            ("a::<b", "a::<b"),
        ] {
            assert_eq!(&text[..call_length(text)], path, "{text}");
        }
    }
}
