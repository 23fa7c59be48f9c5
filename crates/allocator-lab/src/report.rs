//! [`Report`]: what a workload says of the subject that it ran on. How it is
//! recorded and judged is not known here.

use std::ops::AddAssign;

/// The requests of a workload and what was wrong with their blocks.
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
    /// A sum of addresses and of what was read back, so that the work has a result.
    pub checksum: u64,
}

impl Report {
    /// Requests that nothing was wrong with, as far as the workload looked: a block
    /// with two faults counts for two.
    #[must_use]
    pub fn successful(&self) -> u64 {
        let faults = self.nulls + self.misaligned + self.overlapping + self.corrupt;
        self.requests.saturating_sub(faults)
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
