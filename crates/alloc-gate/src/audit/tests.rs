//! Audits of suites that can fail, and of suites that can't.

use alloc_requirement::Number;

use super::*;
use crate::rules::Config;
use crate::tests::{self, inputs, measured, rules};

mod breaches;

/// The audit of a gates.toml with these `gates` and `results`. The baseline has the
/// `accepted` results.
fn audited(gates: &str, results: &str, accepted: &str) -> Audit {
    let config = rules(&format!(
        "version = 1\n[baseline]\ndata = \"b.toml\"\n{gates}"
    ));
    audit(&Inputs {
        baseline: Some(&tests::accepted(accepted)),
        ..inputs(&config, &measured(results))
    })
}

/// One gate `g` on all scenarios, with these keys.
fn gate(keys: &str) -> String {
    format!("[metrics]\nrows = \"count\"\n[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{keys}\n")
}

/// A scenario that measured each metric.
const ALL: &str = "all: 10 x allocs=3 alloc-bytes=40 deallocs=2 dealloc-bytes=30 grows=1 \
                   grow-bytes=8 shrinks=2 shrink-bytes=6 failed=1 peak=48 native-allocs=4 \
                   native-bytes=10 native-realloc-bytes=5 | foreign allocs=20 \
                   | foreign-first allocs=6 | uncounted allocs=30 | elements=4 \
                   | time 100 200 300 400 | first-time 900 \
                   | outcome 10 null=2; 5 null=1 | custom rows count 10 x 7, first 9";

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
    assert_eq!(rule.status(), AuditStatus::Proved);
    assert_eq!(audit.outcome(), AuditOutcome::Proved);
}

/// The status of the only rule, and the result of its first proof.
fn found(keys: &str, results: &str, accepted: &str) -> (AuditStatus, Found) {
    let audit = audited(&gate(keys), results, accepted);
    let rule = &audit.gates[0].rules[0];
    (rule.status(), rule.comparisons[0].proofs[0].found.clone())
}

#[test]
fn a_limit_outside_the_range_of_records_is_found() {
    // The reader accepts counts up to 2^60.
    let most = "1152921504606846976";
    let least = format!("-{most}");
    for (keys, end) in [
        ("failed = \"<= 18446744073709551615\"", most),
        (&format!("allocs = \"<= {most}\""), most),
        (&format!("allocs = {{ max = \"<= {most}\" }}"), most),
        (&format!("allocs = {{ first = \"<= {most}\" }}"), most),
        // The sum of two fields.
        (
            "net-bytes = \">= -18446744073709551615\"",
            "-2305843009213693952",
        ),
        (
            "net-blocks = { min = \">= -18446744073709551615\" }",
            &least,
        ),
        // The total of 10 iterations.
        (
            "allocs = { total = \"<= 18446744073709551615\" }",
            "11529215046068469760",
        ),
        // Divided by 4 elements.
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
        let (status, found) = found(keys, ALL, ALL);
        assert_eq!(status, AuditStatus::CannotFail, "{keys}");
        let Found::Unbreakable(Why::Range(range)) = found else {
            panic!("{keys}: {found:?}");
        };
        let found = range
            .least
            .or(range.most)
            .unwrap()
            .to_string()
            .replace(',', "");
        assert_eq!(found, end, "{keys}");
    }
    // One less, and a record can exceed it.
    let below = "allocs = { max = \"<= 1152921504606846975\" }";
    assert_eq!(found(below, ALL, ALL).0, AuditStatus::Proved);
    // A hundred iterations of 2^60 exceed the largest limit of a rule.
    let total = "allocs = { total = \"<= 18446744073709551615\" }";
    assert_eq!(found(total, "a: 100 x allocs=1", "").0, AuditStatus::Proved);
}

#[test]
fn a_limit_that_no_figure_can_exceed_is_found() {
    let exact = |number: &str| Exact::from(number.parse::<Number>().unwrap());
    let out = |limit: &str, least: &str| {
        Found::Unbreakable(Why::Range(Box::new(OutOfRange {
            limit: exact(limit),
            least: Some(exact(least)),
            most: None,
        })))
    };
    let zero = "a: 1 x allocs=0\nb: 1 x allocs=0";
    for (rule, limit) in [
        (">= baseline", "0"),
        (">= baseline - 2", "-2"),
        ("> baseline - 1", "-1"),
        (">= 0.5 * [b]", "0"),
        (">= [b] - 2", "-2"),
    ] {
        let keys = format!("exclude = [\"b\"]\nallocs = \"{rule}\"");
        assert_eq!(
            found(&keys, zero, zero),
            (AuditStatus::CannotFail, out(limit, "0")),
            "{rule}"
        );
    }
    // One scenario on which the rule can fail is enough.
    let keys = "exclude = [\"b\"]\nallocs = \">= baseline\"";
    let both = "a: 1 x allocs=0\nb: 1 x\nc: 1 x allocs=1";
    assert_eq!(
        found(keys, both, both),
        (AuditStatus::Proved, out("0", "0"))
    );
    // A limit from both sides can fail on zero, too.
    assert_eq!(
        breaches::breaches("allocs = \"== baseline\"", "a: 1 x"),
        ["0 -> 1 in 1"]
    );
}

#[test]
fn a_limit_that_is_its_own_figure_is_found() {
    let (status, first) = found("allocs = \"<= [a]\"", "a: 1 x allocs=2", "");
    assert_eq!(status, AuditStatus::CannotFail);
    assert_eq!(first, Found::Unbreakable(Why::Itself));
    let (status, _) = found(
        "allocs = \"<= [a]\"",
        "a: 1 x allocs=2\nb: 1 x allocs=1",
        "",
    );
    assert_eq!(status, AuditStatus::Proved);
}

#[test]
fn a_failing_comparison_needs_no_breach() {
    let keys = "allocs = \"<= 3, >= 1\"";
    let audit = audited(&gate(keys), "a: 1 x allocs=5", "");
    let rule = &audit.gates[0].rules[0];
    let found: Vec<_> = rule
        .comparisons
        .iter()
        .map(|c| &c.proofs[0].found)
        .collect();
    assert_eq!(
        found,
        [&Found::Failing, &Found::Inconclusive(Inconclusive::Hidden)]
    );
    assert_eq!(audit.breaches().count(), 0);
    let audit = audited(&gate("allocs = \"<= 3\""), "a: 1 x allocs=5", "");
    assert_eq!(audit.gates[0].status(), AuditStatus::Failing);
    assert_eq!(audit.outcome(), AuditOutcome::Proved);
    // The rule is failing, even if another scenario proves it.
    let both = "a: 1 x allocs=5\nb: 1 x";
    let audit = audited(&gate("allocs = \"<= 3\""), both, "");
    assert_eq!(audit.gates[0].status(), AuditStatus::Failing);
    assert_eq!(audit.breaches().count(), 1);
}

#[test]
fn a_missing_figure_is_inconclusive_and_other_comparisons_are_proved() {
    let missing = |absence| Found::Inconclusive(Inconclusive::Missing(absence));
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
        assert_eq!(
            shown,
            (AuditStatus::Inconclusive, missing(absence)),
            "{keys}"
        );
        let audit = audited(&gate(keys), results, "");
        assert_eq!(audit.outcome(), AuditOutcome::NothingAudited);
    }
    // The other limit of the rule is proved.
    let audit = audited(
        &gate("allocs = \"<= 3, <= baseline\""),
        "a: 1 x",
        "other: 1 x",
    );
    let statuses: Vec<_> = audit.gates[0].rules[0]
        .comparisons
        .iter()
        .map(ComparisonAudit::status)
        .collect();
    assert_eq!(statuses, [AuditStatus::Proved, AuditStatus::Inconclusive]);
}

#[test]
fn a_waiver_that_allows_the_breach_hides_it() {
    let waiver = |until: &str| {
        format!(
            "{}[[waiver]]\ngate = \"g\"\nscenarios = [\"a\"]\nallocs = \"<= 9\"\nreason = \"r\"\n{until}",
            gate("allocs = \"<= 3\"")
        )
    };
    let waived = Found::Inconclusive(Inconclusive::Waived);
    let status = |gates: &str, results| {
        let audit = audited(gates, results, "");
        let rule = &audit.gates[0].rules[0];
        let first = rule.comparisons[0].proofs[0].found.clone();
        (rule.status(), first)
    };
    // Whether the waiver is used or idle, the gate can't fail on `a`.
    assert_eq!(
        status(&waiver(""), "a: 1 x allocs=5"),
        (AuditStatus::Inconclusive, waived.clone())
    );
    assert_eq!(
        status(&waiver(""), "a: 1 x allocs=2"),
        (AuditStatus::Inconclusive, waived.clone())
    );
    let both = "a: 1 x allocs=2\nb: 1 x allocs=2";
    assert_eq!(status(&waiver(""), both), (AuditStatus::Proved, waived));
    let ended = waiver("until = \"2026-01-30\"\n");
    assert_eq!(
        status(&ended, "a: 1 x allocs=2"),
        (AuditStatus::Proved, Found::Caught)
    );
}

#[test]
fn a_gate_that_does_not_apply_is_not_proved() {
    let keys = "rustc = \">=1.95\"\nallocs = \"<= 1\"";
    let audit = audited(&gate(keys), "a: 1 x", "");
    assert!(matches!(audit.gates[0].skip, Some(Skip::Rustc { .. })));
    assert_eq!(audit.gates[0].status(), AuditStatus::Inconclusive);
    assert_eq!(audit.outcome(), AuditOutcome::NothingAudited);
}

/// The open waivers of `gates`, with the scenario, the figure and the limits of each hidden
/// figure.
fn open_waivers(gates: &str, results: &str) -> Vec<String> {
    let audit = audited(gates, results, "");
    let waivers = audit.open_waivers.iter().map(|waiver| {
        let hides = waiver.hides.iter().map(|hidden| {
            let limit = if hidden.is_unlimited {
                String::from("unlimited")
            } else {
                hidden.allowed.to_string()
            };
            let (metric, statistic) = (&hidden.metric, hidden.statistic);
            format!(
                "{} {metric} {statistic} {} -> {limit}",
                hidden.scenario, hidden.required
            )
        });
        let end = if waiver.has_end { "ends" } else { "endless" };
        format!("{end}: {}", hides.collect::<Vec<_>>().join("; "))
    });
    waivers.collect()
}

#[test]
fn a_waiver_without_an_end_or_a_limit_is_listed_with_what_it_hides() {
    let gates = |limits: &str, rest: &str| {
        format!(
            "{}bytes = {{ max = \"<= 64\" }}\n[[waiver]]\ngate = \"g\"\nscenarios = [\"a*\"]\n\
             {limits}\nreason = \"r\"\n{rest}\n",
            gate("allocs = \"<= 3\"")
        )
    };
    let results = "a: 1 x allocs=5\na2: 1 x allocs=4\nb: 1 x";
    let open = |limits, rest| open_waivers(&gates(limits, rest), results);
    let end = "until = \"2026-12-31\"";
    assert_eq!(
        open("allocs = \"<= 9\"", ""),
        ["endless: a allocs mean <= 3 -> <= 9; a2 allocs mean <= 3 -> <= 9"]
    );
    // With an end and a limit, a waiver is not open.
    assert!(open("allocs = \"<= 9\"", end).is_empty());
    assert_eq!(
        open("allocs = \"> 2\"\nbytes = { max = \"<= 99\" }", end),
        ["ends: a allocs mean <= 3 -> unlimited; a2 allocs mean <= 3 -> unlimited"]
    );
    assert_eq!(
        open("bytes = { max = \"<= 9_000_000_000_000_000_000\" }", end),
        ["ends: a bytes max <= 64 -> unlimited; a2 bytes max <= 64 -> unlimited"]
    );
    // Waivers that are not in force hide nothing.
    assert!(open("allocs = \"<= 9\"", "until = \"2026-01-30\"").is_empty());
    assert!(open("allocs = \"<= 9\"", "when = \"x86_64-pc-windows-msvc\"").is_empty());
    assert_eq!(open("allocs = \"<= 9\"", "rustc = \">=1.80\"").len(), 1);
}

#[test]
fn a_large_suite_is_audited_in_part_and_the_rest_is_counted() {
    let results: Vec<String> = (0..40).map(|n| format!("s{n}: 1 x allocs=1")).collect();
    let audit = audited(&gate("allocs = \"<= 1\""), &results.join("\n"), "");
    let comparison = &audit.gates[0].rules[0].comparisons[0];
    assert_eq!(comparison.proofs.len(), MOST_SCENARIOS);
    assert_eq!(comparison.left_out, 40 - MOST_SCENARIOS);
    // Scenarios that can't be broken don't count towards the maximum.
    let zeros: Vec<String> = (0..40).map(|n| format!("s{n}: 1 x")).collect();
    let results = format!("{}\nlast: 1 x allocs=1", zeros.join("\n"));
    let audit = audited(&gate("allocs = \">= baseline\""), &results, &results);
    assert_eq!(audit.outcome(), AuditOutcome::Proved);
    assert_eq!(audit.breaches().count(), 1);
}

#[test]
fn loose_limits_are_listed_with_a_tighter_requirement() {
    for (rule, results, tighter) in [
        // Twice the worst figure, and 2 more than it.
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
        // A failing rule, a range, and a limit that is no number.
        (
            "allocs = \"<= 9\"",
            "a: 1 x allocs=1\nb: 1 x allocs=10",
            None,
        ),
        ("allocs = \">= 1, <= 9\"", "a: 1 x allocs=1", None),
        ("allocs = \"<= baseline + 9\"", "a: 1 x allocs=1", None),
    ] {
        let audit = audited(&gate(rule), results, results);
        let found = audit.loose_limits.first();
        let shown = found.map(|limit| limit.tightened.as_ref().unwrap().to_string());
        assert_eq!(shown.as_deref(), tighter, "{rule} over {results}");
    }
}

#[test]
fn an_audit_does_not_change_the_results() {
    let config = Config::parse(
        "gates.toml",
        &format!("version = 1\n{}", gate("allocs = \"== 3\"")),
    )
    .unwrap();
    let measurements = measured(ALL);
    let before = measurements.scenarios()[0].record.clone();
    let _ = audit(&inputs(&config, &measurements));
    assert_eq!(measurements.scenarios()[0].record, before);
}

#[test]
fn other_denied_findings_prove_nothing_of_a_gate() {
    // Each of these fails the check, but not because of the gate.
    let gates = "[policy]\nungated = \"deny\"\nnondeterministic = \"deny\"\nforeign = \"deny\"\n\
                 [[gate]]\nname = \"g\"\nscenarios = [\"a\", \"absent\"]\n\
                 allocs = \">= baseline\"\n";
    let results = "a: 1 x; 1 x deallocs=1 | foreign allocs=1\nb: 1 x\nc: panicked no";
    let audit = audited(gates, results, "a: 1 x\ngone: 1 x");
    assert_eq!(audit.outcome(), AuditOutcome::CannotFail);
}

#[test]
fn a_breach_is_undone_before_the_next_one() {
    // With 1,001 left in `b`, the breach for the second limit would not break it.
    let keys = "allocs = \"<= 1_000, <= 2 * [b]\"";
    let audit = audited(&gate(keys), "a: 1 x allocs=1\nb: 1 x allocs=2", "");
    let last = &audit.gates[0].rules[0].comparisons[1];
    assert_eq!(last.proofs[0].found, Found::Caught);
    assert_eq!(
        last.proofs[0].breaches[0].after,
        Figure::Value(Ratio::whole(5))
    );
}
