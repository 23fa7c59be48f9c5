//! The plot of a table: chooses the horizontal axis, makes a line for each subject,
//! and explains gaps in the legend.

use proof_plot::{LegendEntry, Line, Panel, Plot, Point, Scale, Stroke, XAxis, YAxis};

use crate::report::{Cell, Content, Table};

/// The axis is logarithmic if the largest figure exceeds the smallest by this factor.
const LOGARITHMIC_FROM: f64 = 20.0;

/// The longest text that fits into the legend, in characters.
const LEGEND_TEXT: usize = 64;
/// The longest title and caption that fit, in characters.
const CAPTION_TEXT: usize = 130;

/// The plot of a table: a line for each value of one axis over the numbers of the
/// other, which is `axis`, or by default the first that has numbers only.
pub(crate) fn plot_from(table: &Table, axis: Option<&str>) -> Result<Plot, String> {
    let name = &table.name;
    let Some(columns) = &table.columns else {
        return Err(format!(
            "the table `{name}` has no axis of columns, and a plot needs two axes"
        ));
    };
    let by_rows = Orientation {
        axis: &table.rows,
        place: |cell| Some(cell.row.as_str()),
        line: |cell| cell.column.as_deref(),
    };
    let by_columns = Orientation {
        axis: columns,
        place: |cell| cell.column.as_deref(),
        line: |cell| Some(cell.row.as_str()),
    };
    let axes = [by_rows, by_columns];
    let wanted = axes
        .iter()
        .filter(|o| axis.is_none_or(|axis| o.axis == axis));
    let found = wanted
        .filter_map(|orientation| Some((orientation, ticks(table, orientation)?)))
        .next();
    let Some((orientation, ticks)) = found else {
        return Err(match axis {
            Some(axis) => format!("the table `{name}` has no axis `{axis}` of numbers"),
            None => format!(
                "neither `{}` nor `{columns}` of the table `{name}` is an axis of numbers",
                table.rows
            ),
        });
    };
    let lines = lines(table, orientation, &ticks);
    let figures = lines
        .iter()
        .flat_map(|subject| subject.points.iter().flatten());
    let Some(y) = vertical(table, figures.map(|point| point.y)) else {
        return Err(format!("the table `{name}` has no figure to draw"));
    };
    let legend = lines
        .iter()
        .enumerate()
        .map(|(nth, Subject { name, gaps, .. })| {
            let text = match gaps.as_slice() {
                [] => (*name).to_owned(),
                gaps => format!("{name} ({})", gaps.join("; ")),
            };
            LegendEntry {
                stroke: Stroke::nth(nth),
                text: shortened(&text, LEGEND_TEXT),
            }
        });
    let legend = legend.collect();
    Ok(Plot {
        title: shortened(name, CAPTION_TEXT),
        panels: vec![Panel {
            caption: table
                .caption
                .as_ref()
                .map(|text| shortened(text, CAPTION_TEXT)),
            x: XAxis {
                label: format!("{} (logarithmic)", orientation.axis),
                ticks: ticks.iter().map(Tick::labelled).collect(),
            },
            y,
            lines: lines
                .into_iter()
                .enumerate()
                .map(|(nth, Subject { points, .. })| Line {
                    stroke: Stroke::nth(nth),
                    points,
                })
                .collect(),
        }],
        legend,
        legend_columns: 2,
    })
}

/// The assignment of a table's axes to those of the plot.
#[derive(Clone, Copy)]
struct Orientation<'t> {
    /// The name of the horizontal axis.
    axis: &'t str,
    /// A cell's value on the horizontal axis.
    place: for<'c> fn(&'c Cell) -> Option<&'c str>,
    /// A cell's value on the other axis.
    line: for<'c> fn(&'c Cell) -> Option<&'c str>,
}

/// A value of the horizontal axis.
struct Tick<'t> {
    text: &'t str,
    number: f64,
}

impl Tick<'_> {
    fn labelled(&self) -> (f64, String) {
        (self.number.log2(), self.text.to_owned())
    }
}

/// The values of the horizontal axis, ascending; `None` unless all are numbers
/// above 0.
fn ticks<'t>(table: &'t Table, orientation: &Orientation<'_>) -> Option<Vec<Tick<'t>>> {
    let mut ticks: Vec<Tick<'t>> = Vec::new();
    for cell in &table.cells {
        let text = (orientation.place)(cell)?;
        if ticks.iter().any(|tick| tick.text == text) {
            continue;
        }
        // A star marks more threads than cores.
        let number = text.trim_end_matches([' ', '*']);
        let number: f64 = number.replace('_', "").parse().ok()?;
        if !(number.is_finite() && number > 0.0) {
            return None;
        }
        ticks.push(Tick { text, number });
    }
    ticks.sort_by(|a, b| a.number.total_cmp(&b.number));
    (!ticks.is_empty()).then_some(ticks)
}

/// The line of one subject.
struct Subject<'t> {
    name: &'t str,
    /// A point or a gap for each tick.
    points: Vec<Option<Point>>,
    /// The reasons for the gaps.
    gaps: Vec<String>,
}

/// A line for each value of the other axis.
fn lines<'t>(
    table: &'t Table,
    orientation: &Orientation<'_>,
    ticks: &[Tick<'_>],
) -> Vec<Subject<'t>> {
    let mut subjects: Vec<&str> = Vec::new();
    for subject in table
        .cells
        .iter()
        .filter_map(|cell| (orientation.line)(cell))
    {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    let cell_at = |subject: &str, tick: &Tick<'_>| {
        table.cells.iter().find(|cell| {
            (orientation.line)(cell) == Some(subject)
                && (orientation.place)(cell) == Some(tick.text)
        })
    };
    let lines = subjects.into_iter().map(|subject| {
        let mut points = Vec::new();
        let mut gaps: Vec<(&str, Vec<&str>)> = Vec::new();
        for tick in ticks {
            let content = cell_at(subject, tick).map(|cell| &cell.content);
            let why = match content {
                Some(Content::Figure { value, spread, .. }) => {
                    points.push(Some(Point {
                        x: tick.number.log2(),
                        y: *value,
                        spread: *spread,
                    }));
                    continue;
                }
                Some(Content::Gap(why)) => why.as_str(),
                None => "not measured",
            };
            points.push(None);
            match gaps.iter_mut().find(|(known, _)| *known == why) {
                Some((_, places)) => places.push(tick.text),
                None => gaps.push((why, vec![tick.text])),
            }
        }
        let gaps = gaps.into_iter().map(|(why, places)| match places.len() {
            all if all == ticks.len() => why.to_owned(),
            _ => format!("{why} at {}", places.join(", ")),
        });
        Subject {
            name: subject,
            points,
            gaps: gaps.collect(),
        }
    });
    lines.collect()
}

/// The vertical axis for these figures: from 0, or logarithmic if they differ by more
/// than [`LOGARITHMIC_FROM`]. `None` if there are no figures.
fn vertical(table: &Table, figures: impl Iterator<Item = f64>) -> Option<YAxis> {
    let figures: Vec<f64> = figures.collect();
    let most = figures.iter().copied().reduce(f64::max)?;
    let least = figures.iter().copied().filter(|figure| *figure > 0.0);
    let least = least.reduce(f64::min).unwrap_or(most);
    let is_time = table.cells.iter().all(|cell| match cell.content {
        Content::Figure { is_time, .. } => is_time,
        Content::Gap(_) => true,
    });
    let figure = table.name.rsplit(": ").next().unwrap_or(&table.name);
    let unit = if is_time { "nanoseconds" } else { figure };
    Some(if least > 0.0 && most > LOGARITHMIC_FROM * least {
        let ticks = round_values(least, most);
        YAxis {
            label: format!("{unit} (logarithmic)"),
            range: (
                ticks.first().copied().unwrap_or(least),
                ticks.last().copied().unwrap_or(most),
            ),
            scale: Scale::Logarithmic,
            ticks,
        }
    } else {
        YAxis {
            label: unit.to_owned(),
            range: (0.0, if most > 0.0 { most * 1.05 } else { 1.0 }),
            scale: Scale::Linear,
            ticks: Vec::new(),
        }
    })
}

/// The values of the series 1, 2, 5, 10 and so on that enclose the range from `least` to
/// `most`.
fn round_values(least: f64, most: f64) -> Vec<f64> {
    let mut values = Vec::new();
    let mut decade = 10_f64.powf(least.log10().floor());
    while values.last().is_none_or(|last| *last < most) {
        for value in [decade, 2.0 * decade, 5.0 * decade] {
            if value <= least {
                values.clear();
            }
            if values.last().is_none_or(|last| *last < most) {
                values.push(value);
            }
        }
        decade *= 10.0;
    }
    values
}

/// The text in one line of at most `most` characters.
fn shortened(text: &str, most: usize) -> String {
    let line = text.replace(char::is_control, " ");
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most - 1).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Report, SAMPLE};

    fn plotted(report: &str, table: &str, axis: Option<&str>) -> Result<String, String> {
        let report = Report::parse(report)?;
        let plot = plot_from(report.table(table)?, axis)?;
        plot.svg().map_err(|error| error.to_string())
    }

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    #[test]
    fn subjects_are_lines_numbers_are_ticks_and_failures_are_in_the_legend() {
        let svg = plotted(SAMPLE, "pairs", None).unwrap();
        for text in [
            "pairs: time p50",
            "Of one pair",
            "threads (logarithmic)",
            "nanoseconds",
            "\n1\n",
            "\n2 *\n",
            "\n4 *\n",
            "\nfast\n",
            "\nslow (FAIL 3/1000 null at 2 *; not measured at 4 *)\n",
            "\ngone (libgone.so is not installed)\n",
        ] {
            assert!(svg.contains(text), "{text}\n{svg}");
        }
        // Three points of `fast`, one of `slow`, and three in the legend.
        assert_eq!(count(&svg, "<circle"), 3 + 1 + 3);
        // `fast` is one line through three points. `slow` has one point; the line of
        // two points is that of the legend.
        let is_line = |color: &str| {
            let lines = svg.lines().filter(|line| {
                line.starts_with("<polyline") && line.contains(color) && line.contains("\"2\"")
            });
            lines.map(|line| count(line, ",")).max()
        };
        assert_eq!(is_line("#0054A6"), Some(3), "{svg}");
        assert_eq!(is_line("#D55E00"), Some(2), "{svg}");
        assert_eq!(is_line("#009E73"), Some(2), "{svg}");
        assert_eq!(plotted(SAMPLE, "pairs", None).unwrap(), svg);
    }

    #[test]
    fn places_are_logarithms_and_gaps_stay_gaps() {
        let report = Report::parse(SAMPLE).unwrap();
        let plot = plot_from(report.table("pairs").unwrap(), None).unwrap();
        let panel = &plot.panels[0];
        let tick = |place, text: &str| (place, text.to_owned());
        assert_eq!(
            panel.x.ticks,
            [tick(0.0, "1"), tick(1.0, "2 *"), tick(2.0, "4 *")]
        );
        let point = |x, y, spread| Some(Point { x, y, spread });
        let points: Vec<_> = panel.lines.iter().map(|line| &line.points).collect();
        let fast = [
            point(0.0, 10.5, Some((10.0, 12.0))),
            point(1.0, 20.0, None),
            point(2.0, 30.0, None),
        ];
        assert_eq!(points[0], &fast);
        assert_eq!(points[1], &[point(0.0, 40.0, None), None, None]);
        assert_eq!(points[2], &[None, None, None]);
    }

    #[test]
    fn columns_can_be_the_horizontal_axis() {
        let turned = SAMPLE
            .replace("\"row\"", "\"?\"")
            .replace("\"column\"", "\"row\"")
            .replace("\"?\"", "\"column\"")
            .replace("\"threads\"", "\"?\"")
            .replace("\"subject\"", "\"threads\"")
            .replace("\"?\"", "\"subject\"")
            .replace("\"row\": null", "\"row\": \"none\"");
        let svg = plotted(SAMPLE, "pairs", None).unwrap();
        assert_eq!(plotted(&turned, "pairs", None).unwrap(), svg);
        assert_eq!(plotted(&turned, "pairs", Some("threads")).unwrap(), svg);
    }

    #[test]
    fn figures_of_different_magnitude_have_a_logarithmic_axis() {
        let wide = SAMPLE.replace("\"numerator\": 30", "\"numerator\": 30000");
        let svg = plotted(&wide, "pairs", None).unwrap();
        assert!(svg.contains("nanoseconds (logarithmic)"), "{svg}");
        let calls = SAMPLE.replace(" ns", "");
        let svg = plotted(&calls, "pairs", None).unwrap();
        assert!(svg.contains("\ntime p50\n"), "{svg}");
    }

    #[test]
    fn a_logarithmic_axis_has_round_values_around_all_figures() {
        assert_eq!(round_values(7.0, 90.0), [5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(round_values(10.0, 200.0), [10.0, 20.0, 50.0, 100.0, 200.0]);
        assert_eq!(round_values(0.3, 1.5), [0.2, 0.5, 1.0, 2.0]);
        let wide = SAMPLE.replace("\"numerator\": 30", "\"numerator\": 300");
        let svg = plotted(&wide, "pairs", None).unwrap();
        for value in [10, 20, 50, 100, 200, 500] {
            assert!(svg.contains(&format!("\n{value}\n")), "{value}\n{svg}");
        }
    }

    #[test]
    fn a_table_that_cannot_be_drawn_is_refused_with_the_reason() {
        let error = |report: &str, table, axis| plotted(report, table, axis).unwrap_err();
        assert_eq!(
            error(SAMPLE, "codecs", None),
            "the table `codecs` has no axis of columns, and a plot needs two axes"
        );
        assert_eq!(
            error(SAMPLE, "pairs", Some("subject")),
            "the table `pairs: time p50` has no axis `subject` of numbers"
        );
        let named = SAMPLE.replace("\"row\": \"1\"", "\"row\": \"one\"");
        assert_eq!(
            error(&named, "pairs", None),
            "neither `threads` nor `subject` of the table `pairs: time p50` is an axis of numbers"
        );
        let nothing = SAMPLE.replace("\"text\": \"", "\"text\": \"FAIL ");
        assert_eq!(
            error(&nothing, "pairs", None),
            "the table `pairs: time p50` has no figure to draw"
        );
    }
}
