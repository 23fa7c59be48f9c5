//! The workloads, each written once for any subject, and `standard`, the list of them.
//!
//! The workload itself is a plain function on a [`Heap`](crate::Heap), which returns what
//! it requested and which faults it found. Everything else that it needs is made before
//! it is called, so that it allocates nothing but what it measures. `measure` beside it
//! says how often it is called, and what is recorded.

pub mod alignment;
pub mod architecture;
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

use crate::subject::Subject;
use crate::suite::SubjectSuite;

/// The byte that fills the block of this number, never 0. Successive numbers have different
/// ones.
#[inline]
pub(crate) fn pattern(number: usize) -> u8 {
    (number % 251) as u8 + 1
}

/// Adds the scenarios of a workload on one subject.
pub(crate) type Measure<S> = fn(&mut SubjectSuite<'_, S>);

/// The workloads of the lab, in the order in which they are measured. A new workload is a module
/// above and a line here. [`wrapper`] and [`prefetch`], which have no subject, follow them.
pub(crate) fn standard<S: Subject + 'static>() -> Vec<Measure<S>> {
    vec![
        pair::measure,
        frame::measure_batches,
        frame::measure,
        phases::measure,
        fragmentation::measure,
        resident::measure,
        concurrent::measure,
        burst::measure,
        handover::measure,
        server::measure,
        alignment::measure,
        large::measure,
        stress::measure,
        vectors::measure,
        replay::measure,
        tails::measure,
        fill::measure,
        fill::measure_smallest,
        waste::measure,
        overhead::measure,
        architecture::measure,
    ]
}

/// Those with exact values, which have gates.
pub(crate) fn exact<S: Subject + 'static>() -> Vec<Measure<S>> {
    vec![
        burst::measure,
        alignment::measure,
        large::measure,
        stress::measure,
        fill::measure,
        waste::measure,
    ]
}
