//! [`Window`]: what all threads of a workload do at the same time, with its wall time and CPU
//! time, and whether it counts.

use std::thread;

use alloc_scenario::Unit;

use crate::report::{Found, Metrics, Report};

/// The share of the quickest thread's time in which all others have to work, too, in percent.
const TOGETHER: u64 = 90;

/// The shortest time of a window in nanoseconds: a thread may wake half a millisecond late.
const SHORTEST: u64 = 5_000_000;

/// How often a window is measured, at most, until one counts.
const TRIES: u32 = 20;

/// What one thread did in a window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    pub(crate) report: Report,
    /// The time on a core: without the time in which the thread waited for a lock in the
    /// kernel, or for a core.
    pub(crate) cpu_nanoseconds: u64,
    /// When it began, in nanoseconds since a moment that all threads share.
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// One or more passes of a workload on all of its threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    /// Whether there are more threads than cores.
    is_crowd: bool,
    /// The requests of all threads and passes.
    pub report: Report,
    /// How often each thread did its part.
    pub passes: u64,
    /// Nanoseconds from the beginning of the first thread to the end of the last.
    wall_nanoseconds: u64,
    /// Nanoseconds on a core, the sum over the threads.
    cpu_nanoseconds: u64,
    /// The time in which all threads worked, in percent of the quickest thread's.
    overlap: u64,
}

impl Window {
    /// What all threads did, each in this many passes.
    pub(crate) fn new(turns: &[Turn], passes: u64, is_crowd: bool) -> Self {
        let (begins, ends) = (
            turns.iter().map(|turn| turn.begin),
            turns.iter().map(|turn| turn.end),
        );
        let [first, last] = [begins.clone().min(), begins.max()].map(Option::unwrap_or_default);
        let [shortest, longest] = [ends.clone().min(), ends.max()].map(Option::unwrap_or_default);
        let times = turns.iter().map(|turn| turn.end - turn.begin);
        Self {
            is_crowd,
            report: turns.iter().map(|turn| turn.report).sum(),
            passes,
            wall_nanoseconds: longest - first,
            cpu_nanoseconds: turns.iter().map(|turn| turn.cpu_nanoseconds).sum(),
            overlap: 100 * shortest.saturating_sub(last) / times.min().unwrap_or(0).max(1),
        }
    }

    /// Whether it is long enough, and the threads worked at the same time. More threads than
    /// cores take turns: of them, each long window counts.
    #[must_use]
    pub fn counts(&self) -> bool {
        let is_together = self.is_crowd || self.overlap >= TOGETHER;
        self.wall_nanoseconds >= SHORTEST && is_together
    }

    /// The first window of `measure` that counts or has a fault; the last one if no try does.
    /// It gets the number of passes, which is raised until they fill a window.
    pub(crate) fn of(passes: &mut u64, mut measure: impl FnMut(u64) -> Self) -> Self {
        let mut window = measure(*passes);
        for _ in 1..TRIES {
            if window.counts() || window.report.successful() < window.report.requests {
                break;
            }
            if window.wall_nanoseconds < SHORTEST {
                *passes *= SHORTEST / window.wall_nanoseconds.max(1) + 1;
            }
            window = measure(*passes);
        }
        window
    }
}

/// The metrics of a pass, and `together`, which is 0 if the window does not count.
pub(crate) const WINDOW: Metrics = &[
    ("requests", Unit::Count),
    ("requested-bytes", Unit::Bytes),
    ("successful", Unit::Count),
    ("wall-time", Unit::Nanoseconds),
    ("together", Unit::Count),
    ("cpu-time", Unit::Nanoseconds),
];

impl From<Window> for Found {
    fn from(window: Window) -> Self {
        let Window { report, passes, .. } = window;
        report.found([
            (report.requests / passes) as i64,
            (report.requested_bytes / passes) as i64,
            (report.successful() / passes) as i64,
            (window.wall_nanoseconds / passes) as i64,
            window.counts().into(),
            (window.cpu_nanoseconds / passes) as i64,
        ])
    }
}

/// The number of threads that can run at once.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The CPU time of this thread so far, in nanoseconds.
pub(crate) fn cpu_time() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the clock of a thread exists, and the pointer is to `time`.
    let outcome = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    debug_assert_eq!(outcome, 0, "a thread has a clock");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::time::Instant;

    use super::*;

    /// Of the clock of the process, the other thread's time would be a part.
    #[test]
    fn the_cpu_time_is_of_this_thread_alone_and_at_most_the_wall_time() {
        let cpu_time_of = |call: &dyn Fn()| {
            let begin = cpu_time();
            call();
            cpu_time() - begin
        };
        let work = || {
            for step in 0..20_000_000 {
                black_box(step);
            }
        };
        let begin = Instant::now();
        let waited = cpu_time_of(&|| drop(thread::spawn(work).join()));
        let worked = cpu_time_of(&work);
        let wall = begin.elapsed().as_nanos();
        assert!(u128::from(waited + worked) <= wall, "{worked} of {wall}");
        assert!(waited < worked / 2, "{waited} of {worked}");
    }

    #[test]
    fn a_window_counts_if_it_is_long_and_its_threads_worked_together() {
        // In tenths of a millisecond.
        for (turns, wall, overlap, counts) in [
            // The second wakes when the first has ended.
            (&[(0, 300), (310, 610)][..], 610, 0, false),
            // It begins a fifth too late.
            (&[(0, 1_000), (200, 1_200)], 1_200, 80, false),
            // A lock lets the first go before the second, whose time it shares to its own end.
            (&[(0, 600), (5, 1_000)], 1_000, 99, true),
            // Two of three meet.
            (&[(0, 100), (0, 100), (100, 200)], 200, 0, false),
            (&[(7, 57)], 50, 100, true),
            (&[(7, 56)], 49, 100, false),
        ] {
            let turns = turns.iter().map(|&(begin, end)| Turn {
                begin: begin * 100_000,
                end: end * 100_000,
                ..Turn::default()
            });
            let turns: Vec<_> = turns.collect();
            let window = Window::new(&turns, 1, false);
            assert_eq!(window.wall_nanoseconds, wall * 100_000);
            assert_eq!((window.overlap, window.counts()), (overlap, counts));
            // More threads than cores take turns.
            assert_eq!(Window::new(&turns, 1, true).counts(), wall >= 50);
        }
    }

    #[test]
    fn passes_are_added_until_they_fill_a_window_and_windows_apart_are_measured_again() {
        let mut passes = 1;
        let mut asked = Vec::new();
        let mut overlaps = [100, 80, 95].into_iter();
        let window = Window::of(&mut passes, |passes| {
            asked.push(passes);
            Window {
                passes,
                wall_nanoseconds: passes * SHORTEST / 4,
                overlap: overlaps.next().unwrap(),
                ..Window::default()
            }
        });
        // The first is too short, and in the second the threads did not meet.
        assert_eq!(asked, [1, 5, 5]);
        assert_eq!((window.overlap, passes), (95, 5));
    }
}
