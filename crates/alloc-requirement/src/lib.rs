//! The grammar of requirements on allocation counts: comparisons joined by commas. The
//! rules of a gate and the assertions of a test share it.
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
//! The user of the crate defines the names and further kinds of limits. The crate
//! depends only on `std`.

#![forbid(unsafe_code)]

mod amount;
mod number;
mod operator;
mod piece;
mod symbols;
mod values;
mod written;

pub use amount::{Amount, ByteUnit};
pub use number::{Number, NumberError};
pub use operator::Operator;
pub use piece::{Mistake, Piece, SyntaxError};
pub use values::{Grain, Values};
pub use written::{Written, comparisons};

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
