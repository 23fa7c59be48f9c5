//! [`SpinBarrier`]: a barrier where threads wait without sleeping, so that they
//! continue at the same time. Waking a thread takes a large part of a slice.

use std::hint;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread;

/// A reusable barrier for a fixed number of threads.
#[derive(Debug)]
pub(super) struct SpinBarrier {
    threads: usize,
    arrived: AtomicUsize,
    /// How often all threads have arrived.
    generation: AtomicUsize,
    /// A thread panicked and will not arrive.
    abandoned: AtomicBool,
}

/// A thread that waits at the barrier. If it panics, so do the threads that wait for
/// it.
#[derive(Debug)]
pub(super) struct Participant<'a>(&'a SpinBarrier);

impl SpinBarrier {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            generation: AtomicUsize::new(0),
            abandoned: AtomicBool::new(false),
        }
    }

    pub(super) fn participant(&self) -> Participant<'_> {
        Participant(self)
    }
}

impl Participant<'_> {
    /// Waits until all threads have called this.
    pub(super) fn wait(&self) {
        /// These take tens of microseconds. After that the others may need the core.
        const SPINS: u32 = 2_000;
        let barrier = self.0;
        let generation = barrier.generation.load(Acquire);
        if barrier.arrived.fetch_add(1, AcqRel) + 1 == barrier.threads {
            barrier.arrived.store(0, Relaxed);
            barrier
                .generation
                .store(generation.wrapping_add(1), Release);
            return;
        }
        let mut spins = 0;
        while barrier.generation.load(Acquire) == generation {
            assert!(!barrier.abandoned.load(Relaxed), "another thread panicked");
            if spins < SPINS {
                spins += 1;
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }
}

impl Drop for Participant<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.abandoned.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_thread_continues_before_all_have_arrived() {
        const THREADS: usize = 3;
        const TIMES: usize = 200;
        let barrier = SpinBarrier::new(THREADS);
        let arrivals = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    let participant = barrier.participant();
                    for time in 1..=TIMES {
                        arrivals.fetch_add(1, Relaxed);
                        participant.wait();
                        assert!(arrivals.load(Relaxed) >= THREADS * time);
                        participant.wait();
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_ends_the_wait_of_the_others() {
        let barrier = SpinBarrier::new(2);
        let waits = || barrier.participant().wait();
        let panics = || {
            let _participant = barrier.participant();
            panic!("on purpose");
        };
        thread::scope(|scope| {
            let waiting = scope.spawn(waits);
            let panicking = scope.spawn(panics);
            assert!(panicking.join().is_err());
            assert!(waiting.join().is_err());
        });
    }
}
