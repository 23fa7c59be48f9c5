//! [`BaselineDocument`]: the baseline's page for people. The tool writes only between its markers and
//! keeps the text around them.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use alloc_results::{BenchId, Metric, Ratio, integer, mean};
use indexmap::IndexSet;

use crate::baseline::{Accepted, AcceptedScenario, Baseline};
use crate::measure::{Measure, Statistic, counted_exactly};
use crate::printable::quoted;
use crate::report::check::values;
use crate::report::text::{Block, Line, Look, foreign, left, right};
use crate::report::write;
use crate::results::Environment;
use crate::results::names::ScenarioId;
use crate::rules::{BaselineFiles, Config, Gate, Pattern};

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct BaselineDocument<'d> {
    /// The values.
    pub baseline: &'d Baseline,
    /// The gates in force.
    pub config: &'d Config,
    pub files: &'d BaselineFiles,
}

/// Why a page can't be updated: a mistake in its markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// The line, from 1.
    pub line: usize,
    /// The mistake.
    pub problem: String,
}

/// The text of a new page between the two blocks.
const OWN_PART: &str = "\
## Read

What these numbers mean, and what was decided because of them. What stands
outside of the markers is yours: `accept` leaves it alone.
";

impl BaselineDocument<'_> {
    /// The page: `existing` with updated blocks, or a new page.
    ///
    /// # Errors
    ///
    /// If `existing` has a marker without its partner, or one twice, since the block's place
    /// is unclear then.
    pub fn update(&self, existing: Option<&str>) -> Result<String, DocumentError> {
        let blocks = [
            ("baseline", self.values()),
            ("reproducing", reproducing(self.baseline)),
        ];
        let blocks = blocks.map(|(name, content)| {
            let block = format!("{}\n{content}{}\n", begin_marker(name), end_marker(name));
            (name, block)
        });
        let Some(existing) = existing else {
            let [(_, baseline), (_, reproducing)] = blocks;
            return Ok(format!(
                "# Allocation baseline\n\n{baseline}\n{OWN_PART}\n{reproducing}"
            ));
        };
        let line_break = line_break(existing);
        let mut text = existing.to_owned();
        for (name, block) in blocks {
            let block = block.replace('\n', line_break);
            match find_block(&text, name)? {
                // The block ends with its end marker, before the line break.
                Some(place) => text.replace_range(place, block.trim_end()),
                // A page without the block gets it at its end.
                None => {
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push_str(line_break);
                    }
                    if !text.is_empty() {
                        text.push_str(line_break);
                    }
                    text.push_str(&block);
                }
            }
        }
        Ok(text)
    }

    fn values(&self) -> String {
        let data = quoted(&self.files.data);
        let mut blocks = vec![Block::Lines(vec![
            "Source: `cargo alloc-gate accept` (the commit that records this file); the data is in"
                .into(),
            format!("{data}.").into(),
        ])];
        blocks.extend(self.gates());
        let environments = self.baseline.environments().iter();
        blocks.extend(environments.flat_map(|accepted| environment(self.baseline, accepted)));
        format!(
            "<!-- Written by `cargo alloc-gate accept`; changes up to the end marker are lost. -->\n\n\
             {}\n",
            markdown(&blocks)
        )
    }

    fn gates(&self) -> [Block; 3] {
        let title = Block::Title(1, "Gates in force".into());
        let rows: Vec<Vec<Line>> = self.config.gates.iter().map(gate_row).collect();
        let below = if rows.is_empty() {
            let file = quoted(self.config.file());
            Block::Line(format!("None: {file} has no gate.").into())
        } else {
            Block::Lines(vec![
                "`cargo alloc-gate` exits with code 1 when a value does not meet what a gate"
                    .into(),
                "requires, and does not exit with 0 when one was not measured.".into(),
            ])
        };
        let titles = ["gate", "scenarios", "requires", "reason"].map(left);
        [title, Block::table(Look::Grid, titles.into(), rows), below]
    }
}

fn markdown(blocks: &[Block]) -> String {
    let mut text = Vec::new();
    // Writing to a vector can't fail.
    let _ = write::markdown(blocks, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn ids(baseline: &Baseline) -> impl Iterator<Item = &ScenarioId> {
    let environments = baseline.environments().iter();
    environments.flat_map(|accepted| accepted.scenarios.keys())
}

fn reproducing(shown: &Baseline) -> String {
    let benches: IndexSet<&BenchId> = ids(shown).map(|id| &id.bench).collect();
    let benches = benches.into_iter();
    let benches =
        benches.map(|it| format!("$ cargo bench -p {} --bench {}", it.package, it.target));
    let commands = [
        "$ cargo alloc-gate          # judges by the gates above",
        "$ cargo alloc-gate accept   # measures, and rewrites this page and its data",
    ];
    let commands = benches.chain(commands.map(String::from));
    let blocks = [
        Block::Title(1, "Reproducing".into()),
        Block::Code("console", commands.collect()),
        Block::Lines(vec![
            "The numbers are the same on every machine with the same target, compiler, profile and"
                .into(),
            "features, because they count calls and requested bytes, not time.".into(),
        ]),
    ];
    format!("\n{}", markdown(&blocks))
}

/// The values of one environment, a table for each bench.
fn environment(baseline: &Baseline, accepted: &Accepted) -> Vec<Block> {
    let environment = &accepted.environment;
    let features = match &environment.features[..] {
        [] => String::from("default"),
        features => features.join(" "),
    };
    let assertions = if environment.debug_assertions {
        "on"
    } else {
        "off"
    };
    let title = heading(baseline, environment);
    let (rustc, allocator) = (&environment.rustc, quoted(&environment.allocator));
    let mut blocks = vec![
        Block::Title(1, format!("Baseline ({title})").into()),
        Block::Lines(vec![
            format!(
                "Environment: {rustc}, allocator {allocator}, features {features}, debug \
                 assertions {assertions}."
            )
            .into(),
            format!(
                "Harness: {}, which counts calls to the allocator.",
                environment.harness
            )
            .into(),
        ]),
    ];
    let mut benches: Vec<_> = accepted.scenarios.keys().map(|id| &id.bench).collect();
    benches.dedup();
    for bench in benches {
        let scenarios = accepted.scenarios.iter();
        let scenarios: Vec<_> = scenarios.filter(|(id, _)| id.bench == *bench).collect();
        let title = format!("{}, bench {}", bench.package, bench.target);
        blocks.extend([
            Block::Title(2, title.into()),
            Block::Line(warmup(&scenarios).into()),
            values(&scenarios),
        ]);
    }
    blocks
}

/// The table of a bench's values.
fn values(scenarios: &[(&ScenarioId, &AcceptedScenario)]) -> Block {
    let metrics = values::metrics(scenarios.iter().any(|(_, scenario)| {
        let reallocs = scenario.value(Metric::Reallocs, Statistic::Max);
        reallocs.is_some_and(|most| most > Ratio::whole(0))
    }));
    let rows = scenarios.iter().map(|(id, scenario)| {
        let values = metrics.iter().map(|&metric| {
            let value = scenario.value(metric, Statistic::Mean);
            let decimals = if Measure::from(metric).is_bytes() {
                0
            } else {
                2
            };
            value.map_or_else(|| String::from("-"), |value| mean(value, decimals))
        });
        let names = [id.name.clone(), integer(scenario.iterations.into())];
        names.into_iter().chain(values).map(foreign).collect()
    });
    let titles = metrics.iter().map(|metric| right(&format!("{metric}/op")));
    let columns = [left("scenario"), right("iters")].into_iter().chain(titles);
    Block::table(Look::Grid, columns.collect(), rows.collect())
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
    let markers = lines(text).filter_map(|(offset, line)| {
        let marker = line.trim();
        let at = offset + line.len() - line.trim_start().len();
        (marker == begin || marker == end).then_some((marker, at))
    });
    let markers: Vec<_> = markers.collect();
    let at = match markers[..] {
        [] => return Ok(None),
        [(one, from), (other, to)] if one == begin && other == end => {
            return Ok(Some(from..to + end.len()));
        }
        [_, _, (_, further), ..] => further,
        [(_, first), ..] => first,
    };
    Err(DocumentError {
        line: text[..at].matches('\n').count() + 1,
        problem: format!("one `{begin}` and then one `{end}` are needed, each on a line alone"),
    })
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

fn line_break(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

/// The warm-up of a bench's scenarios, in a sentence.
fn warmup(scenarios: &[(&ScenarioId, &AcceptedScenario)]) -> String {
    let warmups = || scenarios.iter().map(|(_, scenario)| scenario.warmup);
    let [least, most] = [warmups().min(), warmups().max()].map(Option::unwrap_or_default);
    let from = (least < most).then(|| format!("{} to ", integer(least.into())));
    format!(
        "Each scenario runs {}{} of warm-up before the counted ones.",
        from.unwrap_or_default(),
        counted_exactly(most, "iteration")
    )
}

fn gate_row(gate: &Gate) -> Vec<Line> {
    let listed = |patterns: &[Pattern]| {
        let patterns = patterns.iter().map(|pattern| quoted(pattern.text()));
        patterns.collect::<Vec<_>>().join(", ")
    };
    let rules: Vec<String> = gate
        .rules
        .iter()
        .map(|rule| quoted(&rule.words()))
        .collect();
    let mut scenarios = listed(&gate.filter.scenarios);
    if !gate.filter.exclude.is_empty() {
        scenarios.push_str(&format!(" but not {}", listed(&gate.filter.exclude)));
    }
    // The benches and the condition: `, package = "codec", cfg(unix)`.
    let keys = gate.filter.benches.keys();
    let keys = keys.map(|(key, glob)| format!("{key} = {:?}", glob.text()));
    let condition = (!gate.condition.is_empty()).then(|| gate.condition.to_string());
    for limit in keys.chain(condition) {
        scenarios.push_str(&format!(", {}", quoted(&limit)));
    }
    vec![
        foreign(&gate.name),
        scenarios.into(),
        rules.join(", ").into(),
        gate.reason.as_ref().map(foreign).into(),
    ]
}

#[cfg(test)]
mod tests;
