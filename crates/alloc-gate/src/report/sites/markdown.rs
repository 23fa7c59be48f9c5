//! The lines behind a figure, as markdown: excerpts in a list, and a table.

use std::io::{self, Write};

use crate::evaluation::Level;
use crate::figure::Measure;
use crate::report::markdown::{code, code_in_cell, escape};
use crate::report::sites::words::STACKS;
use crate::report::sites::{Excerpt, SitesText};
use crate::requirement::figure_words;
use crate::sites::Explained;

/// Writes the scenario and the figure.
pub(super) fn heading(explained: &Explained, out: &mut dyn Write) -> io::Result<()> {
    let figure = figure_words(&Measure::Counted(explained.metric), explained.statistic);
    writeln!(out, "\n### {}: {figure}", escape(&explained.label))
}

impl SitesText {
    pub(in crate::report) fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        let word = match self.level {
            Some((Level::Deny, code)) => format!("**error** `{code}`: "),
            Some((Level::Warn, code)) => format!("**warning** `{code}`: "),
            None => String::new(),
        };
        writeln!(out, "\n{word}{}", escape(&self.title))?;
        for (number, excerpt) in self.excerpts.iter().enumerate() {
            let space = if number == 0 { "\n" } else { "" };
            writeln!(out, "{space}- {}", excerpt.markdown())?;
        }
        if !self.rows.is_empty() {
            self.markdown_table(out)?;
        }
        if !self.stacks.is_empty() {
            writeln!(out, "\n<details><summary>{STACKS}</summary>\n\n```text")?;
            for line in &self.stacks {
                writeln!(out, "{line}")?;
            }
            writeln!(out, "```\n\n</details>")?;
        }
        for note in &self.notes {
            writeln!(out, "\nnote: {}", escape(note))?;
        }
        Ok(())
    }

    fn markdown_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let is_compared = self.rows.iter().any(|row| !row.change.is_empty());
        let metrics: Vec<&str> = self.metrics.iter().map(|metric| metric.name()).collect();
        let (change, rule) = match is_compared {
            true => ("change | ", "---|"),
            false => ("", ""),
        };
        writeln!(out, "\n| {} | {change}line | call |", metrics.join(" | "))?;
        writeln!(out, "|{}{rule}---|---|", "---:|".repeat(metrics.len()))?;
        for row in &self.rows {
            let figures = row
                .figures
                .iter()
                .map(|(now, difference)| escape(format!("{now} {difference}").trim_end()));
            let figures = figures.collect::<Vec<_>>().join(" | ");
            let change = match is_compared {
                true => format!("{} | ", row.change),
                false => String::new(),
            };
            // Only a place in a file has a call beside it that is code.
            let place = match row.what.is_empty() {
                true => escape(&row.place),
                false => code_in_cell(&row.place),
            };
            writeln!(
                out,
                "| {figures} | {change}{place} | {} |",
                escape(&row.what)
            )?;
        }
        Ok(())
    }
}

impl Excerpt {
    fn markdown(&self) -> String {
        let place = code(&self.line.location());
        let text = code(self.line.text.as_deref().unwrap_or_default().trim());
        let before = self.before.as_ref();
        let before = before.map_or(String::new(), |before| format!(", before {}", code(before)));
        let caller = self.called_by.as_ref();
        let caller = caller.map_or(String::new(), |caller| {
            format!(", called by {}", escape(caller))
        });
        format!("{}: {text} at {place}{before}{caller}", escape(&self.label))
    }
}
