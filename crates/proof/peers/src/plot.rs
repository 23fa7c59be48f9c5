//! The plot of the times: a panel for each number of live blocks, a line for each
//! contender. How it is drawn is not known here.

use proof_plot::{LegendEntry, Line, Panel, Plot, Point, Scale, Stroke, XAxis, YAxis};

use crate::error::Error;
use crate::times::{Board, Column, Figure, SAME_AGAIN, THREADS};

/// The range of the vertical axis, as far as the figures lie within.
const RATIOS: (f64, f64) = (0.8, 2_000.0);

/// The strokes, in the order of the contenders: the A/A row and the plain wrapper in
/// black, ours in blues, the others in further hues, in three patterns.
const STROKES: [Stroke; 11] = [
    Stroke::new(0, 0, 0, (2, 4)),
    Stroke::new(0, 0, 0, (9, 4)),
    Stroke::new(0, 84, 166, (1, 0)),
    Stroke::new(0, 84, 166, (9, 4)),
    Stroke::new(0, 84, 166, (2, 4)),
    Stroke::new(213, 94, 0, (1, 0)),
    Stroke::new(0, 158, 115, (1, 0)),
    Stroke::new(204, 121, 167, (1, 0)),
    Stroke::new(230, 159, 0, (1, 0)),
    Stroke::new(110, 110, 110, (9, 4)),
    Stroke::new(110, 110, 110, (1, 0)),
];

/// The whole SVG document.
///
/// # Errors
///
/// When the library can't draw it.
pub fn svg(boards: &[Board]) -> Result<String, Error> {
    let figures = boards.first().and_then(|board| board.columns.first());
    let figures = figures.map_or(&[][..], |column| &column.figures);
    let legend = whole(figures).enumerate().map(|(nth, figure)| LegendEntry {
        stroke: stroke(nth),
        text: String::from(if figure.name == SAME_AGAIN {
            "System against itself (A/A)"
        } else {
            figure.name
        }),
    });
    let plot = Plot {
        title: String::from(
            "Time of an allocation and its deallocation (64 bytes), by that of the system's \
             allocator",
        ),
        panels: boards.iter().map(panel).collect(),
        legend: legend.collect(),
        legend_columns: 4,
    };
    plot.svg().map_err(|error| Error::Plot(error.to_string()))
}

fn panel(board: &Board) -> Panel {
    let rows = board
        .columns
        .first()
        .map_or(0, |column| whole(&column.figures).count());
    Panel {
        caption: Some(match board.live {
            1 => String::from("one block at a time"),
            live => format!("{live} blocks allocated, then freed"),
        }),
        x: XAxis {
            label: match board.columns.iter().find(|column| column.crowded) {
                Some(column) => format!("threads (from {} on more than cores)", column.threads),
                None => String::from("threads"),
            },
            // The places of 1, 2, 4 and 8 threads are even, as on a logarithmic axis.
            ticks: places()
                .zip(THREADS.map(|count| count.to_string()))
                .collect(),
        },
        y: YAxis {
            label: String::from("times System (logarithmic)"),
            range: RATIOS,
            scale: Scale::Logarithmic,
            ticks: Vec::new(),
        },
        lines: (0..rows).map(|nth| line(nth, &board.columns)).collect(),
    }
}

fn line(nth: usize, columns: &[Column]) -> Line {
    let points = places().zip(columns).map(|(x, column)| {
        let y = whole(&column.figures).nth(nth)?.ratio;
        Some(Point { x, y, spread: None })
    });
    Line {
        stroke: stroke(nth),
        points: points.collect(),
    }
}

/// Those that are whole counters, or none at all.
fn whole(figures: &[Figure]) -> impl Iterator<Item = &Figure> {
    figures.iter().filter(|figure| !figure.part)
}

/// Where the numbers of threads stand.
fn places() -> impl Iterator<Item = f64> {
    (0_u32..).map(f64::from)
}

fn stroke(nth: usize) -> Stroke {
    STROKES[nth % STROKES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contender_thread_and_axis_is_in_the_plot() {
        let figure = |name, ratio| Figure {
            name,
            part: false,
            ratio,
            quartiles: (ratio, ratio),
            copies: (ratio, ratio),
        };
        let column = |threads| Column {
            threads,
            crowded: threads > 2,
            at_once_percent: 100.0,
            opponent_ns: 5.0,
            figures: vec![
                figure(SAME_AGAIN, 1.0),
                Figure {
                    part: true,
                    ..figure("part: asks", 1.1)
                },
                figure("divan", 1.4),
            ],
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
        assert!(!svg.contains("part: asks"), "{svg}");
        // A point for each number of threads and one in the legend.
        assert_eq!(svg.matches("<circle").count(), 2 * (THREADS.len() + 1));
        assert!(svg.ends_with("</svg>\n"));
    }
}
