//! Outcomes of calls: the sums in the record, and the table that shows faults instead of
//! a time.

use std::hint::black_box;
use std::time::Duration;

use alloc_results::{Attempts, Counts, ScenarioRecord, Stream};
use alloc_scenario::{CallOutcome, Scope, Suite};

use crate::start::{failures, find, recorded, run_kind};

/// The kinds of benches.
pub(crate) const WELL: &str = "outcome";
pub(crate) const MISTAKEN: &str = "outcome mistaken";
pub(crate) const UNTIMED: &str = "outcome untimed";

/// The outcome of a call with two requests. Every third call has a fault.
fn every_third(call: &u64) -> CallOutcome {
    CallOutcome::new(2)
        .fault("null", u64::from(call % 3 == 0))
        .fault("late", 0)
}

fn next(calls: &mut u64) -> u64 {
    *calls += 1;
    *calls
}

/// An outcome that allocates and frees a mebibyte.
fn aside() -> CallOutcome {
    CallOutcome::new(black_box(vec![0_u8; 1 << 20]).len() as u64)
}

/// Scenarios with outcomes.
pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.scenario_with("third", |b| b.setup(|()| 0).run(next).outcome(every_third));
    suite.scenario_with("third outside", |b| {
        b.drop_outside()
            .setup(|()| 0)
            .run(next)
            .outcome(every_third)
    });
    suite.scenario_with("third of inputs", |b| {
        let calls = std::cell::Cell::new(0);
        b.input(move |()| {
            calls.set(calls.get() + 1);
            calls.get()
        })
        .run(|call: u64| call)
        .outcome(every_third)
    });
    suite.scenario_with("third in the process", |b| {
        b.scope(Scope::Process)
            .setup(|()| 0)
            .run(next)
            .outcome(every_third)
    });
    suite.scenario_with("third on threads", |b| {
        b.setup(|()| 0)
            .run_on_threads(|()| 4, next)
            .outcome(every_third)
    });
    suite.scenario_with("third on threads in the process", |b| {
        b.scope(Scope::Process)
            .drop_outside()
            .setup(|()| 0)
            .run_on_threads(|()| 2, next)
            .outcome(every_third)
    });
    suite.scenario_with("aside", |b| b.run(|()| ()).outcome(|()| aside()));
    suite.scenario_with("aside outside", |b| {
        b.drop_outside().run(|()| ()).outcome(|()| aside())
    });
    suite.scenario_with("aside in the process", |b| {
        b.scope(Scope::Process).run(|()| ()).outcome(|()| aside())
    });
    suite.scenario_with("aside on threads", |b| {
        b.scope(Scope::Process)
            .run_on_threads(|()| 2, |()| ())
            .outcome(|()| aside())
    });
    suite.scenario_with("both", |b| {
        b.note("as ordered")
            .run(|()| ())
            .outcome(|()| CallOutcome::new(50).fault("null", 2).fault("misaligned", 1))
    });
    // 111 calls are counted.
    suite.scenario_with("late", |b| {
        b.setup(|()| 0)
            .run(next)
            .outcome(|call| CallOutcome::new(1).fault("late", u64::from(*call > 111)))
    });
    suite.scenario_with("well", |b| {
        b.run(|()| ())
            .outcome(|()| CallOutcome::new(3).fault("null", 0))
    });
    suite.scenario_with("slow at first", |b| {
        b.setup(|()| 0).run(sleep_at_first).outcome(|()| {
            // The closure is not part of the call.
            CallOutcome::new(1)
        })
    });
    suite.scenario_with("slow at first outside", |b| {
        b.drop_outside().setup(|()| 0).run(sleep_at_first)
    });
    suite.scenario_with("slow at first on threads", |b| {
        b.setup(|()| 0).run_on_threads(|()| 2, sleep_at_first)
    });
}

/// Scenarios without a timed pass.
pub(crate) fn add_untimed(suite: &mut Suite<'_>) {
    suite.scenario_with("alone", |b| {
        b.untimed().setup(|()| 0).run(next).outcome(every_third)
    });
    suite.scenario_with("on threads", |b| {
        b.untimed()
            .setup(|()| 0)
            .run_on_threads(|()| 2, next)
            .outcome(every_third)
    });
}

pub(crate) fn without_a_timed_pass_there_is_no_time_and_no_further_call() {
    let (run, stream) = recorded(UNTIMED, &["--bench"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // The first call, 10 to warm up and 100 that are counted, of which 37 are a third
    // one, on each of one and of two threads.
    for (name, threads) in [("alone", 1), ("on threads", 2)] {
        let record = find(&stream, name);
        assert_eq!(record.time, None, "{name}");
        let outcome = record.outcome.as_deref().expect("it has one");
        assert_eq!(outcome.counted.requests, threads * 2 * 111, "{name}");
        assert_eq!(
            outcome.counted.faults,
            [("null".to_owned(), threads * 37)],
            "{name}"
        );
        assert_eq!(outcome.timed, Attempts::default(), "{name}");
    }
}

const SLEEP: Duration = Duration::from_millis(20);

fn sleep_at_first(calls: &mut u64) {
    if next(calls) == 1 {
        std::thread::sleep(SLEEP);
    }
}

pub(crate) fn add_mistaken(suite: &mut Suite<'_>) {
    suite.scenario_with("five kinds", |b| {
        b.run(|()| ()).outcome(|()| {
            ["a", "b", "c", "d", "e"]
                .into_iter()
                .fold(CallOutcome::new(1), |outcome, kind| outcome.fault(kind, 0))
        })
    });
    suite.scenario_with("five kinds on threads", |b| {
        b.setup(|()| 0)
            .run_on_threads(|()| 2, next)
            .outcome(|call| {
                CallOutcome::new(1).fault(["a", "b", "c", "d", "e"][*call as usize % 5], 1)
            })
    });
    suite.scenario_with("misnamed", |b| {
        b.run(|()| ())
            .outcome(|()| CallOutcome::new(1).fault("Null pointer", 0))
    });
    suite.scenario_with("requests without end", |b| {
        b.run(|()| ()).outcome(|()| CallOutcome::new(u64::MAX))
    });
    // 111 calls are counted, and 64 are enough for 2^60.
    suite.scenario_with("too many faults", |b| {
        b.run(|()| ())
            .outcome(|()| CallOutcome::new(1).fault("null", 1 << 54))
    });
    suite.scenario_with("panics at the outcome", |b| {
        b.run(|()| ()).outcome(|()| panic!("no outcome"))
    });
}

/// The number of calls in the timed pass: one call that decides the batch size, and the
/// batches.
fn timed_calls(record: &ScenarioRecord) -> u64 {
    let time = record.time.as_ref().expect("it is timed");
    1 + time.batch * time.nanoseconds.len() as u64
}

/// The sum of `every_third` for calls `after + 1` to `after + calls`, on each of
/// `threads` threads.
fn thirds(after: u64, calls: u64, threads: u64) -> Attempts {
    let null = (after + calls) / 3 - after / 3;
    Attempts {
        requests: 2 * calls * threads,
        faults: [(String::from("null"), null * threads)].into(),
    }
}

fn outcome<'s>(stream: &'s Stream, name: &str) -> &'s alloc_results::OutcomeRecord {
    let outcome = find(stream, name).outcome.as_deref();
    outcome.expect("the scenario reports it")
}

pub(crate) fn outcomes_of_every_call_of_every_pass_are_summed() {
    let (run, stream) = recorded(WELL, &["--bench", "third"], &[]);
    // Faults fail nothing here.
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(stream.scenarios.len(), 6);
    // One call that is cold, ten of warm-up, a hundred that are counted; and in the
    // process a hundred more for the peak.
    for (name, threads, calls) in [
        ("third", 1, 111),
        ("third outside", 1, 111),
        ("third of inputs", 1, 111),
        ("third in the process", 1, 211),
        ("third on threads", 4, 111),
        ("third on threads in the process", 2, 211),
    ] {
        let outcome = outcome(&stream, name);
        assert_eq!(outcome.counted, thirds(0, calls, threads), "{name}");
        let timed = timed_calls(find(&stream, name));
        assert_eq!(outcome.timed, thirds(calls, timed, threads), "{name}");
    }
    // 111 calls with 37 multiples of 3 among them.
    let counted = &outcome(&stream, "third").counted;
    assert_eq!(counted.requests, 222);
    assert_eq!(counted.faults, [("null".to_owned(), 37)]);
    let (_, stream) = recorded(WELL, &["--bench", "empty"], &[]);
    assert_eq!(find(&stream, "empty").outcome, None);
}

pub(crate) fn taking_an_outcome_is_not_counted() {
    let (_, stream) = recorded(WELL, &["--bench", "aside"], &[]);
    assert_eq!(stream.scenarios.len(), 4);
    for record in &stream.scenarios {
        let name = &record.name;
        assert_eq!(record.first.counts, Counts::default(), "{name}");
        assert_eq!(record.samples.len(), 1, "{name}");
        assert_eq!(record.samples[0].reading.counts, Counts::default());
        assert_eq!(record.foreign, Counts::default(), "{name}");
        let peak = record.peak_pass.as_ref();
        let peaks = peak.map(|pass| pass.samples.iter().map(|sample| sample.peak_bytes));
        assert!(peaks.into_iter().flatten().all(|peak| peak == 0), "{name}");
        let calls = if peak.is_some() { 211 } else { 111 };
        let requests = outcome(&stream, name).counted.requests;
        assert_eq!(requests, calls * record.threads * (1 << 20), "{name}");
    }
    assert_eq!(
        find(&stream, "aside").samples[0].reading.peak_bytes,
        Some(0)
    );
}

pub(crate) fn faults_are_shown_instead_of_the_time() {
    let run = run_kind(WELL, &["--bench", "--exact", "third", "both"], &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        run.stdout,
        "
| scenario | iters | allocs/op | bytes/op | deallocs/op | reallocs/op | peak bytes |                                     ns/op |
|----------|------:|----------:|---------:|------------:|------------:|-----------:|------------------------------------------:|
| third    |   100 |      0.00 |        0 |        0.00 |        0.00 |          0 |                          FAIL 37/222 null |
| both     |   100 |      0.00 |        0 |        0.00 |        0.00 |          0 | FAIL 111/5,550 misaligned, 222/5,550 null |

FAIL 37/222 null: third

FAIL 111/5,550 misaligned, 222/5,550 null: both

both: as ordered
2 scenarios measured, 25 filtered out
"
    );
    let (run, stream) = recorded(WELL, &["--bench", "--exact", "late"], &[]);
    let timed = &outcome(&stream, "late").timed;
    assert_eq!(timed.faults, [("late".to_owned(), timed.requests)]);
    let calls = alloc_results::integer(timed.requests.into());
    let note = format!("\n\nFAIL {calls}/{calls} late: late\n");
    assert!(run.stdout.contains(&note), "{}", run.stdout);
    let (run, stream) = recorded(WELL, &["--bench", "--exact", "well"], &[]);
    let well = outcome(&stream, "well");
    assert_eq!((well.counted.requests, well.counted.faults.len()), (333, 0));
    assert!(!run.stdout.contains("FAIL"), "{}", run.stdout);
}

pub(crate) fn outcomes_that_can_not_be_recorded_fail_their_scenario() {
    let names = ["--bench", "five", "misnamed", "without end", "too many"];
    let (run, stream) = recorded(MISTAKEN, &names, &[]);
    assert_eq!(run.code, Some(101));
    assert_eq!(stream.scenarios, []);
    assert_eq!(
        failures(&stream),
        [
            (
                "five kinds",
                "the outcome has more than 4 kinds of faults: `a`, `b`, `c`, `d`, `e`"
            ),
            (
                "five kinds on threads",
                // The first call has the second of them.
                "the outcome has more than 4 kinds of faults: `b`, `c`, `d`, `e`, `a`"
            ),
            (
                "misnamed",
                "`Null pointer` is not a valid name for a kind of fault; use at most 64 lower-case \
                 letters, digits and hyphens, and start with a letter"
            ),
            (
                "requests without end",
                "the sum of all outcomes has more than 2^60 requests, the most that can be recorded"
            ),
            (
                "too many faults",
                "the sum of all outcomes has more than 2^60 null, the most that can be recorded"
            ),
        ]
    );
}

pub(crate) fn the_smoke_test_takes_the_outcome() {
    let run = run_kind(WELL, &["--exact", "both"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("\ntest both ... ok\n"));
    let run = run_kind(
        MISTAKEN,
        &["--exact", "five kinds", "panics at the outcome"],
        &[],
    );
    assert_eq!(run.code, Some(101));
    assert!(
        run.stdout.contains(
            "\nrunning 2 tests\ntest five kinds ... FAILED\ntest panics at the outcome ... \
             FAILED\n\ntest result: FAILED. 0 passed; 2 failed; 0 ignored; "
        ),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("outcome.rs:"), "{}", run.stderr);
    assert!(
        run.stderr
            .contains(") the outcome has more than 4 kinds of faults: `a`, `b`, `c`, `d`, `e`\n"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("panicked: no outcome"));
}

/// A sleep takes the requested time or longer.
pub(crate) fn the_first_call_is_timed() {
    let (_, stream) = recorded(WELL, &["--bench", "slow at first"], &[]);
    assert_eq!(stream.scenarios.len(), 3);
    for record in &stream.scenarios {
        let first = record.time.as_ref().expect("it is timed").first;
        let least = SLEEP.as_nanos() as u64;
        assert!(first >= least, "{}: {first}", record.name);
    }
}
