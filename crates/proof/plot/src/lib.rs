//! Lines over an axis, in one panel or several with one legend, as an SVG document.
//! The same plot is the same bytes. What the lines mean is not known here.

#![forbid(unsafe_code)]

mod draw;

use std::fmt;

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What stands above all.
    pub title: String,
    /// Beside each other, from the left; at least one.
    pub panels: Vec<Panel>,
    /// Below the panels, row by row.
    pub legend: Vec<LegendEntry>,
    /// How many entries of the legend stand in a row; at least one.
    pub legend_columns: u32,
}

/// Axes, and lines between them.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What stands above it, if anything.
    pub caption: Option<String>,
    /// The horizontal axis.
    pub x: XAxis,
    /// The vertical axis.
    pub y: YAxis,
    /// The lines; later ones lie above.
    pub lines: Vec<Line>,
}

/// A horizontal axis.
#[derive(Clone, Debug)]
pub struct XAxis {
    /// What stands below it.
    pub label: String,
    /// Places, ascending, and what stands at each of them.
    pub ticks: Vec<(f64, String)>,
}

/// A vertical axis.
#[derive(Clone, Debug)]
pub struct YAxis {
    /// What stands beside it.
    pub label: String,
    /// The smallest and the largest value; points beyond lie on the edge.
    pub range: (f64, f64),
    /// How values are placed.
    pub scale: Scale,
    /// The values that are written beside a logarithmic axis; without any, and on a
    /// linear one, the library chooses.
    pub ticks: Vec<f64>,
}

/// How values are placed on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// By their differences.
    Linear,
    /// By their ratios; the range is above 0.
    Logarithmic,
}

/// A line with a mark at each point.
#[derive(Clone, Debug)]
pub struct Line {
    /// How it is drawn.
    pub stroke: Stroke,
    /// Its points from the left; `None` is a gap.
    pub points: Vec<Option<Point>>,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its place on the horizontal axis.
    pub x: f64,
    /// Its value.
    pub y: f64,
    /// From where to where values lie, as a thin bar.
    pub spread: Option<(f64, f64)>,
}

/// What a line is.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    /// How it is drawn.
    pub stroke: Stroke,
    /// What it is called.
    pub text: String,
}

/// How a line is drawn: its colour, and the lengths of its strokes and gaps in
/// pixels; a gap of 0 is a line without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Red, green and blue.
    pub color: (u8, u8, u8),
    /// The length of a stroke, and of the gap behind it.
    pub dash: (u32, u32),
}

/// Why a plot could not be drawn, in the words of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotError(String);

/// Colours that people who see few colours can tell apart too, by Okabe and Ito,
/// without the yellow, which is hardly seen on white.
const COLORS: [(u8, u8, u8); 8] = [
    (0, 84, 166),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (230, 159, 0),
    (0, 0, 0),
    (110, 110, 110),
];

/// Without gaps, dashed, dotted.
const DASHES: [(u32, u32); 3] = [(1, 0), (9, 4), (2, 4)];

impl Stroke {
    /// A stroke of this colour and dash.
    #[must_use]
    pub const fn new(red: u8, green: u8, blue: u8, dash: (u32, u32)) -> Self {
        Self {
            color: (red, green, blue),
            dash,
        }
    }

    /// The stroke of the nth of many lines: the first 24 differ.
    #[must_use]
    pub fn nth(nth: usize) -> Self {
        Self {
            color: COLORS[nth % COLORS.len()],
            dash: DASHES[nth / COLORS.len() % DASHES.len()],
        }
    }
}

impl Plot {
    /// The whole SVG document. Its places are whole pixels, so that figures that
    /// differ by noise alone mostly yield the same one.
    ///
    /// # Errors
    ///
    /// When the library can't draw it.
    pub fn svg(&self) -> Result<String, PlotError> {
        draw::svg(self).map_err(|error| PlotError(error.to_string()))
    }
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlotError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line through points with these values at 0, 1, 2 and so on.
    fn plot(dash: (u32, u32), values: &[Option<f64>]) -> String {
        let stroke = Stroke::new(1, 2, 3, dash);
        let point = |(x, value): (u32, &Option<f64>)| {
            value.map(|y| Point {
                x: f64::from(x),
                y,
                spread: Some((y - 1.0, y + 1.0)),
            })
        };
        let plot = Plot {
            title: String::from("a < b"),
            panels: vec![Panel {
                caption: None,
                x: XAxis {
                    label: String::from("n"),
                    ticks: vec![(0.0, String::from("none")), (5.0, String::from("five"))],
                },
                y: YAxis {
                    label: String::from("y"),
                    range: (0.0, 10.0),
                    scale: Scale::Linear,
                    ticks: Vec::new(),
                },
                lines: vec![Line {
                    stroke,
                    points: (0..).zip(values).map(point).collect(),
                }],
            }],
            legend: Vec::new(),
            legend_columns: 1,
        };
        plot.svg().expect("it can be drawn")
    }

    /// The numbers of points of the strokes in the line's colour, of this width.
    fn strokes(svg: &str, width: u32) -> Vec<usize> {
        let width = format!("stroke-width=\"{width}\"");
        svg.lines()
            .filter(|line| line.starts_with("<polyline"))
            .filter(|line| line.contains("#010203") && line.contains(&width))
            .map(|line| line.matches(',').count())
            .collect()
    }

    #[test]
    fn a_line_ends_before_a_gap_and_begins_again_behind_it() {
        let values = [Some(1.0), Some(2.0), Some(3.0), None, Some(5.0), Some(6.0)];
        let svg = plot((1, 0), &values);
        assert_eq!(strokes(&svg, 2), [3, 2], "{svg}");
        assert_eq!(svg.matches("<circle").count(), 5);
        // A thin bar at each point.
        assert_eq!(strokes(&svg, 1), [2; 5], "{svg}");
        let whole = plot((1, 0), &values.map(|value| value.or(Some(4.0))));
        assert_eq!(strokes(&whole, 2), [6]);
        assert!(strokes(&plot((9, 4), &values), 2).len() > 5);
    }

    #[test]
    fn ticks_are_those_that_were_asked_for_and_text_is_escaped() {
        let svg = plot((1, 0), &[Some(1.0)]);
        for text in ["\nnone\n", "\nfive\n", "\na &lt; b\n"] {
            assert!(svg.contains(text), "{text}\n{svg}");
        }
    }

    #[test]
    fn the_strokes_of_24_lines_differ() {
        let strokes: Vec<Stroke> = (0..24).map(Stroke::nth).collect();
        for (nth, stroke) in strokes.iter().enumerate() {
            assert!(!strokes[..nth].contains(stroke), "{nth}");
        }
    }
}
