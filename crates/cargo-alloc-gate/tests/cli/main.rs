//! Runs the real program in temporary cargo projects, and compares exit codes and whole
//! outputs. `BLESS=1 cargo test` writes the outputs anew; review the
//! difference.
//!
//! Text that depends on the machine is in brackets: `[ROOT]` is the project's folder,
//! `[TARGET]` its target folder, `[BUILD]` its build folder.

mod bench;
mod git;
mod pages;
mod program;
mod project;
mod recorded;
mod repository;
#[cfg(unix)]
mod stand_in;
