//! Draws a plot with the library: the positions and sizes of its parts.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{
    AsRangedCoord, DefaultFormatting, KeyPointHint, Ranged, ValueFormatter,
};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::series::DashedLineSeries;

use crate::plot::{LegendEntry, Line, Panel, Plot, Point, Stroke};

const WIDTH: u32 = 1_040;
const TITLE_HEIGHT: u32 = 30;
const PANEL_HEIGHT: u32 = 620;
const ROW_HEIGHT: u32 = 28;
const FONT: &str = "sans-serif";

type Area<'svg> = DrawingArea<SVGBackend<'svg>, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

impl Plot {
    /// The SVG document. Positions are whole pixels, so figures that differ by noise
    /// alone mostly yield the same document.
    ///
    /// # Errors
    ///
    /// When the library can't draw it.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        let rows = (self.legend.len() as u32).div_ceil(self.legend_columns.max(1));
        let height = TITLE_HEIGHT + PANEL_HEIGHT + rows * ROW_HEIGHT + 26;
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
            draw(&area, self)?;
            area.present()?;
        }
        if !svg.ends_with('\n') {
            svg.push('\n');
        }
        Ok(svg)
    }
}

fn draw(area: &Area<'_>, plot: &Plot) -> Drawn {
    area.fill(&WHITE)?;
    let area = area.titled(&plot.title, (FONT, 20))?;
    let (panels, below) = area.split_vertically(PANEL_HEIGHT);
    for (area, panel) in panels
        .split_evenly((1, plot.panels.len().max(1)))
        .iter()
        .zip(&plot.panels)
    {
        let (low, high) = panel.y.range;
        draw_panel(area, panel, (low..high).log_scale())?;
    }
    draw_legend(&below, &plot.legend, plot.legend_columns.max(1))
}

fn draw_panel<Y>(area: &Area<'_>, panel: &Panel, y: Y) -> Drawn
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let ticks = &panel.x.ticks;
    let places: Vec<f64> = ticks.iter().map(|(place, _)| *place).collect();
    let first = places.first().copied().unwrap_or_default();
    let last = places.last().copied().unwrap_or_default();
    let axis: RangedCoordf64 = (first - 0.1..last + 0.1).into();
    let x = Ticked {
        axis,
        ticks: places,
    };
    let mut chart = ChartBuilder::on(area);
    if let Some(caption) = &panel.caption {
        chart.caption(caption, (FONT, 17));
    }
    let mut chart = chart
        .margin(8)
        .margin_right(20)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d(x, y)?;
    let text_of = |place: &f64| {
        let tick = ticks.iter().find(|(at, _)| (at - place).abs() < 1e-6);
        tick.map(|(_, text)| text.clone()).unwrap_or_default()
    };
    chart
        .configure_mesh()
        .x_labels(ticks.len())
        .x_label_formatter(&text_of)
        .x_desc(&panel.x.label)
        .x_max_light_lines(0)
        .y_labels(8)
        .y_label_formatter(&|value| format!("{value}"))
        .y_desc(&panel.y.label)
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 15))
        .bold_line_style(BLACK.mix(0.18))
        .light_line_style(BLACK.mix(0.05))
        .draw()?;
    for line in &panel.lines {
        draw_line(&mut chart, line, panel.y.range)?;
    }
    Ok(())
}

/// An axis with these ticks and no others. The library's own type for that doesn't
/// support formatted labels.
struct Ticked {
    axis: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.axis.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.weight().allow_light_points() {
            true => Vec::new(),
            false => self.ticks.clone(),
        }
    }

    fn range(&self) -> Range<f64> {
        self.axis.range()
    }
}

type Chart<'a, 'svg, Y> = ChartContext<'a, SVGBackend<'svg>, Cartesian2d<Ticked, Y>>;

fn draw_line<Y>(chart: &mut Chart<'_, '_, Y>, line: &Line, range: (f64, f64)) -> Drawn
where
    Y: Ranged<ValueType = f64>,
{
    let Stroke { color, dash } = line.stroke;
    let color = rgb(color);
    let inside = |value: f64| value.clamp(range.0, range.1);
    for part in line.points.split(Option::is_none) {
        let points: Vec<Point> = part.iter().flatten().copied().collect();
        let places: Vec<(f64, f64)> = points.iter().map(|p| (p.x, inside(p.y))).collect();
        let style = color.stroke_width(2);
        if dash.1 == 0 {
            chart.draw_series(LineSeries::new(places.clone(), style))?;
        } else {
            let dashed = DashedLineSeries::new(places.clone(), dash.0, dash.1, style);
            chart.draw_series(dashed)?;
        }
        chart.draw_series(places.iter().map(|&at| Circle::new(at, 3, color.filled())))?;
    }
    Ok(())
}

fn draw_legend(area: &Area<'_>, entries: &[LegendEntry], columns: u32) -> Drawn {
    let column_width = 980 / columns;
    for (nth, entry) in (0..).zip(entries) {
        let place = |count: u32| i32::try_from(count);
        let left = 40 + place(nth % columns * column_width)?;
        let top = 14 + place(nth / columns * ROW_HEIGHT)?;
        let Stroke { color, dash } = entry.stroke;
        let color = rgb(color);
        let (on, off) = (place(dash.0)?, place(dash.1)?);
        let end = left + 40;
        let mut from = left;
        while from < end {
            let to = if off == 0 { end } else { (from + on).min(end) };
            area.draw(&PathElement::new(
                [(from, top), (to, top)],
                color.stroke_width(2),
            ))?;
            from = to + off;
        }
        area.draw(&Circle::new((left + 20, top), 3, color.filled()))?;
        area.draw(&Text::new(
            entry.text.as_str(),
            (left + 48, top - 7),
            (FONT, 15),
        ))?;
    }
    Ok(())
}

fn rgb((red, green, blue): (u8, u8, u8)) -> RGBColor {
    RGBColor(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{XAxis, YAxis};

    /// The plot of one line with these values at 0, 1, 2 and so on.
    fn plot(dash: (u32, u32), values: &[Option<f64>]) -> String {
        let stroke = Stroke::new(1, 2, 3, dash);
        let point = |(x, value): (u32, &Option<f64>)| value.map(|y| Point { x: f64::from(x), y });
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
                    range: (1.0, 10.0),
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

    /// The number of points of each stroke that has the line's colour.
    fn strokes(svg: &str) -> Vec<usize> {
        svg.lines()
            .filter(|line| line.starts_with("<polyline"))
            .filter(|line| line.contains("#010203"))
            .map(|line| line.matches(',').count())
            .collect()
    }

    #[test]
    fn a_line_ends_before_a_gap_and_continues_after_it() {
        let values = [Some(1.0), Some(2.0), Some(3.0), None, Some(5.0), Some(6.0)];
        let svg = plot((1, 0), &values);
        assert_eq!(strokes(&svg), [3, 2], "{svg}");
        assert_eq!(svg.matches("<circle").count(), 5);
        let whole = plot((1, 0), &values.map(|value| value.or(Some(4.0))));
        assert_eq!(strokes(&whole), [6]);
        assert!(strokes(&plot((9, 4), &values)).len() > 5);
    }

    #[test]
    fn ticks_have_the_given_texts_and_text_is_escaped() {
        let svg = plot((1, 0), &[Some(1.0)]);
        for text in ["\nnone\n", "\nfive\n", "\na &lt; b\n"] {
            assert!(svg.contains(text), "{text}\n{svg}");
        }
    }
}
