//! The check of result lines, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proof_fuzz::result_lines::check(bytes));
