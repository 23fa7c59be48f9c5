//! The heat map as an SVG document, for light and for dark pages.

use std::f64::consts::FRAC_1_SQRT_2;

use super::{CellStyle, cell, colours, columns};
use crate::facts::Family;
use crate::summary::Summary;

pub const TITLE: &str = "Time of each allocator, compared with the system's";

const SUBTITLE: &str = "Net time, geometric mean of a workload's cells. 0.50 takes half the time \
                        of the system's.";

const CELL: (f64, f64) = (50.0, 24.0);

/// The space around everything.
const MARGIN: f64 = 16.0;

/// Of the text, in pixels: each letter has the same width.
const LETTER: (f64, f64) = (7.3, 12.0);

/// The key: ratios where the colours change, and what no colour shows.
const RATIOS: [(f64, &str); 10] = [
    (0.125, "≤0.13"),
    (0.25, "≤0.25"),
    (0.5, "≤0.50"),
    (0.7, "≤0.71"),
    (0.9, "<1.0"),
    (1.0, "≥1.0"),
    (1.5, "≥1.4"),
    (2.0, "≥2.0"),
    (4.0, "≥4.0"),
    (8.0, "≥8.0"),
];
const MARKS: [(&str, CellStyle, &str); 4] = [
    (
        "≈1.0",
        CellStyle::Noise,
        "within the noise, which the row of system shows",
    ),
    ("FAIL", CellStyle::Fail, "requests failed"),
    ("-", CellStyle::Missing, "not measured"),
    (
        "0.50*",
        CellStyle::Missing,
        "some cells of the workload have no figure",
    ),
];

/// The document; `None` without a figure.
pub fn svg(summary: &Summary) -> Option<String> {
    let columns = columns(summary);
    columns.first()?;
    let headings: Vec<String> = columns.iter().map(|column| column.heading()).collect();
    let longest = |texts: &[String]| texts.iter().map(|text| width(text)).fold(0.0, f64::max);
    let left = MARGIN + longest(&summary.subjects) + 12.0;
    let top = 68.0 + (longest(&headings) + LETTER.1) * FRAC_1_SQRT_2;
    let x = |nth: usize| left + nth as f64 * CELL.0;
    let mut body = text("ink title", (MARGIN, 28.0), "", TITLE);
    body += &text("dim", (MARGIN, 50.0), "", SUBTITLE);
    let mut right = (MARGIN + width(SUBTITLE)).max(x(columns.len()));
    for (nth, heading) in headings.iter().enumerate() {
        let at = (x(nth) + CELL.0 / 2.0 + 2.0, top - 6.0);
        right = right.max(at.0 + width(heading));
        let turn = format!(" transform=\"rotate(-45 {:.1} {:.1})\"", at.0, at.1);
        body += &text("ink", at, &turn, heading);
    }
    let mut y = top;
    for (family, subjects) in summary.families() {
        if family != Family::System {
            body += &text("dim", (MARGIN, y + 17.0), "", family.name());
            y += CELL.1;
        }
        for subject in subjects {
            let at = (left - 8.0, y + 16.5);
            body += &text("ink", at, " text-anchor=\"end\"", subject);
            for (nth, column) in columns.iter().enumerate() {
                let (text, style) = cell(summary, column, subject);
                body += &square((x(nth), y), &text, style);
            }
            y += CELL.1;
        }
    }
    y += CELL.1;
    for (nth, (ratio, text)) in RATIOS.into_iter().enumerate() {
        let at = (MARGIN + nth as f64 * CELL.0, y);
        body += &square(at, text, CellStyle::Ratio(ratio));
    }
    for (mark, style, meaning) in MARKS {
        y += CELL.1;
        body += &square((MARGIN, y), mark, style);
        body += &text("dim", (MARGIN + CELL.0 + 8.0, y + 16.5), "", meaning);
    }
    let (width, height) = (right + MARGIN, y + CELL.1 + MARGIN);
    let size = format!("width=\"{width:.0}\" height=\"{height:.0}\"");
    let style = colours::style();
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" {size} viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\">\n<title>{TITLE}</title>\n<style>\n\
         text{{font:{}px 'DejaVu Sans Mono',monospace}}\n.title{{font-weight:bold}}\n{style}</style>\n\
         <rect class=\"ground\" {size}/>\n{body}</svg>\n",
        LETTER.1
    ))
}

/// The width of a text in pixels.
pub fn width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER.0
}

/// A text that begins here, on its baseline; `more` are further attributes, each behind a space.
fn text(class: &str, (x, y): (f64, f64), more: &str, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"{more}>{text}</text>\n")
}

/// A cell, whose figure has no `x`, for which it has no room.
fn square((x, y): (f64, f64), figure: &str, style: CellStyle) -> String {
    let (ground, ink) = match style {
        CellStyle::Ratio(ratio) => colours::classes(ratio),
        CellStyle::Noise => ("noise".to_owned(), "ink"),
        CellStyle::Fail => ("fail".to_owned(), "ink"),
        CellStyle::Missing => ("ground".to_owned(), "dim"),
    };
    let (left, top) = (x + 1.0, y + 1.0);
    let (width, height) = (CELL.0 - 2.0, CELL.1 - 2.0);
    let rect = format!(
        "<rect class=\"{ground}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    let at = (x + CELL.0 / 2.0, y + 16.5);
    let middle = " text-anchor=\"middle\"";
    rect + &text(ink, at, middle, &figure.replace('x', ""))
}
