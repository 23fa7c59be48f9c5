//! The times of a scenario: of its first call, and none without a timed pass.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use alloc_scenario::Suite;

use crate::start::{find, recorded};

const SLEEP: Duration = Duration::from_millis(20);

fn sleep_at_first(calls: &mut u64) {
    *calls += 1;
    if *calls == 1 {
        std::thread::sleep(SLEEP);
    }
}

static CALLS: AtomicU64 = AtomicU64::new(0);

fn call() {
    CALLS.fetch_add(1, Relaxed);
}

/// The calls since the last time.
fn calls() -> u64 {
    CALLS.swap(0, Relaxed)
}

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.scenario_with("slow at first", |b| {
        b.setup(|()| 0)
            .run(sleep_at_first)
            // The closure is not part of the call.
            .metric("one", alloc_scenario::Unit::Count, |()| 1)
    });
    suite.scenario_with("slow at first outside", |b| {
        b.drop_outside().setup(|()| 0).run(sleep_at_first)
    });
    suite.scenario_with("slow at first on threads", |b| {
        b.setup(|()| 0).run_on_threads(|()| 2, sleep_at_first)
    });
    // One cold call, ten of warm-up, a hundred that are counted, and one to verify.
    suite.scenario_with("untimed", |b| {
        b.untimed()
            .run(|()| call())
            .verify(|()| assert_eq!(calls(), 111 + 1))
    });
    suite.scenario_with("untimed on threads", |b| {
        b.untimed()
            .run_on_threads(|()| 2, |()| call())
            .verify(|()| assert_eq!(calls(), 2 * 111 + 1))
    });
}

pub(crate) fn without_a_timed_pass_there_is_no_time_and_no_further_call() {
    let (run, stream) = recorded("timed", &["--bench", "untimed"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for name in ["untimed", "untimed on threads"] {
        assert_eq!(find(&stream, name).time, None, "{name}");
    }
}

/// A sleep takes the requested time or longer.
pub(crate) fn the_first_call_is_timed() {
    let (_, stream) = recorded("timed", &["--bench", "slow at first"], &[]);
    assert_eq!(stream.scenarios.len(), 3);
    for record in &stream.scenarios {
        let first = record.time.as_ref().expect("it is timed").first;
        let least = SLEEP.as_nanos() as u64;
        assert!(first >= least, "{}: {first}", record.name);
    }
}
