//! Futures, and the windows that a measured body opens itself.

use std::future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use alloc_assert::measure;
use alloc_scenario::counting_alloc::Window;
use alloc_scenario::{Suite, black_box, uncounted};

pub(crate) fn add(suite: &mut Suite<'_>) {
    let suite = &mut Untimed(suite);
    suite.scenario("futures in boxes", || block_on(nested(black_box(5))));
    suite.scenario("future that is dropped half-way", || {
        let mut future = Box::pin(waiting(3));
        let mut context = Context::from_waker(Waker::noop());
        assert!(future.as_mut().poll(&mut context).is_pending());
    });
    suite.scenario("future in a window", || {
        let window = Window::thread().with_peak();
        let measured = block_on(window.measure_future(waiting(black_box(3))));
        measured.expect("it is measured").value
    });
    suite.scenario("future in a window of the process", || {
        let measured = block_on(Window::process().measure_future(waiting(black_box(3))));
        measured.expect("it is measured").value
    });
    suite.scenario("phases", || {
        let phased = Window::thread().with_peak().measure_phases(|phases| {
            let words = phases.run("split", || {
                black_box("a b c").split(' ').collect::<Vec<_>>()
            });
            let words = phases.run("join", || words.join("-"));
            black_box(vec![1_u8; 5]);
            phases.run("split", || vec![words; 2])
        });
        let phased = phased.expect("it is measured");
        assert_eq!(phased.phases.len(), 2);
        phased.whole.tally.allocs
    });
    suite.scenario("windows in windows", || {
        let outer = measure(|| {
            let window = Window::thread().with_first_operations();
            let inner = window.measure(|| vec![1_u8; black_box(100)]);
            (inner.expect("it is measured").value, vec![1_u8; 5])
        });
        outer.tally.allocs
    });
    // Refused while the bench captures, and so without the vector of 100 bytes.
    suite.scenario("window with call stacks", || {
        let captured = Window::thread().measure_sites(|| vec![1_u8; black_box(100)]);
        (captured.map(|(measured, _)| measured.value), vec![1_u8; 5])
    });
    suite.scenario("uncounted parts", || {
        let hidden = uncounted(|| vec![1_u8; black_box(50)]);
        let shown = vec![1_u8; black_box(60)];
        uncounted(|| drop(hidden));
        shown
    });
}

/// Adds scenarios without a timed pass, which pauses counting: no window opens there.
struct Untimed<'s, 'a>(&'s mut Suite<'a>);

impl<'a> Untimed<'_, 'a> {
    fn scenario<O: 'a>(&mut self, name: &str, mut body: impl FnMut() -> O + 'a) {
        self.0
            .scenario_with(name, |b| b.untimed().run(move |()| body()));
    }
}

/// Polls until `future` is ready.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

fn nested(depth: u8) -> Pin<Box<dyn Future<Output = Vec<u8>>>> {
    Box::pin(async move {
        if depth == 0 {
            return Vec::new();
        }
        let mut bytes = nested(depth - 1).await;
        bytes.push(depth);
        bytes.clone()
    })
}

async fn waiting(times: usize) -> usize {
    let mut kept = Vec::new();
    for time in 0..times {
        kept.push(vec![1_u8; time + 1]);
        once().await;
        kept.push(vec![1_u8; 30]);
    }
    kept.iter().map(Vec::len).sum()
}

/// Waits for one poll.
fn once() -> impl Future<Output = ()> {
    let mut polled = false;
    future::poll_fn(move |_| match std::mem::replace(&mut polled, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
}
