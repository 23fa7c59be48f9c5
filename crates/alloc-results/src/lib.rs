//! The records that a measuring process and a judging process exchange, and
//! their format: JSON Lines, one record per line.
//!
//! A stream is an [`EnvironmentRecord`], then a [`ScenarioRecord`] (or a
//! [`FailureRecord`]) per scenario, then an [`EndRecord`]. [`Writer`] writes
//! one. [`read_streams`] reads one or several, and refuses text that is truncated,
//! duplicated, foreign, newer, or measured with a dead counter.
//!
//! ```
//! use alloc_results::read_streams;
//!
//! let error = read_streams("results.jsonl", "{\"hello\": 1}\n").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "results.jsonl:1: not a result line of alloc-gate (missing field `schema` at line 1 \
//!      column 12); give the files that a bench wrote under ALLOC_GATE_BENCH_RESULTS"
//! );
//! ```
//!
//! The crate also has the vocabulary that records share with rules and tables: [`Metric`],
//! [`Reading`] and [`Unit`] of alloc-requirement, [`CustomFigure`] for the figures
//! that a scenario measures itself,
//! [`Distribution`] for the values of either over
//! the iterations, and [`Ratio`] for exact means.
//!
//! # Reading the source
//!
//! `ratio.rs`, `number.rs` and `distribution.rs` are exact numbers. `environment.rs`, `record.rs`,
//! `custom.rs` and `sites.rs` are the records; `json.rs` writes and reads their fields, without serde,
//! since a derive would be more than half of a bench's first build. `writer.rs` writes lines, and
//! `reader.rs`, with the feature `read`, refuses what is incomplete or inconsistent. `protocol.rs` has
//! the variables through which the command asks a bench.

#![forbid(unsafe_code)]

mod custom;
mod distribution;
mod environment;
mod json;
mod number;
pub mod protocol;
mod ratio;
#[cfg(feature = "read")]
mod reader;
mod reading;
mod record;
mod sites;
mod writer;

pub use alloc_requirement::{Counts, Definition, Field, Metric, Noun, Reading, Unit};
pub use custom::{CustomFigure, CustomFigures, CustomNameError, GATE_KEYS, check_custom_name};
pub use distribution::Distribution;
pub use environment::{
    BenchId, CounterProof, EnvironmentRecord, ExecutableRecord, Shortfall, UnavailableScenario,
};
pub use number::{integer, mean};
pub use ratio::Ratio;
#[cfg(feature = "read")]
pub use reader::{Stream, StreamError, StreamProblem, read_streams};
pub use record::{
    AxisValue, EndRecord, FailureRecord, Location, MOST, Mode, OutputDrop, Outside, PeakPass,
    PeakSample, SCHEMA, Sample, ScenarioRecord, Scope, Time, Work,
};
pub use sites::{BeforeRow, SampleSites, SiteRow, SitesRecord, Stacks};
pub use writer::{Writer, scenario_line};

/// The examples of the README are tests too.
#[cfg(all(doctest, feature = "read"))]
#[doc = include_str!("../README.md")]
struct Readme;
