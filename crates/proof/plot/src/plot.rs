//! [`Plot`] and its parts.

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The title, above the panels.
    pub title: String,
    /// The panels, from left to right; at least one.
    pub panels: Vec<Panel>,
    /// The legend below the panels, row by row.
    pub legend: Vec<LegendEntry>,
    /// The number of legend entries in a row; at least one.
    pub legend_columns: u32,
}

/// Two axes and the lines between them.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The text above the panel.
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
    /// The text below the axis.
    pub label: String,
    /// Positions in ascending order, each with its text.
    pub ticks: Vec<(f64, String)>,
}

/// A logarithmic vertical axis.
#[derive(Clone, Debug)]
pub struct YAxis {
    /// The text beside the axis.
    pub label: String,
    /// The smallest and the largest value, both above 0; points beyond are drawn on the edge.
    pub range: (f64, f64),
}

/// A line with a mark at each point.
#[derive(Clone, Debug)]
pub struct Line {
    /// The stroke.
    pub stroke: Stroke,
    /// The points from left to right; `None` is a gap.
    pub points: Vec<Option<Point>>,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The position on the horizontal axis.
    pub x: f64,
    /// The value.
    pub y: f64,
}

/// An entry of the legend: a stroke and the name of its line.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    /// The stroke.
    pub stroke: Stroke,
    /// The name of the line.
    pub text: String,
}

/// The colour and the dashes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Red, green and blue.
    pub color: (u8, u8, u8),
    /// The lengths of a dash and of the gap after it, in pixels; with a gap of 0 the
    /// line is solid.
    pub dash: (u32, u32),
}

impl Stroke {
    /// The stroke with this colour and dash.
    #[must_use]
    pub const fn new(red: u8, green: u8, blue: u8, dash: (u32, u32)) -> Self {
        Self {
            color: (red, green, blue),
            dash,
        }
    }
}
