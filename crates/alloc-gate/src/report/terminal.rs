//! The report for terminals and CI logs, with ANSI styles. The caller removes the styles
//! where they are not wanted.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, Table, presets};

use crate::evaluation::{Evaluation, GateSummary, Level, PivotTable, Verdict};
use crate::figure::counted;
use crate::printable::one_line;
use crate::report::explanation::{Explanation, explanations};
use crate::report::summary;
use crate::report::table::{MARK, has_marks, headers, metrics_of, row};
use crate::report::tables::{PivotText, left_out_words, selected};
use crate::report::words::{Dialect, environment_words, skip_words};
use crate::results::{MeasuredScenario, Origin};
use crate::rules::Reaction;

pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
const HEADING: Style = Style::new().bold();

/// Writes the whole report without the line of the verdict.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    table(&evaluation.scenarios, out)?;
    environment(&evaluation.origins, out)?;
    tables(&evaluation.tables, out)?;
    if !evaluation.gates.is_empty() {
        writeln!(out)?;
    }
    for gate in &evaluation.gates {
        self::gate(gate, evaluation.stale, out)?;
    }
    for explanation in explanations(evaluation, Dialect::PLAIN) {
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
        return writeln!(out, "no scenario was measured");
    }
    let metrics = metrics_of(scenarios);
    let rows = scenarios.iter().map(|measured| row(measured, metrics));
    grid(1, headers(metrics), rows, out)?;
    if has_marks(scenarios) {
        writeln!(out, "{MARK}")?;
    }
    Ok(())
}

/// Writes the line of the environment.
pub(super) fn environment(origins: &[Origin], out: &mut dyn Write) -> io::Result<()> {
    match environment_words(origins, Dialect::PLAIN) {
        Some(words) => writeln!(out, "environment: {words}"),
        None => Ok(()),
    }
}

/// Writes the tables of the rules, each with an empty line above it.
fn tables(tables: &[PivotTable], out: &mut dyn Write) -> io::Result<()> {
    let (shown, left_out) = selected(tables);
    for table in shown {
        let PivotText {
            heading,
            caption,
            header,
            rows,
            notes,
        } = PivotText::from_table(table, Dialect::PLAIN);
        writeln!(out, "\n{HEADING}{}{HEADING:#}", one_line(&heading))?;
        if let Some(caption) = caption {
            writeln!(out, "{}", one_line(&caption))?;
        }
        if !rows.is_empty() {
            grid(1, header, rows.into_iter(), out)?;
        }
        for note in notes {
            writeln!(out, "{}", one_line(&note))?;
        }
    }
    if left_out > 0 {
        writeln!(out, "\n{}", left_out_words(left_out))?;
    }
    Ok(())
}

/// Writes a table in which all columns behind the first `names` are right-aligned.
pub(super) fn grid(
    names: usize,
    header: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let cells = |cells: Vec<String>| {
        cells.into_iter().enumerate().map(|(column, text)| {
            let cell = Cell::new(one_line(&text).replace('|', "\\|"));
            if column < names {
                cell
            } else {
                cell.set_alignment(CellAlignment::Right)
            }
        })
    };
    table.set_header(cells(header));
    for row in rows {
        table.add_row(cells(row));
    }
    writeln!(out, "{}", table.trim_fmt())
}

/// Writes a line for the gate and a line for each of its rules.
fn gate(gate: &GateSummary, stale: Reaction, out: &mut dyn Write) -> io::Result<()> {
    let (style, word) = match (gate.verdict, stale) {
        (Verdict::Pass, _) => (GOOD, "pass"),
        (Verdict::Waived, _) => (DOUBTFUL, "waived"),
        (Verdict::Fail, _) => (BAD, "FAIL"),
        (Verdict::Missing(_), _) => (BAD, "missing"),
        (Verdict::Stale, Reaction::Deny) => (BAD, "stale"),
        (Verdict::Stale, Reaction::Warn | Reaction::Allow) => (DOUBTFUL, "stale"),
        (Verdict::Skipped, _) => (FAINT, "skipped"),
    };
    let scenarios = match &gate.skip {
        Some(skip) => skip_words(skip, Dialect::PLAIN),
        None => counted(gate.scenarios, "scenario"),
    };
    let name = one_line(&gate.name);
    writeln!(out, "{style}{word:<7}{style:#} {name}: {scenarios}")?;
    for rule in summary::rules(gate) {
        let words = one_line(&format!("{}: {}", rule.rule, rule.range));
        writeln!(out, "        {FAINT}{words}{FAINT:#}")?;
    }
    Ok(())
}

pub(super) fn explain(explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    let Explanation {
        level,
        word,
        code,
        about,
        details,
    } = explanation;
    let style = match level {
        Level::Deny => BAD,
        Level::Warn => DOUBTFUL,
    };
    let about = one_line(about);
    match code {
        Some(code) => writeln!(out, "\n{style}{word}[{code}]{style:#}: {about}")?,
        None => writeln!(out, "\n{style}{word}{style:#} {about}")?,
    }
    let width = details.iter().map(|(label, _)| label.len() + 1).max();
    for (label, text) in details {
        let (label, text) = (format!("{label}:"), one_line(text));
        writeln!(out, "  {label:<0$} {text}", width.unwrap_or_default())?;
    }
    Ok(())
}
