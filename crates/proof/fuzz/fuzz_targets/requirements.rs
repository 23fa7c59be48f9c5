//! The check of requirements, under libFuzzer. Texts that are no input stay out of
//! the corpus.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    match proof_fuzz::requirements::check(bytes) {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
});
