//! The calls of `malloc` that C code makes by itself. The tests have their own `main`,
//! because some of them concern the whole process.
//!
//! The oracle is glibc: the same calls of its own functions.
#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(unsafe_code, reason = "C is called, and C calls back")]

mod beginnings_and_ends;
mod c;
mod counts;
mod interface;

use std::process::ExitCode;

use counting_alloc::CountingAlloc;
use own_process::trials;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    own_process::run(trials![
        counts::calls_of_the_c_library_are_native_and_calls_of_rust_are_not,
        counts::every_function_is_counted_as_what_it_does,
        counts::refused_calls_are_only_failed,
        counts::a_pause_and_an_excluded_region_hold_for_c_too,
        counts::a_window_of_the_thread_has_none_of_what_other_threads_do,
        counts::polls_and_phases_have_the_sum,
        interface::aligned_functions_answer_as_glibcs_do,
        interface::refusals_leave_the_errno_that_glibcs_do,
        interface::blocks_go_from_one_function_to_any_other,
        beginnings_and_ends::calls_before_main_are_counted,
        beginnings_and_ends::threads_that_c_started_are_counted_in_the_process,
        beginnings_and_ends::a_pause_holds_for_threads_without_counters,
        beginnings_and_ends::operations_of_a_thread_after_its_end_are_counted_in_the_process,
        beginnings_and_ends::acquiring_counters_is_not_counted,
        beginnings_and_ends::a_forked_child_goes_on_counting,
    ])
}
