//! Checks that counting-alloc counts what independent counters count.
//!
//! The programs in `src/bin` differ only in their global allocator. Each runs one
//! [operation](operations) of a corpus and prints its [`Values`]; the tests
//! [convert](conversion) the counts of one counter to the definitions of another and compare
//! them.

pub mod conversion;
pub mod operation;
pub mod operations;
pub mod program;
pub mod raw;
pub mod recorder;
mod values;

pub use values::{FIELDS, Field, Values};
