//! Proves that counting-alloc counts what independent counters count.
//!
//! A corpus of [operations](operation) is run in processes that differ in their
//! global allocator alone, the programs in `src/bin`, and the test targets
//! compare what they print. The [five lines](lines) are what the table of peers
//! in `design/counting-model.md` is made from.
//!
//! This crate judges nothing by itself: how the figures of one counter follow
//! from those of another stands in the tests.

mod console;
pub mod conversion;
mod figures;
pub mod hand_rolled;
pub mod lines;
pub mod operation;
mod operations;
pub mod program;
pub mod raw;
pub mod recorder;
pub mod windows;

pub use figures::Figures;
