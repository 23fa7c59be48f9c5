//! The figures of a row: times of windows, and exact counts.

use std::fmt;
use std::time::Duration;

use crate::backend::DeviceError;

/// A table of the page.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its number in the list of tables.
    pub number: u32,
    /// What its operations are.
    pub title: String,
    /// The row of the loop alone.
    pub floor: Option<usize>,
    /// All its rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The way of obtaining memory, after the kind of copy if the table has copies.
    pub name: String,
    /// The row that it is compared with.
    pub baseline: usize,
    /// The bytes of one operation.
    pub bytes: u64,
    /// Its figures, or why it has none.
    pub figures: Result<Figures, Missing>,
}

/// The figures of a row. Times are in nanoseconds for each operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The number of windows.
    pub windows: usize,
    /// The fastest window, until the device was finished.
    pub fastest: f64,
    /// The average of all windows.
    pub average: f64,
    /// 99 of 100 windows are not slower.
    pub p99: f64,
    /// The fastest window until the host was finished.
    pub enqueued: f64,
    /// The counts of a round, for tables of allocations.
    pub counts: Option<Counts>,
}

/// The exact counts of one round, and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Requests for memory.
    pub requests: u64,
    /// Requests that needed no memory of the driver. None if the driver does not tell.
    pub hits: Option<u64>,
    /// Calls of the driver that the requests and the deallocations made.
    pub driver_calls: u64,
    /// The most bytes that were asked for at once.
    pub requested: u64,
    /// The bytes that the driver held for them.
    pub reserved: u64,
}

/// Why a row has no figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// There is no such device here, for this reason.
    NotMeasured(String),
    /// The device is there, and something went wrong.
    Failed(String),
}

/// What one round of a row gives.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    pub(super) windows: Vec<Window>,
    pub(super) counts: Option<Counts>,
}

/// Operations that were timed together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) operations: u32,
    /// Until the host was finished.
    pub(super) enqueued: Duration,
    /// Until the device was finished.
    pub(super) total: Duration,
}

/// The rounds of a row so far.
#[derive(Debug, Default)]
pub(super) struct Samples {
    windows: Vec<Window>,
    counts: Option<Counts>,
}

impl Missing {
    /// What each cell of the row says.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::NotMeasured(_) => "not measured",
            Self::Failed(_) => "FAIL",
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::NotMeasured(reason) | Self::Failed(reason)) = self;
        write!(formatter, "{}: {reason}", self.word())
    }
}

impl From<DeviceError> for Missing {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Unavailable { reason } => Self::NotMeasured(reason),
            DeviceError::OutOfMemory { .. } | DeviceError::Failed { .. } => {
                Self::Failed(error.to_string())
            }
        }
    }
}

impl Samples {
    /// Adds a round, whose counts must be those of the others. Other processes may change
    /// what a driver tells about its memory; the highest value stays.
    pub(super) fn add(&mut self, round: Round) -> Result<(), Missing> {
        self.windows.extend(round.windows);
        if let (Some(kept), Some(counts)) = (&mut self.counts, round.counts) {
            kept.reserved = kept.reserved.max(counts.reserved);
            let counts = Counts {
                reserved: kept.reserved,
                ..counts
            };
            if *kept != counts {
                let reason = format!("counts differ between rounds: {kept:?}, then {counts:?}");
                return Err(Missing::Failed(reason));
            }
        }
        self.counts = self.counts.or(round.counts);
        Ok(())
    }

    pub(super) fn figures(self) -> Result<Figures, Missing> {
        let nothing = || Missing::NotMeasured("no rounds".to_owned());
        let per_operation = |time: Duration, window: &Window| {
            time.as_secs_f64() * 1e9 / f64::from(window.operations)
        };
        let mut totals: Vec<_> = self
            .windows
            .iter()
            .map(|window| per_operation(window.total, window))
            .collect();
        totals.sort_by(f64::total_cmp);
        let enqueued = self
            .windows
            .iter()
            .map(|window| per_operation(window.enqueued, window));
        let windows = totals.len();
        let p99 = (windows * 99).div_ceil(100).saturating_sub(1);
        Ok(Figures {
            windows,
            fastest: *totals.first().ok_or_else(nothing)?,
            // All windows of a row have the same number of operations.
            average: totals.iter().sum::<f64>() / windows as f64,
            p99: *totals.get(p99).ok_or_else(nothing)?,
            enqueued: enqueued.min_by(f64::total_cmp).ok_or_else(nothing)?,
            counts: self.counts,
        })
    }
}

impl Table {
    /// The fastest time of a row without that of the loop, divided by that of its baseline.
    /// None if one is missing, or the baseline is no slower than the loop.
    #[must_use]
    pub fn ratio(&self, row: &Row) -> Option<f64> {
        let fastest = |row: &Row| row.figures.as_ref().ok().map(|figures| figures.fastest);
        let floor = match self.floor {
            Some(floor) => fastest(self.rows.get(floor)?)?,
            None => 0.0,
        };
        let baseline = fastest(self.rows.get(row.baseline)?)? - floor;
        (baseline > 0.0).then_some((fastest(row)? - floor).max(0.0) / baseline)
    }

    /// The row that a row repeats.
    #[must_use]
    pub fn repeated(&self, row: &Row) -> Option<&Row> {
        let name = row.name.strip_suffix(super::AGAIN)?;
        self.rows.iter().find(|other| other.name == name)
    }

    /// How far a repeated row is from the first, as a fraction of the first, by the fastest
    /// window.
    #[must_use]
    pub fn noise(&self, again: &Row) -> Option<f64> {
        let first = self.repeated(again)?.figures.as_ref().ok()?;
        let again = again.figures.as_ref().ok()?;
        (first.fastest > 0.0).then_some((again.fastest / first.fastest - 1.0).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(nanos: u64) -> Window {
        Window {
            operations: 10,
            enqueued: Duration::from_nanos(nanos / 2),
            total: Duration::from_nanos(nanos),
        }
    }

    fn counts(hits: u64, reserved: u64) -> Counts {
        Counts {
            requests: 10,
            hits: Some(hits),
            driver_calls: 1,
            requested: 1_024,
            reserved,
        }
    }

    #[test]
    fn the_fastest_the_average_and_the_99th_of_100_windows() {
        let mut samples = Samples::default();
        // 10, 20, ... 1,000 ns for each operation, the slowest first.
        let windows = (1..=100).rev().map(|step| window(step * 100)).collect();
        let round = Round {
            windows,
            counts: None,
        };
        samples.add(round).unwrap();
        let expected = Figures {
            windows: 100,
            fastest: 10.0,
            average: 505.0,
            p99: 990.0,
            enqueued: 5.0,
            counts: None,
        };
        let figures = samples.figures().unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(near(figures.fastest, expected.fastest) && near(figures.average, expected.average));
        assert!(near(figures.p99, expected.p99) && near(figures.enqueued, expected.enqueued));
        assert_eq!(figures.windows, 100);
    }

    #[test]
    fn counts_that_change_between_rounds_are_a_failure() {
        let mut samples = Samples::default();
        let mut add = |counts| {
            let windows = vec![window(100)];
            let counts = Some(counts);
            samples.add(Round { windows, counts })
        };
        add(counts(9, 1_024)).unwrap();
        add(counts(9, 2_048)).expect("another process allocated");
        assert!(matches!(add(counts(8, 2_048)), Err(Missing::Failed(_))));
        assert_eq!(samples.counts, Some(counts(9, 2_048)));
    }

    #[test]
    fn ratios_leave_out_the_floor_and_noise_is_that_of_the_repeated_row() {
        let row = |name: &str, fastest: f64| Row {
            name: name.to_owned(),
            baseline: 1,
            bytes: 1,
            figures: Ok(Figures {
                windows: 1,
                fastest,
                average: fastest,
                p99: fastest,
                enqueued: fastest,
                counts: None,
            }),
        };
        let rows = vec![
            row("floor", 5.0),
            row("direct", 105.0),
            row("cache", 30.0),
            row("direct-again", 84.0),
        ];
        let table = Table {
            number: 19,
            title: String::new(),
            floor: Some(0),
            rows,
        };
        // 25 of 100.
        assert_eq!(table.ratio(&table.rows[2]), Some(0.25));
        let noise = table.noise(&table.rows[3]).unwrap();
        // 84 is a fifth below 105.
        assert!((noise - 0.2).abs() < 1e-9, "{noise}");
        assert_eq!(table.noise(&table.rows[2]), None);
    }
}
