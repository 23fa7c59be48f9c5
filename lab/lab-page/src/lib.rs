//! Measures the lab in rounds, and writes the pages from one file of results: `cargo xtask lab` is
//! `lab-page run`.
//!
//! [`rounds`] reads what the benches wrote and pools it to the cells of [`results`], which are the
//! file. [`query`] compares cells, [`tables`] has the definitions of all tables, and [`page`] puts
//! the [`answers`], the [`heat`] map and the tables between the markers of the pages.
//!
//! - A cell is one scenario. Its fastest window and its percentiles are of all rounds together; the
//!   value of each first call is kept.
//! - The headline of a time is the fastest window; on several threads, which hinder each other more
//!   or less, the median of the process that has the least one. A percentile of single calls is the
//!   least of a process.
//! - A net time is the headline minus the one of the row `floor` of the same cell, or `floor-arena`
//!   for `bumpalo`, if the workload has that row. A ratio is a net time over the net time of
//!   `system`. Noise is what `system` and `system-again` differ by in the same cell.
//! - `run --verify` compares the order of the first three allocators of each answer with the order
//!   in a loop of `allocator-lab/benches/verify.rs`, which shares nothing with the workloads.

#![forbid(unsafe_code)]
#![expect(
    missing_docs,
    reason = "the program and its tests alone use it: what a name says is not said again"
)]

pub mod answers;
pub mod error;
pub mod facts;
pub mod grid;
pub mod heat;
pub mod markdown;
pub mod page;
pub mod query;
pub mod results;
pub mod rounds;
pub mod summary;
pub mod tables;
pub mod value;
