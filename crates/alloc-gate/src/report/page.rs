//! [`BaselineDocument`]: the baseline's page for people. The tool writes only between its markers and
//! keeps the text around them.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use alloc_results::{BenchId, Metric, Ratio, integer};
use indexmap::IndexSet;

use crate::baseline::{Accepted, AcceptedScenario, Baseline};
use crate::figure::Statistic;
use crate::report::document::{Block, Document, Foreign, Line, left, name, words};
use crate::report::words::low_to_high;
use crate::report::{table, write};
use crate::results::Environment;
use crate::results::names::ScenarioId;
use crate::rules::{BaselineFiles, BenchFilter, Condition, Config, Gate, Pattern};

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct BaselineDocument<'d> {
    /// The figures.
    pub baseline: &'d Baseline,
    /// The gates in force.
    pub config: &'d Config,
    /// The files of the baseline.
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
            ("baseline", self.figures()),
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

    fn figures(&self) -> String {
        let source = Block::Lines(vec![
            words!(
                "Source: `cargo alloc-gate accept` (the commit that records this file); the data \
                 is in"
            ),
            words!("{}.", name(&self.files.data)),
        ]);
        let mut blocks = vec![source];
        blocks.extend(self.gates());
        let environments = self.baseline.environments().iter();
        blocks.extend(environments.flat_map(|accepted| environment(self.baseline, accepted)));
        format!(
            "<!-- Written by `cargo alloc-gate accept`; changes up to the end marker are lost. -->\n\n\
             {}\n",
            write::page(&blocks)
        )
    }

    fn gates(&self) -> Document {
        let title = Block::Heading(2, words!("Gates in force"));
        let rows: Vec<Vec<Line>> = self.config.gates.iter().map(gate_row).collect();
        if rows.is_empty() {
            let none = words!("None: {} has no gate.", name(self.config.file()));
            return vec![title, none.into()];
        }
        let titles = ["gate", "scenarios", "requires", "reason"];
        let mut blocks = vec![title, Block::table(titles.map(left), rows)];
        blocks.push(Block::Lines(vec![
            words!("`cargo alloc-gate` exits with code 1 when a figure does not meet what a gate"),
            words!("requires, and does not exit with 0 when one was not measured."),
        ]));
        blocks
    }
}

/// The scenarios of all environments.
fn ids(baseline: &Baseline) -> impl Iterator<Item = &ScenarioId> {
    let environments = baseline.environments().iter();
    environments.flat_map(|accepted| accepted.scenarios.keys())
}

fn reproducing(shown: &Baseline) -> String {
    let benches: IndexSet<&BenchId> = ids(shown).map(|id| &id.bench).collect();
    let benches = benches.into_iter().map(|bench| {
        format!(
            "$ cargo bench -p {} --bench {}",
            bench.package, bench.target
        )
    });
    let commands = [
        "$ cargo alloc-gate          # judges by the gates above",
        "$ cargo alloc-gate accept   # measures, and rewrites this page and its data",
    ];
    let commands = benches.chain(commands.map(String::from)).map(Foreign::from);
    let blocks = [
        Block::Heading(2, words!("Reproducing")),
        Block::Preformatted("console", commands.collect()),
        Block::Lines(vec![
            words!(
                "The numbers are the same on every machine with the same target, compiler, \
                 profile and"
            ),
            words!("features, because they count calls and requested bytes, not time."),
        ]),
    ];
    format!("\n{}", write::page(&blocks))
}

/// The figures of one environment, a table for each bench.
fn environment(baseline: &Baseline, accepted: &Accepted) -> Document {
    let environment = &accepted.environment;
    let features = if environment.features.is_empty() {
        String::from("default")
    } else {
        environment.features.join(" ")
    };
    let assertions = if environment.debug_assertions {
        "on"
    } else {
        "off"
    };
    let title = heading(baseline, environment);
    let mut blocks = vec![
        Block::Heading(2, words!("Baseline ({})", title)),
        Block::Lines(vec![
            words!(
                "Environment: {}, allocator {}, features {}, debug assertions {}.",
                &environment.rustc,
                name(&environment.allocator),
                features,
                assertions
            ),
            words!(
                "Harness: {}, which counts calls to the allocator.",
                &environment.harness
            ),
        ]),
    ];
    let mut benches: Vec<_> = accepted.scenarios.keys().map(|id| &id.bench).collect();
    benches.dedup();
    for bench in benches {
        let scenarios: Vec<_> = accepted
            .scenarios
            .iter()
            .filter(|(id, _)| id.bench == *bench)
            .collect();
        let title = words!("{}, bench {}", &bench.package, &bench.target);
        blocks.extend([
            Block::Heading(3, title),
            Block::Line(warmup(&scenarios).into()),
            figures(&scenarios),
        ]);
    }
    blocks
}

/// The table of a bench's figures.
fn figures(scenarios: &[(&ScenarioId, &AcceptedScenario)]) -> Block {
    let metrics = table::metrics(scenarios.iter().any(|(_, scenario)| {
        let reallocs = scenario.figure(Metric::Reallocs, Statistic::Max);
        reallocs.is_some_and(|most| most > Ratio::whole(0))
    }));
    let rows = scenarios.iter().map(|(id, scenario)| {
        let figure = |metric| scenario.figure(metric, Statistic::Mean);
        table::cells(id.name.clone(), scenario.iterations, metrics, figure)
    });
    table::figures(table::headers(metrics), rows)
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
    let error = |offset: usize, problem: String| DocumentError {
        line: text[..offset].matches('\n').count() + 1,
        problem,
    };
    let once = |marker: &str| {
        let mut places = lines(text).filter(|(_, line)| line.trim() == marker);
        match (places.next(), places.next()) {
            (_, Some((second, _))) => {
                let problem = format!("`{marker}` occurs twice; keep one of them");
                Err(error(second, problem))
            }
            (first, None) => Ok(first.map(|(offset, line)| {
                let indent = line.len() - line.trim_start().len();
                offset + indent..offset + indent + marker.len()
            })),
        }
    };
    let (at, [marker, other], side) = match (once(&begin)?, once(&end)?) {
        (None, None) => return Ok(None),
        (Some(from), Some(to)) if from.start < to.start => return Ok(Some(from.start..to.end)),
        (Some(from), _) => (from.start, [&begin, &end], "after"),
        (None, Some(to)) => (to.start, [&end, &begin], "before"),
    };
    let lacks = format!("`{marker}` has no `{other}` {side} it");
    let problem = format!("{lacks}; restore the line, or delete this one");
    Err(error(at, problem))
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

/// The line break of a page: that of its first line.
fn line_break(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

/// The warm-up of a bench's scenarios, in a sentence.
fn warmup(scenarios: &[(&ScenarioId, &AcceptedScenario)]) -> String {
    let warmups = || scenarios.iter().map(|(_, scenario)| scenario.warmup);
    let [least, most] =
        [warmups().min(), warmups().max()].map(|one| integer(one.unwrap_or_default().into()));
    format!(
        "Each scenario runs {} iterations of warm-up before the counted ones.",
        low_to_high(least, most)
    )
}

fn gate_row(gate: &Gate) -> Vec<Line> {
    let rules = gate.rules.iter();
    let rules = rules.map(|rule| name(rule.words()));
    let exclude = match &gate.filter.exclude[..] {
        [] => Line::default(),
        exclude => words!(" but not {}", listed(exclude)),
    };
    vec![
        Line::from(&gate.name),
        words!(
            "{}{}{}",
            listed(&gate.filter.scenarios),
            exclude,
            limited(&gate.filter.benches, &gate.condition)
        ),
        Line::joined(rules, ", "),
        gate.reason.as_ref().map(Line::from).into(),
    ]
}

/// The benches and the condition: `, package = "codec", cfg(unix)`.
fn limited(filter: &BenchFilter, condition: &Condition) -> Line {
    let keys = filter.keys();
    let keys = keys.map(|(key, glob)| format!("{key} = {:?}", glob.text()));
    let condition = (!condition.is_empty()).then(|| condition.to_string());
    let all = keys.chain(condition);
    let all: Vec<Line> = all.map(|one| words!(", {}", name(one))).collect();
    Line::joined(all, "")
}

fn listed(patterns: &[Pattern]) -> Line {
    Line::joined(patterns.iter().map(|pattern| name(pattern.text())), ", ")
}

#[cfg(test)]
mod tests;
