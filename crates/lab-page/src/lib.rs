//! The results of allocator-lab, and the page that is made from them.

#![forbid(unsafe_code)]

pub mod query;
pub mod results;
