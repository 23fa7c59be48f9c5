//! Checks of the parsers for texts that nobody would write: each takes any bytes and
//! panics when a promise is broken.
//!
//! The tests of this crate run them with the seeds in `corpus` and with random changes
//! of these; the programs in `fuzz_targets` run them under libFuzzer.

#![forbid(unsafe_code)]

pub mod result_lines;
pub mod rules;
