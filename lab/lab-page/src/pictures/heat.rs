//! The heat map: each subject in each workload, compared with `system`.

use super::palette;
use super::svg::{BOLD, Rect, Svg, Text, family_class, text_width};
use crate::facts::Family;
use crate::figure::ratio_text;
use crate::summary::{BASELINE, Column, Score, Summary};

const CELL: (f64, f64) = (47.0, 24.0);
/// Between the columns with one thread and those with several.
const GAP: f64 = 14.0;
const FAMILY_HEIGHT: f64 = 26.0;
const HEADING_SIZE: f64 = 12.0;
const TURN: f64 = -45.0;
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

/// A cell of a subject; that of the baseline has the noise of its column.
pub(super) fn cell(summary: &Summary, column: &Column, subject: &str) -> (String, CellStyle) {
    if subject == BASELINE {
        return match column.noise {
            Some(noise) => (spread(noise), CellStyle::Noise),
            None => (String::from("1x"), CellStyle::Missing),
        };
    }
    match summary.score(column, subject) {
        Score::Ratio { ratio, is_partial } => {
            let star = if is_partial { "*" } else { "" };
            let style = match column.is_noise(ratio) {
                true => CellStyle::Noise,
                false => CellStyle::Ratio(ratio),
            };
            (ratio_text(ratio) + star, style)
        }
        Score::Failed => (String::from("FAIL"), CellStyle::Fail),
        Score::NotMeasured => (String::from("-"), CellStyle::Missing),
    }
}

/// The factor between both measurements of the baseline, as text: `±4%`, `×2.5`.
fn spread(noise: f64) -> String {
    match noise < 2.0 {
        true => format!("±{:.0}%", (noise - 1.0) * 100.0),
        false => format!("×{noise:.1}"),
    }
}

/// The columns in the order of the map: with one thread, then with several.
pub(super) fn columns(summary: &Summary) -> Vec<&Column> {
    let mut columns: Vec<&Column> = summary.columns.iter().collect();
    columns.sort_by_key(|column| column.has_threads);
    columns
}

/// The heat map as an SVG document; `None` without a figure.
pub(super) fn svg(summary: &Summary) -> Option<String> {
    let columns = columns(summary);
    let has_both = columns.first()?.has_threads != columns.last()?.has_threads;
    let longest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
    let names = summary.subjects.iter();
    let names = longest(&mut names.map(|name| text_width(name, 13.0) * BOLD));
    let headings: Vec<String> = columns.iter().map(|column| column.heading()).collect();
    let widths = headings.iter().map(|text| text_width(text, HEADING_SIZE));
    let height = (longest(&mut widths.clone()) + HEADING_SIZE) * TURN.abs().to_radians().sin();
    let (left, top) = (Svg::MARGIN + names.max(90.0) + 16.0, 68.0 + height);
    // The left edge of a column.
    let x = |nth: usize| {
        let has_threads = columns.get(nth).is_none_or(|column| column.has_threads);
        let gap = if has_both && has_threads { GAP } else { 0.0 };
        left + nth as f64 * CELL.0 + gap
    };
    let mut svg = Svg::new(TITLE, SUBTITLE);
    let mut right = LEAST_WIDTH.max(x(columns.len()));
    for (nth, (heading, width)) in headings.iter().zip(widths).enumerate() {
        let at = (x(nth) + CELL.0 / 2.0 + 2.0, top - 6.0);
        right = right.max(at.0 + width);
        svg.text(Text::new(heading, at).size(HEADING_SIZE).turned(TURN));
    }
    let mut y = top;
    for (family, subjects) in summary.families() {
        if family != Family::System {
            let name = Text::new(family.name(), (Svg::MARGIN, y + 18.0)).size(11.0);
            svg.text(name.hue(family));
            y += FAMILY_HEIGHT;
        }
        let height = CELL.1 * subjects.len() as f64;
        let mark = Rect(left - 6.0, y + 1.0, 3.0, height - 2.0);
        svg.rect(family_class(family), mark);
        for subject in subjects {
            let label = Text::new(subject, (left - 12.0, y + CELL.1 / 2.0 + 4.5)).size(13.0);
            svg.text(label.anchor("end").bold().hue(family));
            for (nth, column) in columns.iter().enumerate() {
                let (text, style) = cell(summary, column, subject);
                draw_cell(&mut svg, (x(nth), y), &text, style);
            }
            y += CELL.1;
        }
    }
    let bottom = draw_legend(&mut svg, y + 26.0);
    Some(svg.finish(((right + Svg::MARGIN).ceil(), bottom + Svg::MARGIN)))
}

/// The legend in three rows; returns its end.
fn draw_legend(svg: &mut Svg, top: f64) -> f64 {
    const STEP: f64 = 46.0;
    let left = Svg::MARGIN + 50.0;
    svg.text(Text::new("faster", (Svg::MARGIN, top + 12.0)).dim());
    svg.text(Text::new("slower", (left + 10.0 * STEP + 8.0, top + 12.0)).dim());
    let classes = ["b4", "b3", "b2", "b1", "b0", "o0", "o1", "o2", "o3", "o4"];
    for (nth, class) in classes.iter().enumerate() {
        svg.rect(class, Rect(left + nth as f64 * STEP, top, STEP, 16.0));
    }
    for (nth, text) in (1..).zip(palette::BOUNDS) {
        let text = Text::note(text, (left + f64::from(nth) * STEP, top + 30.0));
        svg.text(text.anchor("middle"));
    }
    let top = top + 46.0;
    let mut x = Svg::MARGIN;
    let noise = "within the noise in the row of system";
    for (text, style, meaning) in [
        ("1.0", CellStyle::Noise, noise),
        ("FAIL", CellStyle::Fail, "requests failed"),
        ("-", CellStyle::Missing, "not measured"),
    ] {
        draw_cell(svg, (x, top), text, style);
        x += CELL.0 + 8.0;
        svg.text(Text::new(meaning, (x, top + 16.0)).dim());
        x += text_width(meaning, 12.0) + 22.0;
    }
    let star = "0.50*  some cells of the workload have no figure";
    svg.text(Text::new(star, (Svg::MARGIN, top + 46.0)).dim());
    top + 50.0
}

fn draw_cell(svg: &mut Svg, (x, y): (f64, f64), text: &str, style: CellStyle) {
    // The key says what the figures are: a cell has no room for each `x`.
    let text = text.replace('x', "");
    let at = (x + CELL.0 / 2.0, y + CELL.1 / 2.0 + 4.5);
    let text = Text::new(&text, at).anchor("middle");
    let ratio_class;
    let (ground, text) = match style {
        CellStyle::Ratio(ratio) => {
            let (ground, class) = palette::classes(ratio);
            ratio_class = ground;
            (ratio_class.as_str(), text.class(class))
        }
        CellStyle::Noise => ("noise", text),
        CellStyle::Fail => ("fail", text.bold()),
        CellStyle::Missing => return svg.text(text.dim()),
    };
    svg.rect(ground, Rect(x + 1.0, y + 1.0, CELL.0 - 2.0, CELL.1 - 2.0));
    svg.text(text);
}
