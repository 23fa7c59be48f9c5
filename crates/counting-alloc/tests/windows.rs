//! The kinds of windows, as a user's tests open them: under libtest, in parallel,
//! with no flags. The expected numbers follow from the requested sizes.

use std::future::Future;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::pin::pin;
use std::sync::Barrier;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::thread;

use counting_alloc::{
    CountingAlloc, FirstOperations, MeasureError, Measured, Mode, Operation, Scope, Tally, Window,
    measure, measure_joined, thread_tally, uncounted,
};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn bytes(size: usize) -> Vec<u8> {
    black_box(vec![1_u8; black_box(size)])
}

/// `allocs` allocations of `alloc_bytes` in all, and as many deallocations.
fn made_and_dropped(allocs: u64, alloc_bytes: u64) -> Tally {
    Tally {
        allocs,
        alloc_bytes,
        deallocs: allocs,
        dealloc_bytes: alloc_bytes,
        ..Tally::ZERO
    }
}

mod modes {
    use super::*;

    #[test]
    fn a_plain_window_counts_and_measures_no_peak() {
        let measured = Window::thread().measure(|| drop(bytes(10))).unwrap();
        assert_eq!(measured.mode, Mode::Counting);
        assert_eq!(measured.scope, Scope::Thread);
        assert_eq!(measured.tally, made_and_dropped(1, 10));
        assert_eq!(measured.peak_bytes, None);
        assert_eq!(measured.first, None);
        assert_eq!(measured.joined, 0);
    }

    #[test]
    fn a_window_with_peak_says_so() {
        let measured = Window::thread().with_peak().measure(|| bytes(10)).unwrap();
        assert_eq!(measured.mode, Mode::ThreadPeak);
        assert_eq!(measured.peak_bytes, Some(10));
    }

    #[test]
    fn the_peak_begins_anew_in_every_window() {
        let window = Window::thread().with_peak();
        let kept = window.measure(|| bytes(1_000)).unwrap();
        assert_eq!(kept.peak_bytes, Some(1_000));
        let second = window.measure(|| drop(bytes(20))).unwrap();
        assert_eq!(second.peak_bytes, Some(20));
        // Between windows, without a peak, more comes and goes.
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
}

mod excluded_regions {
    use super::*;

    #[test]
    fn what_is_uncounted_is_in_no_other_field() {
        let window = Window::thread().with_peak().with_first_operations();
        let measured = window
            .measure(|| {
                let before = bytes(10);
                let kept = uncounted(|| {
                    drop(bytes(1_000_000));
                    bytes(300)
                });
                drop(before);
                kept
            })
            .unwrap();
        assert_eq!(measured.tally, made_and_dropped(1, 10));
        assert_eq!(measured.peak_bytes, Some(10));
        let first = measured.first.unwrap();
        assert_eq!(first.to_string(), "alloc 10, dealloc 10");
        assert_eq!(
            measured.uncounted,
            Tally {
                allocs: 2,
                alloc_bytes: 1_000_300,
                deallocs: 1,
                dealloc_bytes: 1_000_000,
                ..Tally::ZERO
            }
        );
    }

    #[test]
    fn what_was_uncounted_before_the_window_is_not_in_it() {
        uncounted(|| drop(bytes(99)));
        assert_eq!(measure(|| ()).uncounted, Tally::ZERO);
    }

    #[test]
    fn regions_nest_and_end_at_the_outermost() {
        let measured = measure(|| {
            uncounted(|| {
                uncounted(|| drop(bytes(1)));
                drop(bytes(2));
            });
            drop(bytes(4));
        });
        assert_eq!(measured.tally, made_and_dropped(1, 4));
        assert_eq!(measured.uncounted, made_and_dropped(2, 3));
    }

    #[test]
    fn a_region_ends_when_it_panics() {
        let measured = measure(|| {
            let panicked = panic::catch_unwind(|| {
                uncounted(|| panic::resume_unwind(Box::new(())));
            });
            assert!(panicked.is_err());
            uncounted(|| drop(panicked));
            drop(bytes(8));
        });
        // `Box<()>` has no size; what unwinding takes is uncounted or freed
        // outside of the region.
        assert_eq!(measured.tally.allocs, 1);
        assert_eq!(measured.tally.alloc_bytes, 8);
    }

    #[test]
    fn the_totals_leave_excluded_regions_out() {
        let thread = thread_tally();
        uncounted(|| drop(bytes(12_345_678)));
        assert_eq!(thread_tally(), thread);
        let grown = Window::process()
            .measure(|| uncounted(|| drop(bytes(123_456_789))))
            .unwrap();
        assert!(grown.tally.alloc_bytes < 123_456_789, "{}", grown.tally);
        assert!(grown.uncounted.alloc_bytes >= 123_456_789);
    }

    #[test]
    fn other_threads_go_on_counting() {
        let (inside, done) = (Barrier::new(2), Barrier::new(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                uncounted(|| {
                    inside.wait();
                    done.wait();
                });
            });
            inside.wait();
            let measured = measure(|| drop(bytes(6)));
            assert_eq!(measured.tally, made_and_dropped(1, 6));
            done.wait();
        });
    }

    #[test]
    fn a_window_inside_of_a_region_is_an_error() {
        // Before the region, so that the thread counts.
        let _ = measure(|| ());
        let refused = uncounted(|| Window::thread().measure(|| bytes(1)));
        assert_eq!(refused.map(drop_all), Err(MeasureError::Uncounted));
        let message = MeasureError::Uncounted.to_string();
        assert_eq!(
            message,
            "a measurement inside of `uncounted` would be zero whatever is done in it"
        );
    }

    fn drop_all<T>(measured: Measured<T>) {
        let _ = measured;
    }
}

mod phases {
    use super::*;

    #[test]
    fn phases_and_the_rest_sum_to_the_whole() {
        let phased = Window::thread()
            .with_peak()
            .measure_phases(|phases| {
                let input = bytes(100);
                for _ in 0..3 {
                    phases.run("parse", || drop(bytes(7)));
                    drop(bytes(1));
                }
                phases.run("write", || {
                    drop(bytes(20));
                    phases.run("flush", || drop(bytes(300)));
                    drop(bytes(20));
                });
                drop(input);
                "value"
            })
            .unwrap();
        assert_eq!(phased.whole.value, "value");
        assert_eq!(phased.whole.tally, made_and_dropped(10, 464));
        assert_eq!(phased.whole.peak_bytes, Some(400));
        let named: Vec<_> = phased
            .phases
            .iter()
            .map(|phase| (phase.name, phase.runs, phase.tally))
            .collect();
        assert_eq!(
            named,
            [
                ("parse", 3, made_and_dropped(3, 21)),
                ("write", 1, made_and_dropped(2, 40)),
                ("flush", 1, made_and_dropped(1, 300)),
            ]
        );
        assert_eq!(phased.rest, made_and_dropped(4, 103));
    }

    #[test]
    fn nothing_in_phases_is_all_rest() {
        let phased = Window::thread().measure_phases(|_| drop(bytes(3))).unwrap();
        assert!(phased.phases.is_empty());
        assert_eq!(phased.rest, made_and_dropped(1, 3));
        assert_eq!(phased.phase("parse"), None);
    }

    #[test]
    fn dividing_into_phases_allocates_nothing() {
        let names: [&str; 64] = std::array::from_fn(|i| &*format!("phase {i}").leak());
        let phased = Window::thread()
            .measure_phases(|phases| {
                for _ in 0..100 {
                    for name in names {
                        phases.run(name, || ());
                    }
                }
            })
            .unwrap();
        assert_eq!(phased.phases.len(), 64);
        assert_eq!(phased.whole.tally, Tally::ZERO);
    }

    #[test]
    #[should_panic(expected = "a window can have 64 phases; `one more` would be one more")]
    fn a_65th_phase_panics() {
        let names: [&str; 64] = std::array::from_fn(|i| &*format!("phase {i}").leak());
        let _ = Window::thread().measure_phases(|phases| {
            for name in names {
                phases.run(name, || ());
            }
            phases.run("one more", || ());
        });
    }

    #[test]
    fn a_phase_that_panics_has_ended() {
        let phased = Window::thread()
            .measure_phases(|phases| {
                let caught = panic::catch_unwind(AssertUnwindSafe(|| {
                    phases.run("broken", || panic::resume_unwind(Box::new(())));
                }));
                uncounted(|| drop(caught));
                drop(bytes(44));
            })
            .unwrap();
        assert_eq!(phased.rest.alloc_bytes, 44);
        assert_eq!(phased.phase("broken").unwrap().runs, 1);
    }

    #[test]
    fn phases_read_as_lines() {
        let phased = Window::thread()
            .measure_phases(|phases| phases.run("parse", || drop(bytes(7))))
            .unwrap();
        assert_eq!(
            phased.to_string(),
            "parse (1 run): 1 allocs (7 bytes), 1 deallocs (7 bytes), 0 grows (0 bytes), \
             0 shrinks (0 bytes), 0 failed\n\
             rest: 0 allocs (0 bytes), 0 deallocs (0 bytes), 0 grows (0 bytes), \
             0 shrinks (0 bytes), 0 failed\n\
             whole: 1 allocs (7 bytes), 1 deallocs (7 bytes), 0 grows (0 bytes), \
             0 shrinks (0 bytes), 0 failed"
        );
    }
}

mod futures {
    use super::*;

    /// Waits once, and then returns.
    fn yield_once() -> impl Future<Output = ()> {
        let mut waited = false;
        std::future::poll_fn(move |context| {
            if waited {
                return Poll::Ready(());
            }
            waited = true;
            context.waker().wake_by_ref();
            Poll::Pending
        })
    }

    /// Polls to the end; between two polls it allocates, as an executor may.
    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            drop(bytes(777_777));
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
            Tally {
                allocs: 2,
                alloc_bytes: 30,
                deallocs: 1,
                dealloc_bytes: 10,
                ..Tally::ZERO
            }
        );
        // What the first poll left live is below what the second one adds.
        assert_eq!(measured.peak_bytes, Some(30));
        assert_eq!(
            measured.first.unwrap().to_string(),
            "alloc 10, alloc 20, dealloc 10"
        );
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
        let mut context = Context::from_waker(Waker::noop());
        assert!(one.as_mut().poll(&mut context).is_pending());
        assert!(other.as_mut().poll(&mut context).is_pending());
        let Poll::Ready(Ok(one)) = one.as_mut().poll(&mut context) else {
            panic!("the second poll is the last");
        };
        let Poll::Ready(Ok(other)) = other.as_mut().poll(&mut context) else {
            panic!("the second poll is the last");
        };
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
        let mut context = Context::from_waker(Waker::noop());
        assert!(future.as_mut().poll(&mut context).is_pending());
        let measured = thread::spawn(move || {
            let mut context = Context::from_waker(Waker::noop());
            match future.as_mut().poll(&mut context) {
                Poll::Ready(measured) => measured,
                Poll::Pending => panic!("the second poll is the last"),
            }
        });
        let measured = measured.join().unwrap().unwrap();
        assert_eq!(measured.tally, made_and_dropped(2, 24));
        assert_eq!(measured.peak_bytes, Some(16));
    }

    #[test]
    fn a_poll_inside_of_an_excluded_region_is_an_error() {
        let _ = measure(|| ());
        let measured = uncounted(|| block_on(Window::thread().measure_future(async {})));
        assert!(matches!(measured, Err(MeasureError::Uncounted)));
    }
}

mod tokens {
    use super::*;

    #[test]
    fn what_threads_count_with_the_token_is_in_the_window_and_the_rest_is_foreign() {
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
        // What `thread::scope` itself takes is its own and of this thread: one
        // block, for the handle that its threads share.
        let rest = measured.tally - made_and_dropped(9, 4 * 96 + 5);
        assert_eq!((rest.allocs, rest.deallocs), (1, 1), "{}", measured.tally);
        assert!(measured.foreign.alloc_bytes >= 4 * 1_000_003);
        assert_eq!(measured.peak_bytes, None);
    }

    #[test]
    fn a_pool_that_was_there_before_can_be_counted() {
        let (jobs, todo) = mpsc::channel::<counting_alloc::ScopeToken>();
        let (done, is_done) = mpsc::channel();
        let worker = thread::spawn(move || {
            for token in todo {
                token.count(|| drop(bytes(250)));
                // Before the answer, so that the window is the last to hold it.
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

    #[test]
    fn nothing_is_counted_twice() {
        let measured = measure_joined(|token| {
            // On the thread that opened the window, and in itself.
            token.count(|| drop(bytes(1)));
            uncounted(|| {
                thread::scope(|scope| {
                    scope
                        .spawn(|| {
                            token.count(|| {
                                drop(bytes(20));
                                token.count(|| drop(bytes(300)));
                            });
                        })
                        .join()
                        .unwrap();
                });
            });
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
                            uncounted(|| {
                                thread::scope(|scope| {
                                    scope
                                        .spawn(|| token.count(|| drop(bytes(size))))
                                        .join()
                                        .unwrap();
                                });
                            });
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
                    // The window is closed: this just runs.
                    token.count(|| 7)
                });
                inside.wait();
            });
            let error = measured.map(|_| ()).unwrap_err();
            assert_eq!(error, MeasureError::StillCounting { calls: 1 });
            assert_eq!(
                error.to_string(),
                "the window closed while a call of `ScopeToken::count` was running; join its \
                 thread inside of the window, or wait for a message from it"
            );
            close.wait();
        });
    }

    #[test]
    fn a_panic_in_a_call_ends_it() {
        let measured = measure_joined(|token| {
            uncounted(|| {
                let panicked = thread::scope(|scope| {
                    scope
                        .spawn(|| {
                            token.count(|| {
                                drop(bytes(9));
                                panic::resume_unwind(Box::new(()));
                            });
                        })
                        .join()
                });
                assert!(panicked.is_err());
            });
        })
        .unwrap();
        assert_eq!(measured.joined, 1);
        assert!(measured.tally.alloc_bytes >= 9);
    }
}

mod first_operations {
    use super::*;

    #[test]
    fn sizes_and_order_are_kept() {
        let measured = measure(|| {
            let mut text = String::with_capacity(24);
            text.reserve_exact(48);
            let zeroed = black_box(vec![0_u8; 4096]);
            text.push('x');
            text.shrink_to_fit();
            black_box(&text);
            drop(text);
            drop(zeroed);
            let huge = Vec::<u8>::new().try_reserve_exact(isize::MAX as usize);
            assert!(huge.is_err());
        });
        let first = measured.first.unwrap();
        assert_eq!(
            first.to_string(),
            format!(
                "alloc 24, grow 24 -> 48, alloc_zeroed 4096, shrink 48 -> 1, dealloc 1, \
                 dealloc 4096, refused {}",
                isize::MAX
            )
        );
        assert_eq!(first.as_slice()[1], Operation::Grow { from: 24, to: 48 });
        assert_eq!(first.unseen(), 0);
    }

    #[test]
    fn what_is_beyond_the_buffer_is_counted() {
        let measured = measure(|| {
            for _ in 0..50 {
                drop(bytes(1));
            }
        });
        let first = measured.first.unwrap();
        assert_eq!(first.as_slice().len(), FirstOperations::CAPACITY);
        assert_eq!(first.unseen(), 100 - FirstOperations::CAPACITY as u64);
    }

    #[test]
    fn an_inner_window_keeps_its_own_and_the_outer_one_all() {
        let outer = measure(|| {
            drop(bytes(1));
            let inner = measure(|| drop(bytes(22)));
            uncounted(|| {
                assert_eq!(inner.first.unwrap().to_string(), "alloc 22, dealloc 22");
            });
            drop(bytes(333));
        });
        assert_eq!(
            outer.first.unwrap().to_string(),
            "alloc 1, dealloc 1, alloc 22, dealloc 22, alloc 333, dealloc 333"
        );
        assert_eq!(outer.peak_bytes, Some(333));
    }

    #[test]
    fn a_buffer_is_gone_after_a_panic() {
        let caught = panic::catch_unwind(|| measure(|| panic::resume_unwind(Box::new(()))));
        assert!(caught.is_err());
        drop(caught.map(|_: Measured<()>| ()));
        // Would write to the buffer of the window that panicked.
        drop(bytes(1));
        let measured = measure(|| drop(bytes(2)));
        assert_eq!(measured.first.unwrap().to_string(), "alloc 2, dealloc 2");
    }
}
