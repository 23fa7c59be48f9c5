//! The records that a measuring process and a judging process exchange, and
//! their line IO: JSON Lines, one record a line.
//!
//! A stream is an [`EnvironmentRecord`], then a [`ScenarioRecord`] (or a
//! [`FailureRecord`]) per scenario, then an [`EndRecord`]. [`Writer`] writes
//! one, [`read_streams`] reads one or several and refuses whatever is
//! truncated, duplicated, foreign, newer, or measured with a dead counter.
//!
//! ```
//! use alloc_results::read_streams;
//!
//! let error = read_streams("results.jsonl", "{\"hello\": 1}\n").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "results.jsonl:1: not a result line of alloc-gate (missing field `schema` at line 1 \
//!      column 12); give the files that a bench wrote under ALLOC_GATE_RESULTS"
//! );
//! ```
//!
//! Beside the records stand the vocabulary that they share with rules and
//! tables: [`Metric`] with its definitions, [`CustomFigure`] of what a scenario
//! measures itself, [`Distribution`] of either over the iterations, and [`Ratio`], because a mean is not a float here.
//!
//! This crate does not know where numbers come from, what is allowed, or where
//! files are; it reads and writes text.

#![forbid(unsafe_code)]

mod custom;
mod distribution;
mod metric;
mod number;
pub mod protocol;
mod ratio;
mod reader;
mod record;
mod writer;

pub use custom::{CustomFigure, CustomFigures, CustomNameError, check_custom_name};
pub use distribution::Distribution;
pub use metric::{Metric, Unit};
pub use number::{integer, mean};
pub use ratio::Ratio;
pub use reader::{MOST, Stream, StreamError, StreamProblem, read_streams};
pub use record::{
    Attempts, AxisValue, BenchId, CounterProof, Counts, EndRecord, EnvironmentRecord,
    FailureRecord, Location, Mode, NativeCounts, Outcome, OutputDrop, PeakPass, PeakSample,
    Reading, Sample, ScenarioRecord, Scope, Shortfall, Time, UnavailableScenario, Work,
};
pub use writer::Writer;

/// The major version of the record format that this crate writes and reads.
/// Within it, fields may be added; readers pass over those that they don't
/// know.
pub const SCHEMA: u64 = 1;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
