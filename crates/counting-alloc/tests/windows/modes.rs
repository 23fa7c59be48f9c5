//! The modes of windows: counting, and the two peaks.

use counting_alloc::{Mode, Scope, Window};

use crate::{bytes, made_and_dropped};

#[test]
fn a_plain_window_counts_and_measures_no_peak() {
    let measured = Window::thread().measure(|| drop(bytes(10))).unwrap();
    let settings = (measured.mode, measured.scope);
    assert_eq!(settings, (Mode::Counting, Scope::Thread));
    assert_eq!(measured.tally, made_and_dropped(1, 10));
    assert_eq!((measured.peak_bytes, measured.first), (None, None));
}

#[test]
fn the_peak_begins_anew_in_every_window() {
    let window = Window::thread().with_peak();
    let kept = window.measure(|| bytes(1_000)).unwrap();
    assert_eq!(
        (kept.mode, kept.peak_bytes),
        (Mode::ThreadPeak, Some(1_000))
    );
    let second = window.measure(|| drop(bytes(20))).unwrap();
    assert_eq!(second.peak_bytes, Some(20));
    // Between the windows, more memory is allocated and freed without a peak.
    drop(kept);
    drop(bytes(5_000));
    let third = window.measure(|| drop(bytes(30))).unwrap();
    assert_eq!(third.peak_bytes, Some(30));
}

#[test]
fn a_window_without_peak_inside_of_one_with_it_does_not_end_it() {
    let outer = Window::thread()
        .with_peak()
        .measure(|| {
            let inner = Window::thread().measure(|| drop(bytes(100))).unwrap();
            assert_eq!(inner.peak_bytes, None);
            drop(bytes(70));
        })
        .unwrap();
    assert_eq!(outer.peak_bytes, Some(100));
}
