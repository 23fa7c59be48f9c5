//! Windows that other threads join with a token.

use std::panic;
use std::sync::Barrier;
use std::sync::mpsc;
use std::thread;

use counting_alloc::{MeasureError, Scope, measure_joined, uncounted};

use crate::{bytes, made_and_dropped};

#[test]
fn operations_with_the_token_are_in_the_window_and_others_are_foreign() {
    let measured = measure_joined(|token| {
        thread::scope(|scope| {
            let workers: Vec<_> = uncounted(|| {
                (0..4)
                    .map(|_| {
                        scope.spawn(|| {
                            drop(bytes(1_000_003));
                            token.count(|| drop(bytes(64)));
                            token.count(|| drop(bytes(32)));
                        })
                    })
                    .collect()
            });
            uncounted(|| {
                workers
                    .into_iter()
                    .for_each(|worker| worker.join().unwrap())
            });
        });
        drop(bytes(5));
    })
    .unwrap();
    assert_eq!(measured.joined, 8);
    assert_eq!(measured.scope, Scope::Thread);
    // `thread::scope` allocates one block on this thread, for the handle that its
    // threads share.
    let rest = measured.tally - made_and_dropped(9, 4 * 96 + 5);
    assert_eq!((rest.allocs, rest.deallocs), (1, 1), "{}", measured.tally);
    assert!(measured.foreign.bytes >= 4 * 1_000_003);
    assert_eq!(measured.peak_bytes, None);
}

#[test]
fn a_pool_that_was_there_before_can_be_counted() {
    let (jobs, todo) = mpsc::channel::<counting_alloc::ScopeToken>();
    let (done, is_done) = mpsc::channel();
    let worker = thread::spawn(move || {
        for token in todo {
            token.count(|| drop(bytes(250)));
            // Before the answer, so that the window holds the last token.
            drop(token);
            done.send(()).unwrap();
        }
    });
    for _ in 0..100 {
        let measured = measure_joined(|token| {
            uncounted(|| {
                jobs.send(token.clone()).unwrap();
                is_done.recv().unwrap();
            });
        })
        .unwrap();
        assert_eq!(measured.tally, made_and_dropped(1, 250));
        assert_eq!(measured.joined, 1);
    }
    drop(jobs);
    worker.join().unwrap();
}

/// Runs `f` on a thread of its own, whose start and end are not counted here.
fn on_another_thread(f: impl FnOnce() + Send) -> thread::Result<()> {
    uncounted(|| thread::scope(|scope| scope.spawn(f).join()))
}

#[test]
fn nothing_is_counted_twice() {
    let measured = measure_joined(|token| {
        // On the thread that opened the window, and inside another call.
        token.count(|| drop(bytes(1)));
        let call = || {
            token.count(|| {
                drop(bytes(20));
                token.count(|| drop(bytes(300)));
            });
        };
        on_another_thread(call).unwrap();
    })
    .unwrap();
    assert_eq!(measured.tally, made_and_dropped(3, 321));
    assert_eq!(measured.joined, 1);
}

#[test]
fn two_windows_over_one_pool_count_each_its_own() {
    thread::scope(|scope| {
        for size in [17, 1_900] {
            scope.spawn(move || {
                for _ in 0..50 {
                    let measured = measure_joined(|token| {
                        on_another_thread(|| token.count(|| drop(bytes(size)))).unwrap();
                    })
                    .unwrap();
                    assert_eq!(measured.tally, made_and_dropped(1, size as u64));
                }
            });
        }
    });
}

#[test]
fn a_call_that_has_not_returned_is_an_error() {
    let (inside, close) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        let measured = measure_joined(|token| {
            let token = token.clone();
            let (inside, close) = (&inside, &close);
            scope.spawn(move || {
                token.count(|| {
                    inside.wait();
                    close.wait();
                });
                // The window is closed, so nothing is added.
                token.count(|| 7)
            });
            inside.wait();
        });
        let error = measured.map(|_| ()).unwrap_err();
        assert_eq!(error, MeasureError::StillCounting { calls: 1 });
        assert_eq!(
            error.to_string(),
            "the window closed while a call of `ScopeToken::count` was running; join its \
             thread inside the window, or wait for a message from it"
        );
        close.wait();
    });
}

#[test]
fn a_panic_in_a_call_ends_it() {
    let measured = measure_joined(|token| {
        let call = || {
            token.count(|| {
                drop(bytes(9));
                panic::resume_unwind(Box::new(()));
            });
        };
        assert!(on_another_thread(call).is_err());
    })
    .unwrap();
    assert_eq!(measured.joined, 1);
    assert!(measured.tally.bytes >= 9);
}
