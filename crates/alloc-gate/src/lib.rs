//! The engine of `cargo alloc-gate`: rules, a baseline and measured results go
//! in, verdicts and reports come out.
//!
//! ```
//! use alloc_gate::{
//!     CfgSets, Config, Date, Inputs, Measurements, Outcome, Selection, evaluate,
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
//!     documents: &[],
//!     selection: Selection::Whole,
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

pub mod accept;
pub mod audit;
pub mod baseline;
pub mod delta;
mod diagnostic;
mod evaluation;
mod figure;
mod judge;
pub mod report;
mod requirement;
mod results;
pub mod rules;
pub mod suggest;
mod tables;

// The unit tests write results as the cases do.
#[cfg(test)]
#[path = "../tests/cases/results.rs"]
mod sample_results;

pub use accept::limits;
pub use alloc_requirement::{Amount, ByteUnit, Number, Operator};
pub use audit::{Audit, audit};
pub use baseline::{Baseline, Histories, History, PastBaseline};
pub use delta::{Change, Delta, Dissimilarity, Incomparable};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Place};
pub use evaluation::{
    Absence, Compared, Content, Crowding, Details, Evaluation, Finding, FindingKind, Gap,
    GateSummary, Judgement, Level, Outcome, PivotCell, PivotColumn, PivotHistory, PivotRow,
    PivotTable, ScopeRemark, Skip, TableRemark, Tables, Tally, Verdict, WaiverNote,
};
pub use figure::{Custom, Date, Exact, Growth, GrowthClass, Measure, Statistic, counted};
pub use judge::{DocumentState, Inputs, Matching, evaluate, unjudged};
pub use report::page::{
    Document, DocumentError, HistoryEntry, TablesPage, TablesUpdate, UpdatedTables,
};
pub use requirement::{Comparison, Limit, Margin, MarginSize, Reference, Requirement, Share, Side};
pub use results::{
    Environment, MeasuredScenario, Measurements, MeasurementsError, ScenarioFailure, Selection,
    Unavailable,
};
pub use rules::{BadCfg, CfgSets, Config, schema};
pub use tables::{histories_needed, pivot};

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
