//! Reports of a [`History`]: a table for each scenario.

use std::io::{self, ErrorKind, Write};

use alloc_results::{Metric, Ratio};
use indexmap::IndexMap;

use crate::baseline::AcceptedScenario;
use crate::figure::{Measure, Statistic, counted, float};
use crate::history::{History, Revision, ScenarioHistory};
use crate::report::change::{difference, is_implied, plain_figure};
use crate::report::document::{Block, Document, Line, left, right, words};
use crate::report::export::csv;
use crate::report::export::json::object::Object;
use crate::report::export::trend::trend;
use crate::report::format::{Contents, Format};
use crate::report::words::short;

/// The version of the JSON format. Adding a field does not change it.
const SCHEMA: u32 = 1;

/// A history, and whether those scenarios are shown, too, that never changed.
#[derive(Clone, Copy, Debug)]
pub struct HistoryReport<'h> {
    /// The history.
    pub history: &'h History<'h>,
    /// Whether scenarios that never changed are shown.
    pub lists_all: bool,
}

impl Contents for HistoryReport<'_> {
    fn document(self, _is_page: bool) -> Document {
        let History {
            revisions,
            scenarios,
        } = self.history;
        let title = words!("History of the accepted figures");
        let mut blocks = vec![Block::Page(vec![Block::Heading(2, title)])];
        let is_of_several = |one: &ScenarioHistory<'_>| scenarios[0].environment != one.environment;
        let is_of_several = scenarios.iter().any(is_of_several);
        let mut unchanged = 0;
        for scenario in scenarios {
            if scenario.states.len() < 2 && !self.lists_all {
                unchanged += 1;
                continue;
            }
            let environment = is_of_several.then(|| words!(" ({})", scenario.environment));
            let title = words!("{}{}", &scenario.label, environment);
            if blocks.len() > 1 {
                blocks.push(Block::Space);
            }
            blocks.extend([Block::Heading(3, title), table(scenario, revisions)]);
            blocks.extend(self.trends(scenario));
        }
        if unchanged > 0 {
            let scenarios = counted(unchanged, "scenario");
            let line = words!("{} never changed", scenarios);
            blocks.extend([Block::Space, line.into()]);
        }
        blocks
    }

    fn export(self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        if format == Format::Csv {
            return csv::history(&self, out);
        }
        Err(ErrorKind::Unsupported.into())
    }

    fn json(self) -> Object {
        let revisions = self.history.revisions;
        let scenarios = self.history.scenarios.iter();
        let scenarios = scenarios.map(|scenario| {
            let changes = changes(scenario).into_iter().map(|(number, figures)| {
                let figures = figures.into_iter().flatten();
                let figures = figures.map(|figure| {
                    Object::default()
                        .with_figure(figure.metric.name(), Statistic::Mean)
                        .with("before", figure.before)
                        .with("accepted", figure.now)
                });
                let Revision {
                    commit,
                    date,
                    subject,
                    ..
                } = &revisions[number];
                Object::default()
                    .with("commit", commit.as_deref())
                    .with("date", date)
                    .with("subject", subject)
                    // Without figures, the scenario was removed.
                    .with_list("figures", figures)
            });
            Object::default()
                .with("scenario", &scenario.label)
                .with_bench(&scenario.id.bench)
                .with("environment", scenario.environment.to_string())
                .with_list("changes", changes)
        });
        Object::default()
            .with("schema", SCHEMA)
            .with_list("scenarios", scenarios)
    }
}

impl HistoryReport<'_> {
    /// A picture of each metric, for a browser.
    fn trends(&self, scenario: &ScenarioHistory<'_>) -> Document {
        let mut trends: IndexMap<Measure, Vec<Option<f64>>> = IndexMap::new();
        for (metric, _, mean) in self.means(scenario) {
            trends.entry(metric).or_default().push(mean.map(float));
        }
        let trends = trends.into_iter().filter(|(_, figures)| figures.len() > 1);
        let trends = trends.map(|(metric, figures)| trend(metric.name(), &figures));
        trends.map(Block::Picture).collect()
    }

    /// Each shown metric of a scenario with the number of each revision that changed the scenario
    /// and the mean since then.
    pub(super) fn means<'s>(
        &self,
        scenario: &'s ScenarioHistory<'_>,
    ) -> impl Iterator<Item = (Measure, usize, Option<Ratio>)> + use<'s> {
        metrics(scenario).into_iter().flat_map(|metric| {
            let states = scenario.states.iter();
            let mean = |row: Option<&AcceptedScenario>| row?.figure_of(&metric, Statistic::Mean);
            let means = states.map(|&(number, row)| (metric.clone(), number, mean(row)));
            means.collect::<Vec<_>>()
        })
    }
}

/// A figure since a revision, and the one before.
struct Figure {
    metric: Measure,
    before: Option<Ratio>,
    now: Option<Ratio>,
}

impl Figure {
    /// `4 (+1)`, `4`.
    fn words(&self) -> String {
        let unit = self.metric.unit();
        let plain = |figure| plain_figure(unit, figure);
        let now = self.now.map_or_else(|| String::from("-"), plain);
        match self.before.zip(self.now) {
            Some((before, here)) if before != here => {
                format!("{now} ({})", difference(unit, before, here))
            }
            Some(_) | None => now,
        }
    }
}

/// The metrics that are shown of a scenario: those that changed, without those that follow from
/// them; or else those of the tables of figures.
fn metrics(scenario: &ScenarioHistory<'_>) -> Vec<Measure> {
    let changing = scenario.changing.iter();
    let counted: Vec<Metric> = changing.clone().filter_map(Measure::counted).collect();
    let is_shown = |measure: &&Measure| {
        let metric = measure.counted();
        metric.is_none_or(|metric| !is_implied(metric, &counted))
    };
    let shown: Vec<Measure> = changing.filter(is_shown).cloned().collect();
    match shown[..] {
        [] => vec![Metric::Allocs.into(), Metric::Bytes.into()],
        _ => shown,
    }
}

/// The number of each revision that changed the scenario, and the figures since; `None` if it was
/// removed.
fn changes(scenario: &ScenarioHistory<'_>) -> Vec<(usize, Option<Vec<Figure>>)> {
    let mean =
        |row: Option<&AcceptedScenario>, metric: &Measure| row?.figure_of(metric, Statistic::Mean);
    let mut before = None;
    let mut changes = Vec::new();
    for &(number, row) in &scenario.states {
        let figures = row.map(|_| {
            let metrics = metrics(scenario).into_iter();
            let figures = metrics.map(|metric| Figure {
                before: mean(before, &metric),
                now: mean(row, &metric),
                metric,
            });
            figures.collect()
        });
        changes.push((number, figures));
        before = row;
    }
    changes
}

fn table(scenario: &ScenarioHistory<'_>, revisions: &[Revision]) -> Block {
    let metrics = metrics(scenario);
    let names = metrics.iter().map(|metric| right(metric.to_string()));
    let titles = [left("commit"), left("date")].into_iter().chain(names);
    let titles: Vec<_> = titles.chain([left("subject")]).collect();
    let rows = changes(scenario).into_iter().map(|(number, figures)| {
        let revision = &revisions[number];
        let commit: Line = match &revision.commit {
            Some(commit) => Line::from(short(commit)),
            None => words!("not committed"),
        };
        let figures = figures.map(|all| all.iter().map(Figure::words).collect());
        let removed = || vec![String::from("removed"); metrics.len()];
        let figures: Vec<String> = figures.unwrap_or_else(removed);
        let mut cells = vec![commit, (&revision.date).into()];
        cells.extend(figures.into_iter().map(Line::from));
        cells.push((&revision.subject).into());
        cells
    });
    Block::table(titles, rows)
}
