//! The plot of time against memory: a mark for each subject.

use super::labels::{self, Labelled};
use super::scale::{Log, tick};
use super::svg::{Anchor, Rect, Svg, Text, family_class, number};
use super::text_width::{BOLD, text_width};
use crate::facts::{self, Family};
use crate::results::{Cell, Results};
use crate::summary::{AGAIN, BASELINE, Column, Summary, geometric_mean};
use crate::tables::percent;

pub(super) const TITLE: &str = "Time against memory";
const MARGIN: f64 = 16.0;
const AXES: Rect = Rect {
    x: 64.0,
    y: 116.0,
    width: 640.0,
    height: 400.0,
};
const SIZE: (f64, f64) = (AXES.x + AXES.width + 24.0, AXES.y + AXES.height + 62.0);
const MARK: f64 = 5.0;

/// A measure of memory: a metric over another one, in the cells of one workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryMeasure {
    /// The workload.
    pub workload: &'static str,
    /// The values of its axes; others are averaged.
    pub fixed: &'static [(&'static str, &'static str)],
    /// The bytes that are taken from the system.
    pub taken: &'static str,
    /// The bytes that the program requested.
    pub requested: &'static str,
    /// What it is, beside the axis.
    pub label: &'static str,
}

/// The measures, the best first: a plot shows the first one that the results have.
pub const MEASURES: [MemoryMeasure; 3] = [
    MemoryMeasure {
        workload: "resident",
        fixed: &[],
        taken: "half-growth",
        requested: "half-bytes",
        label: "resident bytes for each live byte, after churn",
    },
    MemoryMeasure {
        workload: "churn",
        fixed: &[("phase", "5")],
        taken: "resident-growth",
        requested: "live-bytes",
        label: "resident bytes for each live byte, after churn in phases",
    },
    MemoryMeasure {
        workload: "waste",
        fixed: &[("size", "recorded"), ("align", "8")],
        taken: "consumed-bytes",
        requested: "requested-bytes",
        label: "bytes for each requested byte, sizes of a real program",
    },
];

impl MemoryMeasure {
    /// The first one that the results have for the baseline.
    #[must_use]
    pub fn first(results: &Results) -> Option<&'static Self> {
        let mut measures = MEASURES.iter();
        measures.find(|measure| measure.figure(results, BASELINE).is_some())
    }

    /// The bytes of a subject for each requested byte.
    #[must_use]
    pub fn figure(&self, results: &Results, subject: &str) -> Option<f64> {
        let is_fixed = |cell: &Cell| {
            let mut fixed = self.fixed.iter();
            fixed.all(|(name, value)| cell.axis(name) == Some(value))
        };
        let ratios = results.cells.iter().filter(|cell| {
            cell.workload() == self.workload
                && cell.subject() == Some(subject)
                && is_fixed(cell)
                && cell.is_sound()
        });
        let ratios = ratios.filter_map(|cell| {
            let ratio = percent(cell, self.taken, self.requested)? / 100.0;
            (ratio.is_finite() && ratio > 0.0).then_some(ratio)
        });
        geometric_mean(&ratios.collect::<Vec<_>>())
    }
}

/// A mark of the plot.
#[derive(Clone, Debug, PartialEq)]
struct Mark<'s> {
    subject: &'s str,
    time: f64,
    memory: f64,
    /// Whether the subject has a figure in each workload.
    is_whole: bool,
}

/// The plot as an SVG document; `None` without a measure of memory or without times.
#[must_use]
pub fn svg(results: &Results, summary: &Summary) -> Option<String> {
    draw(results, summary).map(|svg| svg.finish(SIZE, TITLE))
}

fn draw(results: &Results, summary: &Summary) -> Option<Svg> {
    let measure = MemoryMeasure::first(results)?;
    let columns: Vec<&Column> = summary
        .columns
        .iter()
        .filter(|column| !column.has_threads && !column.is_of_programs())
        .collect();
    let marks: Vec<Mark<'_>> = summary
        .subjects
        .iter()
        .filter_map(|subject| {
            let (time, is_whole) = summary.mean(columns.iter().copied(), subject)?;
            let memory = measure.figure(results, subject)?;
            Some(Mark {
                subject,
                time,
                memory,
                is_whole,
            })
        })
        .collect();
    let baseline = marks.iter().find(|mark| mark.subject == BASELINE)?;
    let noises: Vec<f64> = columns.iter().filter_map(|column| column.noise).collect();
    let plot = Plot {
        x: Log::around(
            marks.iter().map(|mark| mark.time),
            1.4,
            (AXES.x, AXES.x + AXES.width),
        )?,
        y: Log::around(
            marks.iter().map(|mark| mark.memory),
            1.1,
            (AXES.y + AXES.height, AXES.y),
        )?,
        noise: geometric_mean(&noises),
        memories: measure
            .figure(results, AGAIN)
            .map(|again| (baseline.memory, again)),
        label: measure.label,
        workloads: columns.len(),
        marks: &marks,
    };
    let mut svg = Svg::default();
    plot.draw(&mut svg);
    Some(svg)
}

struct Plot<'p> {
    x: Log,
    y: Log,
    noise: Option<f64>,
    /// Both measurements of the baseline's memory.
    memories: Option<(f64, f64)>,
    label: &'static str,
    workloads: usize,
    marks: &'p [Mark<'p>],
}

impl Plot<'_> {
    fn draw(&self, svg: &mut Svg) {
        svg.text(Text::new(TITLE, (MARGIN, 28.0)).size(17.0).bold());
        let subtitle = format!(
            "Geometric mean of the net times in {} workloads on one thread. Less is better on \
             both axes.",
            self.workloads
        );
        svg.text(Text::new(&subtitle, (MARGIN, 50.0)).class("dim"));
        self.draw_families(svg);
        let Rect {
            x,
            y,
            width,
            height,
        } = AXES;
        let (right, bottom) = (x + width, y + height);
        if let Some(noise) = self.noise {
            let (low, high) = (self.x.place(noise.recip()), self.x.place(noise));
            svg.rect(
                "noise",
                Rect {
                    x: low,
                    y,
                    width: (high - low).max(1.0),
                    height,
                },
            );
        }
        if let Some((first, second)) = self.memories {
            let (high, low) = (
                self.y.place(first.max(second)),
                self.y.place(first.min(second)),
            );
            let height = (low - high).max(1.0);
            svg.rect(
                "noise",
                Rect {
                    x,
                    y: high,
                    width,
                    height,
                },
            );
        }
        for value in self.x.ticks() {
            let place = self.x.place(value);
            svg.line("grid", &[(place, y), (place, bottom)], "");
            let text = format!("{}x", tick(value));
            let text = Text::new(&text, (place, bottom + 16.0))
                .size(11.0)
                .class("dim");
            svg.text(text.anchor(Anchor::Middle));
        }
        for value in self.y.ticks() {
            let place = self.y.place(value);
            svg.line("grid", &[(x, place), (right, place)], "");
            let text = tick(value);
            let text = Text::new(&text, (x - 6.0, place + 4.0))
                .size(11.0)
                .class("dim");
            svg.text(text.anchor(Anchor::End));
        }
        let label = Text::new(self.label, (MARGIN, y - 10.0)).class("dim");
        svg.text(label);
        let label = Text::new(
            "net time, times that of system",
            (x + width / 2.0, bottom + 34.0),
        )
        .class("dim");
        svg.text(label.anchor(Anchor::Middle));
        if self.marks.iter().any(|mark| !mark.is_whole) {
            let key = "open mark: not in all workloads";
            svg.text(
                Text::new(key, (MARGIN, bottom + 52.0))
                    .size(11.0)
                    .class("dim"),
            );
        }
        if self.noise.is_some() {
            let key = "grey: both measurements of system";
            let key = Text::new(key, (right, bottom + 52.0))
                .size(11.0)
                .class("dim");
            svg.text(key.anchor(Anchor::End));
        }
        self.draw_marks(svg);
    }

    /// The marks of the families, with their names.
    fn draw_families(&self, svg: &mut Svg) {
        let mut x = MARGIN + MARK;
        let marks = self.marks.iter().map(|mark| facts::family(mark.subject));
        let mut families: Vec<Family> = marks.collect();
        families.dedup();
        for family in families {
            draw_mark(svg, family, (x, 72.0), true);
            let name = Text::new(family.name(), (x + 10.0, 76.0));
            svg.hued_text(name, family);
            x += text_width(family.name(), 12.0) + 32.0;
        }
    }

    fn draw_marks(&self, svg: &mut Svg) {
        const TEXT: f64 = 13.0;
        let place = |mark: &Mark<'_>| (self.x.place(mark.time), self.y.place(mark.memory));
        let labelled = self.marks.iter().map(|mark| Labelled {
            at: place(mark),
            size: (text_width(mark.subject, TEXT) * BOLD, TEXT),
        });
        let labelled: Vec<_> = labelled.collect();
        let places = labels::beside_points(&labelled, MARK, &AXES);
        for ((mark, Labelled { at, .. }), label) in self.marks.iter().zip(&labelled).zip(places) {
            let family = facts::family(mark.subject);
            draw_mark(svg, family, *at, mark.is_whole);
            let Some(label) = label else {
                continue;
            };
            let middle = (label.x + label.width / 2.0, label.y + label.height / 2.0);
            let nearest = (
                at.0.clamp(label.x, label.x + label.width),
                at.1.clamp(label.y, label.y + label.height),
            );
            let distance = (nearest.0 - at.0).hypot(nearest.1 - at.1);
            if distance > MARK * 2.5 {
                let class = format!("{}l", family_class(family));
                svg.line(&class, &[*at, nearest], "stroke-width=\"0.7\"");
            }
            let baseline = label.y + TEXT * 0.78;
            let text = Text::new(mark.subject, (middle.0, baseline))
                .size(TEXT)
                .bold();
            svg.hued_text(text.anchor(Anchor::Middle), family);
        }
    }
}

/// A mark whose form tells the family, too.
fn draw_mark(svg: &mut Svg, family: Family, (x, y): (f64, f64), is_whole: bool) {
    let around = |corners: &[(f64, f64)]| -> String {
        let corners = corners
            .iter()
            .map(|(dx, dy)| format!("{},{}", number(x + dx * MARK), number(y + dy * MARK)));
        format!("points=\"{}\"", corners.collect::<Vec<_>>().join(" "))
    };
    let class = family_class(family);
    let class = match is_whole {
        true => format!("class=\"{class}\""),
        false => format!("class=\"{class}l\" fill=\"none\" stroke-width=\"1.8\""),
    };
    let (name, form) = match family {
        Family::System => (
            "polygon",
            around(&[(-1.2, 0.0), (0.0, -1.2), (1.2, 0.0), (0.0, 1.2)]),
        ),
        Family::Native | Family::Other => (
            "circle",
            format!("cx=\"{}\" cy=\"{}\" r=\"{MARK}\"", number(x), number(y)),
        ),
        Family::Rust => (
            "polygon",
            around(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        ),
        Family::Region => ("polygon", around(&[(-1.1, 0.9), (0.0, -1.1), (1.1, 0.9)])),
        Family::Arena => ("polygon", around(&[(-1.1, -0.9), (0.0, 1.1), (1.1, -0.9)])),
    };
    svg.element(name, &format!("{class} {form}"));
}

#[cfg(test)]
mod tests {
    use super::super::svg::geometry;
    use super::*;
    use crate::example;
    use crate::results::Unit;

    #[test]
    fn labels_do_not_overlap_even_if_all_marks_are_at_one_place() {
        let mut results = example::results();
        for subject in [
            "jemalloc", "snmalloc", "rpmalloc", "tbb", "tcmalloc", "dlmalloc", "rlsf",
        ] {
            results
                .cells
                .push(example::timed(&format!("frame/subject={subject}"), 50.0));
            results.cells.push(example::with_metrics(
                &format!("waste/subject={subject},size=recorded,align=8"),
                Unit::Bytes,
                &[("consumed-bytes", 1_200), ("requested-bytes", 1_000)],
            ));
        }
        let svg = draw(&results, &Summary::new(&results)).unwrap();
        geometry::check(&svg, SIZE);
        for text in ["snmalloc", "bumpalo", "open mark: not in all workloads"] {
            assert!(
                svg.written.iter().any(|written| written.text == text),
                "{text}"
            );
        }
    }

    #[test]
    fn memory_is_that_of_the_first_measure_with_figures() {
        let mut results = example::results();
        let measure = MemoryMeasure::first(&results).unwrap();
        assert_eq!(measure.workload, "waste");
        assert_eq!(measure.figure(&results, "mimalloc"), Some(1.2));
        assert_eq!(measure.figure(&results, "buddy"), None);
        for (phase, resident) in [(4, 90), (5, 30)] {
            results.cells.push(example::with_metrics(
                &format!("churn/subject=system,phase={phase}"),
                Unit::Bytes,
                &[("resident-growth", resident), ("live-bytes", 20)],
            ));
        }
        let measure = MemoryMeasure::first(&results).unwrap();
        assert_eq!(measure.figure(&results, "system"), Some(1.5));
        results.cells.push(example::with_metrics(
            "resident/subject=system",
            Unit::Bytes,
            &[("half-growth", 24), ("half-bytes", 12), ("full-growth", 1)],
        ));
        let measure = MemoryMeasure::first(&results).unwrap();
        assert_eq!(measure.figure(&results, "system"), Some(2.0));
    }
}
