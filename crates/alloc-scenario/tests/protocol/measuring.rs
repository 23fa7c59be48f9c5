//! Tests of the measurements, the records and the table.

use alloc_results::{Distribution, Mode, Reading, Sample, Tally};
use alloc_scenario::{Scope, Suite};

use crate::start::{NAMES, allocated, dropped, find, recorded, run, run_kind};

pub(crate) fn without_a_timed_pass_the_counts_are_the_same() {
    let [timed, untimed] = [&[][..], &[("ALLOC_GATE_UNTIMED", "1")]].map(|variables| {
        let (_, mut stream) = recorded("plain", &["--bench", "sorted"], variables);
        let scenarios = stream.scenarios.iter_mut();
        let times: Vec<_> = scenarios.map(|one| one.time.take().is_some()).collect();
        (times, stream.scenarios)
    });
    assert_eq!(timed.1, untimed.1);
    assert_eq!((timed.0, untimed.0), (vec![true; 2], vec![false; 2]));
}

pub(crate) fn every_kind_of_scenario_is_measured_exactly() {
    let (run, stream) = recorded("plain", &["--bench"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let names: Vec<_> = stream.scenarios.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, NAMES);
    assert!(stream.environment.registered.is_empty());
    assert_eq!(stream.environment.allocator, "std::alloc::System");
    assert_eq!(stream.environment.bench.package, "sample");
    assert_eq!(stream.environment.bench.target, "protocol");
    assert_eq!(stream.environment.debug_assertions, cfg!(debug_assertions));
    assert!(stream.environment.rustc.starts_with("rustc 1."));

    let empty = find(&stream, "empty");
    assert_eq!(empty.samples, constant(reading(Tally::default(), 0), 100));
    assert_eq!(empty.first, reading(Tally::default(), 0));
    assert_eq!((empty.warmup, empty.iterations), (10, 100));
    assert!(empty.location.file.ends_with("tests/protocol/sample.rs"));

    let clone = find(&stream, "clone (String, 5 chars)");
    assert_eq!(clone.samples, constant(freed(5), 100));
    assert_eq!(clone.group.as_deref(), Some("clone"));

    let outside = find(&stream, "outside");
    let kept = reading(allocated(1, 8), 8);
    assert_eq!(outside.samples, constant(kept, 100));

    let sorted = find(&stream, "sorted/rows=100");
    assert_eq!(sorted.samples, constant(freed(400), 100));
    assert_eq!(
        (sorted.work.elements, sorted.work.bytes),
        (Some(100), Some(400))
    );
    let rows = sorted.custom_metric("rows").expect("it is measured");
    assert_eq!((rows.first, rows.samples.total()), (100, 10_000));

    let consumed = find(&stream, "consumed");
    let counts = Tally {
        deallocs: 1,
        freed_bytes: 64,
        ..Tally::default()
    };
    assert_eq!(consumed.samples, constant(reading(counts, 0), 100));
    assert!(consumed.note.is_some());

    // Calls 12 to 111 are counted. Calls 20, 30, ... 110 allocate.
    let tenth = find(&stream, "every tenth");
    assert_eq!(
        tenth.samples,
        [
            Sample {
                reading: reading(Tally::default(), 0),
                times: 90
            },
            Sample {
                reading: freed(4),
                times: 10
            },
        ]
    );

    let worker = find(&stream, "worker");
    let unpeaked = Reading {
        peak_bytes: None,
        ..freed(100)
    };
    assert_eq!(worker.samples, constant(unpeaked, 100));
    assert_eq!(worker.foreign.allocs, 100);
    assert_eq!(worker.mode, Some(Mode::Counting));
    let pass = worker.peak_pass.as_ref().expect("process scope has one");
    assert_eq!(pass.mode, Mode::ProcessPeak);
    assert_eq!(Distribution::new([(100, 100)]), Some(pass.samples.clone()));
    let alone = find(&stream, "empty");
    assert_eq!(
        (alone.mode, &alone.peak_pass),
        (Some(Mode::ThreadPeak), &None)
    );

    for threads in [1, 4] {
        let scaled = find(&stream, &format!("scaled/threads={threads}"));
        let sum = Reading {
            counts: dropped(threads, 10 * threads),
            peak_bytes: None,
        };
        assert_eq!(scaled.samples, constant(sum, 20));
        assert_eq!(scaled.threads, threads);
        assert_eq!(scaled.foreign, Tally::default());
    }
    assert!(stream.scenarios.iter().all(|s| s.time.is_some()));
}

/// A scenario in which each thread gets a vector, frees it in its call, and returns a box.
pub(crate) fn add_handed_over(suite: &mut Suite<'_>) {
    for scope in [Scope::Thread, Scope::Process] {
        suite.scenario_with(&format!("handed over, {scope:?}"), |b| {
            b.scope(scope)
                .drop_outside()
                .input(|()| vec![0_u8; 64])
                .run_on_threads(
                    |()| 3,
                    |input| {
                        drop(input);
                        Box::new(7_u64)
                    },
                )
        });
    }
}

pub(crate) fn inputs_and_outputs_of_threads_are_not_counted() {
    let (_, stream) = recorded("handed over", &["--bench", "handed over"], &[]);
    let counts = Tally {
        freed_bytes: 3 * 64,
        ..dropped(3, 3 * 8)
    };
    for scope in ["Thread", "Process"] {
        let scenario = find(&stream, &format!("handed over, {scope}"));
        let sum = Reading {
            counts,
            peak_bytes: None,
        };
        assert_eq!(scenario.samples, constant(sum, 100), "{scope}");
        assert_eq!(scenario.foreign, Tally::default(), "{scope}");
    }
}

pub(crate) fn the_table_shows_ranges_that_a_mean_hides() {
    let run = run(&["--bench", "clone", "every tenth", "consumed"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let columns = "| scenario                | iters | allocs/op | bytes/op | deallocs/op | reallocs/op | \
                   peak bytes |";
    assert!(
        lines[1].starts_with(columns) && lines[1].ends_with(" ns/op |"),
        "{}",
        lines[1]
    );
    for (line, begin) in [
        (
            3,
            "| clone (String, 5 chars) |   100 |      1.00 |        5 |        1.00 |        0.00 |",
        ),
        (4, "| clone (a\\|b)            |   100 |      0.00 |"),
        (
            6,
            "| every tenth *           |   100 |      0.10 |      0.4 |        0.10 |",
        ),
    ] {
        assert!(lines[line].starts_with(begin), "{}", lines[line]);
    }
    assert_eq!(
        lines[7..],
        [
            "",
            "\\* not deterministic: the iterations differed, and the table has means",
            "  - every tenth: allocs 0 to 1, bytes 0 to 4, deallocs 0 to 1, \
             peak-bytes 0 to 4",
            "",
            "consumed: the input is freed by the operation",
            "4 scenarios measured, 7 filtered out",
        ]
    );
}

pub(crate) fn a_panic_is_reported_by_name_and_the_others_still_run() {
    let (run, stream) = recorded("panicking", &["--bench"], &[]);
    assert_eq!(run.code, Some(101));
    assert_eq!(stream.scenarios.len(), NAMES.len() + 1);
    assert_eq!(stream.scenarios[NAMES.len()].name, "after");
    let failures: Vec<_> = stream
        .failures
        .iter()
        .map(|failure| {
            let message = failure.message.split(" (at ").next().expect("a message");
            (failure.name.as_str(), message)
        })
        .collect();
    assert_eq!(
        failures,
        [
            ("broken", "panicked: no bread today"),
            (
                "unverified",
                "panicked: assertion `left == right` failed\n  left: 1\n right: 2"
            ),
            ("panics on a thread", "panicked: thread of a team"),
            (
                "no iterations",
                "the number of iterations is zero; set it to at least one"
            ),
            (
                "negative",
                "`elements` or `bytes` returned a number that is negative or too large"
            ),
        ]
    );
    assert!(run.stdout.contains("| after "));
    assert!(run.stderr.contains("error: scenario `broken` (at "));
    let smoke = run_kind("panicking", &["broken"], &[]);
    assert_eq!(smoke.code, Some(101));
    let failed = "test broken ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed;";
    assert!(smoke.stdout.contains(failed), "{}", smoke.stdout);
}

fn reading(counts: Tally, peak: u64) -> Reading {
    Reading {
        counts,
        peak_bytes: Some(peak),
    }
}

fn freed(bytes: u64) -> Reading {
    reading(dropped(1, bytes), bytes)
}

fn constant(reading: Reading, times: u64) -> Vec<Sample> {
    vec![Sample { reading, times }]
}
