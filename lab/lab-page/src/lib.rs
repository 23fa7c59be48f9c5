//! The results of allocator-lab, and the page that is made from them.
//!
//! [`rounds`] reads what a bench wrote, and pools it to cells. [`merge`] puts the cells into the
//! committed [`results`], and [`store`] is their file. [`query`] compares cells, [`tables`] has
//! the definitions of all tables, and [`page`] puts the [`sections`] between the markers of the
//! page.

#![forbid(unsafe_code)]
#![expect(
    missing_docs,
    reason = "the program and its tests alone use it: what a name says is not said again"
)]

pub mod agreement;
pub mod answers;
pub mod environment;
pub mod error;
pub mod facts;
pub mod figure;
pub mod grid;
pub mod heat;
pub mod markdown;
pub mod merge;
pub mod page;
pub mod query;
pub mod results;
pub mod rounds;
pub mod sections;
pub mod store;
pub mod summary;
pub mod tables;
