//! Plots of a time over an axis of numbers: a panel for each family, with the system's allocator
//! in each.

use super::axes::{Axes, spread, tick};
use super::svg::{Rect, Svg, Text, family_class, number, text_width};
use crate::facts::{self, Family};
use crate::results::{Cell, Results};
use crate::summary::{BASELINE, Summary, headline, noise};

/// The size of a panel with its labels.
const PANEL: (f64, f64) = (500.0, 330.0);
const TOP: f64 = 64.0;
const LABEL_SIZE: f64 = 12.0;
/// Between the end of a line and its label.
const LEADER: f64 = 16.0;
/// Smaller net times are drawn here, in nanoseconds: they are mostly the error of the floor.
const SMALLEST: f64 = 0.5;

/// What a plot shows.
pub(super) struct LinePlot {
    pub(super) title: &'static str,
    subtitle: &'static str,
    cells: &'static str,
    /// The axis with numbers.
    axis: &'static str,
    label: &'static str,
    text: fn(f64) -> String,
    /// Whether the values are threads: of these only some can run at once, and beyond the cores
    /// there is no floor.
    is_threads: bool,
}

pub(super) const THREADS: LinePlot = LinePlot {
    title: "Pairs of blocks on several threads",
    subtitle: "Time of a pair of each thread with its loop, blocks of 16 to 2,048 bytes. A flat \
               line scales perfectly until the cores are used up. Less is faster.",
    cells: "concurrent/sizes=mixed",
    axis: "threads",
    label: "threads",
    text: tick,
    is_threads: true,
};

pub(super) const SIZES: LinePlot = LinePlot {
    title: "Pairs of blocks by size",
    subtitle: "Net time of taking a block and giving it back, one block live, its memory \
               untouched. Less is faster.",
    cells: "pair/memory=untouched",
    axis: "size",
    label: "size of the block",
    text: bytes,
    is_threads: false,
};

/// The line of a subject: places on the axis and nanoseconds, in ascending order.
struct Line<'s> {
    subject: &'s str,
    family: Family,
    points: Vec<(f64, f64)>,
}

/// The figures of a plot.
struct Lines<'s> {
    plot: &'s LinePlot,
    lines: Vec<Line<'s>>,
    /// The factor between both measurements of the baseline, by place on the axis.
    noise: Vec<(f64, f64)>,
    places: Vec<f64>,
    cores: f64,
}

impl<'s> Lines<'s> {
    fn new(plot: &'s LinePlot, results: &Results, summary: &'s Summary) -> Self {
        let shown = results.cells.iter().filter(|cell| cell.is_of(plot.cells));
        let shown: Vec<&Cell> = shown.collect();
        let points = |subject: &str, figure: &dyn Fn(&Cell) -> Option<f64>| {
            let cells = shown.iter().filter(|cell| cell.subject() == Some(subject));
            let points = cells.filter_map(|cell| {
                let place = cell.axis(plot.axis)?.parse::<f64>().ok()?;
                Some((place, figure(cell)?))
            });
            let mut points: Vec<(f64, f64)> = points.filter(|(place, _)| *place > 0.0).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            points.dedup_by_key(|(place, _)| *place);
            points
        };
        let time = |cell: &Cell| {
            let time = match plot.is_threads {
                true => headline(cell),
                false => results.net_of(cell, headline),
            };
            Some((time? / cell.elements.unwrap_or(1).max(1) as f64).max(SMALLEST))
        };
        let lines = summary.subjects.iter().map(|subject| Line {
            subject,
            family: facts::family(subject),
            points: points(subject, &time),
        });
        let lines: Vec<Line<'_>> = lines.filter(|line| !line.points.is_empty()).collect();
        let places = lines.iter().flat_map(|line| &line.points);
        let mut places: Vec<f64> = places.map(|(place, _)| *place).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        Self {
            plot,
            lines,
            noise: points(BASELINE, &|cell| noise(results, cell)),
            places,
            cores: results.cores() as f64,
        }
    }

    fn points(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.lines.iter().flat_map(|line| &line.points)
    }

    fn baseline(&self) -> Option<&Line<'s>> {
        self.lines.iter().find(|line| line.subject == BASELINE)
    }
}

/// The plot as an SVG document; `None` without a line of the baseline over two places.
pub(super) fn svg(plot: &LinePlot, results: &Results, summary: &Summary) -> Option<String> {
    let lines = Lines::new(plot, results, summary);
    lines.baseline().filter(|line| line.points.len() > 1)?;
    let mut families: Vec<Family> = lines.lines.iter().map(|line| line.family).collect();
    families.dedup();
    let is_alone = families == [Family::System];
    families.retain(|family| is_alone || *family != Family::System);
    let mut svg = Svg::new(plot.title, plot.subtitle);
    let mut bottom = TOP;
    for (nth, family) in families.iter().enumerate() {
        let x = Svg::MARGIN + (nth % 2) as f64 * PANEL.0;
        let y = TOP + (nth / 2) as f64 * PANEL.1;
        draw_panel(&mut svg, &lines, *family, (x, y))?;
        bottom = y + PANEL.1;
    }
    if lines.points().any(|(_, value)| *value <= SMALLEST) {
        let note = format!("{SMALLEST} ns stands for all that is less.");
        svg.text(Text::note(&note, (Svg::MARGIN, bottom + 6.0)));
        bottom += 12.0;
    }
    let columns = families.len().min(2) as f64;
    let width = (columns * PANEL.0).max(text_width(plot.subtitle, 12.0)) + 2.0 * Svg::MARGIN;
    Some(svg.finish((width.ceil(), bottom + 8.0)))
}

/// The axes of one family, the same in each panel, and its lines.
fn draw_panel(svg: &mut Svg, lines: &Lines<'_>, family: Family, (x, y): (f64, f64)) -> Option<()> {
    let names = lines.lines.iter();
    let names = names.map(|line| text_width(line.subject, LABEL_SIZE));
    let labels = names.fold(0.0, f64::max) + LEADER + 10.0;
    let area = Rect(x + 52.0, y + 30.0, PANEL.0 - 52.0 - labels, PANEL.1 - 76.0);
    let points: Vec<_> = lines.points().copied().collect();
    let axes = Axes::around(area, &points, (1.0, 1.15))?;
    let name = Text::new(family.name(), (area.0, y + 18.0)).hue(family);
    svg.text(name.size(14.0).bold());
    svg.text(Text::note("ns", (area.0 - 6.0, y + 18.0)).anchor("end"));
    axes.draw(svg, Some(&lines.places), lines.plot.text, lines.plot.label);
    draw_band(svg, &axes, lines);
    draw_cores(svg, &axes, lines);
    let own = lines.lines.iter().filter(|line| line.family == family);
    let own = own.filter(|line| line.subject != BASELINE);
    let own: Vec<&Line<'_>> = lines.baseline().into_iter().chain(own).collect();
    for (nth, line) in own.iter().enumerate() {
        const DASHES: [&str; 6] = ["", "7 3", "2 3", "9 3 2 3", "14 3", "9 3 2 3 2 3"];
        let stroke = match nth.checked_sub(1).map(|nth| DASHES[nth % DASHES.len()]) {
            None => "stroke-width=\"2.5\"".to_owned(),
            Some("") => "stroke-width=\"1.8\"".to_owned(),
            Some(dashes) => format!("stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\""),
        };
        draw_line(svg, &axes, &lines.places, line, &stroke);
    }
    draw_labels(svg, &axes, &own);
    Some(())
}

/// The noise around the baseline.
fn draw_band(svg: &mut Svg, axes: &Axes, lines: &Lines<'_>) {
    let points = lines.baseline().into_iter().flat_map(|line| &line.points);
    let banded = points.filter_map(|(place, value)| {
        let (_, noise) = lines.noise.iter().find(|(at, _)| at == place)?;
        Some([*noise, noise.recip()].map(|factor| axes.place((*place, value * factor))))
    });
    let banded: Vec<_> = banded.collect();
    let above = banded.iter().map(|[high, _]| *high);
    let below = banded.iter().rev().map(|[_, low]| *low);
    if banded.len() > 1 {
        svg.area("noise", &above.chain(below).collect::<Vec<_>>(), "");
    }
}

/// The line where all cores have a thread.
fn draw_cores(svg: &mut Svg, axes: &Axes, lines: &Lines<'_>) {
    let cores = lines.cores;
    let is_inside = lines.places.first() <= Some(&cores) && Some(&cores) <= lines.places.last();
    if !lines.plot.is_threads || !is_inside {
        return;
    }
    let (x, _) = axes.place((cores, 1.0));
    let ends = [(x, axes.area.1), (x, axes.area.bottom())];
    svg.line("edge", &ends, "stroke-dasharray=\"3 3\"");
    let text = match cores {
        1.0 => String::from("1 core"),
        cores => format!("{} cores", tick(cores)),
    };
    svg.text(Text::note(&text, (x + 4.0, axes.area.1 + 4.0)));
}

/// A line, which does not cross a place without a figure.
fn draw_line(svg: &mut Svg, axes: &Axes, places: &[f64], line: &Line<'_>, stroke: &str) {
    let class = family_class(line.family);
    let found = places.iter().map(|place| {
        let mut points = line.points.iter();
        points.find(|(at, _)| at == place)
    });
    for part in found.collect::<Vec<_>>().split(Option::is_none) {
        let points = part.iter().flatten().map(|point| axes.place(**point));
        let points: Vec<(f64, f64)> = points.collect();
        if points.len() > 1 {
            svg.line(&format!("{class}l"), &points, stroke);
        }
        for (x, y) in points {
            let at = format!("cx=\"{}\" cy=\"{}\"", number(x), number(y));
            svg.element("circle", format_args!("class=\"{class}\" {at} r=\"2.6\""));
        }
    }
}

/// The name of each line at its right end.
fn draw_labels(svg: &mut Svg, axes: &Axes, lines: &[&Line<'_>]) {
    let ends = lines.iter().filter_map(|line| line.points.last());
    let ends: Vec<(f64, f64)> = ends.map(|point| axes.place(*point)).collect();
    let wanted: Vec<f64> = ends.iter().map(|(_, y)| *y).collect();
    let room = (axes.area.1, axes.area.bottom());
    let x = axes.area.right() + LEADER;
    let middles = spread(&wanted, LABEL_SIZE + 2.0, room);
    for ((line, end), middle) in lines.iter().zip(ends).zip(middles) {
        let class = format!("{}l", family_class(line.family));
        let leader = [(end.0 + 4.0, end.1), (x - 3.0, middle)];
        svg.line(&class, &leader, "stroke-width=\"0.7\"");
        let label = Text::new(line.subject, (x, middle + 4.0)).size(LABEL_SIZE);
        svg.text(label.hue(line.family));
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
