//! What a reader of the page and of its messages relies on. The values of all tests are worked
//! out by hand.

#![expect(clippy::unwrap_used, reason = "a test fails where it can't go on")]

mod answers;
mod overview;
mod pages;
mod pooled;
mod program;
mod summary;
mod support;
mod tables;
