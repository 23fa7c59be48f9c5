//! [`Svg`]: a small writer of SVG documents for light and for dark pages.
//!
//! It remembers the place of each text, so that a test can look for texts that overlap.

use std::fmt::Write as _;

use super::palette::{self, Pair, Tone};
use super::text_width::{BOLD, text_width};
use crate::facts::Family;

/// The part of a text's height above its baseline, and the whole, in parts of the font size.
const ASCENT: f64 = 0.78;
const HEIGHT: f64 = 1.0;

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.x + other.width <= self.x + self.width
            && other.y + other.height <= self.y + self.height
    }
}

/// Where a text is anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    /// The anchor on the baseline of the text.
    pub(crate) at: (f64, f64),
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    /// The class, which gives the colour.
    pub(crate) class: &'t str,
    pub(crate) is_bold: bool,
    /// Degrees, to the left and upwards if negative.
    pub(crate) turn: f64,
}

impl<'t> Text<'t> {
    /// A text of 12 pixels that begins here.
    pub(crate) fn new(text: &'t str, at: (f64, f64)) -> Self {
        Self {
            text,
            at,
            anchor: Anchor::Start,
            size: 12.0,
            class: "ink",
            is_bold: false,
            turn: 0.0,
        }
    }

    pub(crate) fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(crate) fn size(self, size: f64) -> Self {
        Self { size, ..self }
    }

    pub(crate) fn class(self, class: &'t str) -> Self {
        Self { class, ..self }
    }

    pub(crate) fn bold(self) -> Self {
        Self {
            is_bold: true,
            ..self
        }
    }

    pub(crate) fn turned(self, turn: f64) -> Self {
        Self { turn, ..self }
    }

    /// The rectangle of the text before it is turned around its anchor.
    fn bounds(&self) -> Rect {
        let bold = if self.is_bold { BOLD } else { 1.0 };
        let width = text_width(self.text, self.size) * bold;
        let left = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        Rect {
            x: self.at.0 - left,
            y: self.at.1 - ASCENT * self.size,
            width,
            height: HEIGHT * self.size,
        }
    }
}

/// A text that was written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// Before it is turned.
    pub(crate) bounds: Rect,
    /// The centre and the degrees of its turn.
    pub(crate) around: (f64, f64),
    pub(crate) turn: f64,
}

/// A document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Svg {
    body: String,
    pub(crate) written: Vec<Written>,
}

impl Svg {
    /// An element without content; the attributes are written as they are.
    pub(crate) fn element(&mut self, name: &str, attributes: &str) {
        self.add(format_args!("<{name} {attributes}/>"));
    }

    pub(crate) fn text(&mut self, text: Text<'_>) {
        let Text {
            at, size, class, ..
        } = text;
        let (x, y) = (number(at.0), number(at.1));
        let anchor = match text.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if text.is_bold {
            " font-weight=\"600\""
        } else {
            ""
        };
        let turn = match text.turn {
            0.0 => String::new(),
            turn => format!(" transform=\"rotate({} {x} {y})\"", number(turn)),
        };
        let size = number(size);
        let content = escaped(text.text);
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{weight}{turn}>\
             {content}</text>"
        ));
        self.written.push(Written {
            text: text.text.to_owned(),
            bounds: text.bounds(),
            around: at,
            turn: text.turn,
        });
    }

    pub(crate) fn rect(&mut self, class: &str, rect: Rect) {
        let Rect {
            x,
            y,
            width,
            height,
        } = rect;
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        self.element(
            "rect",
            &format!("class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""),
        );
    }

    /// A text in the hue of a family.
    pub(crate) fn hued_text(&mut self, text: Text<'_>, family: Family) {
        self.text(text.class(family_class(family)));
    }

    /// A rectangle in the hue of a family.
    pub(crate) fn hued_rect(&mut self, family: Family, rect: Rect) {
        self.rect(family_class(family), rect);
    }

    /// A line through these points; `more` are further attributes.
    pub(crate) fn line(&mut self, class: &str, points: &[(f64, f64)], more: &str) {
        let points = joined(points);
        let element = format!("class=\"{class}\" points=\"{points}\" fill=\"none\" {more}");
        self.element("polyline", element.trim_end());
    }

    /// A filled area.
    pub(crate) fn area(&mut self, class: &str, points: &[(f64, f64)]) {
        let points = joined(points);
        self.element("polygon", &format!("class=\"{class}\" points=\"{points}\""));
    }

    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        self.body
            .write_fmt(line)
            .expect("a string takes everything");
        self.body.push('\n');
    }

    /// The document: its size, and what a screen reader says.
    pub(crate) fn finish(&self, (width, height): (f64, f64), title: &str) -> String {
        let (width, height) = (number(width), number(height));
        let title = escaped(title);
        let style = style();
        let body = &self.body;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"system-ui, -apple-system, \
             'Segoe UI', 'DejaVu Sans', sans-serif\">\n<title>{title}</title>\n{style}\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n"
        )
    }
}

/// The CSS class of areas in the colour of a family; the class of its lines ends with `l`.
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
    let points = points
        .iter()
        .map(|(x, y)| format!("{},{}", number(*x), number(*y)));
    points.collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The colours, for light pages and for dark ones.
fn style() -> String {
    let light = rules(|pair| pair.light);
    let dark = rules(|pair| pair.dark);
    format!("<style>\n{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n</style>\n")
}

fn rules(mode: impl Fn(Pair) -> palette::Rgb) -> String {
    let mut rules = String::new();
    let mut add = |selector: &str, property: &str, pair: Pair| {
        let colour = mode(pair);
        let rule = writeln!(rules, "{selector}{{{property}:#{colour:06x}}}");
        rule.expect("a string takes everything");
    };
    add(".ground", "fill", palette::GROUND);
    add(".ink", "fill", palette::INK);
    add(".dim", "fill", palette::DIM);
    add(".grid", "stroke", palette::GRID);
    add(".edge", "stroke", palette::DIM);
    add(".noise", "fill", palette::NOISE);
    add(".fail", "fill", palette::FAIL);
    add(".fail", "stroke", palette::INK);
    for family in Family::ALL {
        let class = format!(".{}", family_class(family));
        add(&class, "fill", palette::hue(family));
        let class = format!(".{}l", family_class(family));
        add(&class, "stroke", palette::hue(family));
    }
    let tones = |name: &'static str, tones: [Tone; 5]| {
        let named = (0..).zip(tones);
        named.map(move |(nth, tone): (u32, Tone)| (format!("{name}{nth}"), tone))
    };
    for (name, tone) in tones("b", palette::FASTER).chain(tones("o", palette::SLOWER)) {
        add(&format!(".{name}"), "fill", tone.ground);
        add(&format!(".{name}t"), "fill", tone.text);
    }
    rules
}

/// For tests: looks for texts that overlap or leave the picture.
#[cfg(test)]
pub(crate) mod geometry {
    use super::*;

    type Corners = [(f64, f64); 4];

    fn corners(written: &Written) -> Corners {
        let Rect {
            x,
            y,
            width,
            height,
        } = written.bounds;
        let (sin, cos) = written.turn.to_radians().sin_cos();
        let (cx, cy) = written.around;
        let turned = |(x, y): (f64, f64)| {
            let (dx, dy) = (x - cx, y - cy);
            (cx + dx * cos - dy * sin, cy + dx * sin + dy * cos)
        };
        [
            (x, y),
            (x + width, y),
            (x + width, y + height),
            (x, y + height),
        ]
        .map(turned)
    }

    /// Whether a line separates two rectangles that may be turned.
    fn are_apart(first: &Written, second: &Written) -> bool {
        let corners = [corners(first), corners(second)];
        [
            first.turn,
            first.turn + 90.0,
            second.turn,
            second.turn + 90.0,
        ]
        .iter()
        .any(|degrees| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let [one, other] = corners.map(|corners: Corners| {
                let places = corners.map(|(x, y)| x * cos + y * sin);
                let low = places.iter().copied().fold(f64::INFINITY, f64::min);
                let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                (low, high)
            });
            one.1 <= other.0 || other.1 <= one.0
        })
    }

    /// Fails if two texts overlap, or if one is not inside of the picture.
    #[track_caller]
    pub(crate) fn check(svg: &Svg, (width, height): (f64, f64)) {
        for (nth, written) in svg.written.iter().enumerate() {
            for (x, y) in corners(written) {
                let is_inside = (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
                assert!(is_inside, "`{}` is outside at {x}, {y}", written.text);
            }
            for other in &svg.written[..nth] {
                let (one, other_text) = (&written.text, &other.text);
                assert!(are_apart(written, other), "`{one}` overlaps `{other_text}`");
            }
        }
    }

    #[test]
    fn turned_texts_overlap_only_if_their_rectangles_do() {
        let texts = |turn, distance| {
            let mut svg = Svg::default();
            svg.text(Text::new("workload", (100.0, 100.0)).turned(turn));
            svg.text(Text::new("workload", (100.0 + distance, 100.0)).turned(turn));
            svg
        };
        let overlap = |svg: &Svg| !are_apart(&svg.written[0], &svg.written[1]);
        // Lines of 12 pixels at 45 degrees are apart if they begin 17 pixels apart.
        assert!(overlap(&texts(-45.0, 16.9)));
        assert!(!overlap(&texts(-45.0, 17.0)));
        assert!(overlap(&texts(0.0, 17.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_its_size_its_title_and_both_modes() {
        let mut svg = Svg::default();
        svg.text(Text::new("a < b", (1.0, 2.25)));
        let text = svg.finish((10.0, 20.5), "A & B");
        assert!(text.contains("width=\"10\" height=\"20.5\" viewBox=\"0 0 10 20.5\""));
        assert!(text.contains("<title>A &amp; B</title>"));
        assert!(
            text.contains("<text class=\"ink\" x=\"1\" y=\"2.2\" font-size=\"12\">a &lt; b</text>")
        );
        assert_eq!(text.matches(".ground{fill:").count(), 2);
        assert_eq!(text.matches("prefers-color-scheme: dark").count(), 1);
    }
}
