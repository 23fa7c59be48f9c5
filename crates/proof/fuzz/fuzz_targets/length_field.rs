//! The target of a recipe. The allocator is that of the library.

#![no_main]

use alloc_assert::{AssertMeasured, Window, assert_allocs};
use libfuzzer_sys::fuzz_target;
use proof_fuzz::length_field::decode;

fuzz_target!(|data: &[u8]| {
    let bounded = Window::thread().ceiling(64 << 20).measure(|| {
        assert_allocs!(decode(data), "bytes <= {}", 64 + 32 * data.len());
    });
    bounded.assert("failed == 0");
});
