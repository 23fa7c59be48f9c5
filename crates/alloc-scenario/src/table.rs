//! The table of a measuring run: a row per scenario with means per iteration, and
//! footnotes with what the means hide.

mod notes;

use std::fmt::Write;

use alloc_results::{
    Distribution, Metric, Ratio, ScenarioRecord, Time, UnavailableScenario, integer, mean,
};

use notes::NOTES;

/// What the table has of a scenario: texts, which a process of its own can hand over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// With the marks of its footnotes.
    pub(crate) name: String,
    /// The same columns in each row.
    pub(crate) cells: Vec<Cell>,
    /// The rows of the table of figures that the scenario measures itself.
    pub(crate) custom: Vec<[String; CUSTOM.len()]>,
    /// The lines of its footnotes, each with the place of its kind among [`FOOTNOTES`].
    pub(crate) footnotes: Vec<(usize, String)>,
}

/// A cell, with its column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) header: String,
    pub(crate) text: String,
    /// Whether the column is shown for this scenario; without one, it is left out.
    pub(crate) is_wanted: bool,
}

/// A markdown table of `rows`, with footnotes. The `unavailable` scenarios could
/// not be measured on this machine, and `left_out` scenarios were filtered out.
pub(crate) fn render(rows: &[Row], unavailable: &[UnavailableScenario], left_out: usize) -> String {
    let mut text = String::new();
    if !rows.is_empty() {
        text.push('\n');
        text.push_str(&table(rows));
        text.push('\n');
        let custom: Vec<Vec<String>> = rows
            .iter()
            .flat_map(|row| &row.custom)
            .map(|row| row.to_vec())
            .collect();
        if !custom.is_empty() {
            text.push('\n');
            text.push_str(&markdown(2, CUSTOM.map(str::to_owned).to_vec(), custom));
            text.push('\n');
        }
        write_footnotes(&mut text, rows);
    }
    write_unavailable(&mut text, unavailable);
    if left_out > 0 || rows.is_empty() {
        let plural = if rows.len() == 1 { "" } else { "s" };
        let _ = writeln!(
            text,
            "{} scenario{plural} measured, {left_out} filtered out",
            rows.len()
        );
    }
    text
}

/// The metrics whose means are shown for every scenario.
const MEANS: [Metric; 4] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Deallocs,
    Metric::Reallocs,
];

/// The columns of the figures that scenarios measure themselves.
const CUSTOM: [&str; 6] = ["scenario", "metric", "per op", "min", "max", "first"];

impl Row {
    pub(crate) fn new(record: &ScenarioRecord) -> Self {
        let custom = record.custom().map(|(name, figure)| {
            let values = figure.distribution();
            [
                record.name.clone(),
                format!("{name} [{}]", figure.unit()),
                mean(values.mean(), 0),
                integer(values.min()),
                integer(values.max()),
                integer(figure.first().into()),
            ]
        });
        Self {
            name: format!("{}{}", record.name, marks(record)),
            cells: cells(record),
            custom: custom.collect(),
            footnotes: footnotes(record),
        }
    }
}

fn cells(record: &ScenarioRecord) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut add = |header: &str, text: String, is_wanted: bool| {
        cells.push(Cell {
            header: header.to_owned(),
            text,
            is_wanted,
        });
    };
    let mean_header = |metric: Metric| format!("{}/op", metric.name().replace('-', " "));
    add("iters", integer(record.iterations.into()), true);
    for metric in MEANS {
        add(&mean_header(metric), mean_of(record, metric), true);
    }
    let peak = record.distribution(Metric::PeakBytes);
    let peak = peak.map_or_else(not_measured, |peak| integer(peak.max()));
    add("peak bytes", peak, true);
    let time = record.time.as_ref().and_then(times);
    let time = time.unwrap_or_else(not_measured);
    add("ns/op", time, true);
    for (work, amount) in [
        ("element", record.work.elements),
        ("byte", record.work.bytes),
    ] {
        for metric in [Metric::Allocs, Metric::Bytes] {
            let text = per_work(record, metric, amount);
            add(&format!("{metric}/{work}"), text, amount.is_some());
        }
    }
    cells
}

/// A line for each reason, in the order of their first occurrence.
fn write_unavailable(text: &mut String, unavailable: &[UnavailableScenario]) {
    for (index, UnavailableScenario { name, reason, .. }) in unavailable.iter().enumerate() {
        let is_alike = |other: &&UnavailableScenario| other.reason == *reason;
        if unavailable[..index].iter().any(|other| is_alike(&other)) {
            continue;
        }
        let more = match unavailable[index + 1..].iter().filter(is_alike).count() {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let _ = writeln!(text, "\nnot measured here: {name}{more} ({reason})");
    }
}

fn table(rows: &[Row]) -> String {
    let count = rows.first().map_or(0, |row| row.cells.len());
    let is_shown = |&at: &usize| {
        let mut cells = rows.iter().filter_map(|row| row.cells.get(at));
        cells.any(|cell| cell.is_wanted)
    };
    let shown: Vec<usize> = (0..count).filter(is_shown).collect();
    let line = |first: &str, row: &Row, text: fn(&Cell) -> &String| {
        let mut line = vec![first.to_owned()];
        line.extend(
            shown
                .iter()
                .filter_map(|&at| row.cells.get(at))
                .map(|cell| text(cell).clone()),
        );
        line
    };
    let headers = rows
        .first()
        .map(|row| line("scenario", row, |cell| &cell.header));
    let rows = rows
        .iter()
        .map(|row| line(&row.name, row, |cell| &cell.text));
    markdown(1, headers.unwrap_or_default(), rows.collect())
}

/// A markdown table. The first `texts` columns are aligned to the left, the others to
/// the right.
fn markdown(texts: usize, headers: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = [headers]
        .into_iter()
        .chain(rows)
        .map(|row| row.iter().map(|text| escape(text)).collect())
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut lines: Vec<String> = rows.iter().map(|row| line(texts, row, &widths)).collect();
    let rules = widths.iter().enumerate().map(|(column, width)| {
        let mark = if column < texts { '-' } else { ':' };
        format!("{}{mark}|", "-".repeat(width + 1))
    });
    lines.insert(1, format!("|{}", rules.collect::<String>()));
    lines.join("\n")
}

/// A row of a table whose columns have these widths.
fn line(texts: usize, row: &[String], widths: &[usize]) -> String {
    let mut line = String::from("|");
    for (column, (cell, &width)) in row.iter().zip(widths).enumerate() {
        let _ = if column < texts {
            write!(line, " {cell:<width$} |")
        } else {
            write!(line, " {cell:>width$} |")
        };
    }
    line
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('\n', "\\n")
}

fn marks(record: &ScenarioRecord) -> String {
    let mut marks = String::new();
    if !record.is_deterministic() {
        marks.push_str(" *");
    }
    for note in NOTES {
        if !note.lines(record).is_empty() {
            marks.push(' ');
            marks.push(note.mark);
        }
    }
    marks
}

/// What stands above the footnotes of a kind; nothing above those that are a line each.
const FOOTNOTES: [Option<(char, &str)>; NOTES.len() + 2] = [
    Some((
        '*',
        "not deterministic: the iterations differed, and the table has means",
    )),
    Some((NOTES[0].mark, NOTES[0].text)),
    Some((NOTES[1].mark, NOTES[1].text)),
    Some((NOTES[2].mark, NOTES[2].text)),
    None,
];

fn footnotes(record: &ScenarioRecord) -> Vec<(usize, String)> {
    let name = &record.name;
    let mut lines = Vec::new();
    if !record.is_deterministic() {
        let counted = Metric::ALL.into_iter().filter_map(|metric| {
            let values = record.distribution(metric)?;
            range(metric.name(), &values)
        });
        let custom = record.custom();
        let custom = custom.filter_map(|(name, figure)| range(name, figure.distribution()));
        let ranges: Vec<String> = counted.chain(custom).collect();
        lines.push((0, format!("  - {name}: {}", ranges.join(", "))));
    }
    for (kind, note) in NOTES.iter().enumerate() {
        lines.extend(note.lines(record).into_iter().map(|line| (kind + 1, line)));
    }
    let note = record.note.as_ref().map(|note| format!("{name}: {note}"));
    lines.extend(note.map(|line| (NOTES.len() + 1, line)));
    lines
}

fn write_footnotes(text: &mut String, rows: &[Row]) {
    for (kind, heading) in FOOTNOTES.iter().enumerate() {
        let footnotes = rows.iter().flat_map(|row| &row.footnotes);
        let lines: Vec<&str> = footnotes
            .filter(|(of, _)| *of == kind)
            .map(|(_, line)| line.as_str())
            .collect();
        match heading {
            _ if lines.is_empty() => {}
            Some((mark, words)) => {
                let escape = if *mark == '*' { "\\" } else { "" };
                let _ = writeln!(text, "\n{escape}{mark} {words}\n{}", lines.join("\n"));
            }
            None => {
                for line in lines {
                    let _ = writeln!(text, "\n{line}");
                }
            }
        }
    }
}

/// The range of the values, unless all are the same.
fn range(name: &str, values: &Distribution) -> Option<String> {
    let (min, max) = (integer(values.min()), integer(values.max()));
    (!values.is_constant()).then(|| format!("{name} {min} to {max}"))
}

fn mean_of(record: &ScenarioRecord, metric: Metric) -> String {
    let decimals = metric.unit().decimals();
    record
        .distribution(metric)
        .map_or_else(not_measured, |values| mean(values.mean(), decimals))
}

fn per_work(record: &ScenarioRecord, metric: Metric, work: Option<u64>) -> String {
    let ratio = || {
        let values = record.distribution(metric)?;
        Ratio::new(values.total(), values.iterations().checked_mul(work?)?)
    };
    ratio().map_or_else(not_measured, |ratio| mean(ratio, 2))
}

fn not_measured() -> String {
    String::from("-")
}

/// The times of an iteration, as the median, the range and the number of the batches.
fn times(time: &Time) -> Option<String> {
    let [fastest, median, slowest] = time.per_iteration()?.map(nanoseconds);
    let batches = time.nanoseconds.len();
    Some(format!("{median} ({fastest} to {slowest}, n={batches})"))
}

fn nanoseconds(value: f64) -> String {
    if value < 10.0 {
        format!("{value:.1}")
    } else {
        integer(value.round() as i128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let cells = |row: [&str; 3]| row.map(str::to_owned).to_vec();
        let rows = [["größe|n=1", "x", "1,000"], ["b", "", "2"]]
            .map(cells)
            .to_vec();
        assert_eq!(
            markdown(1, cells(["scenario", "iters", "n"]), rows),
            "\
| scenario   | iters |     n |
|------------|------:|------:|
| größe\\|n=1 |     x | 1,000 |
| b          |       |     2 |"
        );
    }

    #[test]
    fn times_are_shown_as_median_range_and_number() {
        let time = Time {
            batch: 10,
            nanoseconds: vec![79, 1_050, 152_840],
            first: 0,
        };
        assert_eq!(times(&time).as_deref(), Some("105 (7.9 to 15,284, n=3)"));
    }
}
