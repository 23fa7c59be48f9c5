//! [`Mode`]: the states in which a counter is measured.

use counting_alloc::{Window, measure, pause};

/// Enters a state, calls `work`, and leaves the state.
pub type Enter = fn(work: &mut dyn FnMut());

/// A state of a counter.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The name on the command line of a pairs program.
    pub name: &'static str,
    /// Enters the state.
    pub enter: Enter,
    /// How often it calls `work`.
    pub calls: u64,
}

/// The counter as it is installed. counting-alloc counts, outside of any window.
pub const PLAIN: Mode = Mode {
    name: "plain",
    enter: as_installed,
    calls: 1,
};

/// counting-alloc in a window that keeps the thread's peak.
pub const THREAD_PEAK: Mode = Mode {
    name: "thread-peak",
    enter: window_with_peak,
    ..PLAIN
};

/// counting-alloc in the window of `measure`, which keeps the thread's peak and the first
/// operations: after most pairs of a long `work`, the buffer of operations is full.
pub const MEASURE: Mode = Mode {
    name: "measure",
    enter: window_of_measure,
    ..PLAIN
};

/// The same with many windows, for a `work` that does not fill the buffer.
pub const MEASURE_OFTEN: Mode = Mode {
    name: "measure-often",
    enter: windows_of_measure,
    calls: 2_000,
};

/// counting-alloc while it is switched off.
pub const OFF: Mode = Mode {
    name: "off",
    enter: paused,
    ..PLAIN
};

fn as_installed(work: &mut dyn FnMut()) {
    work();
}

fn window_with_peak(work: &mut dyn FnMut()) {
    let window = Window::thread().with_peak();
    let measured = window.measure(work);
    assert!(measured.is_ok(), "counting-alloc is installed");
}

fn window_of_measure(work: &mut dyn FnMut()) {
    let measured = measure(work);
    assert!(measured.first.is_some(), "operations were kept");
}

fn windows_of_measure(work: &mut dyn FnMut()) {
    for _ in 0..MEASURE_OFTEN.calls {
        let measured = measure(&mut *work);
        let unseen = measured.first.map(|first| first.unseen());
        assert_eq!(unseen, Some(0), "the buffer had room for all operations");
    }
}

fn paused(work: &mut dyn FnMut()) {
    let _paused = pause();
    work();
}
