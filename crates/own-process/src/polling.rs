//! A future that is pending once, and an executor of one future.

use std::future::{self, Future};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Is pending once, and then ready.
pub fn yield_once() -> impl Future<Output = ()> {
    let mut waited = false;
    future::poll_fn(move |_| {
        if waited {
            return Poll::Ready(());
        }
        waited = true;
        Poll::Pending
    })
}

/// Polls the future to its end, and runs `between` after each poll that is pending.
pub fn block_on<T>(future: impl Future<Output = T>, between: impl Fn()) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        between();
    }
}
