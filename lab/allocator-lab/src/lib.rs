//! Allocators compared by the same workloads: which requests they refuse, whether their
//! blocks are aligned, disjoint and intact, how much memory they waste, and how long they
//! take.
//!
//! A [`Workload`] sees an allocator only as a [`Subject`]; a [`Lab`] is the bench of all
//! workloads on all subjects.

#![expect(
    unsafe_code,
    reason = "allocators are called directly: a collection in between would be measured, too"
)]

#[cfg(not(target_os = "linux"))]
compile_error!("allocator-lab is for Linux, which tells the memory of a process");

mod axis;
pub mod compilation;
mod crew;
mod entry;
mod floor;
mod heap;
mod lab;
mod memory;
mod mt19937;
mod plan;
mod registration;
mod report;
mod request;
mod shared;
mod subject;
pub mod subjects;
mod window;
pub mod workload;

pub use crew::{Crew, Part};
pub use entry::{Entry, Need, Opener, available};
pub use floor::{ArenaFloor, Floor};
pub use heap::{Block, Heap, Memory};
pub use lab::Lab;
pub use memory::{Footprint, page_faults};
pub use mt19937::Mt19937;
pub use plan::Plan;
pub use registration::{And, SubjectSuite, Workload, Workloads};
pub use report::{Figures, Found, REQUESTS, Report};
pub use request::{ALIGN, layout};
pub use shared::Shared;
pub use subject::{Global, GlobalWithSizes, Kind, Subject, Unavailable};
pub use window::{Span, TOGETHER, Window};
