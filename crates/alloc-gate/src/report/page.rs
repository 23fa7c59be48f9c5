//! [`Document`]: the baseline's page for people. The tool writes only between its markers and
//! keeps the text around them.

use std::error::Error;
use std::fmt::{self, Write};
use std::ops::Range;

use alloc_results::{BenchId, Metric, Ratio, integer};
use indexmap::IndexSet;

use crate::baseline::{Accepted, AcceptedScenario, Baseline};
use crate::figure::Statistic;
use crate::report::markdown::{code, code_in_cell, escape};
use crate::report::table;
use crate::requirement::rule_words;
use crate::results::{Environment, ScenarioId};
use crate::rules::{BaselineFiles, BaselinePage, Config, Gate};

mod gates;
mod history;

pub use history::HistoryEntry;

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct Document<'d> {
    /// The figures.
    pub baseline: &'d Baseline,
    /// The gates in force.
    pub config: &'d Config,
    /// The files of the baseline.
    pub files: &'d BaselineFiles,
    /// The page, with the benches that it shows.
    pub page: &'d BaselinePage,
}

/// Why a page can't be updated: a mistake in its markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// The line, from 1.
    pub line: usize,
    /// The mistake.
    pub problem: String,
}

/// The parts of a page that the tool writes.
const BLOCKS: [&str; 2] = ["baseline", "reproducing"];

/// The text of a new page between the two blocks.
const OWN_PART: &str = "\
## Read

What these numbers mean, and what was decided because of them. What stands
outside of the markers is yours: `accept` leaves it alone.
";

impl Document<'_> {
    /// The page: `existing` with updated blocks, or a new page.
    ///
    /// # Errors
    ///
    /// If `existing` has a marker without its partner, or one twice, since the block's place
    /// is unclear then.
    pub fn update(&self, existing: Option<&str>) -> Result<String, DocumentError> {
        let Some(existing) = existing else {
            return Ok(format!(
                "# Allocation baseline\n\n{}\n{OWN_PART}\n{}",
                self.block("baseline"),
                self.block("reproducing")
            ));
        };
        let line_break = LineBreak::in_text(existing);
        let mut text = existing.to_owned();
        for name in BLOCKS {
            let block = line_break.apply(&self.block(name));
            match find_block(&text, name)? {
                // The block ends with its end marker, before the line break.
                Some(place) => text.replace_range(place, block.trim_end()),
                // A page without the block gets it at its end.
                None => {
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push_str(line_break.text());
                    }
                    if !text.is_empty() {
                        text.push_str(line_break.text());
                    }
                    text.push_str(&block);
                }
            }
        }
        Ok(text)
    }

    fn block(&self, name: &str) -> String {
        let content = if name == "baseline" {
            self.figures()
        } else {
            self.reproducing()
        };
        format!("{}\n{content}{}\n", begin_marker(name), end_marker(name))
    }

    fn figures(&self) -> String {
        let mut text = format!(
            "<!-- Written by `cargo alloc-gate accept`; changes up to the end marker are lost. -->\n\n\
             Source: `cargo alloc-gate accept` (the commit that records this file); the data is in\n\
             {}.\n",
            code(&self.files.data)
        );
        let shown = self.shown();
        self.gates(&shown, &mut text);
        for accepted in shown.environments() {
            environment(&shown, accepted, &mut text);
        }
        text.push('\n');
        text
    }

    /// The figures that the page shows.
    fn shown(&self) -> Baseline {
        self.baseline.restricted_to(|bench| self.page.shows(bench))
    }

    /// Whether the page shows the gate. A page for some benches shows only gates of their
    /// scenarios.
    fn has(&self, gate: &Gate, shown: &Baseline) -> bool {
        let mut ids = shown
            .environments()
            .iter()
            .flat_map(|accepted| accepted.scenarios.keys());
        self.page.shows_all() || ids.any(|id| gate.includes(&id.bench, &id.name))
    }

    fn gates(&self, shown: &Baseline, text: &mut String) {
        text.push_str("\n## Gates in force\n\n");
        let gates = self.config.gates.iter();
        let gates: Vec<&Gate> = gates.filter(|gate| self.has(gate, shown)).collect();
        if gates.is_empty() {
            let file = code(self.config.file());
            let _ = match self.config.gates.is_empty() {
                true => writeln!(text, "None: {file} has no gate."),
                false => writeln!(text, "None: {file} has no gate of these scenarios."),
            };
            return;
        }
        text.push_str("| gate | scenarios | requires | reason |\n|---|---|---|---|\n");
        for gate in &gates {
            let rules: Vec<String> = gate
                .rules
                .iter()
                .map(|rule| {
                    code_in_cell(&rule_words(&rule.metric, rule.statistic, &rule.requirement))
                })
                .collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                escape(&gate.name),
                gates::scenarios(gate),
                rules.join(", "),
                gate.reason.as_deref().map(escape).unwrap_or_default(),
            );
        }
        gates::waivers(self.config, |gate| self.has(gate, shown), text);
        text.push_str(
            "\n`cargo alloc-gate` exits with code 1 when a figure does not meet what a gate\n\
             requires, and does not exit with 0 when one was not measured.\n",
        );
    }

    fn reproducing(&self) -> String {
        let mut text = String::from("\n## Reproducing\n\n```console\n");
        let shown = self.shown();
        let scenarios = shown
            .environments()
            .iter()
            .flat_map(|accepted| accepted.scenarios.keys());
        let benches: IndexSet<&BenchId> = scenarios.map(|id| &id.bench).collect();
        for bench in benches {
            let _ = writeln!(
                text,
                "$ cargo bench -p {} --bench {}",
                bench.package, bench.target
            );
        }
        text.push_str(
            "$ cargo alloc-gate          # judges by the gates above\n\
             $ cargo alloc-gate accept   # measures, and rewrites this page and its data\n\
             ```\n\n\
             The numbers are the same on every machine with the same target, compiler, profile and\n\
             features, because they count calls and requested bytes, not time.\n",
        );
        text
    }
}

/// The figures of one environment, a table for each bench.
fn environment(baseline: &Baseline, accepted: &Accepted, text: &mut String) {
    let environment = &accepted.environment;
    let features = if environment.features.is_empty() {
        String::from("default")
    } else {
        environment.features.join(" ")
    };
    // Writing to a `String` can't fail.
    let _ = write!(
        text,
        "\n## Baseline ({})\n\n\
     Environment: {}, allocator {}, features {}, debug assertions {}.\n\
     Harness: {}, which counts calls to the allocator.\n",
        escape(&heading(baseline, environment)),
        escape(&environment.rustc),
        code(&environment.allocator),
        escape(&features),
        if environment.debug_assertions {
            "on"
        } else {
            "off"
        },
        escape(&environment.harness),
    );
    let mut benches: Vec<_> = accepted.scenarios.keys().map(|id| &id.bench).collect();
    benches.dedup();
    for bench in benches {
        let scenarios: Vec<_> = accepted
            .scenarios
            .iter()
            .filter(|(id, _)| id.bench == *bench)
            .collect();
        let metrics = table::metrics(scenarios.iter().any(|(_, scenario)| {
            let reallocs = scenario.figure(Metric::Reallocs, Statistic::Max);
            reallocs.is_some_and(|most| most > Ratio::whole(0))
        }));
        let headers = table::headers(metrics);
        let _ = write!(
            text,
            "\n### {}, bench {}\n\n{}\n\n| {} |\n|---|{}\n",
            escape(&bench.package),
            escape(&bench.target),
            warmup(&scenarios),
            headers.join(" | "),
            "---:|".repeat(headers.len() - 1),
        );
        for (id, scenario) in scenarios {
            row(text, &id.name, scenario, metrics);
        }
    }
}

/// The heading of an environment: its profile and target, or all its parts if another
/// environment has the same two.
fn heading(baseline: &Baseline, environment: &Environment) -> String {
    let alike = baseline.environments().iter().filter(|accepted| {
        let other = &accepted.environment;
        other.profile == environment.profile && other.target == environment.target
    });
    if alike.count() > 1 {
        environment.to_string()
    } else {
        format!("{} profile, {}", environment.profile, environment.target)
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Error for DocumentError {}

fn begin_marker(name: &str) -> String {
    format!("<!-- alloc-gate: begin {name} -->")
}

fn end_marker(name: &str) -> String {
    format!("<!-- alloc-gate: end {name} -->")
}

/// The bytes of a block from its begin marker to its end marker. A marker must be a line of
/// its own, so a sentence can mention one.
fn find_block(text: &str, name: &str) -> Result<Option<Range<usize>>, DocumentError> {
    let (begin, end) = (begin_marker(name), end_marker(name));
    let once = |marker: &str| {
        let mut places = lines(text).filter(|(_, line)| line.trim() == marker);
        match (places.next(), places.next()) {
            (_, Some((second, _))) => Err(error(
                text,
                second,
                format!("`{marker}` occurs twice; keep one of them"),
            )),
            (first, None) => Ok(first.map(|(offset, line)| {
                let indent = line.len() - line.trim_start().len();
                offset + indent..offset + indent + marker.len()
            })),
        }
    };
    match (once(&begin)?, once(&end)?) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) if from.start < to.start => Ok(Some(from.start..to.end)),
        (Some(from), _) => Err(error(
            text,
            from.start,
            format!("`{begin}` has no `{end}` after it; restore the line, or delete this one"),
        )),
        (None, Some(to)) => Err(error(
            text,
            to.start,
            format!("`{end}` has no `{begin}` before it; restore the line, or delete this one"),
        )),
    }
}

/// The lines without line breaks, with their offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    text.split('\n').map(move |line| {
        let begin = offset;
        offset += line.len() + 1;
        (begin, line)
    })
}

/// The line break of a page.
#[derive(Clone, Copy)]
enum LineBreak {
    Unix,
    Windows,
}

impl LineBreak {
    /// The line break of the first line.
    fn in_text(text: &str) -> Self {
        match text.split_once('\n') {
            Some((first, _)) if first.ends_with('\r') => Self::Windows,
            Some(_) | None => Self::Unix,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Unix => "\n",
            Self::Windows => "\r\n",
        }
    }

    fn apply(self, block: &str) -> String {
        block.replace('\n', self.text())
    }
}

fn error(text: &str, offset: usize, problem: String) -> DocumentError {
    DocumentError {
        line: text[..offset].matches('\n').count() + 1,
        problem,
    }
}

/// The warm-up of a bench's scenarios, in a sentence.
fn warmup(scenarios: &[(&ScenarioId, &AcceptedScenario)]) -> String {
    let mut warmups: Vec<u64> = scenarios.iter().map(|(_, s)| s.warmup).collect();
    warmups.sort_unstable();
    warmups.dedup();
    match warmups[..] {
        [warmup] => format!(
            "Each scenario runs {} iterations of warm-up before the counted ones.",
            integer(warmup.into())
        ),
        _ => format!(
            "Each scenario runs {} to {} iterations of warm-up before the counted ones.",
            integer(warmups.first().copied().unwrap_or_default().into()),
            integer(warmups.last().copied().unwrap_or_default().into()),
        ),
    }
}

/// Writes a row without padding, so that one long name does not change every line.
fn row(text: &mut String, name: &str, scenario: &AcceptedScenario, metrics: &[Metric]) {
    let cells = table::cells(escape(name), scenario.iterations, metrics, |metric| {
        scenario.figure(metric, Statistic::Mean)
    });
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

#[cfg(test)]
mod tests;
