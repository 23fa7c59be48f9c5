//! A line of figures that follow each other: [`trend`].

use crate::printable::markup;
use crate::report::export::flame::svg::Svg;

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 56.0;
/// The height of the title.
const TITLE: f64 = 16.0;
/// The space above and below the line.
const MARGIN: f64 = 3.0;

/// A small picture of figures, in steps; it begins at zero. `None` stands for no figure.
pub(in crate::report) fn trend(title: &str, figures: &[Option<f64>]) -> Svg {
    let all = || figures.iter().flatten().copied();
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let span = if high > low { high - low } else { 1.0 };
    let scale = (HEIGHT - TITLE - 2.0 * MARGIN) / span;
    let step = WIDTH / figures.len().max(1) as f64;
    let mut path = String::new();
    let mut is_down = false;
    for (number, figure) in figures.iter().enumerate() {
        let Some(figure) = figure else {
            is_down = false;
            continue;
        };
        let (x, y) = (
            number as f64 * step,
            HEIGHT - MARGIN - (figure - low) * scale,
        );
        let to = if is_down { "V" } else { "M" };
        let x_begin = if is_down {
            String::new()
        } else {
            format!("{x:.1},")
        };
        path.push_str(&format!("{to}{x_begin}{y:.1}H{:.1}", x + step));
        is_down = true;
    }
    let title = markup(title);
    Svg(format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
         <text y=\"12\" font-size=\"13\" fill=\"currentColor\">{title}</text><path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" \
         stroke-width=\"1.5\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_steps_from_zero_with_gaps() {
        let Svg(text) = trend("a < b", &[Some(0.0), Some(2.0), None, Some(1.0)]);
        // 34 pixels stand for 2.
        let path = "d=\"M0.0,53.0H80.0V19.0H160.0M240.0,36.0H320.0\"";
        assert!(text.contains(path), "{text}");
        assert!(text.contains(">a &lt; b</text>"), "{text}");
        let Svg(text) = trend("none", &[]);
        assert!(text.contains("d=\"\""), "{text}");
        let Svg(text) = trend("zero", &[Some(0.0)]);
        assert!(text.contains("d=\"M0.0,53.0H320.0\""), "{text}");
    }
}
