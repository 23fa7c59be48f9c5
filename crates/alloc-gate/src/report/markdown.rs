//! The markdown report, for a step summary or a comment. Rows are not padded, so
//! that one long name does not rewrite every line.

use std::io::{self, Write};

use alloc_results::Metric;

use super::table::{HEADERS, MARK, has_marks, row};
use super::{absence_words, advice, at, figure, measured_words, remark_words, verdict_line};
use crate::evaluation::{Evaluation, GateSummary, Judgement, Level};
use crate::measurements::Measured;
use crate::{Requirement, Statistic, Verdict};

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Allocation gates\n\n{}\n", verdict_line(evaluation))?;
    table(&evaluation.scenarios, out)?;
    if !evaluation.gates.is_empty() {
        writeln!(
            out,
            "\n| gate | verdict | scenarios | requires | measured |\n|---|---|---:|---|---|"
        )?;
        for gate in &evaluation.gates {
            self::gate(gate, out)?;
        }
    }
    for gate in &evaluation.gates {
        broken(gate, evaluation, out)?;
    }
    for finding in &evaluation.findings {
        let level = match finding.level {
            Level::Deny => "denied",
            Level::Warn => "warning",
        };
        let (what, next) = remark_words(&finding.remark);
        let code = finding.remark.code();
        writeln!(out, "\n**{level}** `{code}`: {} ({next})", escape(&what))?;
    }
    Ok(())
}

/// Writes the table of measured figures.
///
/// # Errors
///
/// When `out` can't be written.
pub fn table(scenarios: &[Measured], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| {} |", HEADERS.join(" | "))?;
    writeln!(out, "|---|---:|---:|---:|---:|")?;
    for measured in scenarios {
        let cells = row(measured).map(|cell| escape(&cell));
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    if has_marks(scenarios) {
        writeln!(out, "\n{}", escape(MARK))?;
    }
    Ok(())
}

fn gate(gate: &GateSummary, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: Vec<(String, Vec<&Judgement>)> = Vec::new();
    let mut scenarios: Vec<&str> = Vec::new();
    for judgement in &gate.judgements {
        let rule = requires(
            judgement.metric,
            judgement.statistic,
            &judgement.requirement,
        );
        match rules.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, judgements)) => judgements.push(judgement),
            None => rules.push((rule, vec![judgement])),
        }
        if scenarios.last() != Some(&judgement.scenario.as_str()) {
            scenarios.push(&judgement.scenario);
        }
    }
    let (rules, ranges): (Vec<String>, Vec<String>) = rules
        .into_iter()
        .map(|(rule, judgements)| (rule, range(&judgements)))
        .unzip();
    writeln!(
        out,
        "| {} | {} | {} | {} | {} |",
        escape(&gate.name),
        verdict_words(gate.verdict),
        scenarios.len(),
        rules.join("; "),
        ranges.join("; "),
    )
}

/// The smallest and the largest figure: `1.00 to 4.00`, or the one there is.
pub(super) fn range(judgements: &[&Judgement]) -> String {
    let measured = |judgement: &&&Judgement| judgement.measured;
    let low = judgements
        .iter()
        .filter(|j| j.measured.is_some())
        .min_by_key(measured);
    let high = judgements
        .iter()
        .filter(|j| j.measured.is_some())
        .max_by_key(measured);
    let show = |judgement: &Judgement| judgement.measured.map(|value| figure(judgement, value));
    match (low.and_then(|j| show(j)), high.and_then(|j| show(j))) {
        (Some(low), Some(high)) if low == high => low,
        (Some(low), Some(high)) => format!("{low} to {high}"),
        _ => String::from("not measured"),
    }
}

fn broken(gate: &GateSummary, evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    let file = &evaluation.config_file;
    for judgement in &gate.judgements {
        let Some(advice) = advice(judgement, file) else {
            continue;
        };
        writeln!(
            out,
            "\n**{}** {}: {}\n",
            judgement.verdict,
            escape(&gate.name),
            code(&judgement.scenario)
        )?;
        writeln!(out, "- measured: {}", measured_words(judgement))?;
        writeln!(
            out,
            "- required: {} ({})",
            requires(
                judgement.metric,
                judgement.statistic,
                &judgement.requirement
            ),
            at(file, judgement.place)
        )?;
        if let Some(accepted) = judgement.baseline {
            writeln!(out, "- baseline: {}", figure(judgement, accepted))?;
        }
        if let Verdict::Missing(absence) = judgement.verdict {
            writeln!(out, "- missing: {}", absence_words(absence))?;
        }
        if let Some(reason) = &gate.reason {
            writeln!(out, "- reason: {}", escape(reason))?;
        }
        writeln!(
            out,
            "- scenario: {}:{}",
            judgement.location.file, judgement.location.line
        )?;
        writeln!(out, "- next: {advice}")?;
    }
    if let Verdict::Missing(_) | Verdict::Fail = gate.verdict {
        for (pattern, place) in &gate.unmatched {
            writeln!(
                out,
                "\n**missing** {}: no scenario matches {} ({})",
                escape(&gate.name),
                code(pattern),
                at(file, *place)
            )?;
        }
    }
    Ok(())
}

fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "**fail**",
        Verdict::Stale => "stale",
        Verdict::Missing(_) => "**missing**",
        Verdict::Skipped => "skipped",
    }
}

/// `allocs < 5`, `bytes max <= baseline`, as code.
pub(crate) fn requires(metric: Metric, statistic: Statistic, requirement: &Requirement) -> String {
    match statistic {
        Statistic::Mean => format!("`{metric} {requirement}`"),
        Statistic::Min
        | Statistic::Max
        | Statistic::P50
        | Statistic::P99
        | Statistic::First
        | Statistic::Total => format!("`{metric} {statistic} {requirement}`"),
    }
}

/// Text that stands in a cell as it is: what would end the cell or begin markup
/// is escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            '|' | '\\' | '`' | '*' | '[' | ']' | '<' | '>' => {
                escaped.push('\\');
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Text as code in a cell. In code nothing is escaped but the cell's own `|`;
/// a backtick needs a longer fence.
pub(crate) fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_cell() {
        assert_eq!(escape("a|b\nc*"), "a\\|b c\\*");
        assert_eq!(
            escape("write_message::encode (Int32)"),
            "write_message::encode (Int32)"
        );
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
