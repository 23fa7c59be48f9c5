//! Return addresses of an executable as functions, files, lines and columns, with inlined
//! frames and with frames that tail calls took off the stack.
//!
//! [`Executable`] reads a file. [`Executable::symbols`] reads its tables,
//! for addresses that are relative to one of its functions, the anchor. [`Symbols::frames`]
//! turns a call stack into [`Frame`]s.
//!
//! ```
//! # #[cfg(feature = "executables")] {
//! use alloc_symbols::Executable;
//!
//! let error = Executable::open("Cargo.toml").err().unwrap().to_string();
//! assert!(error.starts_with("`Cargo.toml` is not a readable executable: "));
//! let error = Executable::open("missing").err().unwrap().to_string();
//! assert!(error.starts_with("can't read `missing`: "));
//! # }
//! ```
//!
//! An executable without symbols is an [`Error`]. Without line tables, or with damaged ones, there
//! are frames without lines, and a [`Problem`] says why.
//!
//! [`Blame`] is the frame of a stack that an operation is attributed to, the innermost one of the
//! greatest [`Weight`]; [`names`] reads the names of functions. Without the feature `executables`, which is on by default, the crate has
//! these alone and no dependencies.
//!
//! # Reading the source
//!
//! `names.rs` and `blame.rs` need no executable. `executable.rs` reads a file,
//! and in its folder `tables.rs` symbols and line tables, which `macho.rs` and `pdb.rs` find
//! beside executables of macOS and Windows, and `tail_calls.rs` the functions that left no return
//! address. `symbols.rs` joins them for an address.

#![forbid(unsafe_code)]

mod blame;
#[cfg(feature = "executables")]
mod executable;
pub mod names;

pub use blame::{Blame, Frame, FrameKind, Weight, is_std, measured_frames};
#[cfg(feature = "executables")]
pub use executable::{Error, Executable, Problem, Symbols};
