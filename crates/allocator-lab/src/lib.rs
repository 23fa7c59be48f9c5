//! Allocators compared by the same workloads: what they refuse, whether what they
//! hand out is aligned, disjoint and intact, what they waste, and what they cost.
//!
//! A workload knows an allocator as a [`Subject`] and nothing more of it. Gates,
//! tables and pages are not known here: they are made of what is measured.

#![expect(
    unsafe_code,
    reason = "allocators are called as what is measured, without a collection between"
)]

mod subject;
pub mod subjects;

pub use subject::{Global, Kind, Subject, Unavailable};
