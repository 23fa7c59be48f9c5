//! [`OnCpu`]: the CPU time of a call beside its result.

use alloc_scenario::{Operation, Unit};

use crate::report::Report;

/// The result of a part of a workload on one thread, with the CPU time that it took there.
#[derive(Clone, Copy, Debug)]
pub struct OnCpu {
    /// The requests.
    pub report: Report,
    /// Nanoseconds on a core: without the time in which the thread waited for a lock in the
    /// kernel, or for a core.
    pub cpu_nanoseconds: u64,
}

impl OnCpu {
    /// Calls the part of this thread. Reading the clock twice takes less than a
    /// microsecond, which is in the wall time of every subject, and of the floor.
    #[inline]
    pub(crate) fn measure(part: impl FnOnce() -> Report) -> Self {
        let begin = now();
        let report = part();
        Self {
            report,
            cpu_nanoseconds: now().saturating_sub(begin),
        }
    }

    /// Adds the outcome, the number of requests and, where the system tells it, the metric
    /// `cpu-time`: the sum over all threads.
    pub(crate) fn record<P>(operation: Operation<'static, P, Self>) -> Operation<'static, P, Self> {
        let operation = operation.outcome(|call| call.report.outcome()).metric(
            "requests",
            Unit::Count,
            |call| call.report.requests as i64,
        );
        if cfg!(unix) {
            operation.metric("cpu-time", Unit::Nanoseconds, |call| {
                call.cpu_nanoseconds as i64
            })
        } else {
            operation
        }
    }
}

/// The CPU time of this thread so far, in nanoseconds.
#[cfg(unix)]
fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the clock of a thread exists on every Unix, and the pointer is to `time`.
    let outcome = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    debug_assert_eq!(outcome, 0, "a thread has a clock");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(not(unix))]
fn now() -> u64 {
    0
}

#[cfg(all(test, unix))]
mod tests {
    use std::hint::black_box;
    use std::thread;
    use std::time::Instant;

    use super::*;

    /// Much more than starting a thread and waiting for it.
    const STEPS: u64 = 20_000_000;

    fn work() -> Report {
        for step in 0..STEPS {
            black_box(step);
        }
        Report::default()
    }

    #[test]
    fn a_thread_that_waits_for_another_takes_none_of_its_time() {
        let mut worked = 0;
        let waited = OnCpu::measure(|| {
            let worker = thread::spawn(|| OnCpu::measure(work));
            worked = worker.join().unwrap().cpu_nanoseconds;
            Report::default()
        });
        let waited = waited.cpu_nanoseconds;
        assert!(waited < worked / 2, "{waited} of {worked}");
    }

    /// Of the clock of the process, the other thread's time would be a part.
    #[test]
    fn the_time_is_of_this_thread_alone_and_at_most_the_wall_time() {
        thread::scope(|scope| {
            scope.spawn(work);
            let begin = Instant::now();
            let worked = OnCpu::measure(work).cpu_nanoseconds;
            let wall = begin.elapsed().as_nanos();
            assert!(
                worked > 0 && u128::from(worked) <= wall,
                "{worked} of {wall}"
            );
        });
    }
}
