//! Threads: of one call, of a scenario on several threads; and their ends.

use std::cell::RefCell;
use std::thread;

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
