//! Allocation metrics, limits on them, and the records that a bench writes for `cargo alloc-gate`.
//!
//! ```
//! use alloc_results::comparisons;
//!
//! let written: Vec<_> = comparisons("allocs <= 2, == 1.5").collect();
//! assert_eq!((written[0].name.text, written[1].name.text), ("allocs", ""));
//! assert_eq!(written[1].amount()?.to_string(), "1.5");
//! # Ok::<(), alloc_results::SyntaxError>(())
//! ```
//!
//! # Metrics and limits
//!
//! [`Metric`] has the one table of all counted metrics. Each is computed from a [`Reading`], the numbers of
//! one iteration.
//!
//! | metric | what it counts |
//! |---|---|
//! | `allocs` | calls that allocate: `alloc`, `alloc_zeroed` and `realloc` |
//! | `reallocs` | how many of them were `realloc` |
//! | `deallocs` | calls of `dealloc` |
//! | `bytes` | sizes of new blocks, and what reallocations add |
//! | `peak-bytes` | the most bytes live at once, above the level at the start |
//! | `net-bytes`, `net-blocks` | what is left behind; can be negative |
//! | `foreign-allocs` | allocations of other threads meanwhile |
//!
//! A requirement is a list of comparisons, joined by commas:
//!
//! ```text
//! comparisons = comparison *( "," comparison )
//! comparison  = [ name ] ( "<" | "<=" | "==" | ">=" | ">" ) limit
//! limit       = amount                               ; and what the reader adds
//! amount      = number [ "B" | "KiB" | "MiB" | "GiB" | "kB" | "MB" | "GB" ]
//! number      = [ "-" ] digits [ "." digits ]        ; "_" between digits
//! ```
//!
//! A comma inside `[...]` is part of the limit. [`comparisons`] splits a text and keeps the place of each
//! piece, so that a [`SyntaxError`] can point at it. [`Operator::holds`] compares [`Ratio`]s exactly,
//! without floats. Whoever reads a requirement defines the names in it, and further kinds of limits.
//!
//! # Records
//!
//! The format is JSON Lines. A stream is an `EnvironmentRecord`, then a `ScenarioRecord` (or a
//! `FailureRecord`) per scenario, then an `EndRecord`. `Writer` writes one. `read_streams` reads one or
//! several, and refuses text that is truncated, duplicated, foreign, newer, or measured with a dead
//! counter.
//!
//! ```
//! # #[cfg(feature = "read")] {
//! use alloc_results::read_streams;
//!
//! let error = read_streams("results.jsonl", "{\"hello\": 1}\n").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "results.jsonl:1: not a result line of alloc-gate (missing field `schema` at line 1 \
//!      column 12); give the files that a bench wrote under ALLOC_GATE_BENCH_RESULTS"
//! );
//! # }
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `records` | the records and their writer |
//! | `read`, on by default | `records`, and their reader, with serde |

// Reading the source: `ratio.rs` is the one number type, and `comparison.rs` has the grammar. `metric.rs`
// has the numbers of an iteration and the one table of metrics. `distribution.rs` has means and
// percentiles. `environment.rs`, `record.rs`, `custom.rs` and `sites.rs` are the records; `json.rs` writes
// them, without serde, since a derive would be more than half of a bench's first build. `writer.rs` writes
// lines, and `reader.rs`, with the feature `read` and serde, refuses what is incomplete or inconsistent.
// `protocol.rs` has the variables through which the command asks a bench.

#![forbid(unsafe_code)]

mod comparison;
#[cfg(feature = "records")]
mod custom;
#[cfg(feature = "records")]
mod distribution;
#[cfg(feature = "records")]
mod environment;
#[cfg(feature = "records")]
mod json;
mod metric;
mod named;
#[cfg(feature = "records")]
pub mod protocol;
mod ratio;
#[cfg(feature = "read")]
mod reader;
#[cfg(feature = "records")]
mod record;
#[cfg(feature = "records")]
mod sites;
#[cfg(feature = "records")]
mod writer;

pub use counting_alloc::{Mode, Scope, Tally};

pub use comparison::{
    Amount, ByteUnit, Mistake, Operator, Piece, SyntaxError, Written, comparisons,
};
#[cfg(feature = "records")]
pub use custom::{CustomMetric, GATE_KEYS, check_custom_name, check_custom_names};
#[cfg(feature = "records")]
pub use distribution::Distribution;
#[cfg(feature = "records")]
pub use environment::{BenchId, CounterProof, EnvironmentRecord, UnavailableScenario};
pub use metric::{Definition, Metric, Reading, Unit};
pub use ratio::{NumberError, Ratio, integer, mean, rounded};
#[cfg(feature = "read")]
pub use reader::{ProblemKind, Stream, StreamError, StreamProblem, read_streams};
#[cfg(feature = "records")]
pub use record::{
    AxisValue, EndRecord, FailureRecord, Location, MOST, OutputDrop, Outside, PeakPass, SCHEMA,
    Sample, ScenarioRecord, Time, Work,
};
#[cfg(feature = "records")]
pub use sites::{BeforeRow, SampleSites, SiteRow, SitesRecord, Stacks};
#[cfg(feature = "records")]
pub use writer::{Writer, scenario_line};

/// The examples of the README are tests too.
#[cfg(all(doctest, feature = "read"))]
#[doc = include_str!("../README.md")]
struct Readme;
