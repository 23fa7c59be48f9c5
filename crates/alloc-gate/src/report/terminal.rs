//! The report for terminals and CI logs, with ANSI styles. The caller removes the styles
//! where they are not wanted.

mod failures;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, Table, presets};

use crate::evaluation::{Evaluation, GateSummary, Level, Outcome, Overrides, PivotTable, Verdict};
use crate::figure::counted;
use crate::printable::one_line;
use crate::report::benches::{BenchFigures, benches};
use crate::report::blocks::blocks;
use crate::report::causes::{Cause, causes};
use crate::report::conclusion::{help, reasons, summary_line};
use crate::report::explanation::Explanation;
use crate::report::groups::{BlockGroup, groups};
use crate::report::subjects::Subjects;
use crate::report::summary;
use crate::report::table::MARK;
use crate::report::tables::{PivotText, left_out_words, selected};
use crate::report::view::{Detail, View};
use crate::report::words::{Dialect, environment_words, skip_words};
use crate::results::Origin;
use crate::rules::Reaction;

pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
const HEADING: Style = Style::new().bold();

/// The blocks of a level at most, unless all are asked for.
const MOST_BLOCKS: usize = 20;

/// Writes what `view` shows of the report, without the line of the verdict.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let subjects = Subjects::new(evaluation);
    let is_quiet = view.detail == Detail::Quiet;
    if !is_quiet {
        figures(evaluation, &subjects, view, out)?;
        environment(&evaluation.origins, &evaluation.overrides, out)?;
        tables(&evaluation.tables, out)?;
        gates(evaluation, view, out)?;
    }
    problems(evaluation, &subjects, view, out)
}

/// Writes a line for each bench, with the table of its figures below.
fn figures(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    view: View<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let benches = benches(evaluation, subjects, view);
    if benches.is_empty() {
        return writeln!(out, "no scenario was measured");
    }
    let width = |text: &dyn Fn(&BenchFigures<'_>) -> String| {
        let widths = benches.iter().map(|bench| text(bench).chars().count());
        widths.max().unwrap_or_default()
    };
    let name = |bench: &BenchFigures<'_>| one_line(&bench.bench.to_string());
    let [names, scenarios, gates] = [
        width(&name),
        width(&|bench| bench.scenarios.clone()),
        width(&|bench| bench.gates.clone()),
    ];
    let mut has_marks = false;
    for bench in benches {
        let line = format!(
            "{:<names$}  {:<scenarios$}  {:<gates$}",
            name(&bench),
            bench.scenarios,
            bench.gates
        );
        match bench.holds {
            None => writeln!(out, "{}", line.trim_end())?,
            Some(true) => writeln!(out, "{line}  {GOOD}ok{GOOD:#}")?,
            Some(false) => writeln!(out, "{line}  {BAD}FAILED{BAD:#}")?,
        }
        has_marks |= bench.rows.iter().any(|row| row.is_marked);
        if !bench.rows.is_empty() {
            let rows = bench.rows.into_iter().map(|row| row.cells);
            grid(1, bench.headers, rows, out)?;
        }
    }
    if has_marks {
        writeln!(out, "{MARK}")?;
    }
    Ok(())
}

/// Writes the gates, if that is asked for, or if the reader has to see why none was checked;
/// otherwise only what is easy to miss about those that hold.
fn gates(evaluation: &Evaluation, view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let is_unjudged = evaluation.outcome() == Outcome::NothingJudged;
    if view.detail != Detail::Verbose && !is_unjudged {
        for note in summary::notes(evaluation) {
            writeln!(out, "note: {}", one_line(&note))?;
        }
        return Ok(());
    }
    if evaluation.gates.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for gate in &evaluation.gates {
        self::gate(gate, evaluation.stale, out)?;
    }
    Ok(())
}

/// Writes the failures and warnings, the worst first, with the advice at the end.
fn problems(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    view: View<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lists_all = view.detail == Detail::Verbose;
    let blocks = blocks(evaluation, subjects, lists_all);
    let groups = groups(evaluation, subjects, blocks, lists_all);
    let causes = causes(evaluation, subjects, lists_all);
    let levels = match view.detail {
        Detail::Quiet => &[Level::Deny][..],
        Detail::Normal | Detail::Verbose => &[Level::Deny, Level::Warn],
    };
    let is_shown = |level: &Level| levels.contains(level);
    let mut all = groups.iter().map(BlockGroup::level);
    let mut others = causes.iter().map(|cause| &cause.level);
    if !all.any(|level| is_shown(&level)) && !others.any(is_shown) {
        return Ok(());
    }
    if view.detail != Detail::Quiet {
        writeln!(out)?;
    }
    for level in levels {
        let groups: Vec<&BlockGroup> = groups.iter().filter(|one| one.level() == *level).collect();
        let left_out = match lists_all {
            true => 0,
            false => groups.len().saturating_sub(MOST_BLOCKS),
        };
        for group in groups.iter().take(groups.len() - left_out) {
            failures::write(group, lists_all, out)?;
        }
        if left_out > 0 {
            let left_out = groups.iter().rev().take(left_out);
            let left_out = left_out.map(|group| group.blocks.len()).sum();
            writeln!(
                out,
                "and {}; `-v` shows all",
                counted(left_out, "more scenario")
            )?;
        }
        for cause in causes.iter().filter(|cause| cause.level == *level) {
            self::cause(cause, out)?;
        }
    }
    if let Some(summary) = summary_line(evaluation, subjects) {
        writeln!(out, "{}", one_line(&summary))?;
    }
    for reason in reasons(evaluation) {
        writeln!(out, "note: {}", one_line(&reason))?;
    }
    for help in help(evaluation, view) {
        writeln!(out, "help: {}", one_line(&help))?;
    }
    Ok(())
}

fn cause(cause: &Cause, out: &mut dyn Write) -> io::Result<()> {
    let style = style(cause.level);
    let word = match cause.level {
        Level::Deny => "error",
        Level::Warn => "warning",
    };
    let code = cause.code.map(|code| format!("[{code}]"));
    let code = code.unwrap_or_default();
    for sentence in &cause.sentences {
        writeln!(out, "{style}{word}{code}{style:#}: {}", one_line(sentence))?;
    }
    match &cause.help {
        Some(help) => writeln!(out, "  help: {}", one_line(help)),
        None => Ok(()),
    }
}

fn style(level: Level) -> Style {
    match level {
        Level::Deny => BAD,
        Level::Warn => DOUBTFUL,
    }
}

/// Writes the line of the environment.
pub(super) fn environment(
    origins: &[Origin],
    overrides: &Overrides,
    out: &mut dyn Write,
) -> io::Result<()> {
    match environment_words(origins, overrides, Dialect::PLAIN) {
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
        about,
        details,
    } = explanation;
    let style = style(*level);
    let about = one_line(about);
    writeln!(out, "\n{style}{word}{style:#} {about}")?;
    let width = details.iter().map(|(label, _)| label.len() + 1).max();
    for (label, text) in details {
        let (label, text) = (format!("{label}:"), one_line(text));
        writeln!(out, "  {label:<0$} {text}", width.unwrap_or_default())?;
    }
    Ok(())
}
