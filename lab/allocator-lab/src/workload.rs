//! The workloads, each written once for any subject, and [`standard`], the list of them.
//!
//! The workload itself is a plain function on a [`Heap`](crate::Heap), which returns what
//! it requested and which faults it found. Everything else that it needs is made before
//! it is called, so that it allocates nothing but what it measures. `Scenarios` beside it
//! says how often it is called, and what is recorded.

pub mod alignment;
pub mod architecture;
pub mod batch;
pub mod burst;
pub mod concurrent;
pub mod fill;
pub mod fragmentation;
pub mod frame;
pub mod handover;
pub mod large;
pub mod overhead;
pub mod pair;
pub mod phases;
pub mod prefetch;
pub mod replay;
pub mod resident;
pub mod server;
pub mod stress;
pub mod tails;
pub mod vectors;
pub mod waste;
pub mod wrapper;

use crate::registration::Workloads;

/// The byte that fills the block of this number, never 0. Successive numbers have different
/// ones.
#[inline]
pub(crate) fn pattern(number: usize) -> u8 {
    (number % 251) as u8 + 1
}

/// The workloads of the lab, in the order in which they are measured. A new workload is a module
/// above and a line here.
pub fn standard() -> impl Workloads {
    pair::Scenarios
        .and(batch::Scenarios)
        .and(frame::Scenarios)
        .and(phases::Scenarios)
        .and(fragmentation::Scenarios)
        .and(resident::Scenarios)
        .and(concurrent::Scenarios)
        .and(burst::Scenarios)
        .and(handover::Scenarios)
        .and(server::Scenarios)
        .and(alignment::Scenarios)
        .and(large::Scenarios)
        .and(stress::Scenarios)
        .and(vectors::Scenarios)
        .and(replay::Scenarios)
        .and(tails::Scenarios)
        .and(fill::Fill)
        .and(fill::SmallestRegion)
        .and(waste::Scenarios)
        .and(overhead::Scenarios)
        .and(architecture::Scenarios)
        .and(wrapper::Scenarios)
        .and(prefetch::Scenarios)
}

/// Those with exact values, which have gates.
pub fn exact() -> impl Workloads {
    burst::Scenarios
        .and(handover::Scenarios)
        .and(server::Scenarios)
        .and(alignment::Scenarios)
        .and(large::Scenarios)
        .and(stress::Scenarios)
        .and(fill::Fill)
        .and(waste::Scenarios)
}
