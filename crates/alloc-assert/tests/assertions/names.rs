//! The names that the pages use are where a test that depends on alloc-assert alone finds
//! them.

use alloc_assert::counting_alloc::Operation;
use alloc_assert::{
    FirstOperations, MeasureError, Measured, Mode, Phase, Phased, Phases, Proof, Scope, Tally,
    Window, black_box, inner_allocator, pause, process_tally, prove, thread_tally, try_measure,
};

/// The parts of a measurement by the names of their types.
type Parts = (Scope, Mode, Tally, Option<FirstOperations>);

fn parts<T>(measured: &Measured<T>) -> Parts {
    let Measured {
        scope,
        mode,
        tally,
        first,
        ..
    } = *measured;
    (scope, mode, tally, first)
}

#[test]
fn a_measurement_without_an_assertion_can_be_written_out() {
    let work = || black_box(String::from("five!"));
    let measured: Measured<String> = try_measure(Scope::Thread, work).expect("counted");
    let (scope, mode, tally, first) = parts(&measured);
    assert_eq!(
        (scope, mode, tally.allocs),
        (Scope::Thread, Mode::ThreadPeak, 1)
    );
    assert!(first.is_none());

    let window = Window::thread().with_first_operations();
    let measured = window.measure(work).expect("counted");
    let first: FirstOperations = measured.first.expect("kept");
    assert_eq!(first.as_slice(), [Operation::Alloc { size: 5 }]);

    let phased: Result<Phased<()>, MeasureError> =
        Window::thread().measure_phases(|phases: &Phases<'_>| phases.run("one", || drop(work())));
    let one: Phase = phased.expect("counted").phases[0];
    assert_eq!(one.tally.allocs, 1);
}

#[test]
fn the_counter_can_be_asked() {
    let proof: Proof = prove();
    assert!(proof.check().is_ok());
    let (thread, process) = (thread_tally(), process_tally());
    drop(black_box(vec![1_u8; 7]));
    assert!(thread_tally().allocs > thread.allocs);
    assert!(process_tally().allocs > process.allocs);
    assert_eq!(inner_allocator(), Some("std::alloc::System"));
    // A pause would be one for the tests beside this one.
    let _: fn() -> alloc_assert::Paused = pause;
}
