//! The table of a measuring run: a row per scenario with means per iteration, and
//! footnotes with what the means hide.

mod notes;

use std::fmt::Write;

use alloc_results::{
    Attempts, Distribution, Metric, Ratio, ReadingPart, ScenarioRecord, Time, UnavailableScenario,
    integer, mean,
};

use notes::NOTES;

/// A markdown table of `records`, with footnotes. The `unavailable` scenarios could
/// not be measured on this machine, and `left_out` scenarios were filtered out.
pub(crate) fn render(
    records: &[ScenarioRecord],
    unavailable: &[UnavailableScenario],
    left_out: usize,
) -> String {
    let mut text = String::new();
    if !records.is_empty() {
        text.push('\n');
        text.push_str(&table(records));
        text.push('\n');
        if let Some(table) = custom(records) {
            text.push('\n');
            text.push_str(&table);
            text.push('\n');
        }
        footnotes(&mut text, records);
    }
    write_unavailable(&mut text, unavailable);
    if left_out > 0 || records.is_empty() {
        let plural = if records.len() == 1 { "" } else { "s" };
        let _ = writeln!(
            text,
            "{} scenario{plural} measured, {left_out} filtered out",
            records.len()
        );
    }
    text
}

/// A column: its header, and the cell of a record.
type Column = (String, Box<dyn Fn(&ScenarioRecord) -> String>);

/// The metrics whose means are shown for every scenario.
const MEANS: [Metric; 4] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Deallocs,
    Metric::Reallocs,
];

fn columns(records: &[ScenarioRecord]) -> Vec<Column> {
    fn column(header: &str, cell: impl Fn(&ScenarioRecord) -> String + 'static) -> Column {
        (header.to_owned(), Box::new(cell))
    }
    let mut columns = vec![column("iters", |record| integer(record.iterations.into()))];
    let mean_columns = |metrics: &mut dyn Iterator<Item = Metric>| -> Vec<Column> {
        let columns = metrics.map(|metric| {
            let header = format!("{}/op", metric.name().replace('-', " "));
            column(&header, move |record| mean_of(record, metric))
        });
        columns.collect()
    };
    columns.extend(mean_columns(&mut MEANS.into_iter()));
    columns.push(column("peak bytes", |record| {
        let peak = record.distribution(Metric::PeakBytes);
        peak.map_or_else(not_measured, |peak| integer(peak.max()))
    }));
    columns.push(column("ns/op", |record| {
        if let Some(faults) = faults(record) {
            return faults;
        }
        record
            .time
            .as_ref()
            .and_then(times)
            .unwrap_or_else(not_measured)
    }));
    // Without a library that calls `malloc`, the columns would be all zeros.
    if records.iter().any(takes_native) {
        columns.extend(mean_columns(&mut native_metrics()));
    }
    for (work, amount) in [
        (
            "element",
            (|record| record.work.elements) as fn(&ScenarioRecord) -> Option<u64>,
        ),
        ("byte", |record| record.work.bytes),
    ] {
        if records.iter().any(|record| amount(record).is_some()) {
            for metric in [Metric::Allocs, Metric::Bytes] {
                columns.push(column(&format!("{metric}/{work}"), move |record| {
                    per_work(record, metric, amount(record))
                }));
            }
        }
    }
    columns
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

fn table(records: &[ScenarioRecord]) -> String {
    let columns = columns(records);
    let headers = columns.iter().map(|(header, _)| header.clone());
    let rows = records.iter().map(|record| {
        let name = format!("{}{}", record.name, marks(record));
        let cells = columns.iter().map(|(_, cell)| cell(record));
        [name].into_iter().chain(cells).collect()
    });
    markdown(
        1,
        [String::from("scenario")].into_iter().chain(headers),
        rows,
    )
}

/// A table of the figures that the scenarios measure themselves, with a row per figure;
/// `None` without figures.
fn custom(records: &[ScenarioRecord]) -> Option<String> {
    let mut rows = Vec::new();
    for record in records {
        for (name, figure) in record.custom() {
            let values = figure.distribution();
            rows.push(vec![
                record.name.clone(),
                format!("{name} [{}]", figure.unit()),
                mean(values.mean(), 0),
                integer(values.min()),
                integer(values.max()),
                integer(figure.first().into()),
            ]);
        }
    }
    let headers = ["scenario", "metric", "per op", "min", "max", "first"];
    (!rows.is_empty()).then(|| markdown(2, headers.map(str::to_owned), rows))
}

/// A markdown table. The first `texts` columns are aligned to the left, the others to
/// the right.
fn markdown(
    texts: usize,
    headers: impl IntoIterator<Item = String>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let rows = [headers.into_iter().collect()].into_iter().chain(rows);
    let rows: Vec<Vec<String>> = rows
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

/// The metrics of C code's calls.
fn native_metrics() -> impl Iterator<Item = Metric> {
    let is_native = |metric: &Metric| metric.part() == ReadingPart::Native;
    Metric::ALL.into_iter().filter(is_native)
}

/// Whether C code called `malloc`.
fn takes_native(record: &ScenarioRecord) -> bool {
    native_metrics()
        .filter_map(|metric| record.distribution(metric))
        .any(|values| values.max() > 0)
}

fn footnotes(text: &mut String, records: &[ScenarioRecord]) {
    let differing: Vec<_> = records.iter().filter(|r| !r.is_deterministic()).collect();
    if !differing.is_empty() {
        text.push_str(
            "\n\\* not deterministic: the iterations differed, and the table has means\n",
        );
        for record in differing {
            let counted = Metric::ALL.into_iter().filter_map(|metric| {
                let values = record.distribution(metric)?;
                range(metric.name(), &values)
            });
            let custom = record.custom();
            let custom = custom.filter_map(|(name, figure)| range(name, figure.distribution()));
            let ranges: Vec<String> = counted.chain(custom).collect();
            let _ = writeln!(text, "  - {}: {}", record.name, ranges.join(", "));
        }
    }
    for note in NOTES {
        let lines: Vec<String> = records
            .iter()
            .flat_map(|record| note.lines(record))
            .collect();
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{} {}\n{}", note.mark, note.text, lines.join("\n"));
        }
    }
    for record in records {
        if let Some(faults) = faults(record) {
            let _ = writeln!(text, "\n{faults}: {}", record.name);
        }
    }
    for record in records {
        if let Some(note) = &record.note {
            let _ = writeln!(text, "\n{}: {note}", record.name);
        }
    }
}

/// The failed requests, which are shown instead of a time: `FAIL 3/6,718 null`. Faults
/// of the timed pass, whose number of calls depends on a clock, are shown only if
/// there were none before.
fn faults(record: &ScenarioRecord) -> Option<String> {
    let outcome = record.outcome.as_deref()?;
    let has_faults = |attempts: &&Attempts| !attempts.faults.is_empty();
    let attempts = [&outcome.counted, &outcome.timed]
        .into_iter()
        .find(has_faults)?;
    let requests = integer(attempts.requests.into());
    let faults = attempts.faults.iter();
    let kinds: Vec<String> = faults
        .map(|(kind, &count)| format!("{}/{requests} {kind}", integer(count.into())))
        .collect();
    Some(format!("FAIL {}", kinds.join(", ")))
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
        let cells = |row: [&str; 3]| row.map(str::to_owned);
        let rows = [["größe|n=1", "x", "1,000"], ["b", "", "2"]].map(|row| cells(row).into());
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
            first: None,
        };
        assert_eq!(times(&time).as_deref(), Some("105 (7.9 to 15,284, n=3)"));
    }
}
