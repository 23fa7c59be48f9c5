//! A fork while other threads capture stacks for a window of the process.

use std::ffi::c_uint;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use counting_alloc::Window;

use crate::fork::in_a_child;
use crate::one_block;

unsafe extern "C" {
    fn alarm(seconds: c_uint) -> c_uint;
}

/// A thread that captures stacks for a window of the process can hold the lock of their table at
/// the fork. The child does not wait for it.
pub(crate) fn a_child_forked_beside_a_capturing_thread_does_not_hang() {
    fn allocates() {
        // SAFETY: it has no precondition. A child that hangs is ended.
        unsafe { alarm(5) };
        one_block(500);
    }
    let is_over = AtomicBool::new(false);
    let measured = Window::process().measure_sites(|| {
        let started = Barrier::new(3);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    started.wait();
                    while !is_over.load(Ordering::Relaxed) {
                        one_block(100);
                    }
                });
            }
            started.wait();
            let failed = (0..300).filter(|_| in_a_child(allocates) != 0).count();
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(failed, 0);
        });
    });
    assert!(measured.is_ok());
}
