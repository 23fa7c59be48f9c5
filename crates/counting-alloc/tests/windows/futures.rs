//! Windows that follow a future over its polls.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;

use counting_alloc::{MeasureError, Tally, Window, measure, uncounted};

use crate::{bytes, made_and_dropped};
use own_process::polling::{self, yield_once};

/// Allocates between polls, as an executor may.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    polling::block_on(future, || drop(bytes(777_777)))
}

fn poll<T>(future: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// The result of the last poll.
fn ready<T>(future: Pin<&mut impl Future<Output = Result<T, MeasureError>>>) -> T {
    match poll(future) {
        Poll::Ready(measured) => measured.expect("the counter is live"),
        Poll::Pending => panic!("the second poll is the last"),
    }
}

#[test]
fn polls_are_counted_and_what_is_between_them_is_not() {
    let window = Window::thread().with_peak().with_first_operations();
    let measured = block_on(window.measure_future(async {
        let first = bytes(10);
        yield_once().await;
        let second = bytes(20);
        yield_once().await;
        drop(first);
        second
    }))
    .unwrap();
    assert_eq!(measured.value.len(), 20);
    assert_eq!(
        measured.tally,
        Tally::ZERO.with_blocks(2, 30).with_deallocs(1, 10)
    );
    // What the first poll left live is part of the second poll's peak.
    assert_eq!(measured.peak_bytes, Some(30));
    let first = measured.first.map(|first| first.to_string());
    assert_eq!(first.as_deref(), Some("alloc 10, alloc 20, dealloc 10"));
    assert_eq!((measured.polls, measured.still_running), (3, 0));
}

#[test]
fn two_futures_that_take_turns_are_counted_apart() {
    let window = Window::thread();
    let mut one = pin!(window.measure_future(async {
        drop(bytes(1));
        yield_once().await;
        drop(bytes(2));
    }));
    let mut other = pin!(window.measure_future(async {
        drop(bytes(40));
        yield_once().await;
        drop(bytes(50));
    }));
    assert!(poll(one.as_mut()).is_pending());
    assert!(poll(other.as_mut()).is_pending());
    let [one, other] = [ready(one.as_mut()), ready(other.as_mut())];
    assert_eq!(one.tally, made_and_dropped(2, 3));
    assert_eq!(other.tally, made_and_dropped(2, 90));
}

#[test]
fn a_future_may_move_from_thread_to_thread() {
    let mut future = Box::pin(Window::thread().with_peak().measure_future(async {
        let kept = bytes(16);
        yield_once().await;
        drop(kept);
        drop(bytes(8));
    }));
    assert!(poll(future.as_mut()).is_pending());
    let measured = thread::spawn(move || ready(future.as_mut()))
        .join()
        .unwrap();
    assert_eq!(measured.tally, made_and_dropped(2, 24));
    assert_eq!(measured.peak_bytes, Some(16));
}

#[test]
fn a_poll_inside_an_excluded_region_is_an_error() {
    let _ = measure(|| ());
    let measured = uncounted(|| block_on(Window::thread().measure_future(async {})));
    assert!(matches!(measured, Err(MeasureError::Uncounted)));
}
