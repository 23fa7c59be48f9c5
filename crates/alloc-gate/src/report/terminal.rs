//! The report for people at a terminal and for CI logs. It carries ANSI styles;
//! whoever prints it takes them out where they are not wanted.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, Table, presets};

use super::markdown::range;
use super::table::{HEADERS, MARK, has_marks, row};
use super::{absence_words, advice, at, counted, figure, measured_words, remark_words};
use crate::evaluation::{Evaluation, GateSummary, Judgement, Level};
use crate::measurements::Measured;
use crate::{Statistic, Verdict};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// Writes the whole report, but for the verdict's line.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    table(&evaluation.scenarios, out)?;
    writeln!(out)?;
    for gate in &evaluation.gates {
        summary(gate, out)?;
    }
    for gate in &evaluation.gates {
        broken(gate, &evaluation.config_file, out)?;
    }
    for finding in &evaluation.findings {
        let (style, word) = match finding.level {
            Level::Deny => (BAD, "denied"),
            Level::Warn => (DOUBTFUL, "warning"),
        };
        let (what, next) = remark_words(&finding.remark);
        let code = finding.remark.code();
        writeln!(
            out,
            "\n{style}{word}[{code}]{style:#}: {what}\n  next: {next}"
        )?;
    }
    Ok(())
}

/// Writes the table of measured figures.
///
/// # Errors
///
/// When `out` can't be written.
pub fn table(scenarios: &[Measured], out: &mut dyn Write) -> io::Result<()> {
    if scenarios.is_empty() {
        return writeln!(out, "no scenario was measured");
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let cells = |cells: [String; 5]| {
        cells.into_iter().enumerate().map(|(column, text)| {
            let cell = Cell::new(text.replace('|', "\\|"));
            if column == 0 {
                cell
            } else {
                cell.set_alignment(CellAlignment::Right)
            }
        })
    };
    table.set_header(cells(HEADERS.map(str::to_owned)));
    for measured in scenarios {
        table.add_row(cells(row(measured)));
    }
    writeln!(out, "{}", table.trim_fmt())?;
    if has_marks(scenarios) {
        writeln!(out, "{MARK}")?;
    }
    Ok(())
}

/// A gate in a line, and the figures of each of its requirements in another.
fn summary(gate: &GateSummary, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: Vec<Vec<&Judgement>> = Vec::new();
    for judgement in &gate.judgements {
        match rules
            .iter_mut()
            .find(|rule| rule[0].place == judgement.place)
        {
            Some(rule) => rule.push(judgement),
            None => rules.push(vec![judgement]),
        }
    }
    let style = style(gate.verdict);
    let scenarios = rules.first().map_or(0, Vec::len);
    writeln!(
        out,
        "{style}{:<7}{style:#} {}: {}",
        word(gate.verdict),
        gate.name,
        match gate.verdict {
            Verdict::Skipped => String::from("none of its scenarios was selected"),
            Verdict::Pass | Verdict::Stale | Verdict::Missing(_) | Verdict::Fail =>
                counted(scenarios, "scenario"),
        }
    )?;
    for rule in rules {
        writeln!(
            out,
            "        {FAINT}{}: {}{FAINT:#}",
            requirement_words(rule[0]),
            range(&rule)
        )?;
    }
    Ok(())
}

/// Everything about a gate that is not a pass.
fn broken(gate: &GateSummary, file: &str, out: &mut dyn Write) -> io::Result<()> {
    for judgement in &gate.judgements {
        let Some(advice) = advice(judgement, file) else {
            continue;
        };
        let style = style(judgement.verdict);
        writeln!(
            out,
            "\n{style}{}{style:#} {}: {}",
            word(judgement.verdict),
            gate.name,
            judgement.scenario
        )?;
        writeln!(out, "  measured: {}", measured_words(judgement))?;
        writeln!(
            out,
            "  required: {} ({})",
            requirement_words(judgement),
            at(file, judgement.place)
        )?;
        if let Some(accepted) = judgement.baseline {
            writeln!(out, "  baseline: {}", figure(judgement, accepted))?;
        }
        if let Verdict::Missing(absence) = judgement.verdict {
            writeln!(out, "  missing:  {}", absence_words(absence))?;
        }
        if let Some(reason) = &gate.reason {
            writeln!(out, "  reason:   {reason}")?;
        }
        writeln!(
            out,
            "  scenario: {}:{}",
            judgement.location.file, judgement.location.line
        )?;
        writeln!(out, "  next:     {advice}")?;
    }
    if let Verdict::Missing(_) | Verdict::Fail = gate.verdict {
        for (pattern, place) in &gate.unmatched {
            let style = style(gate.verdict);
            writeln!(
                out,
                "\n{style}missing{style:#} {}: no scenario matches `{pattern}` ({})\n  \
                 next:     see `cargo alloc-gate list` for the scenarios, and correct the pattern",
                gate.name,
                at(file, *place)
            )?;
        }
    }
    Ok(())
}

/// `allocs < 5`, `bytes max <= baseline`.
fn requirement_words(judgement: &Judgement) -> String {
    let metric = judgement.metric;
    let requirement = &judgement.requirement;
    match judgement.statistic {
        Statistic::Mean => format!("{metric} {requirement}"),
        statistic @ (Statistic::Min
        | Statistic::Max
        | Statistic::P50
        | Statistic::P99
        | Statistic::First
        | Statistic::Total) => format!("{metric} {statistic} {requirement}"),
    }
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Pass => GOOD,
        Verdict::Fail | Verdict::Missing(_) => BAD,
        Verdict::Stale => DOUBTFUL,
        Verdict::Skipped => FAINT,
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fail => "FAIL",
        Verdict::Pass | Verdict::Missing(_) | Verdict::Stale | Verdict::Skipped => verdict.name(),
    }
}
