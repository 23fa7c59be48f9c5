//! A bench with one scenario of each kind, whose counts follow from the code by
//! hand.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use alloc_scenario::{Scope, Suite, Unit};

/// The whole bench, and whatever `extra` adds.
pub(crate) fn bench(extra: impl FnOnce(&mut Suite<'_>)) -> ExitCode {
    let greeting = String::from("hello");
    let mut calls = 0_u32;

    let mut suite = Suite::from_args();
    suite.warmup(10).iterations(100);
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
            calls.is_multiple_of(10).then(|| Box::new(calls))
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

/// Another thread, which allocates when it is told to. It lives in its own scenario
/// alone: what a thread allocates when it starts, or first waits, would else come at
/// any time.
struct Worker {
    told: mpsc::SyncSender<()>,
    done: mpsc::Receiver<()>,
}

impl Worker {
    fn start() -> Self {
        let (told, orders) = mpsc::sync_channel(0);
        let (reports, done) = mpsc::sync_channel(0);
        thread::spawn(move || {
            while orders.recv().is_ok() {
                drop(black_box(vec![0_u8; 100]));
                if reports.send(()).is_err() {
                    break;
                }
            }
        });
        Self { told, done }
    }

    fn work(&self) {
        self.told.send(()).expect("the worker runs");
        self.done.recv().expect("the worker runs");
    }
}
