//! Allocators compared by the same workloads: which requests they refuse, whether their
//! blocks are aligned, disjoint and intact, how much memory they waste, and how long they
//! take.
//!
//! A [`workload`] sees an allocator only as a [`Subject`], whose blocks a [`Heap`] keeps. A [`Lab`]
//! is the bench of all workloads on all [`subjects`]. In the folder `lab`:
//!
//! ```console
//! $ cargo bench -p allocator-lab --bench lab -- pair/subject=system   # times; without a name, minutes
//! $ cargo bench -p allocator-lab --bench checks                       # what gates.toml judges: seconds
//! $ cargo bench -p allocator-lab --bench compilation                  # what building an allocator costs
//! ```
//!
//! The first axis of each scenario is `subject`, and each has a process of its own. `wrapper` and
//! `prefetch` compare no allocators, and have floors and second measurements of their own. The
//! feature `c` adds the allocators that a C or C++ compiler builds in seconds, and `jemalloc` one that
//! takes minutes. The row of an allocator that is not built in says so.
//!
//! To add an allocator:
//!
//! - its dependency in Cargo.toml, behind a feature of its name;
//! - an adapter in `src/subjects/`, whose documentation describes it;
//! - its `mod` and its line in `src/subjects.rs`;
//! - its program in [`compilation::PROGRAMS`], if a program can have it as its global allocator.
//!
//! To add a workload: a file in `src/workload/`, its `mod` and its line in `src/workload.rs`. Tests,
//! benches and gates take both from there; its table is data in `src/tables/` of lab-page.

#![expect(
    unsafe_code,
    reason = "allocators are called directly: a collection in between would be measured, too"
)]

#[cfg(not(target_os = "linux"))]
compile_error!("allocator-lab is for Linux, which tells the memory of a process");

mod axis;
pub mod compilation;
mod crew;
mod floor;
mod heap;
mod memory;
mod mt19937;
mod report;
mod request;
mod subject;
pub mod subjects;
mod suite;
mod window;
pub mod workload;

pub use crew::{Crew, Part};
pub use floor::Floor;
pub use heap::{Block, Heap, Memory};
pub use memory::{Footprint, page_faults};
pub use mt19937::Mt19937;
pub use report::{Found, Metrics, REQUESTS, Report};
pub use request::{ALIGN, layout};
pub use subject::{Global, GlobalWithSizes, Shared, Subject};
pub use suite::{Lab, Need, Opener, Plan, SubjectSuite};
pub use window::Window;
