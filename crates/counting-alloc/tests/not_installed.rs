//! Without a `CountingAlloc` as the `#[global_allocator]`, every measurement is an
//! error, and none is zero.

use counting_alloc::{LivenessError, MeasureError, Scope, measure, prove, try_measure};
use own_process::inner::{Around, INNER, Inner, around};

/// An allocator that is not a counter.
#[global_allocator]
static ALLOC: Around<Inner> = around(INNER);

#[test]
fn a_measurement_is_an_error_and_the_closure_does_not_run() {
    for scope in [Scope::Thread, Scope::Process] {
        let mut ran = false;
        let measured = try_measure(scope, || ran = true);
        assert_eq!(measured.map(|_| ()), Err(MeasureError::NotInstalled));
        assert!(!ran);
    }
}

#[test]
#[should_panic(expected = "`CountingAlloc` is not the global allocator of this program")]
fn measure_panics_with_the_lines_to_add() {
    let _ = measure(|| ());
}

#[test]
fn the_proof_fails() {
    assert_eq!(prove().check(), Err(LivenessError::NotInstalled));
}
