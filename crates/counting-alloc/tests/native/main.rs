//! What C code takes from `malloc` by itself, counted where that can be: from a
//! `main` of its own, because some of it concerns the whole process.
//!
//! The oracle is glibc: the same calls, made of the functions that it has under
//! these names.
#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(unsafe_code, reason = "C is called, and C calls back")]

mod beginnings_and_ends;
mod c;
mod counts;
mod interface;

use std::process::ExitCode;

use counting_alloc::CountingAlloc;
use libtest_mimic::{Arguments, Trial};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

macro_rules! tests {
    ($($module:ident::$name:ident,)*) => {
        [$((stringify!($name), $module::$name as fn()),)*]
    };
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One after the other, on this thread: another one would allocate beside it.
    arguments.test_threads = Some(1);
    let trials = tests![
        counts::what_the_c_library_takes_is_native_and_what_rust_takes_is_not,
        counts::every_function_is_counted_as_what_it_does,
        counts::what_was_refused_is_failed_and_nothing_else,
        counts::a_pause_and_an_excluded_region_hold_for_c_too,
        counts::a_window_of_the_thread_has_none_of_what_other_threads_do,
        counts::joined_calls_polls_and_phases_have_the_sum,
        interface::aligned_functions_answer_as_glibcs_do,
        interface::refusals_leave_the_errno_that_glibcs_do,
        interface::blocks_go_from_one_function_to_any_other,
        beginnings_and_ends::calls_before_main_are_counted,
        beginnings_and_ends::threads_that_c_started_are_counted_in_the_process,
        beginnings_and_ends::a_pause_holds_for_threads_without_counters,
        beginnings_and_ends::what_a_thread_does_after_its_end_is_counted_in_the_process,
        beginnings_and_ends::taking_up_counters_is_not_counted,
        beginnings_and_ends::a_forked_child_goes_on_counting,
    ];
    let trials = trials.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}
