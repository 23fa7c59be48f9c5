//! The bench protocol and the results, as cargo, nextest and the gate see them.
//! This program is a bench if an environment variable is set, and otherwise the driver
//! that starts the bench and checks its results.

mod child_process;
mod custom;
mod front_end;
mod lazy;
mod measuring;
mod outside;
mod sample;
mod sites;
mod start;
mod time_limits;
mod timed;
mod unavailable;

use std::env;
use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use libtest_mimic::Arguments;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    match env::var(start::BENCH).as_deref() {
        Ok("panicking") => sample::bench(|suite| {
            suite
                .scenario("broken", || -> u32 { panic!("no {} today", "bread") })
                .scenario("after", || ());
            suite.scenario_with("unverified", |b| {
                b.run(|()| 1).verify(|one| assert_eq!(*one, 2))
            });
            suite.scenario_with("panics on a thread", |b| {
                b.run_on_threads(|()| 3, |()| -> u32 { panic!("thread of a team") })
            });
            suite.scenario_with("no iterations", |b| b.iterations(0).run(|()| ()));
            suite.scenario_with("negative", |b| b.elements(|()| -1).run(|()| ()));
        }),
        Ok("twins") => sample::bench(|suite| _ = suite.scenario("empty", || ())),
        Ok("sites") => sample::bench(sites::add),
        Ok("handed over") => sample::bench(measuring::add_handed_over),
        Ok("custom") => sample::bench(custom::add),
        Ok("custom too large") => sample::bench(custom::add_too_large),
        Ok("custom twice") => sample::bench(custom::add_twice),
        Ok("timed") => sample::bench(timed::add),
        Ok("outside the counts") => sample::bench(outside::add),
        Ok("fresh") => sample::bench(child_process::add),
        Ok("fresh broken") => sample::bench(child_process::add_broken),
        Ok("fresh dead") => child_process::bench_dead(),
        Ok("fresh unknown") => sample::bench(child_process::add_unknown),
        Ok("fresh fails after") => child_process::bench_failing_after(),
        Ok("lazy") => sample::bench(lazy::add),
        Ok("slow") => sample::bench(time_limits::add_slow),
        Ok("long") => sample::bench(time_limits::add_long),
        Ok("unavailable") => sample::bench(unavailable::add),
        Ok(_) => sample::bench(|_| ()),
        Err(_) => drive(),
    }
}

/// Runs the tests, which start this program as a bench.
fn drive() -> ExitCode {
    let trials = own_process::trials![
        measuring::inputs_and_outputs_of_threads_are_not_counted,
        front_end::a_list_is_names_and_runs_nothing,
        front_end::without_bench_each_scenario_runs_once,
        front_end::filters_select,
        front_end::wrong_arguments_are_refused,
        front_end::options_of_other_harnesses_have_no_effect,
        front_end::scenarios_of_one_name_are_refused,
        front_end::the_environment_sets_iterations,
        front_end::a_part_of_the_scenarios_is_measured_and_all_are_named,
        front_end::results_that_cannot_be_written_are_a_failure,
        measuring::every_kind_of_scenario_is_measured_exactly,
        measuring::without_a_timed_pass_the_counts_are_the_same,
        measuring::the_table_shows_ranges_that_a_mean_hides,
        measuring::a_panic_is_reported_by_name_and_the_others_still_run,
        custom::each_iteration_and_the_first_call_have_a_value,
        custom::reading_a_metric_is_not_counted,
        custom::on_threads_a_metric_is_the_sum_over_them,
        custom::own_metrics_have_a_table_of_their_own,
        custom::a_metric_past_64_bits_fails_its_scenario,
        custom::names_that_rules_could_not_use_are_refused_by_scenario,
        custom::the_smoke_test_reads_each_metric_once,
        sites::every_kind_of_scenario_has_sites_and_the_same_counts,
        sites::operations_are_at_the_stack_that_made_them,
        sites::stacks_of_other_threads_and_processes_are_recorded,
        sites::as_many_iterations_as_there_is_time_for_are_explained,
        sites::the_anchor_is_recorded_where_sites_are_requested,
        timed::the_first_call_is_timed,
        timed::without_a_timed_pass_there_is_no_time_and_no_further_call,
        outside::uncounted_operations_are_recorded_without_those_of_probes,
        outside::other_threads_in_the_first_call_are_recorded,
        outside::threads_that_outlive_an_iteration_are_recorded,
        child_process::the_first_call_sees_no_state_of_earlier_scenarios,
        child_process::a_process_of_its_own_gets_the_settings_and_prints_nothing,
        child_process::names_that_look_like_options_are_names,
        child_process::a_process_of_its_own_is_started_by_the_runner,
        child_process::every_end_of_a_process_is_reported,
        child_process::processes_that_can_not_measure_report_the_reason,
        child_process::the_smoke_test_starts_no_process,
        lazy::outputs_that_did_not_run_fail_their_scenario,
        time_limits::a_plan_that_does_not_fit_the_bench_fails_after_the_first_calls,
        time_limits::a_scenario_has_a_time_limit_of_its_own,
        time_limits::a_quick_run_has_fewer_iterations_and_says_so,
        time_limits::a_limit_that_is_no_number_is_refused,
        unavailable::unavailable_scenarios_are_listed_and_ignored,
        unavailable::the_smoke_test_ignores_unavailable_scenarios,
        unavailable::unavailable_scenarios_are_recorded_with_their_reason,
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
