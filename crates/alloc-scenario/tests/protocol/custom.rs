//! Metrics of a scenario's own. The values follow from the code, and taking
//! them is not counted.

use std::hint::black_box;

use alloc_results::{Distribution, Sample, Tally, Unit};
use alloc_scenario::{Scope, Suite};

use crate::start::{allocated, dropped, failures, find, recorded, run_kind};

/// Bytes that a metric allocates and frees while it is read.
const ASIDE: i64 = 1 << 20;

fn look_at_length(_: &u64) -> i64 {
    let kept = black_box(vec![0_u8; ASIDE as usize]);
    kept.len() as i64
}

/// Scenarios of every kind with metrics of their own.
pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.scenario_with("calls", |b| {
        b.setup(|()| 0_i64)
            .run(|calls| {
                *calls += 1;
                *calls
            })
            .metric("calls", Unit::Count, |calls| *calls)
            .metric("below-zero", Unit::Bytes, |_| -3)
    });
    suite.scenario_with("looked at", |b| {
        b.run(|()| Box::new(7_u64))
            .metric("aside", Unit::Bytes, |seven| look_at_length(seven))
    });
    suite.scenario_with("looked at outside", |b| {
        b.drop_outside()
            .run(|()| Box::new(7_u64))
            .metric("aside", Unit::Bytes, |seven| look_at_length(seven))
    });
    suite.scenario_with("looked at in the process", |b| {
        b.scope(Scope::Process)
            .run(|()| Box::new(7_u64))
            .metric("aside", Unit::Bytes, |seven| look_at_length(seven))
    });
    suite.scenario_with("looked at on threads", |b| {
        b.axis("rows", [3_usize, 5])
            .drop_outside()
            .input(|&rows| rows)
            .run_on_threads(|_| 4, |rows| Box::new(rows as u64))
            .metric("rows", Unit::Count, |rows| {
                look_at_length(rows);
                **rows as i64
            })
    });
    suite.scenario_with("panics when looked at", |b| {
        b.run(|()| ())
            .metric("none", Unit::Count, |()| panic!("nothing to see"))
    });
}

pub(crate) fn add_too_large(suite: &mut Suite<'_>) {
    suite.scenario_with("in sum", |b| {
        b.iterations(2)
            .run(|()| ())
            .metric("sum", Unit::Count, |()| i64::MAX / 2 + 1)
    });
    suite.scenario_with("on threads", |b| {
        b.iterations(1)
            .run_on_threads(|()| 2, |()| ())
            .metric("most", Unit::Count, |()| i64::MAX)
    });
}

pub(crate) fn add_twice(suite: &mut Suite<'_>) {
    suite.scenario_with("parse", |b| {
        b.run(|()| ())
            .metric("rows", Unit::Count, |()| 1)
            .metric("rows", Unit::Count, |()| 2)
    });
}

pub(crate) fn each_iteration_and_the_first_call_have_a_value() {
    let (_, stream) = recorded("custom", &["--bench", "calls"], &[]);
    let record = find(&stream, "calls");
    let names: Vec<_> = record.metrics.iter().map(|metric| &metric.name).collect();
    assert_eq!(names, ["below-zero", "calls"]);
    let calls = record.custom_metric("calls").expect("it is measured");
    assert_eq!((calls.unit, calls.first), (Unit::Count, 1));
    // Calls 12 to 111 are counted, after one that is cold and ten of warm-up.
    let values: Vec<_> = calls.samples.values().collect();
    let expected: Vec<(i128, u64)> = (12..=111).map(|call| (call, 1)).collect();
    assert_eq!(values, expected);
    assert_eq!(calls.samples.total(), 6_150);
    let below = record.custom_metric("below-zero").expect("it is measured");
    assert_eq!((below.unit, below.first), (Unit::Bytes, -3));
    assert_eq!(below.samples.total(), -300);
    assert!(!record.is_deterministic());
}

pub(crate) fn reading_a_metric_is_not_counted() {
    let (_, stream) = recorded("custom", &["--bench", "looked at"], &[]);
    let (kept, freed) = (allocated(1, 8), dropped(1, 8));
    for (name, counts, peak) in [
        ("looked at", freed, Some(8)),
        ("looked at outside", kept, Some(8)),
        ("looked at in the process", freed, None),
    ] {
        let record = find(&stream, name);
        assert_eq!(record.first.counts, counts, "{name}");
        let [Sample { reading, times }] = &record.samples[..] else {
            panic!("{name}: {:?}", record.samples);
        };
        assert_eq!((reading.counts, *times), (counts, 100), "{name}");
        assert_eq!(reading.peak_bytes, peak, "{name}");
        assert_eq!(record.foreign, Tally::default(), "{name}");
        let aside = record.custom_metric("aside").expect("it is measured");
        assert_eq!(aside.first, ASIDE, "{name}");
        assert_eq!(aside.samples.min(), i128::from(ASIDE), "{name}");
        assert_eq!(aside.samples.total(), 100 * i128::from(ASIDE));
        assert!(record.is_deterministic(), "{name}");
    }
    let pass = &find(&stream, "looked at in the process").peak_pass;
    let peaks = &pass.as_ref().expect("process scope has one").samples;
    assert_eq!(Distribution::new([(8, 100)]).as_ref(), Some(peaks));
}

pub(crate) fn on_threads_a_metric_is_the_sum_over_them() {
    let (_, stream) = recorded("custom", &["--bench", "on threads"], &[]);
    for rows in [3, 5] {
        let record = find(&stream, &format!("looked at on threads/rows={rows}"));
        let counts = allocated(4, 4 * 8);
        assert_eq!(record.first.counts, counts);
        assert_eq!(record.samples.len(), 1);
        assert_eq!(record.samples[0].reading.counts, counts);
        assert_eq!(record.foreign.allocs, 0);
        let metric = record.custom_metric("rows").expect("it is measured");
        assert_eq!(metric.first, 4 * rows);
        let values: Vec<_> = metric.samples.values().collect();
        assert_eq!(values, [(i128::from(4 * rows), 100)]);
    }
}

pub(crate) fn own_metrics_have_a_table_of_their_own() {
    let run = run_kind("custom", &["--bench", "calls", "clone"], &[]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[1].ends_with(" ns/op |"), "{}", run.stdout);
    assert_eq!(
        lines[6..],
        [
            "",
            "| scenario | metric             | per op | min | max | first |",
            "|----------|--------------------|-------:|----:|----:|------:|",
            "| calls    | below-zero [bytes] |     -3 |  -3 |  -3 |    -3 |",
            "| calls    | calls [count]      |   61.5 |  12 | 111 |     1 |",
            "",
            "\\* not deterministic: the iterations differed, and the table has means",
            "  - calls: calls 12 to 111",
            "3 scenarios measured, 15 filtered out",
        ]
    );
}

pub(crate) fn a_metric_past_64_bits_fails_its_scenario() {
    let (run, stream) = recorded(
        "custom too large",
        &["--bench", "in sum", "on threads"],
        &[],
    );
    assert_eq!(run.code, Some(101));
    let message = |name| {
        format!("the metric `{name}` does not fit 64 bits, in one iteration or in their sum")
    };
    assert_eq!(
        failures(&stream),
        [
            ("in sum", &*message("sum")),
            ("on threads", &*message("most"))
        ]
    );
}

pub(crate) fn names_that_rules_could_not_use_are_refused_by_scenario() {
    for arguments in [&["--bench"][..], &[], &["--list"]] {
        let run = run_kind("custom twice", arguments, &[]);
        assert_eq!(run.code, Some(101));
        let begin = "error: the scenario `parse` (at ";
        let end = ") can't be measured: the metric `rows` is defined twice\n";
        let is_expected = run.stderr.starts_with(begin) && run.stderr.ends_with(end);
        assert!(is_expected, "{}", run.stderr);
    }
}

pub(crate) fn the_smoke_test_reads_each_metric_once() {
    let run = run_kind("custom", &["calls", "looked at"], &[]);
    let failed =
        "test panics when looked at ... FAILED\n\ntest result: FAILED. 6 passed; 1 failed;";
    assert!(run.stdout.contains(failed), "{}", run.stdout);
    assert!(run.stderr.contains("nothing to see"), "{}", run.stderr);
}
