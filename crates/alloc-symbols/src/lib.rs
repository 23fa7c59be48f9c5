//! Turns return addresses of an executable into functions, files, lines and columns.
//!
//! ```no_run
//! # #[cfg(feature = "executables")]
//! fn main() -> Result<(), alloc_symbols::Error> {
//!     let executable = alloc_symbols::Executable::open("target/release/codec")?;
//!     let mut symbols = executable.symbols("harness::anchor")?;
//!     // Return addresses, innermost first, minus the address of `harness::anchor`.
//!     for frame in symbols.frames(&[-4711, 128, 960]) {
//!         println!("{:?} {:?}:{:?}", frame.function, frame.file, frame.line);
//!     }
//!     Ok(())
//! }
//! # #[cfg(not(feature = "executables"))]
//! # fn main() {}
//! ```
//!
//! [`Symbols::frames`] includes inlined frames, and frames that tail calls took off the stack. An
//! executable without symbols is an [`Error`]. Without line tables, or with damaged ones, there are frames
//! without lines, and a [`Problem`] says why.
//!
//! [`Blame`] is the frame of a stack that an operation is attributed to, the innermost one of the greatest
//! [`Weight`]; [`names`] reads the names of functions.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `executables`, on by default | [`Executable`] and [`Symbols`], for executables of the platform that it is built for; three third-party crates |
//! | `foreign` | executables of Linux and Windows, wherever it runs |
//! | `pdb` | PDB files of programs for x86_64-pc-windows-msvc |
//!
//! Without any, the crate has [`Blame`] and [`names`] alone, and no dependencies.

// Reading the source: `names.rs` and `blame.rs` need no executable. `executable.rs` reads a file, and in its
// folder `tables.rs` symbols and line tables, which `macho.rs` and `pdb.rs` find next to executables of
// macOS and Windows, and `tail_calls.rs` the functions that left no return address. `symbols.rs` joins them
// for an address.

#![forbid(unsafe_code)]

mod blame;
#[cfg(feature = "executables")]
mod executable;
pub mod names;

pub use blame::{Blame, Frame, FrameKind, Weight, is_std, measured_frames};
#[cfg(feature = "executables")]
pub use executable::{Error, Executable, Problem, Symbols};
