//! The check of executables, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proof_fuzz::executables::check(bytes));
