//! Code that runs before `main`: the counters need no initialisation that could come
//! too late.

use std::sync::OnceLock;

use counting_alloc::{Tally, measure};

use crate::{one_block, one_block_is, thread_tally};

/// The counts before `main`, without a window and in one.
static COUNTED: OnceLock<(Tally, Tally, Option<u64>)> = OnceLock::new();

/// The loader calls this function like a constructor of C++.
// SAFETY: the section holds pointers to functions of the C ABI, as this is one. It may
// ignore the arguments of the loader.
#[unsafe(link_section = ".init_array")]
#[used]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn before_main() {
        // The first operation acquires the thread's counters.
        let before = thread_tally();
        one_block(777);
        let counted = thread_tally() - before;
        let measured = measure(|| one_block(888));
        COUNTED.get_or_init(|| (counted, measured.tally, measured.peak_bytes));
    }
    before_main
};

pub(crate) fn code_before_main_is_counted_and_can_be_measured() {
    assert_eq!(
        COUNTED.get(),
        Some(&(one_block_is(777), one_block_is(888), Some(888)))
    );
}
