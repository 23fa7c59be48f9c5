//! Threads: of one call, of a pool, of a scenario on several threads; and their ends.

use std::cell::RefCell;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use alloc_scenario::{Scope, Suite, black_box};

pub(crate) fn add(suite: &mut Suite<'_>) {
    for (of, scope) in [("thread", Scope::Thread), ("process", Scope::Process)] {
        let named = |name: &str| format!("{name}, {of}");
        suite.scenario_with(&named("thread that is joined"), |b| {
            b.scope(scope).run(|()| {
                let bytes = vec![1_u8; black_box(90)];
                let thread = thread::spawn(move || bytes.repeat(3));
                thread.join().expect("it ends")
            })
        });
        suite.scenario_with(&named("scoped threads that split work"), |b| {
            b.scope(scope)
                .run(|()| sorted((0..black_box(64_u32)).rev().collect()))
        });
        suite.scenario_with(&named("destructor of an ending thread"), |b| {
            b.scope(scope).run(|()| {
                let thread = thread::spawn(|| LAST.with_borrow_mut(|last| last.0.push(3)));
                thread.join().expect("it ends");
            })
        });
        suite.scenario_with(&named("pool"), |b| {
            b.scope(scope)
                .setup(|()| Pool::new(3))
                .run(|pool| pool.squares(black_box(12)))
        });
        suite.scenario_with(&named("team"), |b| {
            b.scope(scope)
                .input(|()| vec![1_u8; 10])
                .run_on_threads(|()| 3, |input| (input, vec![1_u8; black_box(40)]))
        });
    }
}

/// Sorts halves on threads of their own.
fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    if numbers.len() <= 16 {
        numbers.sort_unstable();
        return numbers;
    }
    let upper = numbers.split_off(numbers.len() / 2);
    let (mut all, more) = thread::scope(|scope| {
        let upper = scope.spawn(|| sorted(upper));
        (sorted(numbers), upper.join().expect("it ends"))
    });
    all.extend(more);
    all.sort();
    all
}

/// Allocates when its thread has ended.
struct Last(Vec<u8>);

impl Drop for Last {
    fn drop(&mut self) {
        black_box(self.0.repeat(10));
    }
}

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last(Vec::new())) };
}

type Job = Box<dyn FnOnce() + Send>;

/// Threads that wait for jobs. Each has a channel of its own.
struct Pool {
    workers: Vec<(Sender<Job>, JoinHandle<()>)>,
}

impl Pool {
    fn new(size: usize) -> Self {
        let worker = |_| {
            let (sender, jobs): (_, Receiver<Job>) = mpsc::channel();
            let thread = thread::spawn(move || jobs.into_iter().for_each(|job| job()));
            (sender, thread)
        };
        Self {
            workers: (0..size).map(worker).collect(),
        }
    }

    fn send(&self, worker: usize, job: impl FnOnce() + Send + 'static) {
        let (sender, _) = &self.workers[worker % self.workers.len()];
        sender.send(Box::new(job)).expect("the worker waits");
    }

    /// Vectors that workers make and this thread frees.
    fn squares(&self, number: usize) -> usize {
        let (done, is_done) = mpsc::channel();
        for n in 0..number {
            let done = done.clone();
            self.send(n, move || done.send(vec![n * n; n]).expect("it is awaited"));
        }
        drop(done);
        is_done.iter().map(|squares| squares.len()).sum()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for (sender, thread) in self.workers.drain(..) {
            drop(sender);
            thread.join().expect("it ends");
        }
    }
}
