//! The workloads and the lab: their requests, the faults that they find in broken
//! subjects, and that they allocate nothing themselves. The test has a `main` of its own,
//! since under libtest another thread allocates. It starts itself as a bench.

#![expect(unsafe_code, reason = "subjects for tests are allocators")]
#![expect(clippy::unwrap_used, reason = "a test fails where it can't go on")]

mod bench;
mod broken;
mod counts;
mod faults;
mod quiet;
mod threads;
mod watched;

use std::env;
use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use libtest_mimic::{Arguments, Trial};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    if let Some(kind) = env::var_os(bench::BENCH) {
        return bench::run(&kind);
    }
    macro_rules! tests {
        ($($module:ident :: $test:ident,)*) => {
            &[$((stringify!($test), $module::$test as fn()),)*]
        };
    }
    let tests: &[(&str, fn())] = tests![
        counts::workloads_request_what_they_say_and_give_all_back,
        counts::resident_has_the_counts_of_another_generator,
        counts::a_subject_is_asked_for_blocks_and_where_they_lie,
        counts::the_system_has_a_header_and_grows,
        counts::an_arena_is_reset_when_the_page_says_so_and_gives_nothing_back_before,
        counts::an_anchor_is_one_block_that_stays_above_others,
        counts::a_part_of_a_block_is_written,
        counts::single_calls_are_timed_and_all_but_one_in_1000_are_no_slower,
        counts::filling_ends_at_the_first_refusal_and_reaches_it_again,
        counts::the_smallest_region_has_room_for_what_a_program_takes,
        counts::stress_has_the_published_counts,
        counts::waste_is_the_distance_between_neighbours,
        threads::the_consumer_gives_its_share_back_and_the_producer_the_rest,
        threads::faults_are_found_on_both_threads,
        faults::a_heap_that_runs_full_refuses_what_does_not_fit,
        faults::an_allocator_that_ignores_alignment_is_misaligned,
        faults::a_block_that_is_handed_out_twice_overlaps_itself,
        faults::a_header_in_the_block_before_corrupts_all_but_the_last,
        faults::a_header_is_unknown_if_no_block_has_a_neighbour,
        quiet::workloads_allocate_nothing_but_what_they_measure,
        quiet::an_allocation_of_a_workload_would_be_counted,
        quiet::a_wrapper_makes_pairs_of_64_bytes_and_counts_them_if_it_is_on,
        bench::controls_stand_around_the_subjects_of_each_workload,
        bench::a_bench_of_counts_has_no_controls,
        bench::a_refusal_in_the_timed_pass_is_a_failure_without_a_time,
        bench::missing_subjects_and_unmet_needs_say_why,
        bench::every_scenario_runs_once_as_a_smoke_test,
    ];
    let mut arguments = Arguments::from_args();
    // One after the other, on this thread: another one would allocate beside it.
    arguments.test_threads = Some(1);
    let trial = |&(name, test): &(&'static str, fn())| {
        Trial::test(name, move || {
            let _ = watched::take_log();
            test();
            Ok(())
        })
    };
    let trials = tests.iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
