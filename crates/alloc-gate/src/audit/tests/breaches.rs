//! The smallest breach for each metric, statistic and limit. The expectations were
//! computed by hand.

use alloc_results::{Mode, PeakPass, PeakSample, Ratio};

use crate::audit::tests::{ALL, audited, gate};
use crate::audit::{AuditStatus, Figure, Found, Inconclusive, audit};
use crate::evaluation::Verdict;
use crate::results::Measurements;
use crate::rules::Config;
use crate::tests::inputs;
use sample_results::streams;

/// The breaches of the only comparison on the only scenario, a line for each
/// direction: the figures before and after, and the number of iterations.
pub(super) fn breaches(keys: &str, results: &str) -> Vec<String> {
    let audit = audited(&gate(keys), results, results);
    let rule = &audit.gates[0].rules[0];
    let proof = &rule.comparisons[0].proofs[0];
    assert_eq!(proof.found, Found::Caught, "{keys}: {proof:?}");
    let shown = |figure| match figure {
        Figure::Value(value) => match value.as_whole() {
            Some(whole) => whole.to_string(),
            None => format!("{}/{}", value.numerator(), value.denominator()),
        },
        Figure::Growth(class) => class.to_string(),
    };
    let breaches = proof.breaches.iter().map(|breach| {
        assert_eq!(breach.verdict, Verdict::Fail);
        let (before, after) = (shown(breach.before), shown(breach.after));
        format!("{before} -> {after} in {}", breach.changed)
    });
    breaches.collect()
}

#[test]
fn a_limit_beside_another_scenario_is_broken_just_beyond_it() {
    let results = "a: 1 x allocs=2\nb: 1 x allocs=10";
    for (rule, expected) in [
        ("<= [b] + 2", &["2 -> 13 in 1"][..]),
        ("< [b] + 2", &["2 -> 12 in 1"]),
        ("<= 0.5 * [b] + 50%", &["2 -> 8 in 1"]),
        (">= 0.5 * [b] - 4", &["2 -> 0 in 1"]),
        ("== 0.5 * [b] - 3", &["2 -> 3 in 1", "2 -> 1 in 1"]),
        (
            "== 0.5 * [b] ± max(10%, 3)",
            &["2 -> 9 in 1", "2 -> 1 in 1"],
        ),
    ] {
        let keys = format!("exclude = [\"b\"]\nallocs = \"{rule}\"");
        assert_eq!(breaches(&keys, results), expected, "{rule}");
    }
}

#[test]
fn every_metric_is_broken_by_one_more_in_one_iteration() {
    for (rule, expected) in [
        ("allocs = { max = \"<= 3\" }", "3 -> 4 in 1"),
        ("bytes = { max = \"<= 48\" }", "48 -> 49 in 1"),
        ("deallocs = { max = \"<= 2\" }", "2 -> 3 in 1"),
        ("freed-bytes = { max = \"<= 36\" }", "36 -> 37 in 1"),
        ("reallocs = { max = \"<= 3\" }", "3 -> 4 in 1"),
        ("grows = { max = \"<= 1\" }", "1 -> 2 in 1"),
        ("shrinks = { max = \"<= 2\" }", "2 -> 3 in 1"),
        ("alloc-calls = { max = \"<= 6\" }", "6 -> 7 in 1"),
        ("net-bytes = { max = \"<= 12\" }", "12 -> 13 in 1"),
        ("net-blocks = { max = \"<= 1\" }", "1 -> 2 in 1"),
        ("peak-bytes = { max = \"<= 48\" }", "48 -> 49 in 1"),
        ("failed = { max = \"<= 1\" }", "1 -> 2 in 1"),
        ("native-allocs = { max = \"<= 4\" }", "4 -> 5 in 1"),
        ("native-bytes = { max = \"<= 15\" }", "15 -> 16 in 1"),
        ("foreign-allocs = { total = \"<= 20\" }", "20 -> 21 in 1"),
        ("foreign-allocs = \"<= 2\"", "2 -> 21/10 in 1"),
        ("foreign-allocs = { first = \"<= 6\" }", "6 -> 7 in 1"),
        ("uncounted-allocs = \"<= 3\"", "3 -> 31/10 in 1"),
        ("uncounted-allocs = { first = \"== 0\" }", "0 -> 1 in 1"),
        ("faults = \"<= 3\"", "3 -> 4 in 1"),
        ("faults = { total = \">= 1\" }", "3 -> 0 in 1"),
        ("rows = { max = \"<= 7\" }", "7 -> 8 in 1"),
        ("rows = { first = \"<= 9\" }", "9 -> 10 in 1"),
        // Lower limits, in the worst iteration.
        ("alloc-calls = { min = \">= 6\" }", "6 -> 5 in 1"),
        ("net-bytes = { min = \">= 12\" }", "12 -> 11 in 1"),
        ("net-bytes = { min = \">= -40\" }", "12 -> -41 in 1"),
        ("net-blocks = { min = \"> -40\" }", "1 -> -40 in 1"),
        ("freed-bytes = { min = \"> 3\" }", "36 -> 3 in 1"),
        ("rows = { min = \">= -9\" }", "7 -> -10 in 1"),
        ("peak-bytes = { min = \"> 0\" }", "48 -> 0 in 1"),
    ] {
        assert_eq!(breaches(rule, ALL), [expected], "{rule}");
    }
}

#[test]
fn every_statistic_is_broken_in_as_few_iterations_as_possible() {
    // 90 iterations of 2, 9 of 4, 1 of 5: 221 in total.
    let results = "a: 90 x allocs=2; 9 x allocs=4; 1 x allocs=5 | first allocs=8 | elements=2";
    for (rule, expected) in [
        ("\"<= 2.21\"", "221/100 -> 111/50 in 1"),
        ("\"< 2.215\"", "221/100 -> 111/50 in 1"),
        ("\"< 2.22\"", "221/100 -> 111/50 in 1"),
        ("\"< 5\"", "221/100 -> 5 in 1"),
        // 122 fewer than 221: the one of 5, the nine of 4, and 41 of those of 2.
        ("\">= 1\"", "221/100 -> 99/100 in 51"),
        ("{ total = \"<= 300\" }", "221 -> 301 in 1"),
        ("{ total = \">= 221\" }", "221 -> 220 in 1"),
        ("{ max = \"< 9\" }", "5 -> 9 in 1"),
        ("{ max = \">= 5\" }", "5 -> 4 in 1"),
        ("{ max = \">= 3\" }", "5 -> 2 in 10"),
        ("{ min = \">= 2\" }", "2 -> 1 in 1"),
        ("{ min = \"<= 2\" }", "2 -> 3 in 90"),
        ("{ min = \"<= 4\" }", "2 -> 5 in 99"),
        // The 50th of 100: 51 values have to be above, and 10 are.
        ("{ p50 = \"<= 2\" }", "2 -> 3 in 41"),
        ("{ p50 = \">= 2\" }", "2 -> 1 in 50"),
        // The 99th of 100: two values have to be above, and one is.
        ("{ p99 = \"<= 4\" }", "4 -> 5 in 1"),
        ("{ p99 = \">= 4\" }", "4 -> 3 in 9"),
        ("{ first = \"<= 8\" }", "8 -> 9 in 1"),
        ("{ first = \"> 2\" }", "8 -> 2 in 1"),
        // 200 elements in total.
        ("{ per-element = \"<= 2\" }", "221/200 -> 401/200 in 1"),
        ("{ per-element = \"< 1.11\" }", "221/200 -> 111/100 in 1"),
    ] {
        assert_eq!(
            breaches(&format!("allocs = {rule}"), results),
            [expected],
            "{rule}"
        );
    }
}

#[test]
fn every_limit_is_broken_by_the_next_whole_number() {
    let results = "a: 10 x allocs=6\nb/n=4: 1 x allocs=100 | first allocs=99";
    for (rule, expected) in [
        ("\"<= baseline\"", &["6 -> 61/10 in 1"][..]),
        ("\"< baseline + 1\"", &["6 -> 7 in 1"]),
        // 6.3
        ("\"<= baseline + 5%\"", &["6 -> 32/5 in 1"]),
        ("\"< baseline + 5%\"", &["6 -> 63/10 in 1"]),
        ("\">= baseline\"", &["6 -> 59/10 in 1"]),
        ("\">= baseline - 2\"", &["6 -> 39/10 in 4"]),
        ("\"> baseline - 50%\"", &["6 -> 3 in 5"]),
        ("\"== baseline\"", &["6 -> 61/10 in 1", "6 -> 59/10 in 1"]),
        (
            "\"== baseline ± 1\"",
            &["6 -> 71/10 in 1", "6 -> 49/10 in 2"],
        ),
        ("\"== 6\"", &["6 -> 61/10 in 1", "6 -> 59/10 in 1"]),
        // 50. The other scenario stays unchanged.
        ("\"<= 0.5 * [b/n=4]\"", &["6 -> 501/10 in 1"]),
        ("\"< 0.5 * [b/n=4]\"", &["6 -> 50 in 1"]),
        ("\"> 0.01 * [b/n=4]\"", &["6 -> 1 in 9"]),
        ("{ max = \"<= 0.123 * [b/n=4]\" }", &["6 -> 13 in 1"]),
        ("{ first = \"<= [b/n=4]\" }", &["6 -> 100 in 1"]),
    ] {
        let keys = format!("exclude = [\"b/*\"]\nallocs = {rule}");
        assert_eq!(breaches(&keys, results), *expected, "{rule}");
    }
}

#[test]
fn bytes_and_units_are_exact() {
    let results = "a: 4 x alloc-bytes=1000 peak=1000";
    for (rule, expected) in [
        ("bytes = \"<= 4 KiB\"", "1000 -> 16385/4 in 1"),
        ("peak-bytes = { max = \"< 1.5 kB\" }", "1000 -> 1500 in 1"),
        (
            "bytes = { max = \"<= baseline + 64 B\" }",
            "1000 -> 1065 in 1",
        ),
    ] {
        assert_eq!(breaches(rule, results), [expected], "{rule}");
    }
}

#[test]
fn times_are_broken_in_batches() {
    let results = format!("{ALL}\nother: 1 x | time 1000 1000 | first-time 400 | elements=2");
    for (rule, expected) in [
        // The four batches sum up to 1,000. The limit is 2,000 for all, or 500 each.
        ("\"<= 0.5 * [other]\"", "250 -> 2001/4 in 1"),
        ("{ max = \"<= 0.5 * [other]\" }", "400 -> 501 in 1"),
        ("{ min = \">= 0.1 * [other]\" }", "100 -> 99 in 1"),
        ("{ p50 = \"<= 0.2 * [other]\" }", "200 -> 201 in 1"),
        // The first call took 900, and 400 in the other scenario.
        ("{ first = \"<= 3 * [other]\" }", "900 -> 1201 in 1"),
        // The other scenario has 500 for each of 2 elements, this one 250 / 4.
        (
            "{ per-element = \"<= 0.5 * [other]\" }",
            "125/2 -> 4001/16 in 1",
        ),
    ] {
        let keys = format!("exclude = [\"other\"]\ntime = {rule}");
        assert_eq!(breaches(&keys, &results), [expected], "{rule}");
    }
}

#[test]
fn a_peak_is_broken_in_the_pass_that_measured_it() {
    let mut streams = streams("a: 10 x peak=5 | scope=process").unwrap();
    let pass = PeakPass {
        mode: Mode::ProcessPeak,
        samples: vec![PeakSample {
            peak_bytes: 70,
            times: 10,
        }],
    };
    streams[0].scenarios[0].peak_pass = Some(Box::new(pass));
    let text = format!("version = 1\n{}", gate("peak-bytes = { max = \"<= 80\" }"));
    let config = Config::parse("gates.toml", &text).unwrap();
    let audit = audit(&inputs(&config, &Measurements::new(streams).unwrap()));
    let proof = &audit.gates[0].rules[0].comparisons[0].proofs[0];
    assert_eq!(proof.found, Found::Caught);
    assert_eq!(proof.breaches[0].before, Figure::Value(Ratio::whole(70)));
    assert_eq!(proof.breaches[0].after, Figure::Value(Ratio::whole(81)));
}

const SWEEP: &str = "a/n=10: 4 x allocs=3 alloc-bytes=100\na/n=100: 4 x allocs=3 alloc-bytes=1000\n\
                     a/n=1000: 4 x allocs=3 alloc-bytes=10000\n\
                     a/n=10000: 4 x allocs=3 alloc-bytes=100000 | foreign allocs=4";

/// The figures after the breaches of the only rule, which all are caught.
fn after(keys: &str, results: &str) -> Vec<Figure> {
    let audit = audited(&gate(keys), results, "");
    let rule = &audit.gates[0].rules[0];
    assert_eq!(rule.status(), AuditStatus::Proved, "{keys}");
    rule.breaches().map(|breach| breach.after).collect()
}

#[test]
fn a_limit_of_the_same_record_is_broken_as_it_is_after_the_breach() {
    let value = |value| Figure::Value(Ratio::whole(value));
    // A maximum of 5 makes the mean 2.3. One of 4 would make it 2.2.
    let found = after("allocs = { max = \"<= 2 * mean\" }", "a: 10 x allocs=2");
    assert_eq!(found, [value(5)]);
    let found = after(
        "allocs = \"== rows\"",
        "a: 1 x allocs=2 | custom rows count 1 x 2",
    );
    assert_eq!(found, [value(3), value(1)]);
}

#[test]
fn figures_that_change_together_are_inconclusive() {
    let keys = gate("alloc-calls = \"<= 2 * allocs\"");
    let audit = audited(&keys, "a: 1 x allocs=2", "");
    // One more allocation raises the limit by 2.
    let found = &audit.gates[0].rules[0].comparisons[0].proofs[0].found;
    assert_eq!(*found, Found::Inconclusive(Inconclusive::Coupled));
}

#[test]
fn a_line_is_broken_by_the_smallest_change_of_one_scenario() {
    let after = |keys: &str| after(keys, "a/n=1: 1 x allocs=5\na/n=3: 1 x allocs=13");
    let value = |numerator| Figure::Value(Ratio::new(numerator, 2).unwrap());
    // The line is 4 * n + 1. One more or less of 1 moves the slope by a half, and the
    // intercept by 1.5 at n = 1 and by a half at n = 3.
    assert_eq!(after("allocs = { slope = \"== 4\" }"), [value(9), value(7)]);
    assert_eq!(after("allocs = { intercept = \"<= 1\" }"), [value(5)]);
    assert_eq!(after("allocs = { intercept = \"< 4\" }"), [value(8)]);
}

#[test]
fn growth_is_broken_by_the_next_class() {
    for (rule, expected) in [
        ("allocs = { growth = \"O(1)\" }", "O(1) -> O(log n) in 4"),
        ("allocs = { growth = \"O(log n)\" }", "O(1) -> O(n) in 4"),
        ("bytes = { growth = \"O(n)\" }", "O(n) -> O(n log n) in 4"),
        ("bytes = { growth = \"O(n log n)\" }", "O(n) -> O(n^2) in 4"),
        ("bytes = { growth = \"O(n^2)\" }", "O(n) -> O(n^3) in 4"),
        (
            "foreign-allocs = { growth = \"O(1)\" }",
            "O(1) -> O(log n) in 4",
        ),
    ] {
        assert_eq!(breaches(rule, SWEEP), [expected], "{rule}");
    }
}
