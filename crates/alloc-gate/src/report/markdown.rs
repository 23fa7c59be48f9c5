//! The markdown report, for a step summary or a comment. Rows are not padded, so that one
//! long name does not change every line.

use std::io::{self, Write};

use crate::evaluation::{Evaluation, GateSummary, PivotTable, Verdict};
use crate::report::explanation::{Explanation, explanations};
use crate::report::table::{MARK, has_marks, headers, metrics_of, row};
use crate::report::tables::{PivotText, left_out_words, selected};
use crate::report::words::{Dialect, environment_words, skip_words};
use crate::report::{summary, verdict_line};
use crate::results::{MeasuredScenario, Origin};

mod inline;

pub(crate) use inline::{code, code_in_cell, escape};

/// Escapes foreign text in a paragraph or a list.
pub(super) const DIALECT: Dialect = Dialect {
    name: code,
    place: code,
    text: escape,
};

/// Escapes foreign text in a cell of a table, where `|` must be escaped even in code.
pub(super) const IN_CELL: Dialect = Dialect {
    name: code_in_cell,
    place: code_in_cell,
    text: escape,
};

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    titled("Allocation gates", evaluation, out)
}

/// Writes the whole report below this title.
pub(super) fn titled(title: &str, evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## {title}\n\n{}\n", verdict_line(evaluation))?;
    table(&evaluation.scenarios, out)?;
    environment(&evaluation.origins, out)?;
    tables(&evaluation.tables, out)?;
    if !evaluation.gates.is_empty() {
        writeln!(
            out,
            "\n| gate | verdict | scenarios | requires | measured |\n|---|---|---:|---|---|"
        )?;
        for gate in &evaluation.gates {
            self::gate(gate, out)?;
        }
    }
    for explanation in explanations(evaluation, DIALECT) {
        explain(&explanation, out)?;
    }
    Ok(())
}

/// Writes the table of measured figures.
///
/// # Errors
///
/// When `out` can't be written.
pub fn table(scenarios: &[MeasuredScenario], out: &mut dyn Write) -> io::Result<()> {
    if scenarios.is_empty() {
        return writeln!(out, "No scenario was measured.");
    }
    let metrics = metrics_of(scenarios);
    let headers = headers(metrics);
    writeln!(out, "| {} |", headers.join(" | "))?;
    writeln!(out, "|---|{}", "---:|".repeat(headers.len() - 1))?;
    for measured in scenarios {
        let cells = row(measured, metrics);
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    if has_marks(scenarios) {
        writeln!(out, "\n{}", escape(MARK))?;
    }
    Ok(())
}

/// Writes the line of the environment as a paragraph, with an empty line above it.
pub(super) fn environment(origins: &[Origin], out: &mut dyn Write) -> io::Result<()> {
    match environment_words(origins, DIALECT) {
        Some(words) => writeln!(out, "\nEnvironment: {words}"),
        None => Ok(()),
    }
}

/// Writes the tables of the rules, each with a heading.
fn tables(tables: &[PivotTable], out: &mut dyn Write) -> io::Result<()> {
    let (shown, left_out) = selected(tables);
    for table in shown {
        let text = PivotText::from_table(table, DIALECT);
        write!(out, "\n### {}\n{}", escape(&text.heading), body(&text))?;
    }
    if left_out > 0 {
        writeln!(out, "\n{}", left_out_words(left_out))?;
    }
    Ok(())
}

/// A table with its caption and notes, but without its heading. There is an empty line above
/// each part.
pub(crate) fn table_body(table: &PivotTable) -> String {
    body(&PivotText::from_table(table, DIALECT))
}

fn body(text: &PivotText) -> String {
    let mut lines = Vec::new();
    if let Some(caption) = &text.caption {
        lines.push(format!("\n{}", paragraph(&escape(caption))));
    }
    let cells = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    if !text.rows.is_empty() {
        let numbers = "---:|".repeat(text.header.len() - 1);
        lines.push(format!("\n{}\n|---|{numbers}", cells(&text.header)));
    }
    lines.extend(text.rows.iter().map(|row| cells(row)));
    // Each note is a paragraph; a line break alone would join them.
    let notes = text.notes.iter();
    lines.extend(notes.map(|note| format!("\n{}", paragraph(note))));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Escaped text that starts a line but no list or heading.
fn paragraph(escaped: &str) -> String {
    let text = escaped.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let (number, rest) = text.split_at(text.len() - rest.len());
    if !number.is_empty() && rest.starts_with(['.', ')']) {
        format!("{number}\\{rest}")
    } else if text.starts_with(['#', '-', '+', '=']) {
        format!("\\{text}")
    } else {
        text.to_owned()
    }
}

fn gate(gate: &GateSummary, out: &mut dyn Write) -> io::Result<()> {
    let mut verdict = String::from(match gate.verdict {
        Verdict::Pass => "pass",
        Verdict::Waived => "waived",
        Verdict::Fail => "**FAIL**",
        Verdict::Stale => "stale",
        Verdict::Missing(_) => "**missing**",
        Verdict::Skipped => "skipped",
    });
    if let Some(skip) = &gate.skip {
        verdict.push_str(&format!(": {}", skip_words(skip, IN_CELL)));
    }
    let rules = summary::rules(gate);
    let requires: Vec<String> = rules.iter().map(|rule| code_in_cell(&rule.rule)).collect();
    let measured: Vec<String> = rules.iter().map(|rule| escape(&rule.range)).collect();
    writeln!(
        out,
        "| {} | {verdict} | {} | {} | {} |",
        escape(&gate.name),
        gate.scenarios,
        requires.join("; "),
        measured.join("; "),
    )
}

pub(super) fn explain(explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    let Explanation {
        level: _,
        word,
        code,
        about,
        details,
    } = explanation;
    match code {
        Some(code) => writeln!(out, "\n**{word}** `{code}`: {about}\n")?,
        None => writeln!(out, "\n**{word}** {about}\n")?,
    }
    for (label, text) in details {
        writeln!(out, "- {label}: {text}")?;
    }
    Ok(())
}
