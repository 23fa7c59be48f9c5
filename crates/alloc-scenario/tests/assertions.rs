//! The items of alloc-assert are where a test that depends on alloc-scenario alone finds
//! them, and messages name that crate.

use std::hint::black_box;
use std::panic;

use alloc_scenario::{
    AssertMeasured, AssertPhases, CountingAlloc, Scope, Steady, Window, assert_allocs,
    in_fresh_process, measure, protocol,
};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

#[test]
fn assertions_have_the_names_of_alloc_scenario() {
    let work = || black_box(String::from("five!"));
    assert_eq!(assert_allocs!(work(), "== 1, bytes == 5"), "five!");
    assert_eq!(measure(work).assert("allocs == 1"), "five!");
    assert_eq!(Steady::new().assert("allocs == 1", work), "five!");
    let phased = Window::thread().measure_phases(|phases| phases.run("one", work));
    let phased = phased.assert_phase("one", "allocs == 1");
    assert_eq!(phased.assert("allocs == 1"), "five!");
    let failure = panic::catch_unwind(|| assert_allocs!(work(), "== 0"));
    assert!(failure.is_err());
}

#[test]
fn a_test_runs_in_a_process_of_its_own() {
    in_fresh_process(|| {
        let work = || drop(black_box(vec![1_u8; 64]));
        let measured = Window::process().measure(work).expect("it is counted");
        assert_eq!((measured.scope, measured.tally.allocs), (Scope::Process, 1));
    });
}

#[test]
fn both_ways_to_start_the_executable_again_read_one_variable() {
    assert_eq!(alloc_assert::harness::RUNNER, protocol::RUNNER);
}
