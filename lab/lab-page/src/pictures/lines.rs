//! Plots of net time over an axis of numbers, such as threads or sizes: a panel for each
//! family, with the system's allocator in each.

use super::labels;
use super::scale::{Log, tick};
use super::svg::{Anchor, Rect, Svg, Text, family_class, number};
use super::text_width::text_width;
use crate::facts::{self, Family};
use crate::grid::main_run;
use crate::results::{Cell, Results};
use crate::summary::{BASELINE, Summary, headline, noise};

const MARGIN: f64 = 16.0;
const TOP: f64 = 64.0;
/// The size of a panel with its labels.
const PANEL: (f64, f64) = (500.0, 330.0);
/// The parts of a panel around its axes: left, top, below.
const AROUND: (f64, f64, f64) = (52.0, 30.0, 46.0);
const LABEL_SIZE: f64 = 12.0;
/// Between the end of a line and its label.
const LEADER: f64 = 16.0;
/// Smaller net times are drawn here, in nanoseconds: they are mostly the error of the floor.
const SMALLEST: f64 = 0.5;
const SMALLEST_NOTE: &str = "0.5 ns stands for all that is less.";

/// What a plot shows.
#[derive(Clone, Copy, Debug)]
pub struct LinePlot {
    /// The title.
    pub title: &'static str,
    /// Beneath the title.
    pub subtitle: &'static str,
    /// The workload.
    pub workload: &'static str,
    /// The values of its other axes.
    pub fixed: &'static [(&'static str, &'static str)],
    /// The axis with numbers.
    pub axis: &'static str,
    /// Its name beneath the plot.
    pub label: &'static str,
    /// Whether the values are bytes.
    pub is_bytes: bool,
    /// Whether the values are threads, of which only some can run at once.
    pub is_threads: bool,
}

/// Time over threads.
pub const THREADS: LinePlot = LinePlot {
    title: "Pairs of blocks on several threads",
    subtitle: "Time of a pair of each thread with its loop, blocks of 16 to 2,048 bytes. A flat \
               line scales perfectly until the cores are used up. Less is faster.",
    workload: "concurrent",
    fixed: &[("sizes", "mixed")],
    axis: "threads",
    label: "threads",
    is_bytes: false,
    is_threads: true,
};

/// Time over sizes.
pub const SIZES: LinePlot = LinePlot {
    title: "Pairs of blocks by size",
    subtitle: "Net time of taking a block and giving it back, one block live, its memory \
               untouched. Less is faster.",
    workload: "pair",
    fixed: &[("memory", "untouched")],
    axis: "size",
    label: "size of the block",
    is_bytes: true,
    is_threads: false,
};

/// The line of a subject: places on the axis and nanoseconds, in ascending order.
#[derive(Clone, Debug, PartialEq)]
struct Line<'s> {
    subject: &'s str,
    points: Vec<(f64, f64)>,
}

/// The figures of a plot.
struct Lines<'s> {
    lines: Vec<Line<'s>>,
    /// The factor between both measurements of the baseline, by place on the axis.
    noise: Vec<(f64, f64)>,
    cores: Option<f64>,
}

impl<'s> Lines<'s> {
    fn new(plot: &LinePlot, results: &Results, subjects: &'s [String]) -> Self {
        let is_shown = |cell: &&Cell| {
            let is_fixed = |(name, value): &(&str, &str)| cell.axis(name) == Some(*value);
            cell.workload() == plot.workload && plot.fixed.iter().all(is_fixed)
        };
        let shown: Vec<&Cell> = results.cells.iter().filter(is_shown).collect();
        let place = |cell: &Cell| -> Option<f64> {
            let place = cell.axis(plot.axis)?.parse::<f64>().ok()?;
            (place > 0.0).then_some(place)
        };
        let points = |subject: &str, figure: &dyn Fn(&Cell) -> Option<f64>| {
            let cells = shown.iter().filter(|cell| cell.subject() == Some(subject));
            let points = cells.filter_map(|cell| Some((place(cell)?, figure(cell)?)));
            let mut points: Vec<(f64, f64)> = points.collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            points.dedup_by_key(|(place, _)| *place);
            points
        };
        let time = |cell: &Cell| {
            // Beyond the cores there is no floor.
            let time = match plot.is_threads {
                true => headline(cell),
                false => results.net_of(cell, headline),
            };
            Some((time? / cell.elements.unwrap_or(1).max(1) as f64).max(SMALLEST))
        };
        let line = |subject: &'s String| {
            let points = points(subject, &time);
            (!points.is_empty()).then_some(Line { subject, points })
        };
        let run = main_run(&shown).and_then(|run| results.runs.get(run));
        let cores = run.map(|run| run.cores as f64);
        Self {
            noise: points(BASELINE, &|cell| noise(results, cell)),
            cores: cores.filter(|cores| plot.is_threads && *cores > 0.0),
            lines: subjects.iter().filter_map(line).collect(),
        }
    }

    fn places(&self) -> Vec<f64> {
        let places = self.lines.iter().flat_map(|line| &line.points);
        let mut places: Vec<f64> = places.map(|(place, _)| *place).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    }
}

/// The plot as an SVG document; `None` without a line of the baseline over two places.
#[must_use]
pub fn svg(plot: &LinePlot, results: &Results, summary: &Summary) -> Option<String> {
    let (svg, size) = draw(plot, results, summary)?;
    Some(svg.finish(size, plot.title))
}

fn draw(plot: &LinePlot, results: &Results, summary: &Summary) -> Option<(Svg, (f64, f64))> {
    let lines = Lines::new(plot, results, &summary.subjects);
    let baseline = lines.lines.iter().find(|line| line.subject == BASELINE);
    baseline.filter(|line| line.points.len() > 1)?;
    let mut families: Vec<Family> = Vec::new();
    for line in &lines.lines {
        let family = facts::family(line.subject);
        if family != Family::System && !families.contains(&family) {
            families.push(family);
        }
    }
    if families.is_empty() {
        families.push(Family::System);
    }
    let mut svg = Svg::default();
    svg.text(Text::new(plot.title, (MARGIN, 28.0)).size(17.0).bold());
    svg.text(Text::new(plot.subtitle, (MARGIN, 50.0)).class("dim"));
    let mut bottom = TOP;
    for (nth, family) in families.iter().enumerate() {
        let x = MARGIN + (nth % 2) as f64 * PANEL.0;
        let y = TOP + (nth / 2) as f64 * PANEL.1;
        Panel::new(plot, &lines, *family, (x, y))?.draw(&mut svg);
        bottom = y + PANEL.1;
    }
    let points = lines.lines.iter().flat_map(|line| &line.points);
    if points.clone().any(|(_, value)| *value <= SMALLEST) {
        let note = Text::new(SMALLEST_NOTE, (MARGIN, bottom + 6.0)).size(11.0);
        svg.text(note.class("dim"));
        bottom += 12.0;
    }
    let columns = families.len().min(2) as f64;
    let subtitle = text_width(plot.subtitle, 12.0);
    let width = (columns * PANEL.0).max(subtitle) + 2.0 * MARGIN;
    Some((svg, (width.ceil(), bottom + 8.0)))
}

/// The axes of one family and its lines.
struct Panel<'p> {
    plot: &'p LinePlot,
    lines: &'p Lines<'p>,
    family: Family,
    at: (f64, f64),
    axes: Rect,
    x: Log,
    y: Log,
}

impl<'p> Panel<'p> {
    fn new(
        plot: &'p LinePlot,
        lines: &'p Lines<'p>,
        family: Family,
        at: (f64, f64),
    ) -> Option<Self> {
        let names = lines
            .lines
            .iter()
            .map(|line| text_width(line.subject, LABEL_SIZE));
        let labels = names.fold(0.0, f64::max) + LEADER + 10.0;
        let axes = Rect {
            x: at.0 + AROUND.0,
            y: at.1 + AROUND.1,
            width: PANEL.0 - AROUND.0 - labels,
            height: PANEL.1 - AROUND.1 - AROUND.2,
        };
        let points = lines.lines.iter().flat_map(|line| &line.points);
        let places = lines.places().into_iter();
        let ends = (axes.x + 8.0, axes.x + axes.width - 4.0);
        let x = Log::around(places, 1.0, ends)?;
        // All panels have the same axes.
        let values = points.map(|(_, value)| *value);
        let y = Log::around(values, 1.15, (axes.y + axes.height, axes.y))?;
        Some(Self {
            plot,
            lines,
            family,
            at,
            axes,
            x,
            y,
        })
    }

    fn draw(&self, svg: &mut Svg) {
        let name = Text::new(self.family.name(), (self.at.0 + AROUND.0, self.at.1 + 18.0));
        svg.hued_text(name.size(14.0).bold(), self.family);
        self.draw_axes(svg);
        self.draw_band(svg);
        self.draw_limit(svg);
        let (baseline, own): (Vec<&Line<'_>>, Vec<_>) = self
            .lines
            .lines
            .iter()
            .filter(|line| line.subject == BASELINE || facts::family(line.subject) == self.family)
            .partition(|line| line.subject == BASELINE);
        for line in &baseline {
            self.draw_line(svg, line, "stroke-width=\"2.5\"");
        }
        for (nth, line) in own.iter().enumerate() {
            const DASHES: [&str; 6] = ["", "7 3", "2 3", "9 3 2 3", "14 3", "9 3 2 3 2 3"];
            let dashes = match DASHES[nth % DASHES.len()] {
                "" => String::new(),
                dashes => format!(" stroke-dasharray=\"{dashes}\""),
            };
            self.draw_line(svg, line, &format!("stroke-width=\"1.8\"{dashes}"));
        }
        let all: Vec<&Line<'_>> = baseline.into_iter().chain(own).collect();
        self.draw_labels(svg, &all);
    }

    fn draw_axes(&self, svg: &mut Svg) {
        let Rect {
            x,
            y,
            width,
            height,
        } = self.axes;
        let (right, bottom) = (x + width, y + height);
        for value in self.y.ticks() {
            let place = self.y.place(value);
            svg.line("grid", &[(x, place), (right, place)], "");
            let text = tick(value);
            let text = Text::new(&text, (x - 6.0, place + 4.0)).size(11.0);
            svg.text(text.anchor(Anchor::End).class("dim"));
        }
        svg.line("edge", &[(x, bottom), (right, bottom)], "");
        for value in self.lines.places() {
            let place = self.x.place(value);
            svg.line("edge", &[(place, bottom), (place, bottom + 4.0)], "");
            let text = if self.plot.is_bytes {
                bytes(value)
            } else {
                tick(value)
            };
            let text = Text::new(&text, (place, bottom + 17.0)).size(11.0);
            svg.text(text.anchor(Anchor::Middle).class("dim"));
        }
        let label = Text::new(self.plot.label, (x + width / 2.0, bottom + 34.0)).class("dim");
        svg.text(label.anchor(Anchor::Middle));
        let label = Text::new("ns", (x - 6.0, self.at.1 + 18.0))
            .size(11.0)
            .class("dim");
        svg.text(label.anchor(Anchor::End));
    }

    /// The noise around the baseline.
    fn draw_band(&self, svg: &mut Svg) {
        let baseline = self
            .lines
            .lines
            .iter()
            .find(|line| line.subject == BASELINE);
        let points = baseline.into_iter().flat_map(|line| &line.points);
        let banded = points.filter_map(|(place, value)| {
            let noise = self.lines.noise.iter().find(|(at, _)| at == place)?;
            Some((self.x.place(*place), value * noise.1, value / noise.1))
        });
        let banded: Vec<_> = banded.collect();
        let above = banded.iter().map(|(x, high, _)| (*x, self.y.place(*high)));
        let below = banded
            .iter()
            .rev()
            .map(|(x, _, low)| (*x, self.y.place(*low)));
        if banded.len() > 1 {
            svg.area("noise", &above.chain(below).collect::<Vec<_>>());
        }
    }

    /// The line where all cores have a thread.
    fn draw_limit(&self, svg: &mut Svg) {
        let places = self.lines.places();
        let Some(cores) = self.lines.cores else {
            return;
        };
        if places.first().is_none_or(|first| cores < *first) || places.last() < Some(&cores) {
            return;
        }
        let x = self.x.place(cores);
        let Rect { y, height, .. } = self.axes;
        svg.line(
            "edge",
            &[(x, y), (x, y + height)],
            "stroke-dasharray=\"3 3\"",
        );
        let text = match cores {
            1.0 => String::from("1 core"),
            cores => format!("{} cores", tick(cores)),
        };
        svg.text(Text::new(&text, (x + 4.0, y + 4.0)).size(11.0).class("dim"));
    }

    fn draw_line(&self, svg: &mut Svg, line: &Line<'_>, stroke: &str) {
        let class = family_class(facts::family(line.subject));
        // A line does not cross a place without a figure.
        let found = self.lines.places().into_iter().map(|place| {
            let mut points = line.points.iter();
            points.find(|(at, _)| *at == place)
        });
        let found: Vec<_> = found.collect();
        for part in found.split(Option::is_none) {
            let points = part.iter().flatten().map(|point| self.place(**point));
            let points: Vec<(f64, f64)> = points.collect();
            if points.len() > 1 {
                svg.line(&format!("{class}l"), &points, stroke);
            }
            for (x, y) in points {
                let at = format!("cx=\"{}\" cy=\"{}\"", number(x), number(y));
                svg.element("circle", &format!("class=\"{class}\" {at} r=\"2.6\""));
            }
        }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }

    /// The name of each line at its right end.
    fn draw_labels(&self, svg: &mut Svg, lines: &[&Line<'_>]) {
        let ends: Vec<(f64, f64)> = lines
            .iter()
            .filter_map(|line| line.points.last().map(|point| self.place(*point)))
            .collect();
        let wanted: Vec<f64> = ends.iter().map(|(_, y)| *y).collect();
        let room = (self.axes.y - 6.0, self.axes.y + self.axes.height + 6.0);
        let middles = labels::spread(&wanted, LABEL_SIZE + 2.0, room);
        let x = self.axes.x + self.axes.width + LEADER;
        for ((line, end), middle) in lines.iter().zip(ends).zip(middles) {
            let family = facts::family(line.subject);
            let class = format!("{}l", family_class(family));
            let leader = [(end.0 + 4.0, end.1), (x - 3.0, middle)];
            svg.line(&class, &leader, "stroke-width=\"0.7\"");
            let label = Text::new(line.subject, (x, middle + 4.0)).size(LABEL_SIZE);
            svg.hued_text(label, family);
        }
    }
}

/// Bytes as text: `64 B`, `4 KiB`.
fn bytes(value: f64) -> String {
    match value {
        value if value >= 1_048_576.0 => format!("{} MiB", tick(value / 1_048_576.0)),
        value if value >= 1_024.0 => format!("{} KiB", tick(value / 1_024.0)),
        value => format!("{} B", tick(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::svg::geometry;
    use super::*;
    use crate::example;

    #[test]
    fn a_line_has_the_net_time_of_one_element() {
        let mut results = example::results();
        for cell in &mut results.cells {
            cell.elements = Some(10);
        }
        let plot = LinePlot {
            fixed: &[],
            ..SIZES
        };
        let summary = Summary::new(&results);
        let lines = Lines::new(&plot, &results, &summary.subjects);
        let points = |subject: &str| {
            let line = lines.lines.iter().find(|line| line.subject == subject);
            line.map(|line| line.points.clone())
        };
        // 8 and 32 ns for ten pairs.
        assert_eq!(points("system"), Some(vec![(64.0, 0.8), (4096.0, 3.2)]));
        // 0.2 ns is drawn as the smallest time.
        assert_eq!(
            points("mimalloc"),
            Some(vec![(64.0, SMALLEST), (4096.0, 0.8)])
        );
        // A failed cell has no point.
        assert_eq!(points("buddy"), None);
        assert_eq!(lines.cores, None);
    }

    #[test]
    fn a_time_of_one_thread_is_net_or_has_no_point_and_cores_are_those_of_most_cells() {
        let mut results = example::results();
        results.cells.retain(|cell| cell.subject() != Some("floor"));
        results.runs.push(crate::results::Run {
            cores: 64,
            ..crate::results::Run::default()
        });
        let mut other = example::timed("frame/subject=other", 20.0);
        other.run = 1;
        results.cells.push(other);
        let summary = Summary::new(&results);
        let plot = LinePlot {
            fixed: &[],
            ..SIZES
        };
        let sizes = Lines::new(&plot, &results, &summary.subjects);
        let subjects: Vec<&str> = sizes.lines.iter().map(|line| line.subject).collect();
        assert_eq!(subjects, ["bumpalo"], "it has a floor of its own");
        let lines = Lines::new(&THREADS, &results, &summary.subjects);
        assert_eq!(lines.lines[0].points, [(1.0, 20.0), (4.0, 20.0)]);
        assert_eq!(lines.cores, Some(2.0));
    }

    #[test]
    fn a_line_does_not_cross_a_place_without_a_figure() {
        let mut results = example::results();
        for threads in [2, 8, 16] {
            let name = format!("concurrent/subject=system,threads={threads},sizes=mixed");
            results.cells.push(example::timed(&name, 20.0));
        }
        for threads in [8, 16] {
            let name = format!("concurrent/subject=talc,threads={threads},sizes=mixed");
            results.cells.push(example::timed(&name, 20.0));
        }
        let summary = Summary::new(&results);
        let svg = svg(&THREADS, &results, &summary).unwrap();
        let parts = svg
            .lines()
            .filter(|line| line.starts_with("<polyline class=\"f-rustl\"") && line.contains("1.8"));
        // talc has figures at 1, at 4, 8 and 16 threads, and none at 2.
        let points: Vec<usize> = parts.map(|line| line.matches(',').count()).collect();
        assert_eq!(points, [3]);
        assert_eq!(svg.matches("<circle class=\"f-rust\"").count(), 4);
    }

    #[test]
    fn labels_do_not_overlap_even_if_all_lines_end_at_one_place() {
        let mut results = example::results();
        for subject in [
            "jemalloc", "snmalloc", "rpmalloc", "tbb", "tcmalloc", "mimalloc",
        ] {
            for threads in [1, 2, 4] {
                let name = format!("concurrent/subject={subject},threads={threads},sizes=mixed");
                results.cells.push(example::timed(&name, 20.0));
            }
        }
        let summary = Summary::new(&results);
        let (svg, size) = draw(&THREADS, &results, &summary).unwrap();
        geometry::check(&svg, size);
        for text in ["2 cores", "snmalloc", "Pure Rust", "threads"] {
            assert!(
                svg.written.iter().any(|written| written.text == text),
                "{text}"
            );
        }
        assert!(
            draw(&SIZES, &results, &summary).is_none(),
            "no cell is untouched"
        );
    }
}
