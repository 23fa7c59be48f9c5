//! The two passes over the groups of a program. Criterion's functions take no context, so the
//! bench is in a thread-local.

use std::cell::RefCell;
use std::process::ExitCode;

use alloc_scenario::adapter::{Call, Called, Calls};

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State::Outside) };
}

enum State {
    /// `criterion_main!` does not run on this thread.
    Outside,
    /// The groups run.
    Groups(Box<Calls>),
    /// The function of a bench runs.
    Bench,
}

/// Runs the groups twice: to take down the names, and to measure.
pub fn run(groups: &mut dyn FnMut()) -> ExitCode {
    let mut calls = pass(Calls::from_args(), groups);
    if calls.start() {
        calls = pass(calls, groups);
    }
    calls.finish()
}

fn pass(calls: Calls, groups: &mut dyn FnMut()) -> Calls {
    STATE.replace(State::Groups(Box::new(calls)));
    groups();
    match STATE.replace(State::Outside) {
        State::Groups(calls) => *calls,
        State::Outside | State::Bench => unreachable!("the groups leave what they were given"),
    }
}

/// Takes down or measures a bench.
#[track_caller]
pub(super) fn bench(called: Called, body: impl FnOnce(&mut Call)) {
    let mut calls = match STATE.replace(State::Bench) {
        State::Groups(calls) => calls,
        State::Bench => panic!(
            "a bench was started inside the function of another bench; start it after that function"
        ),
        State::Outside => {
            STATE.replace(State::Outside);
            panic!(
                "benches are counted in functions that `criterion_main!` calls, on its thread; \
                 replace this program's `main` by `criterion_main!`"
            )
        }
    };
    calls.scenario(called, body);
    STATE.replace(State::Groups(calls));
}

/// Notes a setting without a meaning for counts.
pub(super) fn no_effect(setting: &'static str) {
    STATE.with_borrow_mut(|state| match state {
        State::Groups(calls) => calls.no_effect(setting),
        State::Outside | State::Bench => {}
    });
}
