//! The engine of `cargo alloc-gate`: rules, a baseline and measured results go
//! in, verdicts and reports come out.
//!
//! ```
//! use alloc_gate::{
//!     CfgSets, Config, Date, Inputs, Measurements, Outcome, Partiality, evaluate,
//! };
//!
//! let config = Config::parse("gates.toml", r#"
//!     version = 1
//!     [[gate]]
//!     name = "R12"
//!     scenarios = ["encode*"]
//!     allocs = "< 5"
//! "#).unwrap();
//! let nothing = Measurements::default();
//! let evaluation = evaluate(&Inputs {
//!     config: &config,
//!     measurements: &nothing,
//!     baseline: None,
//!     document: None,
//!     partiality: Partiality::Whole,
//!     cfgs: &CfgSets::default(),
//!     today: Date::new(2026, 1, 31).unwrap(),
//! });
//! // What was not measured has not passed.
//! assert_eq!(evaluation.outcome(), Outcome::Failed);
//! ```
//!
//! The way of the data is one way: text becomes [`Config`], [`Baseline`] and
//! [`Measurements`], each valid once it exists; [`evaluate`] is a pure function
//! of them; the functions in [`report`] write an [`Evaluation`] down and decide
//! nothing. No float takes part in a verdict but in fitting growth.
//!
//! This crate knows of no process, environment variable, clock or standard
//! stream, opens no file, and does not know how anything was measured.

#![forbid(unsafe_code)]

pub mod audit;
pub mod baseline;
mod bound;
mod cfgs;
pub mod config;
mod date;
pub mod delta;
mod diagnostic;
mod document;
mod evaluate;
mod evaluation;
mod growth;
pub mod history;
pub mod limits;
mod matching;
mod measure;
mod measurements;
mod pivot;
pub mod report;
mod requirement;
pub mod schema;
mod scope;
mod statistic;
pub mod suggest;
mod tightest;
mod waiver;

// The unit tests write results as the cases do.
#[cfg(test)]
#[path = "../tests/cases/results.rs"]
mod results;

pub use alloc_requirement::{Amount, ByteUnit, Number, Operator};
pub use audit::{Audit, audit};
pub use baseline::Baseline;
pub use bound::Bound;
pub use cfgs::{BadCfg, CfgSets};
pub use config::Config;
pub use date::Date;
pub use delta::{Change, Delta, Dissimilarity, Incomparable};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Place};
pub use document::{
    Document, DocumentError, HistoryEntry, TablesPage, TablesUpdate, UpdatedTables,
};
pub use evaluate::{DocumentState, Inputs, Partiality, evaluate, unjudged};
pub use evaluation::{
    Absence, Evaluation, Finding, GateSummary, Judgement, Level, Outcome, Remark, ScopeRemark,
    Skip, Tally, Verdict, WaiverNote,
};
pub use growth::{Growth, GrowthClass};
pub use history::{Histories, History, PastBaseline};
pub use matching::Matching;
pub use measure::{Custom, Measure};
pub use measurements::{
    Environment, Measured, Measurements, MeasurementsError, ScenarioFailure, Unavailable,
};
pub use pivot::{
    Compared, Content, Crowding, Gap, PivotCell, PivotColumn, PivotHistory, PivotRow, PivotTable,
    TableRemark, pivot,
};
pub use requirement::{Comparison, Limit, Margin, MarginSize, Reference, Requirement, Share, Side};
pub use statistic::Statistic;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
