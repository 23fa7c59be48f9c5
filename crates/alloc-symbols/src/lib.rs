//! Return addresses of an executable as functions, files, lines and columns, with inlined
//! frames and with frames that tail calls took off the stack.
//!
//! [`Executable`] reads a file and has its build id. [`Executable::symbols`] reads its tables,
//! for addresses that are relative to one of its functions, the anchor. [`Symbols::frames`]
//! turns a call stack into [`Frame`]s.
//!
//! ```
//! # #[cfg(feature = "executables")] {
//! use alloc_symbols::{Error, Executable};
//!
//! let error = Executable::from_bytes("codec", b"#!/bin/sh\n".to_vec()).unwrap_err();
//! assert!(matches!(error, Error::NotAnExecutable { .. }));
//! # }
//! ```
//!
//! An executable without symbols is an [`Error`]. Without line tables, or with damaged ones, there
//! are frames without lines, and a [`Problem`] says why. Damaged files cause no panic.
//!
//! [`Blame`] is the frame of a stack that an operation is attributed to, the innermost one of the
//! greatest [`Weight`]; [`layers`] tells the harness and the standard library in a stack, and
//! [`names`] reads the names of functions. Without the feature `executables`, which is on by default, the crate has
//! these alone and no dependencies.
//!
//! # Reading the source
//!
//! `frame.rs`, `names.rs`, `layers.rs`, `glue.rs` and `blame.rs` need no executable. `executable.rs` and `image.rs`, with
//! a file for each format in `image/`, read a file, `functions.rs` its symbols, `lines.rs` line tables, which
//! `line_tables.rs` and `debug_files.rs` find beside executables of macOS and Windows, there by `pdb.rs`, and
//! `tail_calls.rs` the functions that left no return address. `symbols.rs` joins them for an address.

#![forbid(unsafe_code)]

mod blame;
#[cfg(feature = "executables")]
mod error;
#[cfg(feature = "executables")]
mod executable;
#[cfg(feature = "executables")]
#[doc(hidden)]
pub mod former;
mod frame;
#[cfg(feature = "executables")]
mod functions;
mod glue;
pub mod layers;
#[cfg(feature = "executables")]
mod lines;
#[cfg(feature = "executables")]
mod machine_code;
#[cfg(feature = "executables")]
mod macho;
pub mod names;
#[cfg(feature = "pdb")]
mod pdb;
#[cfg(feature = "executables")]
mod symbols;
#[cfg(feature = "executables")]
mod tail_calls;

pub use blame::{Blame, Weight, measured_frames};
#[cfg(feature = "executables")]
pub use error::{Error, Problem};
#[cfg(feature = "executables")]
pub use executable::Executable;
pub use frame::{Frame, FrameKind};
#[cfg(feature = "executables")]
pub use symbols::Symbols;
