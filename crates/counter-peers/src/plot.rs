//! The plot of the times, as SVG: a panel for each number of live blocks, a line
//! for each contender, one legend.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::series::DashedLineSeries;

use crate::error::Error;
use crate::times::{Board, Figure, SAME_AGAIN, THREADS};

const SIZE: (u32, u32) = (1_040, 760);
const LEGEND_HEIGHT: u32 = 110;
const FONT: &str = "sans-serif";

/// The range of the vertical axis, as far as the figures lie within.
const RATIOS: (f64, f64) = (0.8, 2_000.0);

/// How a line is drawn: its colour, which people who see few colours can tell
/// apart too, and the lengths of its strokes and gaps in pixels.
#[derive(Clone, Copy)]
struct Stroke {
    color: RGBColor,
    dash: (i32, i32),
}

/// The strokes, in the order of the contenders: the A/A row in black, ours in
/// blues, the others in further hues, in three patterns.
const STROKES: [Stroke; 10] = [
    stroke(0, 0, 0, (2, 4)),
    stroke(0, 84, 166, (1, 0)),
    stroke(0, 84, 166, (9, 4)),
    stroke(0, 84, 166, (2, 4)),
    stroke(213, 94, 0, (1, 0)),
    stroke(0, 158, 115, (1, 0)),
    stroke(204, 121, 167, (1, 0)),
    stroke(230, 159, 0, (1, 0)),
    stroke(110, 110, 110, (9, 4)),
    stroke(110, 110, 110, (1, 0)),
];

/// The whole SVG document. Its places are whole pixels, so that figures that
/// differ by noise alone mostly yield the same one.
///
/// # Errors
///
/// When the library can't draw it.
pub fn svg(boards: &[Board]) -> Result<String, Error> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw(&area, boards).map_err(|error| Error::Plot(error.to_string()))?;
        area.present()
            .map_err(|error| Error::Plot(error.to_string()))?;
    }
    if !svg.ends_with('\n') {
        svg.push('\n');
    }
    Ok(svg)
}

type Area<'svg> = DrawingArea<SVGBackend<'svg>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(area: &Area<'_>, boards: &[Board]) -> Drawn {
    area.fill(&WHITE)?;
    let area = area.titled(
        "Time of an allocation and its deallocation (64 bytes), by that of the system's allocator",
        (FONT, 20),
    )?;
    let (panels, below) = area.split_vertically(SIZE.1 - LEGEND_HEIGHT - 30);
    for (panel, board) in panels
        .split_evenly((1, boards.len().max(1)))
        .iter()
        .zip(boards)
    {
        draw_panel(panel, board)?;
    }
    let figures = boards.first().and_then(|board| board.columns.first());
    draw_legend(&below, figures.map_or(&[][..], |column| &column.figures))
}

fn draw_panel(area: &Area<'_>, board: &Board) -> Drawn {
    let caption = match board.live {
        1 => String::from("one block at a time"),
        live => format!("{live} blocks allocated, then freed"),
    };
    let last = THREADS.len() - 1;
    let mut chart = ChartBuilder::on(area)
        .caption(caption, (FONT, 17))
        .margin(8)
        .margin_right(20)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d(-0.1..last as f64 + 0.1, (RATIOS.0..RATIOS.1).log_scale())?;
    // The places of 1, 2, 4 and 8 threads are even, as on a logarithmic axis.
    let threads = |place: &f64| {
        let nearest = place.round();
        let exact = (place - nearest).abs() < 1e-6 && nearest >= 0.0;
        let threads = THREADS.get(nearest as usize).filter(|_| exact);
        threads.map(ToString::to_string).unwrap_or_default()
    };
    chart
        .configure_mesh()
        .x_labels(THREADS.len())
        .x_label_formatter(&threads)
        .x_desc(match board.columns.iter().find(|column| column.crowded) {
            Some(column) => format!("threads (from {} on more than cores)", column.threads),
            None => String::from("threads"),
        })
        .x_max_light_lines(0)
        .y_labels(8)
        .y_label_formatter(&|ratio| format!("{ratio}"))
        .y_desc("times System (logarithmic)")
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 15))
        .bold_line_style(BLACK.mix(0.18))
        .light_line_style(BLACK.mix(0.05))
        .draw()?;
    let rows = board
        .columns
        .first()
        .map_or(0, |column| column.figures.len());
    for nth in 0..rows {
        let points: Vec<(f64, f64)> = board
            .columns
            .iter()
            .enumerate()
            .filter_map(|(place, column)| {
                let ratio = column.figures.get(nth)?.ratio;
                Some((place as f64, ratio.clamp(RATIOS.0, RATIOS.1)))
            })
            .collect();
        let Stroke { color, dash } = STROKES[nth % STROKES.len()];
        match dash {
            (_, 0) => {
                chart.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
            }
            (on, off) => {
                let style = color.stroke_width(2);
                let line = DashedLineSeries::new(points.clone(), on as u32, off as u32, style);
                chart.draw_series(line)?;
            }
        }
        chart.draw_series(points.iter().map(|&at| Circle::new(at, 3, color.filled())))?;
    }
    Ok(())
}

fn draw_legend(area: &Area<'_>, figures: &[Figure]) -> Drawn {
    const COLUMNS: i32 = 4;
    const COLUMN_WIDTH: i32 = 245;
    const ROW_HEIGHT: i32 = 28;
    for (nth, figure) in (0..).zip(figures) {
        let (left, top) = (
            40 + (nth % COLUMNS) * COLUMN_WIDTH,
            14 + (nth / COLUMNS) * ROW_HEIGHT,
        );
        let Stroke { color, dash } = STROKES[nth as usize % STROKES.len()];
        let (on, off) = dash;
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
        let name = if figure.name == SAME_AGAIN {
            "System against itself (A/A)"
        } else {
            figure.name
        };
        area.draw(&Text::new(name, (left + 48, top - 7), (FONT, 15)))?;
    }
    Ok(())
}

const fn stroke(red: u8, green: u8, blue: u8, dash: (i32, i32)) -> Stroke {
    Stroke {
        color: RGBColor(red, green, blue),
        dash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::times::Column;

    #[test]
    fn every_contender_thread_and_axis_is_in_the_plot() {
        let figure = |name, ratio| Figure {
            name,
            ratio,
            quartiles: (ratio, ratio),
            copies: (ratio, ratio),
        };
        let column = |threads| Column {
            threads,
            crowded: threads > 2,
            at_once_percent: 100.0,
            opponent_ns: 5.0,
            figures: vec![figure(SAME_AGAIN, 1.0), figure("divan", 1.4)],
        };
        let board = Board {
            live: 1,
            columns: THREADS.map(column).to_vec(),
        };
        let svg = svg(&[board]).unwrap();
        for word in [
            "System against itself (A/A)",
            "divan",
            "threads (from 4 on more than cores)",
            "times System (logarithmic)",
            "one block at a time",
        ] {
            assert!(svg.contains(word), "{word}\n{svg}");
        }
        // A point for each number of threads and one in the legend.
        assert_eq!(svg.matches("<circle").count(), 2 * (THREADS.len() + 1));
        assert!(svg.ends_with("</svg>\n"));
    }
}
