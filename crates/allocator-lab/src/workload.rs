//! The workloads, each written once for any subject. They are plain functions on a
//! [`Heap`](crate::Heap), which say what they did and what was wrong; how often they
//! are called, timed and recorded is not known here.
//!
//! What they need besides the subject's blocks is made before they are called: they
//! allocate nothing but what they measure.

pub mod alignment;
pub mod architecture;
pub mod batch;
pub mod burst;
pub mod concurrent;
pub mod fragmentation;
pub mod frame;
pub mod histogram;
pub mod large;
pub mod overhead;
pub mod pair;
pub mod phases;
pub mod prefetch;
pub mod stress;
pub mod waste;
pub mod wrapper;

use std::alloc::Layout;

/// The alignment of requests of which the workload says nothing else: that of a
/// pointer, as most Rust values have it or less.
pub const ALIGN: usize = 8;

/// A layout of numbers that stand in this crate.
#[inline]
fn layout(size: usize, align: usize) -> Layout {
    match Layout::from_size_align(size, align) {
        Ok(layout) => layout,
        Err(_) => panic!("{size} bytes aligned to {align} are no layout"),
    }
}
