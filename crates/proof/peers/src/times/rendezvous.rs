//! A point where threads wait for each other without sleeping, so that they go on
//! at the same time: waking a thread takes a good part of a slice.

use std::hint;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread;

/// The point where a fixed number of threads meet, again and again.
#[derive(Debug)]
pub(super) struct Rendezvous {
    threads: usize,
    arrived: AtomicUsize,
    /// How often all have met.
    met: AtomicUsize,
    /// A thread panicked and will not come.
    abandoned: AtomicBool,
}

/// What a thread holds while it takes part.
#[derive(Debug)]
pub(super) struct Part<'a>(&'a Rendezvous);

impl Rendezvous {
    pub(super) fn of(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            met: AtomicUsize::new(0),
            abandoned: AtomicBool::new(false),
        }
    }

    pub(super) fn take_part(&self) -> Part<'_> {
        Part(self)
    }
}

impl Part<'_> {
    /// Waits until all threads have called this.
    pub(super) fn meet(&self) {
        /// Tens of microseconds; then the others need the core.
        const SPINS: u32 = 2_000;
        let point = self.0;
        let met = point.met.load(Acquire);
        if point.arrived.fetch_add(1, AcqRel) + 1 == point.threads {
            point.arrived.store(0, Relaxed);
            point.met.store(met.wrapping_add(1), Release);
            return;
        }
        let mut spins = 0;
        while point.met.load(Acquire) == met {
            assert!(!point.abandoned.load(Relaxed), "another thread panicked");
            if spins < SPINS {
                spins += 1;
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }
}

/// Nobody waits for a thread that panicked.
impl Drop for Part<'_> {
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
    fn nobody_goes_on_before_all_have_arrived() {
        const THREADS: usize = 3;
        const TIMES: usize = 200;
        let point = Rendezvous::of(THREADS);
        let arrivals = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    let part = point.take_part();
                    for time in 1..=TIMES {
                        arrivals.fetch_add(1, Relaxed);
                        part.meet();
                        assert!(arrivals.load(Relaxed) >= THREADS * time);
                        part.meet();
                    }
                });
            }
        });
    }

    #[test]
    fn a_thread_that_panics_is_not_waited_for() {
        let point = Rendezvous::of(2);
        let waits = || point.take_part().meet();
        let panics = || {
            let _part = point.take_part();
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
