//! Suites that can fail, and suites that can't.

use super::*;
use crate::baseline::Coverage;
use crate::results::streams;
use crate::{Baseline, CfgSets, Config, Date, Measurements, Partiality};

/// The audit of gates.toml with these `gates` over these `results`; `accepted` are
/// the results that the baseline is of.
fn audited(gates: &str, results: &str, accepted: &str) -> Audit {
    let text = format!("version = 1\n[baseline]\ndata = \"b.toml\"\n{gates}");
    let config = Config::parse("gates.toml", &text).unwrap_or_else(|found| panic!("{found}"));
    let read = |text| Measurements::new(streams(text).unwrap()).unwrap();
    let (measurements, accepted) = (read(results), read(accepted));
    audit(&Inputs {
        config: &config,
        measurements: &measurements,
        baseline: Some(&Baseline::default().accept(&accepted, Coverage::AllBenches)),
        document: None,
        partiality: Partiality::Whole,
        cfgs: &CfgSets::default(),
        today: Date::new(2026, 1, 31).unwrap(),
    })
}

/// One gate `g` on everything, with these keys.
fn gate(keys: &str) -> String {
    format!("[metrics]\nrows = \"count\"\n[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{keys}\n")
}

/// A scenario in which each metric was measured.
const ALL: &str = "all: 10 x allocs=3 alloc-bytes=40 deallocs=2 dealloc-bytes=30 grows=1 \
                   grow-bytes=8 shrinks=2 shrink-bytes=6 failed=1 peak=48 native-allocs=4 \
                   native-bytes=10 native-realloc-bytes=5 | foreign allocs=20 | elements=4 \
                   | time 100 200 300 400 | custom rows count 10 x 7, first 9";

/// What was done to the only comparison on the only scenario: from which figure to
/// which, in how many iterations; a line for each direction.
fn breaches(keys: &str, results: &str) -> Vec<String> {
    let audit = audited(&gate(keys), results, results);
    let rule = &audit.gates[0].rules[0];
    let proof = &rule.comparisons[0].proofs[0];
    assert_eq!(proof.found, Found::Seen, "{keys}: {proof:?}");
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
fn every_metric_is_broken_by_one_more_in_one_iteration() {
    for (rule, breach) in [
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
        ("rows = { max = \"<= 7\" }", "7 -> 8 in 1"),
        ("rows = { first = \"<= 9\" }", "9 -> 10 in 1"),
        // And from below, in the worst iteration.
        ("alloc-calls = { min = \">= 6\" }", "6 -> 5 in 1"),
        ("net-bytes = { min = \">= 12\" }", "12 -> 11 in 1"),
        ("net-bytes = { min = \">= -40\" }", "12 -> -41 in 1"),
        ("net-blocks = { min = \"> -40\" }", "1 -> -40 in 1"),
        ("freed-bytes = { min = \"> 3\" }", "36 -> 3 in 1"),
        ("rows = { min = \">= -9\" }", "7 -> -10 in 1"),
        ("peak-bytes = { min = \"> 0\" }", "48 -> 0 in 1"),
    ] {
        assert_eq!(breaches(rule, ALL), [breach], "{rule}");
    }
}

#[test]
fn every_statistic_is_broken_in_as_few_iterations_as_it_takes() {
    // 90 iterations of 2, 9 of 4, one of 5: 221 in all.
    let results = "a: 90 x allocs=2; 9 x allocs=4; 1 x allocs=5 | first allocs=8 | elements=2";
    for (rule, breach) in [
        ("\"<= 2.21\"", "221/100 -> 111/50 in 1"),
        ("\"< 2.215\"", "221/100 -> 111/50 in 1"),
        ("\"< 2.22\"", "221/100 -> 111/50 in 1"),
        ("\"< 5\"", "221/100 -> 5 in 1"),
        // 121 fewer than 221: the one of 5, the nine of 4, and 40 of those of 2.
        ("\">= 1\"", "221/100 -> 99/100 in 51"),
        ("{ total = \"<= 300\" }", "221 -> 301 in 1"),
        ("{ total = \">= 221\" }", "221 -> 220 in 1"),
        ("{ max = \"< 9\" }", "5 -> 9 in 1"),
        ("{ max = \">= 5\" }", "5 -> 4 in 1"),
        ("{ max = \">= 3\" }", "5 -> 2 in 10"),
        ("{ min = \">= 2\" }", "2 -> 1 in 1"),
        ("{ min = \"<= 2\" }", "2 -> 3 in 90"),
        ("{ min = \"<= 4\" }", "2 -> 5 in 99"),
        // The 50th of 100: 51 of the 90 have to be above for it to be.
        ("{ p50 = \"<= 2\" }", "2 -> 3 in 41"),
        ("{ p50 = \">= 2\" }", "2 -> 1 in 50"),
        // The 99th of 100: two above it are enough, and one is.
        ("{ p99 = \"<= 4\" }", "4 -> 5 in 1"),
        ("{ p99 = \">= 4\" }", "4 -> 3 in 9"),
        ("{ first = \"<= 8\" }", "8 -> 9 in 1"),
        ("{ first = \"> 2\" }", "8 -> 2 in 1"),
        // Over 200 elements in all.
        ("{ per-element = \"<= 2\" }", "221/200 -> 401/200 in 1"),
        ("{ per-element = \"< 1.11\" }", "221/200 -> 111/100 in 1"),
    ] {
        assert_eq!(
            breaches(&format!("allocs = {rule}"), results),
            [breach],
            "{rule}"
        );
    }
}

#[test]
fn every_limit_is_broken_by_the_next_whole_number() {
    let results = "a: 10 x allocs=6\nb/n=4: 1 x allocs=100 | first allocs=99";
    for (rule, breach) in [
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
        // 50, and the figure of the other one is left alone.
        ("\"<= 0.5 * [b/n=4]\"", &["6 -> 501/10 in 1"]),
        ("\"< 0.5 * [b/n=4]\"", &["6 -> 50 in 1"]),
        ("\"> 0.01 * [b/n=4]\"", &["6 -> 1 in 9"]),
        ("{ max = \"<= 0.123 * [b/n=4]\" }", &["6 -> 13 in 1"]),
        ("{ first = \"<= [b/n=4]\" }", &["6 -> 100 in 1"]),
    ] {
        let keys = format!("exclude = [\"b/*\"]\nallocs = {rule}");
        assert_eq!(breaches(&keys, results), *breach, "{rule}");
    }
}

#[test]
fn bytes_and_units_are_exact() {
    let results = "a: 4 x alloc-bytes=1000 peak=1000";
    for (rule, breach) in [
        ("bytes = \"<= 4 KiB\"", "1000 -> 16385/4 in 1"),
        ("peak-bytes = { max = \"< 1.5 kB\" }", "1000 -> 1500 in 1"),
        (
            "bytes = { max = \"<= baseline + 64 B\" }",
            "1000 -> 1065 in 1",
        ),
    ] {
        assert_eq!(breaches(rule, results), [breach], "{rule}");
    }
}

#[test]
fn times_are_broken_in_batches() {
    let results = format!("{ALL}\nother: 1 x | time 1000 1000 | elements=2");
    for (rule, breach) in [
        // The four batches are 1,000 together, and may be 2,000 or 400 each.
        ("\"<= 0.5 * [other]\"", "250 -> 2001/4 in 1"),
        ("{ max = \"<= 0.5 * [other]\" }", "400 -> 501 in 1"),
        ("{ min = \">= 0.1 * [other]\" }", "100 -> 99 in 1"),
        ("{ p50 = \"<= 0.2 * [other]\" }", "200 -> 201 in 1"),
        // 500 for each of two elements there, 250 / 4 here.
        (
            "{ per-element = \"<= 0.5 * [other]\" }",
            "125/2 -> 4001/16 in 1",
        ),
    ] {
        let keys = format!("exclude = [\"other\"]\ntime = {rule}");
        assert_eq!(breaches(&keys, &results), [breach], "{rule}");
    }
}

#[test]
fn a_peak_is_broken_in_the_pass_that_measured_it() {
    use alloc_results::{Mode, PeakPass, PeakSample};
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
    let audit = audit(&Inputs {
        config: &config,
        measurements: &Measurements::new(streams).unwrap(),
        baseline: None,
        document: None,
        partiality: Partiality::Whole,
        cfgs: &CfgSets::default(),
        today: Date::new(2026, 1, 31).unwrap(),
    });
    let proof = &audit.gates[0].rules[0].comparisons[0].proofs[0];
    assert_eq!(proof.found, Found::Seen);
    assert_eq!(proof.breaches[0].before, Figure::Value(Ratio::whole(70)));
    assert_eq!(proof.breaches[0].after, Figure::Value(Ratio::whole(81)));
}

const SWEEP: &str = "a/n=10: 4 x allocs=3 alloc-bytes=100\na/n=100: 4 x allocs=3 alloc-bytes=1000\n\
                     a/n=1000: 4 x allocs=3 alloc-bytes=10000\n\
                     a/n=10000: 4 x allocs=3 alloc-bytes=100000 | foreign allocs=4";

#[test]
fn growth_is_broken_by_the_next_class() {
    for (rule, breach) in [
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
        assert_eq!(breaches(rule, SWEEP), [breach], "{rule}");
    }
}

#[test]
fn each_comparison_of_a_rule_is_broken_by_itself() {
    let audit = audited(
        &gate("allocs = \">= 1, <= 4, <= baseline\""),
        "a: 1 x allocs=2",
        "a: 1 x allocs=2",
    );
    let rule = &audit.gates[0].rules[0];
    let after: Vec<_> = rule.breaches().map(|breach| breach.after).collect();
    let value = |value| Figure::Value(Ratio::whole(value));
    assert_eq!(after, [value(0), value(5), value(3)]);
    assert_eq!(rule.standing(), Standing::Proved);
    assert_eq!(audit.outcome(), AuditOutcome::Proved);
}

/// The standing of the only rule, and what the first proof shows.
fn found(keys: &str, results: &str, accepted: &str) -> (Standing, Found) {
    let audit = audited(&gate(keys), results, accepted);
    let rule = &audit.gates[0].rules[0];
    (rule.standing(), rule.comparisons[0].proofs[0].found.clone())
}

#[test]
fn a_limit_beyond_what_a_record_can_have_is_found() {
    // A count is 2^60 at most, what reading a result file allows.
    let most = "1152921504606846976";
    let least = format!("-{most}");
    for (keys, end) in [
        ("failed = \"<= 18446744073709551615\"", most),
        (&format!("allocs = \"<= {most}\""), most),
        (&format!("allocs = {{ max = \"<= {most}\" }}"), most),
        (&format!("allocs = {{ first = \"<= {most}\" }}"), most),
        // Of two fields.
        (
            "net-bytes = \">= -18446744073709551615\"",
            "-2305843009213693952",
        ),
        (
            "net-blocks = { min = \">= -18446744073709551615\" }",
            &least,
        ),
        // Of 10 iterations.
        (
            "allocs = { total = \"<= 18446744073709551615\" }",
            "11529215046068469760",
        ),
        // Over 4 elements.
        (
            "allocs = { per-element = \"<= 18446744073709551615\" }",
            "288230376151711744",
        ),
        ("rows = \"<= 9223372036854775807\"", "9223372036854775807"),
        (
            "rows = { p99 = \">= -9223372036854775808\" }",
            "-9223372036854775808",
        ),
        (
            "foreign-allocs = { total = \"<= 18446744073709551615\" }",
            "18446744073709551615",
        ),
    ] {
        let (standing, found) = found(keys, ALL, ALL);
        assert_eq!(standing, Standing::CannotFail, "{keys}");
        let Found::OutOfReach(Why::Range { least, most, .. }) = found else {
            panic!("{keys}: {found:?}");
        };
        let found: String = least.or(most).unwrap().replace(',', "");
        assert_eq!(found, end, "{keys}");
    }
    // One less, and it can be.
    let below = "allocs = { max = \"<= 1152921504606846975\" }";
    assert_eq!(found(below, ALL, ALL).0, Standing::Proved);
    // A hundred iterations of 2^60 are more than a rule can ask for.
    let total = "allocs = { total = \"<= 18446744073709551615\" }";
    assert_eq!(found(total, "a: 100 x allocs=1", "").0, Standing::Proved);
}

#[test]
fn a_limit_that_the_data_makes_pointless_is_found() {
    let out = |limit: &str, least: &str| {
        Found::OutOfReach(Why::Range {
            limit: limit.into(),
            least: Some(least.into()),
            most: None,
        })
    };
    let zero = "a: 1 x allocs=0\nb: 1 x allocs=0";
    for (rule, limit) in [
        (">= baseline", "0"),
        (">= baseline - 2", "-2"),
        ("> baseline - 1", "-1"),
        (">= 0.5 * [b]", "0"),
    ] {
        let keys = format!("exclude = [\"b\"]\nallocs = \"{rule}\"");
        assert_eq!(
            found(&keys, zero, zero),
            (Standing::CannotFail, out(limit, "0")),
            "{rule}"
        );
    }
    // On another scenario it can fail, and that is enough.
    let keys = "exclude = [\"b\"]\nallocs = \">= baseline\"";
    let both = "a: 1 x allocs=0\nb: 1 x\nc: 1 x allocs=1";
    assert_eq!(found(keys, both, both), (Standing::Proved, out("0", "0")));
    // From both sides it can fail on zero too.
    assert_eq!(
        breaches("allocs = \"== baseline\"", "a: 1 x"),
        ["0 -> 1 in 1"]
    );
}

#[test]
fn a_limit_that_is_the_figure_itself_is_found() {
    let (standing, first) = found("allocs = \"<= [a]\"", "a: 1 x allocs=2", "");
    assert_eq!(standing, Standing::CannotFail);
    assert_eq!(first, Found::OutOfReach(Why::Itself));
    let (standing, _) = found(
        "allocs = \"<= [a]\"",
        "a: 1 x allocs=2\nb: 1 x allocs=1",
        "",
    );
    assert_eq!(standing, Standing::Proved);
}

#[test]
fn what_fails_already_needs_no_breach() {
    let keys = "allocs = \"<= 3, >= 1\"";
    let audit = audited(&gate(keys), "a: 1 x allocs=5", "");
    let rule = &audit.gates[0].rules[0];
    let found: Vec<_> = rule
        .comparisons
        .iter()
        .map(|c| &c.proofs[0].found)
        .collect();
    assert_eq!(found, [&Found::Failing, &Found::Untold(Untold::Hidden)]);
    assert_eq!(audit.breaches().count(), 0);
    let audit = audited(&gate("allocs = \"<= 3\""), "a: 1 x allocs=5", "");
    assert_eq!(audit.gates[0].standing(), Standing::Failing);
    assert_eq!(audit.outcome(), AuditOutcome::Proved);
}

#[test]
fn what_is_missing_is_not_proved_and_the_rest_is() {
    let untold = |absence| Found::Untold(Untold::Missing(absence));
    for (keys, results, absence) in [
        ("allocs = \"<= baseline\"", "a: 1 x", Absence::Baseline),
        ("peak-bytes = \"<= 5\"", "a: 1 x", Absence::Metric),
        ("rows = \"<= 5\"", "a: 1 x", Absence::Metric),
        (
            "allocs = { per-element = \"<= 5\" }",
            "a: 1 x",
            Absence::Elements,
        ),
        ("allocs = \"<= [b]\"", "a: 1 x", Absence::Reference),
        ("allocs = \"<= [b/n=*]\"", "a: 1 x", Absence::Reference),
        ("allocs = { growth = \"O(1)\" }", "a: 1 x", Absence::Axis),
        (
            "allocs = { growth = \"O(1)\" }",
            "a/n=1: 1 x",
            Absence::Points,
        ),
    ] {
        let shown = found(keys, results, "other: 1 x");
        assert_eq!(shown, (Standing::Untold, untold(absence)), "{keys}");
        let audit = audited(&gate(keys), results, "");
        assert_eq!(audit.outcome(), AuditOutcome::NothingAudited);
    }
    // The limit that is known is judged even so.
    let audit = audited(
        &gate("allocs = \"<= 3, <= baseline\""),
        "a: 1 x",
        "other: 1 x",
    );
    let standings: Vec<_> = audit.gates[0].rules[0]
        .comparisons
        .iter()
        .map(ComparisonAudit::standing)
        .collect();
    assert_eq!(standings, [Standing::Proved, Standing::Untold]);
}

#[test]
fn a_waiver_that_allows_the_breach_hides_it() {
    let waiver = |until: &str| {
        format!(
            "{}[[waiver]]\ngate = \"g\"\nscenarios = [\"a\"]\nallocs = \"<= 9\"\nreason = \"r\"\n{until}",
            gate("allocs = \"<= 3\"")
        )
    };
    let untold = Found::Untold(Untold::Waived);
    let standing = |gates: &str, results| {
        let audit = audited(gates, results, "");
        let rule = &audit.gates[0].rules[0];
        let first = rule.comparisons[0].proofs[0].found.clone();
        (rule.standing(), first, audit.idle_waivers.len())
    };
    // In use, and idle: neither way can the gate fail on it now.
    assert_eq!(
        standing(&waiver(""), "a: 1 x allocs=5"),
        (Standing::Untold, untold.clone(), 0)
    );
    assert_eq!(
        standing(&waiver(""), "a: 1 x allocs=2"),
        (Standing::Untold, untold.clone(), 1)
    );
    let both = "a: 1 x allocs=2\nb: 1 x allocs=2";
    assert_eq!(standing(&waiver(""), both), (Standing::Proved, untold, 1));
    let ended = waiver("until = \"2026-01-30\"\n");
    assert_eq!(
        standing(&ended, "a: 1 x allocs=2"),
        (Standing::Proved, Found::Seen, 0)
    );
}

#[test]
fn a_gate_that_does_not_apply_is_not_proved() {
    let keys = "rustc = \">=1.95\"\nallocs = \"<= 1\"";
    let audit = audited(&gate(keys), "a: 1 x", "");
    assert!(matches!(audit.gates[0].skip, Some(Skip::Rustc { .. })));
    assert_eq!(audit.gates[0].standing(), Standing::Untold);
    assert_eq!(audit.outcome(), AuditOutcome::NothingAudited);
    assert_eq!(audit.ungated.len(), 1);
}

#[test]
fn what_is_allowed_elsewhere_is_listed_here() {
    let text = "[policy]\nungated = \"allow\"\nstale = \"allow\"\n[[gate]]\nname = \"g\"\n\
                scenarios = [\"a\"]\nallocs = \"<= 1\"\n[[waiver]]\ngate = \"g\"\nscenarios = [\"a\"]\n\
                allocs = \"<= 9\"\nreason = \"r\"\n";
    let audit = audited(text, "a: 1 x\nb: 1 x", "");
    assert_eq!(audit.ungated[0].0, "b");
    assert_eq!(audit.idle_waivers[0].0, "g");
}

#[test]
fn a_large_suite_is_audited_in_part_and_says_so() {
    let results: Vec<String> = (0..40).map(|n| format!("s{n}: 1 x allocs=1")).collect();
    let audit = audited(&gate("allocs = \"<= 1\""), &results.join("\n"), "");
    let comparison = &audit.gates[0].rules[0].comparisons[0];
    assert_eq!(comparison.proofs.len(), MOST_SCENARIOS);
    assert_eq!(comparison.left_out, 40 - MOST_SCENARIOS);
    // Those that can't be broken don't count: the one that can is found.
    let zeros: Vec<String> = (0..40).map(|n| format!("s{n}: 1 x")).collect();
    let results = format!("{}\nlast: 1 x allocs=1", zeros.join("\n"));
    let audit = audited(&gate("allocs = \">= baseline\""), &results, &results);
    assert_eq!(audit.outcome(), AuditOutcome::Proved);
    assert_eq!(audit.breaches().count(), 1);
}

#[test]
fn limits_far_from_reality_are_listed_with_a_tighter_line() {
    for (rule, results, tighter) in [
        // Twice as large, and 2 more.
        ("allocs = \"<= 4\"", "a: 1 x allocs=2", Some("<= 2")),
        ("allocs = \"<= 3\"", "a: 1 x allocs=2", None),
        ("allocs = \"<= 2\"", "a: 1 x allocs=1", None),
        ("allocs = \"< 2\"", "a: 1 x", Some("< 1")),
        (
            "allocs = { max = \"< 5\" }",
            "a: 1 x allocs=1\nb: 1 x allocs=2",
            Some("< 3"),
        ),
        (
            "allocs = \"<= 5\"",
            "a: 3 x allocs=1; 1 x allocs=2\nb: 1 x",
            Some("<= 1.25"),
        ),
        ("bytes = \"<= 64\"", "a: 1 x", Some("<= 0")),
        ("bytes = \"<= 63\"", "a: 1 x", None),
        ("bytes = \"<= 127\"", "a: 1 x alloc-bytes=64", None),
        ("bytes = \"<= 128\"", "a: 1 x alloc-bytes=64", Some("<= 64")),
        (
            "allocs = \">= 2\"",
            "a: 1 x allocs=4\nb: 1 x allocs=9",
            Some(">= 4"),
        ),
        (
            "allocs = \">= 2\"",
            "a: 1 x allocs=3\nb: 1 x allocs=9",
            None,
        ),
        ("net-bytes = \"<= 0\"", "a: 1 x dealloc-bytes=900", None),
        ("net-bytes = \">= -900\"", "a: 1 x", None),
        // What fails, ranges, and what is not a number.
        (
            "allocs = \"<= 9\"",
            "a: 1 x allocs=1\nb: 1 x allocs=10",
            None,
        ),
        ("allocs = \">= 1, <= 9\"", "a: 1 x allocs=1", None),
        ("allocs = \"<= baseline + 9\"", "a: 1 x allocs=1", None),
    ] {
        let audit = audited(&gate(rule), results, results);
        let found = audit.rooms.first();
        let shown = found.map(|room| room.tightened.as_ref().unwrap().to_string());
        assert_eq!(shown.as_deref(), tighter, "{rule} over {results}");
    }
}

#[test]
fn the_results_that_are_audited_stay_as_they_are() {
    let config = Config::parse(
        "gates.toml",
        &format!("version = 1\n{}", gate("allocs = \"== 3\"")),
    )
    .unwrap();
    let measurements = Measurements::new(streams(ALL).unwrap()).unwrap();
    let before = measurements.scenarios()[0].record.clone();
    let _ = audit(&Inputs {
        config: &config,
        measurements: &measurements,
        baseline: None,
        document: None,
        partiality: Partiality::Whole,
        cfgs: &CfgSets::default(),
        today: Date::new(2026, 1, 31).unwrap(),
    });
    assert_eq!(measurements.scenarios()[0].record, before);
}
