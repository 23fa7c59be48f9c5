//! Tests of the metrics of sizes and of the first operations. The expected numbers follow
//! from the requested sizes.

use std::hint::black_box;

use alloc_results::{CustomFigure, ScenarioRecord, Unit};
use alloc_scenario::{Scope, Suite};

use crate::start::{find, recorded, run_kind};

/// The kind of bench with these scenarios.
pub(crate) const KIND: &str = "sizes";

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.warm_up(2).iterations(10);
    // Grows to 1 MiB by reallocations: from 16 KiB, doubled six times.
    suite.scenario("grown", || {
        let mut grown = Vec::<u8>::with_capacity(16 << 10);
        for doubling in 15..=20 {
            grown.reserve_exact(1 << doubling);
        }
        grown.shrink_to(100);
        black_box(grown)
    });
    // Calls 4 to 13 are counted, of which 10 has the large block.
    let mut calls = 0;
    suite.scenario("rarely", move || {
        calls += 1;
        black_box(vec![0_u8; if calls == 10 { 100_000 } else { 10 }])
    });
    suite.scenario_with("process", |b| {
        b.scope(Scope::Process).run(|()| {
            let worker = std::thread::spawn(|| drop(black_box(vec![1_u8; 200_000])));
            worker.join().expect("it does not panic");
            black_box(vec![1_u8; 70_000])
        })
    });
    for (name, scope) in [("team", Scope::Thread), ("process team", Scope::Process)] {
        suite.scenario_with(name, move |b| {
            b.scope(scope)
                .input(|()| vec![1_u8; 500_000])
                .run_on_threads(|()| 3, |input| black_box(input[..80_000].to_vec()))
        });
    }
    suite.scenario_with("fresh", |b| {
        b.fresh_process().run(|()| black_box(vec![1_u8; 65_537]))
    });
    suite.scenario("nothing", || ());
}

const ASKED: (&str, &str) = (
    "ALLOC_GATE_METRICS",
    "largest-block,allocs-over-64KiB,allocs-over-1MiB",
);

fn figure<'r>(record: &'r ScenarioRecord, name: &str) -> &'r CustomFigure {
    let figure = record.custom_figure(name);
    figure.unwrap_or_else(|| panic!("{name} of {}", record.name))
}

pub(crate) fn sizes_are_measured_where_they_are_asked_for() {
    let (run, stream) = recorded(KIND, &["--bench"], &[ASKED]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // The largest block, and the requests over 64 KiB and over 1 MiB, in an iteration.
    for (name, largest, over_64_kib, over_1_mib) in [
        // 128 KiB, 256 KiB, 512 KiB and 1 MiB.
        ("grown", 1 << 20, 4, 0),
        ("process", 200_000, 2, 0),
        // Inputs are made outside of the iterations.
        ("team", 80_000, 3, 0),
        ("process team", 80_000, 3, 0),
        ("fresh", 65_537, 1, 0),
        ("nothing", 0, 0, 0),
    ] {
        let record = find(&stream, name);
        for (metric, unit, value) in [
            ("largest-block", Unit::Bytes, largest),
            ("allocs-over-64KiB", Unit::Count, over_64_kib),
            ("allocs-over-1MiB", Unit::Count, over_1_mib),
        ] {
            let expected = CustomFigure::new(unit, value, [(value, record.iterations)]);
            assert_eq!(
                Some(figure(record, metric)),
                expected.as_ref(),
                "{name} {metric}"
            );
        }
    }
    let rarely = find(&stream, "rarely");
    let expected = CustomFigure::new(Unit::Bytes, 10, [(10, 9), (100_000, 1)]);
    assert_eq!(Some(figure(rarely, "largest-block")), expected.as_ref());
    let expected = CustomFigure::new(Unit::Count, 0, [(0, 9), (1, 1)]);
    assert_eq!(Some(figure(rarely, "allocs-over-64KiB")), expected.as_ref());
}

pub(crate) fn nobody_asks_for_sizes_and_no_other_figure_changes() {
    let kind = [ASKED, ("ALLOC_GATE_METRICS", "allocs-over-1MiB")];
    let (_, asked) = recorded(KIND, &["--bench", "--skip", "process"], &kind[..1]);
    let (_, other) = recorded(KIND, &["--bench", "--skip", "process"], &kind[1..]);
    let (_, plain) = recorded(KIND, &["--bench", "--skip", "process"], &[]);
    for name in ["grown", "rarely", "team", "fresh", "nothing"] {
        let [asked, other, plain] = [&asked, &other, &plain].map(|stream| find(stream, name));
        assert_eq!(plain.custom().count(), 0, "{name}");
        let names: Vec<_> = other.custom().map(|(name, _)| name).collect();
        assert_eq!(names, ["allocs-over-1MiB"], "{name}");
        assert_eq!(
            (&asked.first, &asked.samples),
            (&plain.first, &plain.samples)
        );
        assert_eq!(asked.first_operations, plain.first_operations);
    }
}

pub(crate) fn wrong_names_of_sizes_fail_the_bench() {
    let run = run_kind(
        KIND,
        &["--bench"],
        &[("ALLOC_GATE_METRICS", "allocs-over-0x")],
    );
    assert_eq!(run.code, Some(101));
    assert!(
        run.stderr.contains(
            "ALLOC_GATE_METRICS names a metric that is unknown to this bench: `allocs-over-0x` does \
             not end with a size"
        ),
        "{}",
        run.stderr
    );
}

pub(crate) fn the_first_operations_are_those_of_the_first_counted_iteration() {
    let (_, stream) = recorded(KIND, &["--bench", "--skip", "fre"], &[]);
    let first = |name| {
        find(&stream, name)
            .first_operations
            .as_deref()
            .map(String::as_str)
    };
    assert_eq!(
        first("grown"),
        Some(
            "alloc 16384, grow 16384 -> 32768, grow 32768 -> 65536, grow 65536 -> 131072, grow \
             131072 -> 262144, grow 262144 -> 524288, grow 524288 -> 1048576, shrink 1048576 -> \
             100, dealloc 100"
        )
    );
    assert_eq!(first("rarely"), Some("alloc_zeroed 10, dealloc 10"));
    assert_eq!(first("nothing"), Some("none"));
    // Those of the thread that runs the body.
    let process = first("process").expect("one thread runs the body");
    assert!(process.contains("alloc 70000"), "{process}");
    assert!(!process.contains("200000"), "{process}");
    assert_eq!(first("team"), None);
}
