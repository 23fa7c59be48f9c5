//! What the counts of a scenario leave out or lack is in its record and in the table.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use alloc_results::{Outside, ScenarioRecord, Tally};
use alloc_scenario::{Scope, Suite, Unit, uncounted};

use crate::sample::Worker;
use crate::start::{dropped, find, recorded};

/// The calls of the scenario with slow threads.
static CALLS: AtomicU32 = AtomicU32::new(0);

/// Keeps the thread of this call running until the next call. After the last one it ends by
/// itself, many times later than the window waits for it: on Windows the process can't end
/// while a thread drops its thread-locals.
struct Slow(u32);

impl Drop for Slow {
    fn drop(&mut self) {
        let begin = Instant::now();
        let is_early = || begin.elapsed() < Duration::from_secs(5);
        while CALLS.load(Ordering::Relaxed) == self.0 && is_early() {
            thread::yield_now();
        }
        drop(black_box(vec![0_u8; 99]));
    }
}

thread_local!(static SLOW: RefCell<Option<Slow>> = const { RefCell::new(None) });

pub(crate) fn add(suite: &mut Suite<'_>) {
    let mut calls = 0_u32;
    suite.scenario_with("excluded", |b| {
        b.run(move |()| {
            calls += 1;
            uncounted(|| drop(black_box(vec![0_u8; 64])));
            if calls == 1 {
                uncounted(|| drop(black_box(vec![0_u8; 7])));
            }
            7_u64
        })
        // The allocations of the metric are not the body's.
        .metric("digits", Unit::Count, |output| {
            output.to_string().len() as i64
        })
    });
    for scope in [Scope::Thread, Scope::Process] {
        suite.scenario_with(&format!("excluded on threads, {scope:?}"), |b| {
            b.scope(scope)
                .iterations(20)
                .run_on_threads(
                    |()| 3,
                    |()| {
                        uncounted(|| drop(black_box(vec![0_u8; 64])));
                        7_u64
                    },
                )
                .metric("digits", Unit::Count, |output| {
                    output.to_string().len() as i64
                })
        });
    }
    let mut calls = 0_u32;
    suite.scenario_with("pooled in the first call", |b| {
        b.setup(|()| Worker::start()).run(move |worker| {
            calls += 1;
            if calls == 1 {
                worker.work();
            }
        })
    });
    suite.scenario_with("beside an idle pool", |b| {
        b.setup(|()| idle_pool()).run(|_| vec![0_u8; 10])
    });
    suite.scenario_with("slow threads", |b| {
        b.scope(Scope::Process)
            .warm_up(0)
            .iterations(2)
            .untimed()
            .run(|()| {
                let call = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
                thread::scope(|scope| {
                    scope.spawn(|| SLOW.set(Some(Slow(call))));
                });
            })
    });
}

/// Threads that allocate as they begin, and then wait for work.
fn idle_pool() -> Vec<Sender<()>> {
    let thread = |_| {
        let (sender, receiver) = channel();
        thread::spawn(move || {
            for size in 1..100 {
                drop(black_box(vec![0_u8; size]));
            }
            let _ = receiver.recv();
        });
        sender
    };
    (0..4).map(thread).collect()
}

fn outside(scenario: &ScenarioRecord) -> &Outside {
    &scenario.outside
}

pub(crate) fn uncounted_operations_are_recorded_without_those_of_probes() {
    let (run, stream) = recorded("outside the counts", &["--bench", "excluded"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = Outside {
        uncounted: dropped(100, 100 * 64),
        uncounted_first: dropped(2, 64 + 7),
        ..Outside::default()
    };
    assert_eq!(outside(find(&stream, "excluded")), &expected);
    for scope in ["Thread", "Process"] {
        let scenario = find(&stream, &format!("excluded on threads, {scope}"));
        let expected = Outside {
            uncounted: dropped(60, 60 * 64),
            uncounted_first: dropped(3, 3 * 64),
            ..Outside::default()
        };
        assert_eq!(outside(scenario), &expected, "{scope}");
    }
    assert!(run.stdout.contains("| excluded ‡ "), "{}", run.stdout);
    let note = "\n‡ `uncounted` excluded operations, which are not in the table\n  \
                - excluded: 100 allocs, 100 deallocs in 100 iterations\n  \
                - excluded: 2 allocs, 2 deallocs in the first call\n";
    assert!(run.stdout.contains(note), "{}", run.stdout);
}

pub(crate) fn other_threads_in_the_first_call_are_recorded() {
    let (run, stream) = recorded("outside the counts", &["--bench", "pool"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pooled = find(&stream, "pooled in the first call");
    assert_eq!(pooled.foreign, Tally::default());
    assert_eq!(outside(pooled).foreign_first, dropped(1, 100));
    let note = "\n† other threads allocated meanwhile, which is not in the table; \
                `scope(Scope::Process)` counts them\n  \
                - pooled in the first call: 1 allocs, 1 deallocs in the first call\n";
    assert!(run.stdout.contains(note), "{}", run.stdout);
    // The beginnings of the pool's threads are not in the first call.
    let idle = find(&stream, "beside an idle pool");
    assert_eq!(idle.foreign, Tally::default());
    assert_eq!(outside(idle), &Outside::default());
    assert!(
        run.stdout.contains("| beside an idle pool  "),
        "{}",
        run.stdout
    );
}

pub(crate) fn threads_that_outlive_an_iteration_are_recorded() {
    let (run, stream) = recorded("outside the counts", &["--bench", "slow"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let slow = outside(find(&stream, "slow threads"));
    // Of two iterations of the counted pass, and two of the pass for the peak.
    assert_eq!((slow.still_running, slow.still_running_first), (4, 1));
    assert!(run.stdout.contains("| slow threads"), "{}", run.stdout);
    let note = "\n  - slow threads: 4 threads in 2 iterations\n  \
                - slow threads: 1 thread in the first call\n";
    assert!(run.stdout.contains("\n§ threads were still running"));
    assert!(run.stdout.contains(note), "{}", run.stdout);
}
