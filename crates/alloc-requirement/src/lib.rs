//! Requirements on allocation counts, for the rules of a gate and the assertions of a test:
//! the metrics, and the grammar of requirements on them.
//!
//! [`Metric`] has the one table of all counted metrics. Each is computed from a [`Reading`],
//! the numbers of one iteration.
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
//! A comma inside `[...]` or `(...)` is part of the limit.
//!
//! [`comparisons`] splits a text and keeps the place of each piece, so that a
//! [`SyntaxError`] can point at it. [`Operator::holds`] compares [`Number`]s exactly,
//! without floats. [`Values`] finds comparisons that can't fail or can't hold.
//!
//! ```
//! use alloc_requirement::comparisons;
//!
//! let written: Vec<_> = comparisons("allocs <= 2, == 1.5").collect();
//! assert_eq!((written[0].name.text, written[1].name.text), ("allocs", ""));
//! assert_eq!(written[1].amount()?.to_string(), "1.5");
//! # Ok::<(), alloc_requirement::SyntaxError>(())
//! ```
//!
//! The user of the crate defines the names in a requirement, and further kinds of limits. The
//! crate depends only on `std`.
//!
//! # Reading the source
//!
//! `piece.rs`, `number.rs`, `amount.rs` and `operator.rs` are the parts of a comparison,
//! `written.rs` reads a whole text into them, and `values.rs` finds comparisons that can't fail or
//! can't hold. `reading.rs` and `field.rs` are the numbers of an iteration, and `metric.rs` has the
//! one table of metrics, with the properties that `definition.rs` names.

#![forbid(unsafe_code)]

mod amount;
mod definition;
mod field;
mod metric;
mod number;
mod operator;
mod piece;
mod reading;
mod symbols;
mod unit;
mod values;
mod written;

pub use amount::{Amount, ByteUnit};
pub use definition::{Definition, Noun};
pub use field::Field;
pub use metric::Metric;
pub use number::{Number, NumberError};
pub use operator::Operator;
pub use piece::{Mistake, Piece, SyntaxError};
pub use reading::{Counts, Reading};
pub use unit::Unit;
pub use values::{Grain, Values};
pub use written::{Written, comparisons};

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
