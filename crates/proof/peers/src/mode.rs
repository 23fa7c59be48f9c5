//! [`Mode`]: the states in which a counter is measured. The programs that count
//! instructions and the program that measures times both use these.

use counting_alloc::{Window, pause};

/// Enters a state, calls `work` once, and leaves the state.
pub type Enter = fn(work: &mut dyn FnMut());

/// A state of a counter.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The name on the command line of a pairs program.
    pub name: &'static str,
    /// Enters the state for the whole process, on one thread.
    pub process: Enter,
    /// Enters the state for a thread, on each measured thread.
    pub thread: Enter,
}

/// The counter as it is installed. counting-alloc counts, outside of any window.
pub const PLAIN: Mode = Mode {
    name: "plain",
    process: as_installed,
    thread: as_installed,
};

/// counting-alloc in a window that keeps the thread's peak.
pub const THREAD_PEAK: Mode = Mode {
    name: "thread-peak",
    thread: window_with_peak,
    ..PLAIN
};

/// counting-alloc in a window that keeps the first operations.
pub const FIRST_OPERATIONS: Mode = Mode {
    name: "first-operations",
    thread: window_with_first_operations,
    ..PLAIN
};

/// counting-alloc while it is switched off.
pub const OFF: Mode = Mode {
    name: "off",
    process: paused,
    ..PLAIN
};

/// dhat while its profiler runs.
pub const DHAT_PROFILING: Mode = Mode {
    name: "profiling",
    process: profiled_by_dhat,
    ..PLAIN
};

impl Mode {
    /// Runs `work` in this mode, in a program with one thread.
    pub fn run(self, work: &mut dyn FnMut()) {
        (self.process)(&mut || (self.thread)(work));
    }
}

fn as_installed(work: &mut dyn FnMut()) {
    work();
}

fn window_with_peak(work: &mut dyn FnMut()) {
    let window = Window::thread().with_peak();
    let measured = window.measure(work);
    assert!(measured.is_ok(), "counting-alloc is installed");
}

fn window_with_first_operations(work: &mut dyn FnMut()) {
    let window = Window::thread().with_first_operations();
    let measured = window.measure(work);
    assert!(measured.is_ok(), "counting-alloc is installed");
}

fn paused(work: &mut dyn FnMut()) {
    let _paused = pause();
    work();
}

fn profiled_by_dhat(work: &mut dyn FnMut()) {
    // Testing mode writes no file when the profiler is dropped.
    let _profiler = dhat::Profiler::builder().testing().build();
    work();
}
