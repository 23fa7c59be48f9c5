//! The markdown report, for a step summary or a comment. Rows are not padded, so that one
//! long name does not change every line.

use std::io::{self, Write};
use std::mem;

use crate::evaluation::{Evaluation, GateSummary, Level, Overrides, PivotTable, Verdict};
use crate::figure::counted;
use crate::report::blocks::{Block, blocks};
use crate::report::causes::{Cause, causes};
use crate::report::conclusion::{help, reasons, summary_line};
use crate::report::explanation::Explanation;
use crate::report::groups::{BlockGroup, groups};
use crate::report::subjects::Subjects;
use crate::report::table::{MARK, has_marks, headers, metrics_of, row};
use crate::report::tables::{PivotText, left_out_words, selected};
use crate::report::view::View;
use crate::report::words::{Dialect, environment_words, skip_words};
use crate::report::{summary, verdict_line};
use crate::results::{MeasuredScenario, Origin};

mod inline;

use inline::sentence;
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

/// The scenarios whose failures are not folded, the worst ones.
const SHOWN_BLOCKS: usize = 20;

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    titled("Allocation gates", evaluation, out)
}

/// Writes the whole report below this title: what fails first, and all figures folded.
pub(super) fn titled(title: &str, evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    let verdict = verdict_line(evaluation);
    writeln!(out, "## {title}\n\n**{}**", escape(&verdict))?;
    problems(evaluation, out)?;
    tables(&evaluation.tables, out)?;
    let scenarios = counted(evaluation.scenarios.len(), "scenario");
    // Without gates, the figures are what was asked for.
    let open = if evaluation.gates.is_empty() {
        " open"
    } else {
        ""
    };
    writeln!(
        out,
        "\n<details{open}><summary>All figures ({scenarios})</summary>\n"
    )?;
    table(&evaluation.scenarios, out)?;
    environment(&evaluation.origins, &evaluation.overrides, out)?;
    gates(&evaluation.gates, out)?;
    writeln!(out, "\n</details>")
}

/// Writes the failures and warnings, the worst first, with the advice at the end.
fn problems(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    let subjects = Subjects::new(evaluation);
    let blocks = blocks(evaluation, &subjects, true);
    let causes = causes(evaluation, &subjects, true);
    if let Some(summary) = summary_line(evaluation, &subjects) {
        writeln!(out, "\n{}", sentence(&summary))?;
    }
    let groups = groups(evaluation, &subjects, blocks, false);
    let (shown, folded) = groups.split_at(SHOWN_BLOCKS.min(groups.len()));
    blocks_table(shown, out)?;
    if !folded.is_empty() {
        let more = folded.iter().map(|group| group.blocks.len()).sum();
        let more = counted(more, "more scenario");
        writeln!(out, "\n<details><summary>and {more}</summary>")?;
        blocks_table(folded, out)?;
        writeln!(out, "\n</details>")?;
    }
    for level in [Level::Deny, Level::Warn] {
        for cause in causes.iter().filter(|cause| cause.level == level) {
            self::cause(cause, out)?;
        }
    }
    let of_gates = summary::notes(evaluation);
    for note in reasons(evaluation).iter().chain(&of_gates) {
        writeln!(out, "\nnote: {}", sentence(note))?;
    }
    for help in help(evaluation, View::default()) {
        writeln!(out, "\nhelp: {}", sentence(&help))?;
    }
    Ok(())
}

/// Writes the rows of scenarios, and their notes below.
fn blocks_table(groups: &[BlockGroup], out: &mut dyn Write) -> io::Result<()> {
    let blocks = || groups.iter().flat_map(|group| &group.blocks);
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n| verdict | scenario | figure | before -> now | difference | limit |"
    )?;
    writeln!(out, "|---|---|---|---:|---:|---|")?;
    for block in blocks() {
        self::block(block, out)?;
    }
    let notes = blocks().flat_map(|block| {
        let note = |note| sentence(&format!("`{}`: {note}", block.title));
        block.notes.iter().chain(&block.first_operations).map(note)
    });
    for (number, note) in notes.enumerate() {
        let space = if number == 0 { "\n" } else { "" };
        writeln!(out, "{space}- {note}")?;
    }
    for group in groups {
        for lines in group.lines() {
            lines.markdown(out)?;
        }
        if group.shared.is_some() {
            writeln!(
                out,
                "\n<details><summary>The lines of each scenario</summary>"
            )?;
            for (block, lines) in group.blocks.iter().zip(&group.each) {
                writeln!(out, "\n{}", escape(&block.title))?;
                lines.markdown(out)?;
            }
            writeln!(out, "\n</details>")?;
        }
    }
    Ok(())
}

/// Writes the rows of a scenario. The first one names it.
fn block(block: &Block, out: &mut dyn Write) -> io::Result<()> {
    let word = match block.level {
        Level::Deny => format!("**{}**", block.word),
        Level::Warn => block.word.to_owned(),
    };
    let place = code_in_cell(&block.location);
    let mut names = [word, format!("{} {place}", escape(&block.title))];
    for row in &block.rows {
        let [word, scenario] = mem::take(&mut names);
        let point = match &*row.point {
            "" => String::new(),
            point => format!(", {}", escape(point)),
        };
        let before = row.before.as_ref();
        let before = before.map_or_else(String::new, |before| format!("{before} -> "));
        let others = row.others.iter().map(|other| format!("; {other}"));
        let measured = escape(&format!(
            "{before}{}{}",
            row.now,
            others.collect::<String>()
        ));
        let change = row.difference.trim_matches(['(', ')']);
        writeln!(
            out,
            "| {word} | {scenario} | {}{point} | {measured} | {change} | {} |",
            escape(&row.figure),
            escape(&row.limits),
        )?;
    }
    Ok(())
}

/// Writes the sentences of a cause; of many, the first ones and the others folded.
fn cause(cause: &Cause, out: &mut dyn Write) -> io::Result<()> {
    const SHOWN: usize = 5;
    let list = |sentences: &[String], out: &mut dyn Write| -> io::Result<()> {
        for text in sentences {
            writeln!(out, "- {}", sentence(text))?;
        }
        Ok(())
    };
    let word = match cause.level {
        Level::Deny => "error",
        Level::Warn => "warning",
    };
    let code = cause.code.map(|code| format!(" `{code}`"));
    write!(out, "\n**{word}**{}:", code.unwrap_or_default())?;
    match &cause.sentences[..] {
        [only] => writeln!(out, " {}", sentence(only))?,
        all if all.len() <= SHOWN + 1 => {
            writeln!(out, "\n")?;
            list(all, out)?;
        }
        all => {
            let (shown, folded) = all.split_at(SHOWN);
            writeln!(out, "\n")?;
            list(shown, out)?;
            let count = folded.len();
            writeln!(out, "\n<details><summary>and {count} more</summary>\n")?;
            list(folded, out)?;
            writeln!(out, "\n</details>")?;
        }
    }
    match &cause.help {
        Some(help) => writeln!(out, "\nhelp: {}", sentence(help)),
        None => Ok(()),
    }
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
pub(super) fn environment(
    origins: &[Origin],
    overrides: &Overrides,
    out: &mut dyn Write,
) -> io::Result<()> {
    match environment_words(origins, overrides, DIALECT) {
        Some(words) => writeln!(out, "\nEnvironment: {words}"),
        None => Ok(()),
    }
}

/// Writes the tables of the rules, each with a heading.
fn tables(tables: &[PivotTable], out: &mut dyn Write) -> io::Result<()> {
    let (shown, left_out) = selected(tables);
    for table in shown {
        let text = PivotText::from_table(table, DIALECT);
        write!(
            out,
            "\n### {}\n{}",
            escape(&text.heading),
            table_body(&text)
        )?;
    }
    if left_out > 0 {
        writeln!(out, "\n{}", left_out_words(left_out))?;
    }
    Ok(())
}

/// A table with its caption and notes, but without its heading. There is an empty line above
/// each part.
fn table_body(text: &PivotText) -> String {
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

/// Writes the gates that do not hold or were skipped, and the number of those that hold.
fn gates(gates: &[GateSummary], out: &mut dyn Write) -> io::Result<()> {
    let (holding, others): (Vec<_>, Vec<_>) =
        gates.iter().partition(|gate| gate.verdict == Verdict::Pass);
    if !others.is_empty() {
        writeln!(
            out,
            "\n| gate | verdict | scenarios | requires | measured |\n|---|---|---:|---|---|"
        )?;
    }
    for gate in others {
        self::gate(gate, out)?;
    }
    match holding.len() {
        0 => Ok(()),
        1 => writeln!(out, "\n1 gate holds."),
        count => writeln!(out, "\n{} hold.", counted(count, "gate")),
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
        about,
        details,
    } = explanation;
    writeln!(out, "\n**{word}** {about}\n")?;
    for (label, text) in details {
        writeln!(out, "- {label}: {text}")?;
    }
    Ok(())
}
