//! [`Svg`]: a small writer of SVG documents for light and for dark pages.

use std::fmt::{Display, Write as _};

use super::palette;
use crate::facts::Family;

/// The factor by which bold text is wider.
pub(crate) const BOLD: f64 = 1.08;

/// The width of a text in pixels at this font size, by the letters of DejaVu Sans, the widest
/// of the usual fonts for screens.
pub fn text_width(text: &str, size: f64) -> f64 {
    let em = |letter| match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.30,
        ' ' | '.' | ',' | ':' | ';' | '!' | '(' | ')' | '-' | '/' | 'f' | 't' | 'r' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.98,
        'A'..='Z' => 0.74,
        '≤' | '≈' | '±' | '×' | '+' | '<' | '>' | '=' => 0.84,
        _ => 0.64,
    };
    text.chars().map(|letter| em(letter) * size).sum()
}

/// The left and upper edge of a rectangle, its width and its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect(
    pub(crate) f64,
    pub(crate) f64,
    pub(crate) f64,
    pub(crate) f64,
);

impl Rect {
    pub(crate) fn right(&self) -> f64 {
        self.0 + self.2
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.1 + self.3
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let is_beside = self.0 >= other.right() || other.0 >= self.right();
        !is_beside && self.1 < other.bottom() && other.1 < self.bottom()
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        let is_wide = self.0 <= other.0 && other.right() <= self.right();
        is_wide && self.1 <= other.1 && other.bottom() <= self.bottom()
    }
}

/// A text to write.
#[derive(Clone, Debug)]
pub(crate) struct Text<'t> {
    text: &'t str,
    at: (f64, f64),
    size: f64,
    class: &'t str,
    more: String,
}

impl<'t> Text<'t> {
    /// A text of 12 pixels that begins here, on its baseline.
    pub(crate) fn new(text: &'t str, at: (f64, f64)) -> Self {
        Self {
            text,
            at,
            size: 12.0,
            class: "ink",
            more: String::new(),
        }
    }

    /// A small text of less weight.
    pub(crate) fn note(text: &'t str, at: (f64, f64)) -> Self {
        Self::new(text, at).size(11.0).dim()
    }

    /// The same in the middle of the place, or before its `end`.
    pub(crate) fn anchor(mut self, anchor: &str) -> Self {
        self.more += &format!(" text-anchor=\"{anchor}\"");
        self
    }

    pub(crate) fn size(self, size: f64) -> Self {
        Self { size, ..self }
    }

    pub(crate) fn class(self, class: &'t str) -> Self {
        Self { class, ..self }
    }

    /// The same with less weight.
    pub(crate) fn dim(self) -> Self {
        self.class("dim")
    }

    pub(crate) fn hue(self, family: Family) -> Self {
        self.class(family_class(family))
    }

    pub(crate) fn bold(mut self) -> Self {
        self.more += " font-weight=\"600\"";
        self
    }

    /// The same turned by degrees around its place.
    pub(crate) fn turned(mut self, degrees: f64) -> Self {
        let (x, y) = (number(self.at.0), number(self.at.1));
        self.more += &format!(" transform=\"rotate({degrees} {x} {y})\"");
        self
    }
}

/// A document.
#[derive(Clone, Debug)]
pub(crate) struct Svg {
    title: &'static str,
    body: String,
}

impl Svg {
    /// The space around everything.
    pub(crate) const MARGIN: f64 = 16.0;

    /// A document that begins with its title.
    pub(crate) fn new(title: &'static str, subtitle: &str) -> Self {
        let body = String::new();
        let mut svg = Self { title, body };
        svg.text(Text::new(title, (Self::MARGIN, 28.0)).size(17.0).bold());
        svg.text(Text::new(subtitle, (Self::MARGIN, 50.0)).dim());
        svg
    }

    /// An element without content; the attributes are written as they are.
    pub(crate) fn element(&mut self, name: &str, attributes: impl Display) {
        let _ = writeln!(self.body, "<{name} {attributes}/>");
    }

    pub(crate) fn text(&mut self, text: Text<'_>) {
        let (class, more) = (text.class, text.more);
        let [x, y, size] = [text.at.0, text.at.1, text.size].map(number);
        let text = escaped(text.text);
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{more}>{text}</text>"
        );
    }

    pub(crate) fn rect(&mut self, class: &str, Rect(x, y, width, height): Rect) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        self.element("rect", format_args!("class=\"{class}\" {place}"));
    }

    /// A line through these points; `more` are further attributes.
    pub(crate) fn line(&mut self, class: &str, points: &[(f64, f64)], more: &str) {
        let points = joined(points);
        let line = format!("class=\"{class}\" points=\"{points}\" fill=\"none\" {more}");
        self.element("polyline", line.trim_end());
    }

    /// A filled area.
    pub(crate) fn area(&mut self, class: &str, points: &[(f64, f64)], more: &str) {
        let points = joined(points);
        let area = format!("class=\"{class}\" points=\"{points}\" {more}");
        self.element("polygon", area.trim_end());
    }

    /// The whole of this size.
    pub(crate) fn finish(&self, (width, height): (f64, f64)) -> String {
        let (width, height) = (number(width), number(height));
        let (title, style, body) = (escaped(self.title), palette::style(), &self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"system-ui, -apple-system, \
             'Segoe UI', 'DejaVu Sans', sans-serif\">\n<title>{title}</title>\n{style}\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n"
        )
    }
}

/// The class of texts and areas in the hue of a family; that of its lines ends with `l`.
pub(crate) const fn family_class(family: Family) -> &'static str {
    match family {
        Family::System => "f-system",
        Family::Native => "f-native",
        Family::Rust => "f-rust",
        Family::Region => "f-region",
        Family::Arena => "f-arena",
        Family::Other => "f-other",
    }
}

/// A coordinate with at most one digit behind the point.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

fn joined(points: &[(f64, f64)]) -> String {
    let points = points.iter();
    let points = points.map(|(x, y)| format!("{},{}", number(*x), number(*y)));
    points.collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
