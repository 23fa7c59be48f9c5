//! Return addresses of an executable as functions, files, lines and columns, with inlined
//! frames and with frames that tail calls took off the stack.
//!
//! [`Executable`] reads a file and has its build id. [`Executable::symbols`] reads its tables,
//! for addresses that are relative to one of its functions, the anchor. [`Symbols::frames`]
//! turns a call stack into [`Frame`]s.
//!
//! ```
//! use alloc_symbols::{Error, Executable};
//!
//! let error = Executable::from_bytes("codec", b"#!/bin/sh\n".to_vec()).unwrap_err();
//! assert!(matches!(error, Error::NotAnExecutable { .. }));
//! ```
//!
//! An executable without symbols is an [`Error`]. Without line tables, or with damaged ones, there
//! are frames without lines, and a [`Problem`] says why. Damaged files cause no panic, and the
//! work is bounded by the size of the file.

#![forbid(unsafe_code)]

mod error;
mod executable;
mod frame;
mod functions;
mod image;
mod lines;
mod meter;
mod symbols;
mod tail_calls;

pub use error::{Error, Problem};
pub use executable::Executable;
pub use frame::{Frame, FrameKind};
pub use symbols::Symbols;
