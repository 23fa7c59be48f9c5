//! The answers of the page, generated from the results: which allocator for which program, and
//! a card for each allocator.

pub mod cards;
pub mod orders;
pub mod questions;

mod field;
