//! [`Crew`]: threads that live through all calls of a workload, and work at the same time
//! in each.

use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Barrier, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::cpu_time::OnCpu;
use crate::report::Report;

/// The part of one thread in each call.
pub type Part = Box<dyn FnMut() -> Report + Send>;

/// The threads of a workload, each with its part. They end with the crew.
///
/// [`run_on_threads`](alloc_scenario::Scenario::run_on_threads) has the same part on each
/// thread, and calls it on one thread alone in a smoke test. Threads that wait for each
/// other can't use it.
#[derive(Debug)]
pub struct Crew {
    meeting: Arc<Meeting>,
    threads: Vec<JoinHandle<()>>,
}

/// The state that the threads share.
#[derive(Debug)]
struct Meeting {
    /// Of all threads and the caller: once they have started, and at the beginning and at
    /// the end of a call.
    barrier: Barrier,
    is_over: AtomicBool,
    /// The sum of the present call; `None` once a part has panicked.
    sum: Mutex<Option<OnCpu>>,
}

/// The sum before the first part has ended.
fn nothing() -> OnCpu {
    OnCpu {
        report: Report::default(),
        cpu_nanoseconds: 0,
    }
}

impl Crew {
    /// Starts a thread for each part, and waits until all have started: what they allocate
    /// then is in no call.
    pub fn new(parts: Vec<Part>) -> Self {
        let meeting = Arc::new(Meeting {
            barrier: Barrier::new(parts.len() + 1),
            is_over: AtomicBool::new(false),
            sum: Mutex::new(Some(nothing())),
        });
        let start = |part| {
            let meeting = Arc::clone(&meeting);
            thread::spawn(move || meeting.work(part))
        };
        let threads = parts.into_iter().map(start).collect();
        meeting.barrier.wait();
        Self { meeting, threads }
    }

    /// Calls all parts at once, and returns the sum of their reports and of their CPU time.
    ///
    /// # Panics
    ///
    /// When a part has panicked.
    pub fn call(&mut self) -> OnCpu {
        self.meeting.barrier.wait();
        self.meeting.barrier.wait();
        let mut sum = self.meeting.sum();
        match &mut *sum {
            Some(sum) => mem::replace(sum, nothing()),
            None => panic!("a thread of the workload panicked"),
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.meeting.is_over.store(true, Relaxed);
        self.meeting.barrier.wait();
        for thread in self.threads.drain(..) {
            // A part that panicked was reported by `call`.
            let _ = thread.join();
        }
    }
}

impl Meeting {
    fn work(&self, mut part: Part) {
        self.barrier.wait();
        loop {
            self.barrier.wait();
            if self.is_over.load(Relaxed) {
                break;
            }
            let called = panic::catch_unwind(AssertUnwindSafe(|| OnCpu::measure(&mut part)));
            let mut sum = self.sum();
            match (called, &mut *sum) {
                (Ok(called), Some(sum)) => {
                    sum.report += called.report;
                    sum.cpu_nanoseconds += called.cpu_nanoseconds;
                }
                (_, sum) => *sum = None,
            }
            drop(sum);
            self.barrier.wait();
        }
    }

    fn sum(&self) -> MutexGuard<'_, Option<OnCpu>> {
        self.sum.lock().unwrap_or_else(PoisonError::into_inner)
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
            assert_eq!(crew.call().report.requests, 11);
        }
    }

    #[test]
    fn a_part_that_panics_fails_the_call_and_ends_with_the_crew() {
        let mut crew = Crew::new(vec![requests(1), Box::new(|| panic!("on purpose"))]);
        assert!(panic::catch_unwind(AssertUnwindSafe(|| crew.call())).is_err());
    }
}
