//! The plot of the times: a panel for each number of live blocks, a line for each
//! counter.

use proof_plot::{LegendEntry, Line, Panel, Plot, Point, Stroke, XAxis, YAxis};

use crate::error::Error;
use crate::times::table::{BASELINE_AGAIN, Column, Figure, THREADS, TimeTable};

/// The range of the vertical axis.
const RATIOS: (f64, f64) = (0.8, 2_000.0);

/// The strokes, in the order of the tables: the A/A row and the plain wrapper are
/// black, the modes of counting-alloc blue, the others have further colours.
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

/// The plot as an SVG document.
///
/// # Errors
///
/// When the library can't draw it.
pub fn svg(tables: &[TimeTable]) -> Result<String, Error> {
    let figures = tables.first().and_then(|table| table.columns.first());
    let figures = figures.map_or(&[][..], |column| &column.figures);
    let legend = whole(figures).enumerate().map(|(nth, figure)| LegendEntry {
        stroke: stroke(nth),
        text: String::from(if figure.name == BASELINE_AGAIN {
            "System against itself (A/A)"
        } else {
            figure.name
        }),
    });
    let plot = Plot {
        title: String::from(
            "Time of an allocation and its deallocation (64 bytes), relative to the system's \
             allocator",
        ),
        panels: tables.iter().map(panel).collect(),
        legend: legend.collect(),
        legend_columns: 4,
    };
    plot.svg().map_err(|error| Error::Plot(error.to_string()))
}

fn panel(table: &TimeTable) -> Panel {
    let rows = table
        .columns
        .first()
        .map_or(0, |column| whole(&column.figures).count());
    Panel {
        caption: Some(match table.live {
            1 => String::from("one block at a time"),
            live => format!("{live} blocks allocated, then freed"),
        }),
        x: XAxis {
            label: match table.columns.iter().find(|column| column.oversubscribed) {
                Some(column) => format!("threads (from {} on more than cores)", column.threads),
                None => String::from("threads"),
            },
            // 1, 2, 4 and 8 threads are evenly spaced, as on a logarithmic axis.
            ticks: places()
                .zip(THREADS.map(|count| count.to_string()))
                .collect(),
        },
        y: YAxis {
            label: String::from("times System (logarithmic)"),
            range: RATIOS,
        },
        lines: (0..rows).map(|nth| line(nth, &table.columns)).collect(),
    }
}

fn line(nth: usize, columns: &[Column]) -> Line {
    let points = places().zip(columns).map(|(x, column)| {
        let y = whole(&column.figures).nth(nth)?.ratio;
        Some(Point { x, y })
    });
    Line {
        stroke: stroke(nth),
        points: points.collect(),
    }
}

/// The figures without partial counters.
fn whole(figures: &[Figure]) -> impl Iterator<Item = &Figure> {
    figures.iter().filter(|figure| !figure.partial)
}

/// The positions of the numbers of threads.
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
    fn the_plot_has_every_counter_thread_and_axis() {
        let figure = |name, ratio| Figure {
            name,
            partial: false,
            ratio,
            quartiles: (ratio, ratio),
            copies: (ratio, ratio),
        };
        let column = |threads| Column {
            threads,
            oversubscribed: threads > 2,
            concurrent_percent: 100.0,
            baseline_ns: 5.0,
            figures: vec![
                figure(BASELINE_AGAIN, 1.0),
                Figure {
                    partial: true,
                    ..figure("partial: checks", 1.1)
                },
                figure("divan", 1.4),
            ],
        };
        let table = TimeTable {
            live: 1,
            columns: THREADS.map(column).to_vec(),
        };
        let svg = svg(&[table]).unwrap();
        for word in [
            "System against itself (A/A)",
            "divan",
            "threads (from 4 on more than cores)",
            "times System (logarithmic)",
            "one block at a time",
        ] {
            assert!(svg.contains(word), "{word}\n{svg}");
        }
        assert!(!svg.contains("partial: checks"), "{svg}");
        // A point for each number of threads, and one in the legend.
        assert_eq!(svg.matches("<circle").count(), 2 * (THREADS.len() + 1));
        assert!(svg.ends_with("</svg>\n"));
    }
}
