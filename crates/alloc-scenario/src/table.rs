//! The table of a measuring run: a row per scenario with means per iteration, and
//! footnotes with what the means hide.

use std::fmt::Write;

use alloc_results::{
    Distribution, Metric, Ratio, ScenarioRecord, Scope, Tally, Time, UnavailableScenario, integer,
    mean,
};

/// What the table has of a scenario: texts, which a process of its own can hand over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The header and the text of each cell.
    pub(crate) cells: Vec<[String; 2]>,
    /// The rows of the table of the scenario's own metrics.
    pub(crate) custom: Vec<[String; CUSTOM.len()]>,
    /// The mark and the line of each footnote; a note of the scenario's own has no mark.
    pub(crate) footnotes: Vec<[String; 2]>,
}

/// The metrics whose means are shown for every scenario.
const MEANS: [Metric; 4] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Deallocs,
    Metric::Reallocs,
];

/// The columns of the table of scenarios' own metrics.
const CUSTOM: [&str; 6] = ["scenario", "metric", "per op", "min", "max", "first"];

/// The marks of footnotes, and what they mean.
const MARKS: [(&str, &str); 4] = [
    (
        "*",
        "not deterministic: the iterations differed, and the table has means",
    ),
    (
        "†",
        "other threads allocated meanwhile, which is not in the table; \
         `scope(Scope::Process)` counts them",
    ),
    (
        "‡",
        "`uncounted` excluded operations, which are not in the table",
    ),
    (
        "§",
        "threads were still running a tenth of a second after the iteration in which they began, \
         so the counts can be too low; call `join()` in the iteration, or start the threads before \
         it",
    ),
];

/// A markdown table of `rows`, with footnotes. The `unavailable` scenarios could
/// not be measured on this machine, and `left_out` scenarios were filtered out.
pub(crate) fn render(rows: &[Row], unavailable: &[UnavailableScenario], left_out: usize) -> String {
    let mut text = String::new();
    if !rows.is_empty() {
        let _ = writeln!(text, "\n{}", table(rows));
        let custom = rows.iter().flat_map(|row| &row.custom);
        let custom: Vec<Vec<String>> = custom.map(|row| row.to_vec()).collect();
        if !custom.is_empty() {
            let table = markdown(2, CUSTOM.map(str::to_owned).to_vec(), custom);
            let _ = writeln!(text, "\n{table}");
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

impl Row {
    pub(crate) fn new(record: &ScenarioRecord) -> Self {
        let custom = record.metrics.iter().map(|metric| {
            let values = &metric.samples;
            [
                record.name.clone(),
                format!("{} [{}]", metric.name, metric.unit),
                mean(values.mean(), 0),
                integer(values.min()),
                integer(values.max()),
                integer(metric.first.into()),
            ]
        });
        let footnotes = footnotes(record);
        Self {
            cells: cells(record, &footnotes),
            custom: custom.collect(),
            footnotes,
        }
    }
}

fn cells(record: &ScenarioRecord, footnotes: &[[String; 2]]) -> Vec<[String; 2]> {
    let mut name = record.name.clone();
    for (mark, _) in MARKS {
        if footnotes.iter().any(|[of, _]| of == mark) {
            let _ = write!(name, " {mark}");
        }
    }
    let peak = record.distribution(Metric::PeakBytes);
    let peak = peak.map_or_else(not_measured, |peak| integer(peak.max()));
    let time = record.time.as_ref().and_then(times);
    let mut cells = Vec::new();
    let mut add = |header: String, text| cells.push([header, text]);
    add(String::from("scenario"), name);
    add(String::from("iters"), integer(record.iterations.into()));
    for metric in MEANS {
        let mean = record
            .distribution(metric)
            .map_or_else(not_measured, |values| {
                mean(values.mean(), metric.unit().decimals())
            });
        add(format!("{metric}/op"), mean);
    }
    add(String::from("peak bytes"), peak);
    add(String::from("ns/op"), time.unwrap_or_else(not_measured));
    for (work, amount) in [
        ("element", record.work.elements),
        ("byte", record.work.bytes),
    ] {
        let Some(amount) = amount else { continue };
        for metric in [Metric::Allocs, Metric::Bytes] {
            add(format!("{metric}/{work}"), per_work(record, metric, amount));
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

/// The table of all cells. A column that no scenario has is left out.
fn table(rows: &[Row]) -> String {
    let mut headers: Vec<String> = Vec::new();
    for [header, _] in rows.iter().flat_map(|row| &row.cells) {
        if !headers.contains(header) {
            headers.push(header.clone());
        }
    }
    let cell = |row: &Row, header: &String| {
        let mut cells = row.cells.iter();
        let cell = cells.find(|[of, _]| of == header);
        cell.map_or_else(not_measured, |[_, text]| text.clone())
    };
    let lines = rows.iter().map(|row| {
        let cells = headers.iter().map(|header| cell(row, header));
        cells.collect()
    });
    let lines = lines.collect();
    markdown(1, headers, lines)
}

/// A markdown table. The first `texts` columns are aligned to the left, the others to
/// the right.
fn markdown(texts: usize, headers: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let escape = |text: &String| {
        let text = text.replace('\\', "\\\\").replace('|', "\\|");
        text.replace('\n', "\\n")
    };
    let rows = [headers].into_iter().chain(rows);
    let rows: Vec<Vec<String>> = rows.map(|row| row.iter().map(escape).collect()).collect();
    let mut lines = vec![String::from("|"); rows.len() + 1];
    for column in 0..rows[0].len() {
        let is_text = column < texts;
        let width = rows.iter().map(|row| row[column].chars().count());
        let width = width.max().unwrap_or_default();
        let mark = if is_text { '-' } else { ':' };
        let _ = write!(lines[1], "{}{mark}|", "-".repeat(width + 1));
        for (at, row) in rows.iter().enumerate() {
            let cell = &row[column];
            let line = &mut lines[if at == 0 { 0 } else { at + 1 }];
            let _ = if is_text {
                write!(line, " {cell:<width$} |")
            } else {
                write!(line, " {cell:>width$} |")
            };
        }
    }
    lines.join("\n")
}

fn footnotes(record: &ScenarioRecord) -> Vec<[String; 2]> {
    let name = &record.name;
    let mut lines = Vec::new();
    let mut add = |mark: &str, line| lines.push([mark.to_owned(), line]);
    if !record.is_deterministic() {
        let counted = Metric::ALL.into_iter().filter_map(|metric| {
            let values = record.distribution(metric)?;
            range(metric.name(), &values)
        });
        let custom = record.metrics.iter();
        let custom = custom.filter_map(|metric| range(&metric.name, &metric.samples));
        let ranges: Vec<String> = counted.chain(custom).collect();
        add("*", format!("  - {name}: {}", ranges.join(", ")));
    }
    let outside = &record.outside;
    let iterations = format!("{} iterations", integer(record.iterations.into()));
    let (foreign, uncounted) = (&record.foreign, &outside.uncounted);
    let counted = (&*iterations, foreign, uncounted, outside.still_running);
    let (foreign, uncounted) = (&outside.foreign_first, &outside.uncounted_first);
    let first = (
        "the first call",
        foreign,
        uncounted,
        outside.still_running_first,
    );
    for (pass, foreign, uncounted, still_running) in [counted, first] {
        let foreign = operations(foreign).filter(|_| record.scope == Scope::Thread);
        let uncounted = operations(uncounted);
        for (mark, left_out) in [
            ("†", foreign),
            ("‡", uncounted),
            ("§", threads(still_running)),
        ] {
            if let Some(left_out) = left_out {
                add(mark, format!("  - {name}: {left_out} in {pass}"));
            }
        }
    }
    if let Some(note) = &record.note {
        add("", format!("{name}: {note}"));
    }
    lines
}

fn write_footnotes(text: &mut String, rows: &[Row]) {
    let with = |mark: &str| -> Vec<&str> {
        let footnotes = rows.iter().flat_map(|row| &row.footnotes);
        let of = footnotes.filter(|[of, _]| of == mark);
        of.map(|[_, line]| line.as_str()).collect()
    };
    for (mark, words) in MARKS {
        let lines = with(mark);
        if !lines.is_empty() {
            let escape = if mark == "*" { "\\" } else { "" };
            let _ = writeln!(text, "\n{escape}{mark} {words}\n{}", lines.join("\n"));
        }
    }
    for line in with("") {
        let _ = writeln!(text, "\n{line}");
    }
}

/// The calls, such as `3 allocs, 2 deallocs`; `None` if there are none.
fn operations(counts: &Tally) -> Option<String> {
    let mut text = format!("{} allocs", integer(counts.allocs.into()));
    if counts.reallocs > 0 {
        let _ = write!(text, ", {} reallocs", integer(counts.reallocs.into()));
    }
    let _ = write!(text, ", {} deallocs", integer(counts.deallocs.into()));
    (counts.allocs + counts.deallocs > 0).then_some(text)
}

fn threads(still_running: u64) -> Option<String> {
    let plural = if still_running == 1 { "" } else { "s" };
    (still_running > 0).then(|| format!("{} thread{plural}", integer(still_running.into())))
}

/// The range of the values, unless all are the same.
fn range(name: &str, values: &Distribution) -> Option<String> {
    let (min, max) = (integer(values.min()), integer(values.max()));
    (!values.is_constant()).then(|| format!("{name} {min} to {max}"))
}

fn per_work(record: &ScenarioRecord, metric: Metric, work: u64) -> String {
    let ratio = || {
        let values = record.distribution(metric)?;
        Ratio::new(values.total(), values.iterations().checked_mul(work)?)
    };
    ratio().map_or_else(not_measured, |ratio| mean(ratio, 2))
}

fn not_measured() -> String {
    String::from("-")
}

/// The times of an iteration, as the median, the range and the number of the batches.
fn times(time: &Time) -> Option<String> {
    let [fastest, median, slowest] = time.per_iteration()?.map(|value| {
        if value < 10.0 {
            format!("{value:.1}")
        } else {
            integer(value.round() as i128)
        }
    });
    let batches = time.nanoseconds.len();
    Some(format!("{median} ({fastest} to {slowest}, n={batches})"))
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
