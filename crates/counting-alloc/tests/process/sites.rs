//! The call stacks of operations. The expected counts follow from the requested sizes, and
//! rows are told apart by them.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "a test runs on a stack of its own")
)]

mod live_blocks;
mod process;
mod rows;
mod stacks;

use std::hint::black_box;

use counting_alloc::{Measured, SiteRow, Sites, Window};
use libtest_mimic::Trial;
use own_process::trials;

pub(crate) fn all() -> Vec<Trial> {
    if !Sites::AVAILABLE {
        return trials![rows::a_window_says_that_there_are_no_stacks];
    }
    trials![
        rows::every_field_adds_up,
        rows::a_line_has_a_row_and_a_loop_has_one,
        rows::each_stack_has_the_sizes_of_its_requests,
        rows::windows_nest,
        rows::a_second_window_is_refused,
        rows::an_excluded_region_has_no_rows,
        rows::a_panic_ends_the_capture,
        rows::sites_are_summed_by_stack,
        stacks::a_stack_ends_where_the_window_was_opened,
        stacks::stacks_beyond_the_capacity_are_the_rest,
        stacks::a_deep_stack_keeps_its_innermost_frames,
        stacks::a_thread_after_another_has_its_own_stacks,
        #[cfg(target_arch = "x86_64")]
        stacks::another_stack_is_unwound,
        live_blocks::blocks_are_kept_by_the_line_that_allocated_them,
        live_blocks::blocks_from_before_are_a_part_of_their_own,
        live_blocks::an_address_that_comes_back_is_another_block,
        live_blocks::the_peak_is_held_by_the_line_that_allocated,
        process::threads_of_the_process_add_up,
        process::a_block_that_another_thread_frees_has_its_origin,
        process::a_thread_and_the_process_capture_at_once,
        process::operations_of_ending_threads_are_in_the_sum,
        process::threads_measure_themselves_at_once,
    ]
}

/// A call that is not inlined, with frames of its own.
#[inline(never)]
fn bytes(size: usize) -> Vec<u8> {
    black_box(vec![1_u8; black_box(size)])
}

/// Runs `f` in a window of the thread, and checks the sums.
fn measure<T>(f: impl FnOnce() -> T) -> (Measured<T>, Sites) {
    let measured = Window::thread().with_peak().measure_sites(f);
    let (measured, sites) = measured.expect("the counter is installed");
    assert_eq!(sites.tally(), measured.tally);
    (measured, sites)
}

/// The rows whose allocations have this many bytes together.
fn of_bytes(sites: &Sites, bytes: u64) -> Vec<SiteRow> {
    let rows = sites.rows.iter().cloned();
    rows.filter(|row| row.tally.bytes == bytes).collect()
}

/// The row whose allocations have this many bytes together.
fn row(sites: &Sites, bytes: u64) -> SiteRow {
    let mut rows = of_bytes(sites, bytes);
    assert_eq!(rows.len(), 1, "{sites:#?}");
    rows.remove(0)
}
