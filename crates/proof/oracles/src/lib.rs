//! Checks that counting-alloc counts what independent counters count.
//!
//! The programs in `src/bin` differ only in their global allocator. Each runs one
//! [operation](operations) of a corpus and prints its [`Figures`]; the tests
//! [convert](conversion) the counts of one counter to the definitions of another and compare
//! them.

pub mod conversion;
mod figures;
pub mod operation;
pub mod operations;
pub mod program;
pub mod raw;
pub mod recorder;

pub use figures::{FIELDS, Field, Figures};
