//! The check of the codec, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proof_fuzz::codec::check(bytes));
