//! The plot of time against memory: a mark for each subject.

use super::axes::{Axes, beside, tick};
use super::svg::{BOLD, Rect, Svg, Text, family_class, number, text_width};
use crate::facts::{self, Family};
use crate::results::Results;
use crate::summary::{AGAIN, BASELINE, Column, Summary, geometric_mean};
use crate::tables::percent;

pub(super) const TITLE: &str = "Time against memory";
const AREA: Rect = Rect(64.0, 116.0, 640.0, 400.0);
const MARK: f64 = 5.0;
const LABEL_SIZE: f64 = 13.0;

/// A measure of memory: a metric over another one, in the cells of one workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryMeasure {
    cells: &'static str,
    taken: &'static str,
    requested: &'static str,
    /// What it is, beside the axis.
    pub label: &'static str,
}

/// The measures: a plot shows the first one that the results have.
const MEASURES: [MemoryMeasure; 2] = [
    MemoryMeasure {
        cells: "resident",
        taken: "half-growth",
        requested: "half-bytes",
        label: "resident bytes for each live byte, after churn",
    },
    MemoryMeasure {
        cells: "waste/size=recorded,align=8",
        taken: "consumed-bytes",
        requested: "requested-bytes",
        label: "bytes for each requested byte, sizes of a real program",
    },
];

impl MemoryMeasure {
    /// The first one that the results have for the baseline.
    pub fn first(results: &Results) -> Option<&'static Self> {
        let mut measures = MEASURES.iter();
        measures.find(|measure| measure.figure(results, BASELINE).is_some())
    }

    /// The bytes of a subject for each requested byte.
    pub fn figure(&self, results: &Results, subject: &str) -> Option<f64> {
        let cells = results.cells.iter().filter(|cell| cell.is_of(self.cells));
        let sound = cells.filter(|cell| cell.subject() == Some(subject) && cell.is_sound());
        let ratios = sound.filter_map(|cell| {
            let ratio = percent(cell, self.taken, self.requested)? / 100.0;
            (ratio.is_finite() && ratio > 0.0).then_some(ratio)
        });
        geometric_mean(&ratios.collect::<Vec<_>>())
    }
}

/// A mark: the mean of the times and the memory, and whether each workload has a time.
struct Mark<'s> {
    subject: &'s str,
    family: Family,
    at: (f64, f64),
    is_whole: bool,
}

/// The plot as an SVG document; `None` without a measure of memory or without times.
pub(super) fn svg(results: &Results, summary: &Summary) -> Option<String> {
    let measure = MemoryMeasure::first(results)?;
    let is_meant = |column: &&Column| !column.has_threads && column.is_in_means();
    let columns = || summary.columns.iter().filter(is_meant);
    let subjects = summary.subjects.iter();
    let marks = subjects.filter_map(|subject| {
        let (time, is_whole) = summary.mean(columns(), subject)?;
        Some(Mark {
            subject,
            family: facts::family(subject),
            at: (time, measure.figure(results, subject)?),
            is_whole,
        })
    });
    let marks: Vec<Mark<'_>> = marks.collect();
    let points: Vec<_> = marks.iter().map(|mark| mark.at).collect();
    let axes = Axes::around(AREA, &points, (1.4, 1.1))?;
    let subtitle = format!(
        "Geometric mean of the net times in {} workloads on one thread. Less is better on both \
         axes.",
        columns().count()
    );
    let mut svg = Svg::new(TITLE, &subtitle);
    draw_families(&mut svg, &marks);
    let noises: Vec<f64> = columns().filter_map(|column| column.noise).collect();
    let noise = geometric_mean(&noises);
    let baseline = marks.iter().find(|mark| mark.subject == BASELINE)?.at.1;
    let again = measure.figure(results, AGAIN).unwrap_or(baseline);
    let mut band = |(left, bottom), (right, top): (f64, f64)| {
        let ((left, bottom), (right, top)) = (axes.place((left, bottom)), axes.place((right, top)));
        let size: (f64, f64) = (right - left, bottom - top);
        svg.rect("noise", Rect(left, top, size.0.max(1.0), size.1.max(1.0)));
    };
    if let Some(noise) = noise {
        band((noise.recip(), 0.0), (noise, f64::INFINITY));
    }
    band(
        (0.0, baseline.min(again)),
        (f64::INFINITY, baseline.max(again)),
    );
    let times = |value| format!("{}x", tick(value));
    axes.draw(&mut svg, None, times, "net time, times that of system");
    svg.text(Text::new(measure.label, (Svg::MARGIN, AREA.1 - 10.0)).dim());
    let foot = AREA.bottom() + 52.0;
    if marks.iter().any(|mark| !mark.is_whole) {
        svg.text(Text::note(
            "open mark: not in all workloads",
            (Svg::MARGIN, foot),
        ));
    }
    let key = Text::note("grey: both measurements of system", (AREA.right(), foot));
    svg.text(key.anchor("end"));
    draw_marks(&mut svg, &axes, &marks);
    Some(svg.finish((AREA.right() + 24.0, foot + 10.0)))
}

/// The marks of the families, with their names.
fn draw_families(svg: &mut Svg, marks: &[Mark<'_>]) {
    let mut x = Svg::MARGIN + MARK;
    let mut families: Vec<Family> = marks.iter().map(|mark| mark.family).collect();
    families.dedup();
    for family in families {
        draw_mark(svg, family, (x, 72.0), true);
        svg.text(Text::new(family.name(), (x + 10.0, 76.0)).hue(family));
        x += text_width(family.name(), 12.0) + 32.0;
    }
}

fn draw_marks(svg: &mut Svg, axes: &Axes, marks: &[Mark<'_>]) {
    let size = |mark: &Mark<'_>| (text_width(mark.subject, LABEL_SIZE) * BOLD, LABEL_SIZE);
    let points = marks.iter().map(|mark| (axes.place(mark.at), size(mark)));
    let points: Vec<_> = points.collect();
    let places = beside(&points, MARK, &axes.area);
    for ((mark, (at, _)), place) in marks.iter().zip(points).zip(places) {
        draw_mark(svg, mark.family, at, mark.is_whole);
        let Some(place) = place else {
            continue;
        };
        let nearest = (
            at.0.clamp(place.0, place.right()),
            at.1.clamp(place.1, place.bottom()),
        );
        if (nearest.0 - at.0).hypot(nearest.1 - at.1) > MARK * 2.5 {
            let class = format!("{}l", family_class(mark.family));
            svg.line(&class, &[at, nearest], "stroke-width=\"0.7\"");
        }
        let text = Text::new(mark.subject, (place.0, place.1 + LABEL_SIZE * 0.78));
        svg.text(text.size(LABEL_SIZE).bold().hue(mark.family));
    }
}

/// A mark whose form tells the family, too.
fn draw_mark(svg: &mut Svg, family: Family, (x, y): (f64, f64), is_whole: bool) {
    let class = family_class(family);
    let (class, more) = match is_whole {
        true => (class.to_owned(), ""),
        false => (format!("{class}l"), "fill=\"none\" stroke-width=\"1.8\""),
    };
    let corners: &[(f64, f64)] = match family {
        Family::Native | Family::Other => {
            let at = format!("cx=\"{}\" cy=\"{}\" r=\"{MARK}\"", number(x), number(y));
            return svg.element(
                "circle",
                format!("class=\"{class}\" {at} {more}").trim_end(),
            );
        }
        Family::System => &[(-1.2, 0.0), (0.0, -1.2), (1.2, 0.0), (0.0, 1.2)],
        Family::Rust => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Family::Region => &[(-1.1, 0.9), (0.0, -1.1), (1.1, 0.9)],
        Family::Arena => &[(-1.1, -0.9), (0.0, 1.1), (1.1, -0.9)],
    };
    let corners = corners.iter();
    let corners: Vec<_> = corners
        .map(|(dx, dy)| (x + dx * MARK, y + dy * MARK))
        .collect();
    svg.area(&class, &corners, more);
}
