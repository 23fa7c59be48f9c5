//! Windows with a ceiling: the inner allocator is not asked for more.

use std::hint::black_box;
use std::panic;

use counting_alloc::{Operation, Window, thread_tally, uncounted};

use super::bytes;

/// Whether so many bytes can be reserved.
fn can_reserve(size: usize) -> bool {
    let mut bytes = Vec::<u8>::new();
    bytes.try_reserve_exact(black_box(size)).is_ok()
}

#[test]
fn a_request_above_the_ceiling_is_refused_and_one_at_it_is_not() {
    let held = bytes(700);
    let measured = Window::thread().with_first_operations().ceiling(1_000);
    let measured = measured.measure(|| {
        let kept = bytes(400);
        assert!(can_reserve(600));
        assert!(!can_reserve(601));
        // That is larger than the machine, which was not asked.
        assert!(!can_reserve(1 << 46));
        // Freed bytes from before the window count.
        drop(held);
        assert!(can_reserve(1_300));
        assert!(!can_reserve(1_301));
        kept
    });
    let measured = measured.expect("the counter is installed");
    let tally = measured.tally;
    assert_eq!(
        (tally.allocs, tally.bytes, tally.failed),
        (3, 400 + 600 + 1_300, 3)
    );
    assert_eq!(tally.net_bytes(), 400 - 700);
    let first = measured.first.expect("they are kept");
    assert_eq!(first.as_slice()[3], Operation::Failed { size: 601 });
}

#[test]
fn every_method_is_refused_at_every_alignment() {
    #[repr(align(64))]
    struct Aligned(#[expect(dead_code, reason = "only its size matters")] [u8; 64]);

    let measured = Window::thread().with_peak().ceiling(1_000).measure(|| {
        let mut grown = bytes(900);
        assert!(grown.try_reserve_exact(101).is_err());
        assert!(grown.iter().all(|&byte| byte == 1), "it is as it was");
        grown.truncate(500);
        grown.shrink_to_fit();
        assert!(Vec::<Aligned>::new().try_reserve_exact(16).is_err());
        let mut aligned = Vec::<Aligned>::new();
        aligned.try_reserve_exact(1).expect("64 bytes fit");
        assert!(aligned.try_reserve_exact(16).is_err());
    });
    let measured = measured.expect("the counter is installed");
    assert_eq!(measured.tally.failed, 3);
    assert_eq!(measured.peak_bytes, Some(900));
}

#[test]
fn of_nested_windows_each_has_its_own_ceiling() {
    let in_both = |outer: u64, inner: u64| {
        let outer = Window::thread().ceiling(outer).measure(|| {
            let kept = bytes(100);
            let inner = Window::thread().ceiling(inner).measure(|| can_reserve(500));
            drop(kept);
            inner.expect("the counter is installed").value
        });
        outer.expect("the counter is installed").value
    };
    assert!(in_both(600, 500));
    assert!(!in_both(599, 500));
    assert!(!in_both(600, 499));
    assert!(can_reserve(5_000), "all windows have closed");
}

#[test]
fn excluded_regions_and_later_windows_are_not_refused() {
    let before = thread_tally();
    let window = Window::thread().ceiling(10);
    let measured = window.measure(|| uncounted(|| can_reserve(100)));
    assert!(measured.expect("the counter is installed").value);
    // The message and the backtrace of a panic take more.
    let panicked = panic::catch_unwind(|| window.measure(|| assert!(can_reserve(100), "refused")));
    let message = panicked.expect_err("it was refused");
    assert_eq!(message.downcast_ref(), Some(&"refused"));
    assert!(can_reserve(100));
    assert_eq!((thread_tally() - before).failed, 1);
}

#[test]
fn the_polls_of_a_future_share_a_ceiling() {
    use std::future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    let mut polls = 0;
    let mut kept = Vec::new();
    let future = future::poll_fn(|_| {
        polls += 1;
        uncounted(|| kept.reserve(1));
        kept.push(bytes(400));
        match polls {
            1 => Poll::Pending,
            _ => Poll::Ready((can_reserve(200), can_reserve(201))),
        }
    });
    let mut measured = pin!(Window::thread().ceiling(1_000).measure_future(future));
    let mut context = Context::from_waker(Waker::noop());
    assert!(measured.as_mut().poll(&mut context).is_pending());
    match measured.as_mut().poll(&mut context) {
        Poll::Ready(measured) => {
            let measured = measured.expect("the counter is installed");
            assert_eq!(measured.value, (true, false));
        }
        Poll::Pending => panic!("the second poll ends it"),
    };
}

/// Takes what a length field says.
#[inline(never)]
fn decode(length: usize) -> Vec<u8> {
    vec![1; black_box(length)]
}

#[test]
#[ignore = "the test below starts it, since it aborts"]
fn aborts() {
    let small = std::env::var("CEILING").is_ok_and(|ceiling| ceiling == "small");
    let ceiling = if small { 10 } else { 64 << 20 };
    let window = Window::thread().ceiling(ceiling);
    let _ = window.measure(|| (bytes(8), can_reserve(1 << 40), decode(4 << 30)));
}

#[test]
fn an_abort_says_what_was_refused_and_where() {
    for (ceiling, backtrace) in [
        ("large", "0"),
        ("small", "0"),
        ("large", "1"),
        ("small", "1"),
    ] {
        let aborted = own_process::command()
            .args(["--exact", "ceiling::aborts", "--ignored", "--nocapture"])
            .env("CEILING", ceiling)
            .env("RUST_BACKTRACE", backtrace)
            .output()
            .expect("it starts");
        assert!(!aborted.status.success());
        let text = String::from_utf8_lossy(&aborted.stderr);
        assert!(
            text.contains("memory allocation of 4294967296 bytes failed"),
            "{text}"
        );
        // The unwinder does not see below a handler with musl.
        #[cfg(all(feature = "sites", unix, not(target_env = "musl")))]
        if counting_alloc::Sites::AVAILABLE {
            use std::os::unix::process::ExitStatusExt;

            assert_eq!(aborted.status.signal(), Some(6), "by SIGABRT");
            let most = if ceiling == "small" { 10 } else { 64 << 20 };
            let message = format!(
                "counting-alloc: a request of 4294967296 bytes was refused: 8 bytes are live, and \
                 the ceiling of the window is {most}\n"
            );
            let (_, stack) = text.split_once(&message).expect(&text);
            let first = stack.lines().next().unwrap_or_default();
            assert!(first.contains("alloc::raw_vec::handle_error"), "{stack}");
            if cfg!(debug_assertions) {
                assert!(stack.contains("ceiling::decode\n"), "{stack}");
                assert_eq!(
                    stack.contains("tests/windows/ceiling.rs:"),
                    super::HAS_LINES,
                    "{stack}"
                );
            }
        }
    }
}
