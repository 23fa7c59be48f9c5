//! The states in which a counter is measured: how a program gets into each.
//! The programs that count instructions and the one that takes times enter them
//! here alone.

use counting_alloc::{Window, pause};

/// Does something before and after `work`, which it calls once.
pub type Around = fn(work: &mut dyn FnMut());

/// A state of a counter.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The word for it on the command line of a pairs program.
    pub name: &'static str,
    /// What one thread does for the whole process.
    pub process: Around,
    /// What each measured thread does for itself.
    pub thread: Around,
}

/// The counter as it is installed, with nothing switched on or off: forwarding,
/// or counting. For counting-alloc that is counting outside of any window.
pub const PLAIN: Mode = Mode {
    name: "plain",
    process: straight,
    thread: straight,
};

/// counting-alloc in a window that keeps the thread's peak.
pub const THREAD_PEAK: Mode = Mode {
    name: "thread-peak",
    process: straight,
    thread: in_a_window_with_peak,
};

/// counting-alloc while it is switched off.
pub const OFF: Mode = Mode {
    name: "off",
    process: paused,
    thread: straight,
};

/// dhat while its profiler runs.
pub const DHAT_PROFILING: Mode = Mode {
    name: "profiling",
    process: profiled_by_dhat,
    thread: straight,
};

impl Mode {
    /// Runs `work` in this mode, on a program's only thread.
    pub fn run(self, work: &mut dyn FnMut()) {
        (self.process)(&mut || (self.thread)(work));
    }
}

fn straight(work: &mut dyn FnMut()) {
    work();
}

fn in_a_window_with_peak(work: &mut dyn FnMut()) {
    let window = Window::thread().with_peak();
    let measured = window.measure(work);
    assert!(
        measured.is_ok(),
        "a window with peak opens where counting-alloc counts"
    );
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
