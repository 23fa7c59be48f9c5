//! The check of gates.toml, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proof_fuzz::rules::check(bytes));
