//! The answers of the page, generated from the results: which allocator for which program.

pub mod orders;
pub mod questions;

mod field;
