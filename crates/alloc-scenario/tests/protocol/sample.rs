//! A bench with one scenario of each kind. Its counts follow from the code.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::{self, JoinHandle};

use alloc_scenario::{Scope, Suite, Unit};

/// The whole bench, with the scenarios that `extra` adds.
pub(crate) fn bench(extra: impl FnOnce(&mut Suite<'_>)) -> ExitCode {
    let greeting = String::from("hello");
    let mut calls = 0_u32;

    let mut suite = Suite::from_args();
    suite.warm_up(10).iterations(100);
    suite.scenario("empty", || ());
    suite
        .group("clone")
        .scenario("String, 5 chars", || greeting.clone())
        .scenario("a|b", || black_box(1));
    suite.scenario_with("outside", |b| b.drop_outside().run(|()| Box::new(7_u64)));
    suite.scenario_with("sorted", |b| {
        b.axis("rows", [10_usize, 100])
            .elements(|&rows| rows)
            .bytes(|&rows| rows * 4)
            .setup(|&rows| (0..rows as u32).rev().collect::<Vec<_>>())
            .run(|rows| {
                let mut sorted = rows.clone();
                sorted.sort_unstable();
                sorted
            })
            .verify(|sorted| assert!(sorted.is_sorted()))
            .metric("rows", Unit::Count, |sorted| sorted.len() as i64)
    });
    suite.scenario_with("consumed", |b| {
        b.note("the input is freed by the operation")
            .input(|()| vec![1_u8; 64])
            .run(drop)
    });
    suite.scenario_with("every tenth", |b| {
        b.run(move |()| {
            calls += 1;
            (calls % 10 == 0).then(|| Box::new(calls))
        })
    });
    suite.scenario_with("worker", |b| {
        b.scope(Scope::Process)
            .setup(|()| Worker::start())
            .run(|worker| worker.work())
    });
    suite.scenario_with("scaled", |b| {
        b.axis("threads", [1_usize, 4])
            .iterations(20)
            .run_on_threads(|&threads| threads, |_| vec![0_u8; 10])
    });
    extra(&mut suite);
    suite.finish()
}

/// Another thread, which allocates on command. It lives only in its own scenario, and
/// gets commands by an atomic number. Otherwise the allocations of starting and ending a
/// thread, and of the first wait in a channel, could come at any time.
pub(crate) struct Worker {
    state: Arc<AtomicU8>,
    thread: Option<JoinHandle<()>>,
}

/// The thread has not begun. It frees memory of its start before it is idle.
const NEW: u8 = 3;
const IDLE: u8 = 0;
const TOLD: u8 = 1;
const OVER: u8 = 2;

impl Worker {
    pub(crate) fn start() -> Self {
        let state = Arc::new(AtomicU8::new(NEW));
        let seen = Arc::clone(&state);
        let thread = thread::spawn(move || {
            seen.store(IDLE, Release);
            loop {
                match seen.load(Acquire) {
                    TOLD => {
                        drop(black_box(vec![0_u8; 100]));
                        seen.store(IDLE, Release);
                    }
                    OVER => break,
                    _ => thread::yield_now(),
                }
            }
        });
        let worker = Self {
            state,
            thread: Some(thread),
        };
        worker.wait_while(NEW);
        worker
    }

    pub(crate) fn work(&self) {
        self.state.store(TOLD, Release);
        self.wait_while(TOLD);
    }

    fn wait_while(&self, state: u8) {
        while self.state.load(Acquire) == state {
            let has_ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
            assert!(!has_ended, "the worker runs");
            thread::yield_now();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.state.store(OVER, Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
