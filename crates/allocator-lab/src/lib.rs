//! Allocators compared by the same workloads: what they refuse, whether what they
//! hand out is aligned, disjoint and intact, what they waste, and what they cost.
//!
//! A workload knows an allocator as a [`Subject`] and nothing more of it. Gates,
//! tables and pages are not known here: they are made of what is measured.

#![expect(
    unsafe_code,
    reason = "allocators are called as what is measured, without a collection between"
)]

pub mod compilation;
mod entrant;
mod floor;
mod heap;
mod lab;
pub mod linking;
mod memory;
mod registration;
mod report;
mod shared;
mod subject;
pub mod subjects;
mod twister;
pub mod workload;

pub use floor::{ArenaFloor, Floor};
pub use heap::{Block, Heap, Memory};
pub use lab::{Extent, Lab};
pub use memory::Footprint;
pub use report::Report;
pub use shared::{Common, Shared};
pub use subject::{Global, Kind, Subject, Unavailable};
pub use twister::Twister;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
