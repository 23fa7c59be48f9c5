//! The figures of a row: times of windows, and exact counts.

use std::fmt;
use std::time::Duration;

use crate::backend::DeviceError;

/// A table of the page.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its number in the list of tables.
    pub number: u32,
    /// Its heading, such as `1 KB, 2,000 times`.
    pub title: String,
    /// What its operations are, which decides on its columns.
    pub kind: TableKind,
    /// The row of the loop alone.
    pub floor: Option<usize>,
    /// All its rows.
    pub rows: Vec<Row>,
}

/// What the operations of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Requests for memory and deallocations.
    Allocations,
    /// Copies between the host and the device.
    Copies,
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
    /// 99 of 100 windows are not slower. None if there are fewer than 100 windows.
    pub p99: Option<f64>,
    /// The slowest window.
    pub slowest: f64,
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
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Round {
    pub(super) windows: Vec<Window>,
    pub(super) counts: Option<Counts>,
}

/// Operations that were timed together.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    pub(super) fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

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
        // Of fewer windows it is the slowest one.
        let p99 = (windows >= 100).then(|| totals[(windows * 99).div_ceil(100) - 1]);
        Ok(Figures {
            windows,
            fastest: *totals.first().ok_or_else(nothing)?,
            // All windows of a row have the same number of operations.
            average: totals.iter().sum::<f64>() / windows as f64,
            p99,
            slowest: *totals.last().ok_or_else(nothing)?,
            enqueued: enqueued.min_by(f64::total_cmp).ok_or_else(nothing)?,
            counts: self.counts,
        })
    }
}

impl Figures {
    /// These without the time of the loop, which is that of the fastest windows of `floor`.
    fn without(&self, floor: &Self) -> Self {
        let net = |time: f64| (time - floor.fastest).max(0.0);
        Self {
            fastest: net(self.fastest),
            average: net(self.average),
            p99: self.p99.map(net),
            slowest: net(self.slowest),
            enqueued: (self.enqueued - floor.enqueued).max(0.0),
            ..self.clone()
        }
    }
}

impl Table {
    /// The figures of a row without the time of the loop; those of the floor are the time of the
    /// loop. None if a figure is missing.
    #[must_use]
    pub fn net(&self, row: &Row) -> Option<Figures> {
        let figures = row.figures.as_ref().ok()?;
        let floor = self.floor.and_then(|floor| self.rows.get(floor));
        Some(match floor {
            Some(floor) if floor.name != row.name => figures.without(floor.figures.as_ref().ok()?),
            Some(_) | None => figures.clone(),
        })
    }

    /// The fastest time of a row without that of the loop, divided by that of its baseline.
    /// None if one is missing, or the baseline is no slower than the loop.
    #[must_use]
    pub fn ratio(&self, row: &Row) -> Option<f64> {
        self.quotient(row, self.rows.get(row.baseline)?)
    }

    /// The row that a row repeats.
    #[must_use]
    pub fn repeated(&self, row: &Row) -> Option<&Row> {
        let name = row.name.strip_suffix(super::AGAIN)?;
        self.rows.iter().find(|other| other.name == name)
    }

    /// How far a repeated row is from the first, as a fraction of the first, by the fastest
    /// window without the time of the loop.
    #[must_use]
    pub fn noise(&self, again: &Row) -> Option<f64> {
        let quotient = self.quotient(again, self.repeated(again)?)?;
        Some((quotient - 1.0).abs())
    }

    fn quotient(&self, row: &Row, baseline: &Row) -> Option<f64> {
        let baseline = self.net(baseline)?.fastest;
        (baseline > 0.0).then_some(self.net(row)?.fastest / baseline)
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
        let figures = samples.figures().unwrap();
        let Figures {
            fastest,
            average,
            slowest,
            enqueued,
            ..
        } = figures;
        let times = [fastest, average, slowest, enqueued];
        let expected = [10.0, 505.0, 1_000.0, 5.0];
        assert!(
            times
                .iter()
                .zip(expected)
                .all(|(one, other)| (one - other).abs() < 1e-6)
        );
        assert_eq!((figures.windows, figures.p99), (100, Some(990.0)));
    }

    #[test]
    fn fewer_than_100_windows_have_no_99th() {
        let mut samples = Samples::default();
        let windows = vec![window(100); 99];
        let counts = None;
        samples.add(Round { windows, counts }).unwrap();
        assert_eq!(samples.figures().unwrap().p99, None);
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
}
