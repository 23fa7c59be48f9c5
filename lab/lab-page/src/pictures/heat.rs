//! The heat map: each subject in each workload, compared with `system`.

use super::palette;
use super::svg::{Anchor, Rect, Svg, Text};
use super::text_width::{BOLD, text_width};
use crate::facts::Family;
use crate::figure::ratio_text;
use crate::summary::{BASELINE, Column, Score, Summary};

const CELL: (f64, f64) = (47.0, 24.0);
/// Between the columns with one thread and those with several.
const GAP: f64 = 14.0;
const FAMILY_HEIGHT: f64 = 26.0;
const MARGIN: f64 = 16.0;
const HEADING_SIZE: f64 = 12.0;
/// What the headings are turned by.
const TURN: f64 = -45.0;
/// The least width, for the legend.
const LEAST_WIDTH: f64 = 760.0;

pub(super) const TITLE: &str = "Time of each allocator, compared with the system's";
const SUBTITLE: &str =
    "Net time, geometric mean of a workload's cells. 0.50 takes half the time of the system's.";

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellStyle {
    /// A ratio outside of the noise.
    Ratio(f64),
    /// Within the noise: grey.
    Noise,
    /// Requests failed.
    Fail,
    /// No figure.
    Missing,
}

/// A cell of the map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeatCell {
    pub(super) text: String,
    pub(super) style: CellStyle,
}

impl HeatCell {
    fn new(text: String, style: CellStyle) -> Self {
        Self { text, style }
    }

    /// A cell of a subject; that of the baseline has the noise of its column.
    pub(super) fn for_subject(summary: &Summary, column: &Column, subject: &str) -> Self {
        if subject == BASELINE {
            return match column.noise {
                Some(noise) => Self::new(spread(noise), CellStyle::Noise),
                None => Self::new(String::from("1x"), CellStyle::Missing),
            };
        }
        match summary.score(column, subject) {
            Score::Ratio { ratio, is_partial } => {
                let star = if is_partial { "*" } else { "" };
                let style = match column.is_noise(ratio) {
                    true => CellStyle::Noise,
                    false => CellStyle::Ratio(ratio),
                };
                Self::new(format!("{}{star}", ratio_text(ratio)), style)
            }
            Score::Failed => Self::new(String::from("FAIL"), CellStyle::Fail),
            Score::NotMeasured => Self::new(String::from("-"), CellStyle::Missing),
        }
    }
}

/// The factor between both measurements of the baseline, as text: `±4%`, `×2.5`.
pub(super) fn spread(noise: f64) -> String {
    match noise < 2.0 {
        true => format!("±{:.0}%", (noise - 1.0) * 100.0),
        false => format!("×{noise:.1}"),
    }
}

/// The columns in the order of the map: with one thread, then with several.
pub(super) fn columns(summary: &Summary) -> Vec<&Column> {
    let (threads, one): (Vec<_>, Vec<_>) = summary
        .columns
        .iter()
        .partition(|column| column.has_threads);
    one.into_iter().chain(threads).collect()
}

/// The heat map as an SVG document; `None` without a figure.
#[must_use]
pub fn svg(summary: &Summary) -> Option<String> {
    let map = Map::new(summary)?;
    let (svg, size) = map.draw();
    Some(svg.finish(size, TITLE))
}

/// The sizes of the parts.
struct Map<'s> {
    summary: &'s Summary,
    columns: Vec<&'s Column>,
    families: Vec<(Family, Vec<&'s str>)>,
    left: f64,
    top: f64,
}

impl<'s> Map<'s> {
    fn new(summary: &'s Summary) -> Option<Self> {
        let columns = columns(summary);
        let families: Vec<_> = summary.families().collect();
        let longest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
        let names = summary.subjects.iter();
        let label = longest(&mut names.map(|name| text_width(name, 13.0) * BOLD));
        let headings = columns.iter().map(|column| column.heading());
        let heading = longest(&mut headings.map(|text| text_width(&text, HEADING_SIZE)));
        let is_empty = columns.is_empty();
        (!is_empty).then(|| Self {
            summary,
            columns,
            families,
            left: MARGIN + label.max(90.0) + 16.0,
            top: 62.0 + (heading + HEADING_SIZE) * TURN.abs().to_radians().sin() + 6.0,
        })
    }

    /// The left edge of a column.
    fn x(&self, nth: usize) -> f64 {
        let has_threads = self
            .columns
            .get(nth)
            .is_none_or(|column| column.has_threads);
        let has_both = has_threads && !self.columns[0].has_threads;
        let gap = if has_both { GAP } else { 0.0 };
        self.left + nth as f64 * CELL.0 + gap
    }

    fn draw(&self) -> (Svg, (f64, f64)) {
        let mut svg = Svg::default();
        svg.text(Text::new(TITLE, (MARGIN, 28.0)).size(17.0).bold());
        svg.text(Text::new(SUBTITLE, (MARGIN, 50.0)).class("dim"));
        let mut right = 0.0_f64;
        for (nth, column) in self.columns.iter().enumerate() {
            let heading = column.heading();
            let at = (self.x(nth) + CELL.0 / 2.0 + 2.0, self.top - 6.0);
            right = right.max(at.0 + text_width(&heading, HEADING_SIZE));
            let text = Text::new(&heading, at).size(HEADING_SIZE);
            svg.text(text.turned(TURN));
        }
        let mut y = self.top;
        for (family, subjects) in &self.families {
            y = self.draw_family(&mut svg, y, *family, subjects);
        }
        let bottom = self.draw_legend(&mut svg, y + 26.0);
        let edge = self.x(self.columns.len()) + MARGIN;
        let width = edge.max(right + MARGIN).max(LEAST_WIDTH);
        (svg, (width.ceil(), bottom + MARGIN))
    }

    /// The rows of a family; returns the end of the last.
    fn draw_family(&self, svg: &mut Svg, top: f64, family: Family, subjects: &[&str]) -> f64 {
        let mut y = top;
        if family != Family::System {
            let name = Text::new(family.name(), (MARGIN, y + 18.0)).size(11.0);
            svg.hued_text(name, family);
            y += FAMILY_HEIGHT;
        }
        for subject in subjects {
            let middle = y + CELL.1 / 2.0;
            let label = Text::new(subject, (self.left - 12.0, middle + 4.5)).size(13.0);
            svg.hued_text(label.anchor(Anchor::End).bold(), family);
            for (nth, column) in self.columns.iter().enumerate() {
                let shown = HeatCell::for_subject(self.summary, column, subject);
                draw_cell(svg, (self.x(nth), y), &shown);
            }
            y += CELL.1;
        }
        let mark = Rect {
            x: self.left - 6.0,
            y: y - CELL.1 * subjects.len() as f64 + 1.0,
            width: 3.0,
            height: CELL.1 * subjects.len() as f64 - 2.0,
        };
        svg.hued_rect(family, mark);
        y
    }

    /// The legend in two rows; returns its end.
    fn draw_legend(&self, svg: &mut Svg, top: f64) -> f64 {
        const STEP: f64 = 46.0;
        let middle = MARGIN + 280.0;
        svg.text(Text::new("faster", (MARGIN, top + 12.0)).class("dim"));
        svg.text(Text::new("slower", (middle + 5.0 * STEP + 8.0, top + 12.0)).class("dim"));
        for nth in 0..5 {
            let place = nth as f64 * STEP;
            let box_at = |x| Rect {
                x,
                y: top,
                width: STEP,
                height: 16.0,
            };
            svg.rect(&format!("b{nth}"), box_at(middle - place - STEP));
            svg.rect(&format!("o{nth}"), box_at(middle + place));
        }
        for (nth, text) in (-4..).zip(palette::BOUND_TEXTS) {
            let at = (middle + f64::from(nth) * STEP, top + 30.0);
            let text = Text::new(text, at).size(11.0).class("dim");
            svg.text(text.anchor(Anchor::Middle));
        }
        let top = top + 46.0;
        let mut x = MARGIN;
        for (text, style, meaning) in [
            (
                "1.0",
                CellStyle::Noise,
                "within the noise in the row of system",
            ),
            ("FAIL", CellStyle::Fail, "requests failed"),
            ("-", CellStyle::Missing, "not measured"),
        ] {
            let shown = HeatCell::new(text.to_owned(), style);
            draw_cell(svg, (x, top), &shown);
            x += CELL.0 + 8.0;
            svg.text(Text::new(meaning, (x, top + 16.0)).class("dim"));
            x += text_width(meaning, 12.0) + 22.0;
        }
        let star = "0.50*  some cells of the workload have no figure";
        svg.text(Text::new(star, (MARGIN, top + 46.0)).class("dim"));
        top + 50.0
    }
}

fn draw_cell(svg: &mut Svg, (x, y): (f64, f64), shown: &HeatCell) {
    let rect = Rect {
        x: x + 1.0,
        y: y + 1.0,
        width: CELL.0 - 2.0,
        height: CELL.1 - 2.0,
    };
    let at = (x + CELL.0 / 2.0, y + CELL.1 / 2.0 + 4.5);
    // The key says what the figures are: a cell has no room for each `x`.
    let text = shown.text.replace('x', "");
    let text = Text::new(&text, at).anchor(Anchor::Middle);
    match shown.style {
        CellStyle::Ratio(ratio) => {
            let (is_faster, step) = palette::step(ratio);
            let name = format!("{}{step}", if is_faster { "b" } else { "o" });
            svg.rect(&name, rect);
            svg.text(text.class(&format!("{name}t")));
        }
        CellStyle::Noise => {
            svg.rect("noise", rect);
            svg.text(text);
        }
        CellStyle::Fail => {
            svg.rect("fail", rect);
            svg.text(text.bold());
        }
        CellStyle::Missing => svg.text(text.class("dim")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::svg::geometry;
    use super::*;
    use crate::example;

    /// The class of the rectangle behind the nth text of this content.
    fn ground<'s>(svg: &'s str, text: &str, nth: usize) -> &'s str {
        let text = format!(">{text}</text>");
        let lines: Vec<&str> = svg.lines().collect();
        let mut found = (0..lines.len()).filter(|at| lines[*at].ends_with(&text));
        let at = found.nth(nth).expect("the text is in the picture");
        let rect = lines[at - 1].strip_prefix("<rect class=\"");
        rect.and_then(|rect| rect.split('"').next())
            .unwrap_or("none")
    }

    #[test]
    fn noise_is_grey_and_failures_and_gaps_differ_from_it() {
        let svg = svg(&Summary::new(&example::results())).unwrap();
        assert_eq!(ground(&svg, "1.0", 0), "noise");
        assert_eq!(ground(&svg, "±5%", 0), "noise");
        assert_eq!(ground(&svg, "FAIL", 0), "fail");
        assert_eq!(ground(&svg, "-", 0), "none");
        // 4 times as fast, and from 2 to 4 times as fast or as slow.
        assert_eq!(ground(&svg, "0.25", 0), "b3");
        assert_eq!(ground(&svg, "0.50", 0), "b2");
        assert_eq!(ground(&svg, "3.0", 0), "o2");
        assert_eq!(ground(&svg, "0.10", 0), "b4");
    }

    #[test]
    fn texts_do_not_overlap() {
        let check = |summary: &Summary| {
            let (svg, size) = Map::new(summary).unwrap().draw();
            geometry::check(&svg, size);
        };
        check(&Summary::new(&example::results()));
        let mut many = example::results();
        for nth in 0..14 {
            for subject in ["system", "talc", "an-allocator-of-somebody", "system-again"] {
                let name = format!("a-long-workload-{nth}/subject={subject}");
                many.cells.push(example::timed(&name, 10.0));
            }
        }
        check(&Summary::new(&many));
    }

    #[test]
    fn without_figures_there_is_no_map() {
        assert_eq!(svg(&Summary::default()), None);
    }
}
