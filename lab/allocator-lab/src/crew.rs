//! [`Crew`]: threads that live through all calls of a workload, and work at the same time
//! in each.

use std::hint;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Barrier, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::report::Report;
use crate::window::{Turn, Window, cores, cpu_time};

/// The part of one thread in each call.
pub type Part = Box<dyn FnMut() -> Report + Send>;

/// The threads of a workload, each with its part. They end with the crew.
///
/// [`run_on_threads`](alloc_scenario::Scenario::run_on_threads) has the same part on each
/// thread, and calls it on one thread alone in a smoke test. Threads that wait for each
/// other can't use it; and its times are of threads that may never have met.
#[derive(Debug)]
pub struct Crew {
    meeting: Arc<Meeting>,
    threads: Vec<JoinHandle<()>>,
    /// Whether there are more threads than cores.
    is_crowd: bool,
    /// How often a part is called in a [`window`](Self::window).
    passes: u64,
}

/// The state that the threads share.
#[derive(Debug)]
struct Meeting {
    /// Of all threads and the caller: once they have started, and at the beginning and at
    /// the end of a call.
    barrier: Barrier,
    threads: usize,
    /// How many threads have woken up for the present call.
    awake: AtomicUsize,
    /// How often each part is called in the present call; 0 ends the threads.
    passes: AtomicU64,
    /// Turns are of the time since then.
    begin: Instant,
    /// What the threads did in the present call, with room for all; one that panics has no turn.
    turns: Mutex<Vec<Turn>>,
}

impl Crew {
    /// Starts a thread for each part, and waits until all have started: what they allocate
    /// then is in no call.
    pub fn new(parts: Vec<Part>) -> Self {
        Self::starting(parts.into_iter().map(|part| || part).collect())
    }

    /// Starts this many threads. Each opens what it works with, which stays on it, and calls
    /// `part` with that.
    pub fn with_own<T: 'static>(
        threads: usize,
        open: impl Fn() -> T + Send + Sync + 'static,
        part: impl Fn(&mut T) -> Report + Copy + Send + 'static,
    ) -> Self {
        let open = Arc::new(open);
        let start = |_| {
            let open = Arc::clone(&open);
            move || {
                let mut own = open();
                move || part(&mut own)
            }
        };
        Self::starting((0..threads).map(start).collect())
    }

    /// Starts a thread for each function, which makes the part there.
    fn starting<P: FnMut() -> Report>(makers: Vec<impl FnOnce() -> P + Send + 'static>) -> Self {
        let meeting = Arc::new(Meeting {
            barrier: Barrier::new(makers.len() + 1),
            threads: makers.len(),
            awake: AtomicUsize::new(0),
            passes: AtomicU64::new(1),
            begin: Instant::now(),
            turns: Mutex::new(Vec::with_capacity(makers.len())),
        });
        let start = |make: _| {
            let meeting = Arc::clone(&meeting);
            thread::spawn(move || meeting.work(make))
        };
        let threads: Vec<_> = makers.into_iter().map(start).collect();
        meeting.barrier.wait();
        Self {
            meeting,
            is_crowd: threads.len() > cores(),
            threads,
            passes: 1,
        }
    }

    /// Calls all parts at once.
    pub fn call(&mut self) -> Window {
        self.pass(1)
    }

    /// Calls all parts at once, over and over for some milliseconds, until the threads have
    /// worked at the same time: see [`Window::counts`].
    pub fn window(&mut self) -> Window {
        let mut passes = self.passes;
        let window = Window::of(&mut passes, |passes| self.pass(passes));
        self.passes = passes;
        window
    }

    fn pass(&mut self, passes: u64) -> Window {
        let meeting = &self.meeting;
        meeting.passes.store(passes, Relaxed);
        meeting.awake.store(0, Relaxed);
        meeting.barrier.wait();
        meeting.barrier.wait();
        let mut turns = meeting.turns();
        assert!(
            turns.len() == meeting.threads,
            "a thread of the workload panicked"
        );
        let window = Window::new(&turns, passes, self.is_crowd);
        turns.clear();
        window
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.meeting.passes.store(0, Relaxed);
        self.meeting.barrier.wait();
        for thread in self.threads.drain(..) {
            // A part that panicked was reported by `call`.
            let _ = thread.join();
        }
    }
}

impl Meeting {
    fn work<P: FnMut() -> Report>(&self, make: impl FnOnce() -> P) {
        // Where it can't be made, each call panics.
        let mut part = panic::catch_unwind(AssertUnwindSafe(make)).ok();
        self.barrier.wait();
        loop {
            self.barrier.wait();
            let passes = self.passes.load(Relaxed);
            if passes == 0 {
                break;
            }
            self.wait_for_all();
            let turn = || part.as_mut().map(|part| self.turn(passes, part));
            let turn = panic::catch_unwind(AssertUnwindSafe(turn));
            self.turns().extend(turn.ok().flatten());
            self.barrier.wait();
        }
    }

    /// Spins until all threads are awake: a barrier wakes one after the other, and the last a
    /// few tenths of a millisecond after the first.
    fn wait_for_all(&self) {
        self.awake.fetch_add(1, AcqRel);
        let mut spins = 0;
        while self.awake.load(Acquire) < self.threads {
            match spins {
                // Another thread may need the core.
                1_000.. => thread::yield_now(),
                _ => hint::spin_loop(),
            }
            spins += 1;
        }
    }

    #[inline]
    fn turn(&self, passes: u64, part: &mut impl FnMut() -> Report) -> Turn {
        let now = || self.begin.elapsed().as_nanos() as u64;
        let (begin, cpu) = (now(), cpu_time());
        let report = (0..passes).map(|_| part()).sum();
        Turn {
            report,
            cpu_nanoseconds: cpu_time().saturating_sub(cpu),
            begin,
            end: now(),
        }
    }

    fn turns(&self) -> MutexGuard<'_, Vec<Turn>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(count: u64) -> Part {
        Box::new(move || Report {
            requests: count,
            ..Report::default()
        })
    }

    #[test]
    fn each_call_is_the_sum_of_all_parts_at_once() {
        let both = Arc::new(Barrier::new(2));
        let meet = |count| -> Part {
            let both = Arc::clone(&both);
            let mut part = requests(count);
            Box::new(move || {
                // One alone would wait for ever.
                both.wait();
                part()
            })
        };
        let mut crew = Crew::new(vec![meet(1), meet(10)]);
        for _ in 0..3 {
            let window = crew.call();
            assert_eq!((window.report.requests, window.passes), (11, 1));
        }
    }

    #[test]
    fn a_window_has_as_many_passes_as_fill_it_and_later_ones_begin_with_them() {
        let mut crew = Crew::with_own(
            1,
            || 5,
            |&mut requests| Report {
                requests,
                ..Report::default()
            },
        );
        let window = crew.window();
        assert!(window.counts() && window.passes > 1, "{window:?}");
        assert_eq!(window.report.requests, 5 * window.passes);
        assert!(crew.window().passes >= window.passes);
    }

    #[test]
    fn a_thread_that_can_not_open_its_own_fails_the_call() {
        let part = |(): &mut ()| Report::default();
        let mut crew = Crew::with_own(2, || panic!("on purpose"), part);
        assert!(panic::catch_unwind(AssertUnwindSafe(|| crew.call())).is_err());
    }

    #[test]
    fn a_part_that_panics_fails_the_call_and_ends_with_the_crew() {
        let mut crew = Crew::new(vec![requests(1), Box::new(|| panic!("on purpose"))]);
        assert!(panic::catch_unwind(AssertUnwindSafe(|| crew.call())).is_err());
    }
}
