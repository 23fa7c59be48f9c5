//! [`Report`]: the requests of a workload and the faults that it found; [`Found`]: the same with
//! values of the workload's own.

use std::iter::Sum;
use std::ops::AddAssign;

use alloc_scenario::Unit;

/// The names and units of a workload's own metrics, in order.
pub type Metrics = &'static [(&'static str, Unit)];

/// The metrics of a workload that has no other.
pub const REQUESTS: Metrics = &[("requests", Unit::Count), ("requested-bytes", Unit::Bytes)];

/// What a call of a workload has found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// The requests and their faults.
    pub report: Report,
    /// The workload's own values, in the order of their names.
    pub values: [i64; 8],
}

impl Found {
    /// Fails the scenario that runs if a block has a fault: its values are worth nothing.
    pub(crate) fn without_faults(self) -> Self {
        let report = self.report;
        assert!(report.successful() == report.requests, "faults: {report:?}");
        self
    }
}

impl From<Report> for Found {
    fn from(report: Report) -> Self {
        report.found([report.requests, report.requested_bytes].map(|n| n as i64))
    }
}

/// The requests of a workload and the faults of their blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many blocks were requested.
    pub requests: u64,
    /// Their bytes, as requested, also of those that were refused.
    pub requested_bytes: u64,
    /// Requests that were refused.
    pub nulls: u64,
    /// Blocks whose address is not a multiple of their alignment.
    pub misaligned: u64,
    /// Blocks that began within another live one.
    pub overlapping: u64,
    /// Blocks that did not hold what was written to them.
    pub corrupt: u64,
    /// A sum of addresses, so that the work has a result.
    pub checksum: u64,
}

impl Report {
    /// Requests without a fault that the workload looks for; a block with two faults
    /// counts for two.
    #[must_use]
    pub fn successful(&self) -> u64 {
        let faults = self.nulls + self.misaligned + self.overlapping + self.corrupt;
        self.requests.saturating_sub(faults)
    }

    /// The report with values, 8 at most.
    #[must_use]
    pub fn found<const N: usize>(self, own: [i64; N]) -> Found {
        let mut values = [0; 8];
        values[..N].copy_from_slice(&own);
        Found {
            report: self,
            values,
        }
    }
}

impl AddAssign for Report {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.requested_bytes += other.requested_bytes;
        self.nulls += other.nulls;
        self.misaligned += other.misaligned;
        self.overlapping += other.overlapping;
        self.corrupt += other.corrupt;
        self.checksum = self.checksum.wrapping_add(other.checksum);
    }
}

impl Sum for Report {
    fn sum<I: Iterator<Item = Self>>(reports: I) -> Self {
        reports.fold(Self::default(), |mut sum, report| {
            sum += report;
            sum
        })
    }
}
