//! The tables as markdown.

use std::fmt::Write as _;

use super::figures::{Counts, Figures, Missing, Row, Table, TableKind};
use super::{AGAIN, Section};

/// The first columns of all tables, after the name.
const TIMES: &str = "fastest, µs | average, µs";

impl Section {
    /// The environment and the tables, below a heading of the third level; without a device, why
    /// there is none. `machine` has more rows of the environment.
    #[must_use]
    pub fn to_markdown(&self, machine: &[(&str, String)]) -> String {
        let mut text = format!("### {}\n\n| environment | |\n|---|---|\n", self.api);
        let mut row = |name: &str, value: &str| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "| {name} | {value} |");
        };
        match &self.device {
            Ok(info) => {
                row("device", &info.device);
                row("driver", &info.driver);
                row("interface", &info.api);
                if let Some(bytes) = info.granularity {
                    row("granularity", &format!("{} bytes", thousands(bytes)));
                }
                row("rounds", &self.rounds.to_string());
            }
            Err(missing) => {
                row("device", &missing.to_string());
                if matches!(missing, Missing::NotMeasured(_)) {
                    return text;
                }
            }
        }
        for (name, value) in machine {
            row(name, value);
        }
        for table in &self.tables {
            text.push('\n');
            text.push_str(&self.table(table));
        }
        text
    }

    fn table(&self, table: &Table) -> String {
        let columns = match table.kind {
            TableKind::Allocations => {
                let baseline = table.rows.first().map(|row| row.baseline);
                let baseline = baseline.and_then(|index| table.rows.get(index));
                let baseline = baseline.map_or("", |row| &row.name);
                format!(
                    "{TIMES} | p99, µs | enqueued, µs | of `{baseline}` | hits | driver calls | reserved | \
                     overhead"
                )
            }
            TableKind::Copies => format!("{TIMES} | slowest, µs | of `none` | MB/s"),
        };
        let count = columns.split(" | ").count();
        let mut text = format!("#### Table {}: {}\n\n", table.number, table.title);
        if let Some(caption) = self.caption(table) {
            text.push_str(&caption);
            text.push_str("\n\n");
        }
        let _ = writeln!(text, "| | {columns} |");
        let _ = writeln!(text, "|---|{}", "---:|".repeat(count));
        for row in &table.rows {
            let cells = match &row.figures {
                Ok(figures) => match table.kind {
                    TableKind::Allocations => allocation_cells(table, row, figures),
                    TableKind::Copies => copy_cells(table, row, figures),
                },
                Err(missing) => missing_cells(missing, count),
            };
            let _ = writeln!(text, "| {} | {} |", row.name, cells.join(" | "));
        }
        text
    }

    /// The device, the number of windows, and what repeated rows differ by.
    fn caption(&self, table: &Table) -> Option<String> {
        let device = &self.device.as_ref().ok()?.device;
        let windows = table
            .rows
            .iter()
            .find_map(|row| Some(row.figures.as_ref().ok()?.windows))?;
        let noise: Vec<_> = table
            .rows
            .iter()
            .filter_map(|row| Some((row, table.repeated(row)?, table.noise(row)?)))
            .collect();
        let text = format!("On: {device}. {} windows a row.", thousands(windows as u64));
        Some(match table.kind {
            TableKind::Allocations => noise.iter().fold(text, |text, (again, first, noise)| {
                let percent = noise * 100.0;
                format!(
                    "{text} `{}` is {percent:.1} % from `{}`.",
                    again.name, first.name
                )
            }),
            TableKind::Copies => match noise
                .iter()
                .map(|(.., noise)| *noise)
                .max_by(f64::total_cmp)
            {
                Some(most) => format!(
                    "{text} `none{AGAIN}` is at most {:.1} % from `none`.",
                    most * 100.0
                ),
                None => text,
            },
        })
    }
}

fn allocation_cells(table: &Table, row: &Row, figures: &Figures) -> Vec<String> {
    let net = table.net(row);
    let p99 = net.as_ref().and_then(|net| net.p99);
    let mut cells = time_cells(net.as_ref(), p99);
    cells.push(net.map_or_else(String::new, |net| micros(net.enqueued)));
    let ratio = figures.counts.and_then(|_| ratio_cell(table, row));
    cells.push(ratio.unwrap_or_default());
    cells.extend(match figures.counts {
        Some(counts) => count_cells(counts),
        None => Default::default(),
    });
    cells
}

fn copy_cells(table: &Table, row: &Row, figures: &Figures) -> Vec<String> {
    let mut cells = time_cells(Some(figures), Some(figures.slowest));
    cells.push(ratio_cell(table, row).unwrap_or_default());
    // Bytes in a nanosecond are gigabytes in a second.
    let megabytes = row.bytes as f64 / figures.fastest * 1e3;
    cells.push(match figures.fastest > 0.0 {
        true => thousands(megabytes.round() as u64),
        false => String::new(),
    });
    cells
}

/// The times, and one of the slow windows. A figure that is missing is an empty cell.
fn time_cells(figures: Option<&Figures>, slow: Option<f64>) -> Vec<String> {
    let times = [
        figures.map(|figures| figures.fastest),
        figures.map(|figures| figures.average),
        slow,
    ];
    times
        .map(|time| time.map_or_else(String::new, micros))
        .to_vec()
}

fn count_cells(counts: Counts) -> [String; 4] {
    let requests = thousands(counts.requests);
    [
        match counts.hits {
            Some(hits) => format!("{} of {requests}", thousands(hits)),
            None => "not reported".to_owned(),
        },
        match counts.driver_calls.is_multiple_of(counts.requests) {
            true => thousands(counts.driver_calls / counts.requests),
            false => format!("{} in {requests}", thousands(counts.driver_calls)),
        },
        thousands(counts.reserved),
        match counts.reserved.checked_sub(counts.requested) {
            Some(overhead) => thousands(overhead),
            None => format!("-{}", thousands(counts.requested - counts.reserved)),
        },
    ]
}

/// A ratio that is no further from 1 than the repeated baseline is noise.
fn ratio_cell(table: &Table, row: &Row) -> Option<String> {
    let ratio = table.ratio(row)?;
    let baseline = &table.rows.get(row.baseline)?.name;
    let again = table
        .rows
        .iter()
        .find(|other| other.name.strip_suffix(AGAIN) == Some(baseline));
    let noise = again.and_then(|again| Some((table.ratio(again)? - 1.0).abs()));
    let is_noise = noise.is_some_and(|noise| (ratio - 1.0).abs() <= noise);
    let is_itself = row.name == *baseline || table.repeated(row).is_some();
    let text = match ratio < 0.005 {
        true => "<0.01x".to_owned(),
        false => format!("{ratio:.2}x"),
    };
    Some(match is_noise && !is_itself {
        true => text + " (noise)",
        false => text,
    })
}

/// The first cell has the reason, without the advice, which the environment has.
fn missing_cells(missing: &Missing, count: usize) -> Vec<String> {
    let text = missing.to_string();
    let reason = text.split("; ").next();
    let mut cells = vec![reason.unwrap_or_default().to_owned()];
    cells.resize(count, missing.word().to_owned());
    cells
}

/// A size such as `64 KB`, in powers of 1,024.
pub(super) fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KB", bytes >> 10),
        mebibytes => format!("{mebibytes} MB"),
    }
}

/// Nanoseconds as microseconds, with three decimals below 10.
fn micros(nanos: f64) -> String {
    let micros = nanos / 1e3;
    match micros {
        0.0..10.0 => format!("{micros:.3}"),
        10.0..100.0 => format!("{micros:.1}"),
        _ => thousands(micros.round() as u64),
    }
}

/// A number with commas between thousands.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::DeviceInfo;

    fn row(name: &str, nanos: f64, counts: Option<Counts>) -> Row {
        Row {
            name: name.to_owned(),
            baseline: 1,
            bytes: 1_024,
            figures: Ok(Figures {
                windows: 200,
                fastest: nanos,
                average: nanos * 2.0,
                p99: Some(nanos * 10.0),
                slowest: nanos * 20.0,
                enqueued: nanos / 2.0,
                counts,
            }),
        }
    }

    fn counts(hits: u64, driver_calls: u64) -> Option<Counts> {
        Some(Counts {
            requests: 2_000,
            hits: Some(hits),
            driver_calls,
            requested: 1_024,
            reserved: 67_108_864,
        })
    }

    fn section(device: Result<DeviceInfo, Missing>, tables: Vec<Table>) -> Section {
        Section {
            api: "Fake".to_owned(),
            device,
            rounds: 1,
            tables,
        }
    }

    #[test]
    fn a_table_of_allocations_says_everything_of_a_row() {
        let table = Table {
            number: 19,
            title: "1 KB, 2,000 times".to_owned(),
            kind: TableKind::Allocations,
            floor: Some(0),
            rows: vec![
                row("floor", 10.0, None),
                row("direct", 2_010.0, counts(0, 12_000)),
                row("cache", 60.0, counts(1_999, 4)),
                row("direct-again", 2_210.0, counts(0, 12_000)),
                row("below", 4.0, None),
            ],
        };
        let info = DeviceInfo {
            device: "software device (fake)".to_owned(),
            driver: "1.0".to_owned(),
            api: "Fake 1".to_owned(),
            granularity: Some(2 << 20),
        };
        let text = section(Ok(info), vec![table]).to_markdown(&[("kernel", "6.1".to_owned())]);
        let expected = "\
### Fake

| environment | |
|---|---|
| device | software device (fake) |
| driver | 1.0 |
| interface | Fake 1 |
| granularity | 2,097,152 bytes |
| rounds | 1 |
| kernel | 6.1 |

#### Table 19: 1 KB, 2,000 times

On: software device (fake). 200 windows a row. `direct-again` is 10.0 % from `direct`.

| | fastest, µs | average, µs | p99, µs | enqueued, µs | of `direct` | hits | driver calls | reserved | overhead |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| floor | 0.010 | 0.020 | 0.100 | 0.005 |  |  |  |  |  |
| direct | 2.000 | 4.010 | 20.1 | 1.000 | 1.00x | 0 of 2,000 | 6 | 67,108,864 | 67,107,840 |
| cache | 0.050 | 0.110 | 0.590 | 0.025 | 0.03x | 1,999 of 2,000 | 4 in 2,000 | 67,108,864 | 67,107,840 |
| direct-again | 2.200 | 4.410 | 22.1 | 1.100 | 1.10x | 0 of 2,000 | 6 | 67,108,864 | 67,107,840 |
| below | 0.000 | 0.000 | 0.030 | 0.000 |  |  |  |  |  |
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_section_without_a_device_is_the_reason() {
        let missing = Missing::NotMeasured("no driver; install it".to_owned());
        let text = section(Err(missing), Vec::new()).to_markdown(&[("kernel", "6".to_owned())]);
        let expected = "\
### Fake

| environment | |
|---|---|
| device | not measured: no driver; install it |
";
        assert_eq!(text, expected);
    }

    #[test]
    fn copies_have_a_rate() {
        // 1,024 bytes in 2 µs.
        let rows = ["none", "direct", "none-again"]
            .map(|name| Row {
                baseline: 0,
                ..row(name, if name == "direct" { 2_000.0 } else { 4_000.0 }, None)
            })
            .to_vec();
        let table = Table {
            number: 24,
            title: String::new(),
            kind: TableKind::Copies,
            floor: None,
            rows,
        };
        let Ok(figures) = &table.rows[1].figures else {
            panic!("figures");
        };
        let cells = copy_cells(&table, &table.rows[1], figures);
        assert_eq!(cells, ["2.000", "4.000", "40.0", "0.50x", "512"]);
    }

    #[test]
    fn a_ratio_within_the_noise_says_so() {
        let rows = vec![
            row("floor", 10.0, None),
            row("direct", 110.0, counts(0, 1)),
            row("near", 90.0, counts(0, 1)),
            row("far", 80.0, counts(0, 1)),
            // A quarter above.
            row("direct-again", 135.0, counts(0, 1)),
        ];
        let mut table = Table {
            number: 19,
            title: String::new(),
            kind: TableKind::Allocations,
            floor: Some(0),
            rows,
        };
        let cell = |table: &Table, index: usize| ratio_cell(table, &table.rows[index]);
        assert_eq!(cell(&table, 1).as_deref(), Some("1.00x"));
        assert_eq!(cell(&table, 2).as_deref(), Some("0.80x (noise)"));
        assert_eq!(cell(&table, 3).as_deref(), Some("0.70x"));
        assert_eq!(cell(&table, 4).as_deref(), Some("1.25x"));
        table.rows[0].figures = Err(Missing::Failed("lost".to_owned()));
        assert_eq!(cell(&table, 2), None);
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(micros(9_999.4), "9.999");
        assert_eq!(micros(99_940.0), "99.9");
        assert_eq!(micros(1_234_567.0), "1,235");
        assert_eq!(size(16 << 20), "16 MB");
        assert_eq!(size(64 << 10), "64 KB");
    }
}
