//! The readers of executables before `object` and `pdb-addr2line`, for one commit that compares both.

mod debug_files;
mod error;
mod executable;
mod functions;
mod image;
mod line_tables;
mod lines;
mod machine_code;
mod pdb;
mod symbols;
mod tail_calls;

pub use executable::Executable;
