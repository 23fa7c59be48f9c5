//! The reports of audits.

use super::*;
use crate::audit::audit;
use crate::judge::Inputs;
use crate::report::Format;
use crate::rules::CfgSets;
use crate::tests::{accepted, inputs, measured, rules, written};

const GATES: &str = r#"
version = 1
[baseline]
data = "b.toml"
[[gate]]
name = "few | calls"
scenarios = ["encode", "decode"]
allocs = ">= 1, <= 3"
bytes = { max = "<= 4 KiB" }
[[gate]]
name = "whatever"
scenarios = ["decode"]
net-bytes = ">= -18446744073709551615"
failed = ">= baseline"
[[gate]]
name = "broken"
scenarios = ["encode"]
deallocs = "<= 1"
[[gate]]
name = "new"
scenarios = ["encode"]
bytes = "<= baseline"
[[gate]]
name = "elsewhere"
scenarios = ["*"]
when = 'cfg(windows)'
allocs = "<= 1"
[[gate]]
name = "excused"
scenarios = ["decode"]
grows = "<= 1"
[[waiver]]
gate = "excused"
scenarios = ["decode"]
grows = "<= 2"
reason = "for now"
"#;

const RESULTS: &str = "encode: 100 x allocs=2 deallocs=2 alloc-bytes=40 dealloc-bytes=40\n\
                       decode: 98 x allocs=1 alloc-bytes=9; 2 x allocs=3 grows=1\nextra: 5 x";

fn audited(gates: &str, results: &str) -> Audit {
    let config = rules(gates);
    let mut cfgs = CfgSets::default();
    cfgs.insert("x86_64-unknown-linux-gnu", "unix\n").unwrap();
    audit(&Inputs {
        baseline: Some(&accepted("decode: 98 x allocs=1")),
        cfgs: &cfgs,
        ..inputs(&config, &measured(results))
    })
}

fn terminal(audit: &Audit, lists_all: bool) -> String {
    written(AuditReport { audit, lists_all }, Format::Terminal)
}

#[test]
fn the_terminal_has_a_line_for_each_rule_with_one_of_its_breaches() {
    let audit = audited(GATES, RESULTS);
    let text = terminal(&audit, false);
    let (gates, _) = text.split_once("\n\n").unwrap();
    assert_eq!(
        gates,
        "\
environment: x86_64-unknown-linux-gnu, profile bench, over std::alloc::System, rustc 1.90.0, commit unknown
proved     few | calls: 2 rules
           allocs >= 1, <= 3: 4 breaches, such as 2.00 to 0.99 in 51 iterations of encode
           bytes max <= 4 KiB: 2 breaches, such as 40 to 4,097 in 1 iteration of encode
CAN'T FAIL whatever: 2 rules
           net-bytes >= -18_446_744_073_709_551_615: nothing was injected; can't fail on 1 scenario
           failed >= baseline: nothing was injected; can't fail on 1 scenario
failing    broken: 1 rule
           deallocs <= 1: nothing was injected
not proved new: 1 rule
           bytes <= baseline: nothing was injected
not proved elsewhere: `when cfg(windows)` does not hold for x86_64-unknown-linux-gnu
not proved excused: 1 rule
           grows <= 1: 1 breach: 0.02 to 1.01 in 1 iteration of decode"
    );
}

#[test]
fn with_all_the_terminal_has_each_breach_with_its_verdict() {
    let text = terminal(&audited(GATES, RESULTS), true);
    for line in [
        "             >= 1: 1.04 to 0.99 in 2 iterations of decode: fail\n",
        "             <= 3: 1.04 to 3.01 in 1 iteration of decode: fail\n",
        "             <= 1: 0.02 to 1.01 in 1 iteration of decode: waived\n",
        "             <= 1: encode: it fails on the results as they are\n",
        "             <= baseline: encode: the baseline does not have this figure of the \
         scenario\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn a_weakness_is_reported_with_its_place_and_a_fix() {
    let text = terminal(&audited(GATES, RESULTS), false);
    let notes: Vec<&str> = text.split("\n\n").skip(1).collect();
    assert_eq!(
        notes[1],
        "CAN'T FAIL whatever\n  required: `failed >= baseline` (gates.toml:14:10)\n  \
         scenario: `decode`\n  why:      the limit comes to 0, and the figure of a record is \
         never below 0\n  help:     write a limit at gates.toml:14:10 that a figure can break, \
         or take it out"
    );
    let heads: Vec<&str> = notes
        .iter()
        .filter_map(|note| note.lines().next())
        .collect();
    assert_eq!(
        heads,
        [
            "CAN'T FAIL whatever",
            "CAN'T FAIL whatever",
            "failing broken",
            "not proved new",
            "not proved excused",
            "far few | calls: the limit is far from what is measured",
            "open a waiver of the gate `excused` has no end",
        ]
    );
    assert!(notes[5].ends_with(
        "worst:    40 of `encode`\n  required: `bytes max <= 4 KiB` (gates.toml:9:17)\n  help:     \
         `bytes = { max = \"<= 40\" }` at gates.toml:9:17 leaves no room"
    ));
    assert_eq!(
        notes[6],
        "open a waiver of the gate `excused` has no end\n  hides: any figure that is `<= 2` of \
         `grows <= 1` in `decode`\n  help:  add an `until` at gates.toml:32:1\n"
    );
}

#[test]
fn a_comparison_that_cannot_fail_is_named() {
    let gates = "version = 1\n[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n\
                 allocs = \"<= 3, <= 18446744073709551615\"\n";
    let text = terminal(&audited(gates, "a: 1 x\nb: 1 x"), false);
    let required = "required: `allocs <= 3, <= 18_446_744_073_709_551_615` (gates.toml:5:10), of \
                    which `<= 18_446_744_073_709_551_615`\n  scenario: `a`, and 1 more\n";
    assert!(text.contains(required), "{text}");
}

#[test]
fn a_missed_breach_is_a_bug_of_this_program() {
    let mut audit = audited(GATES, RESULTS);
    let proof = &mut audit.gates[0].rules[0].comparisons[1].proofs[0];
    proof.found = Found::Missed;
    proof.breaches[0].verdict = Verdict::Pass;
    assert_eq!(audit.outcome(), AuditOutcome::CannotFail);
    let text = terminal(&audit, false);
    let note = "\
CAN'T FAIL few | calls
  required: `allocs >= 1, <= 3` (gates.toml:8:10), of which `<= 3`
  scenario: `encode`
  why:      with 2.00 to 3.01 in 1 iteration of encode the verdict is still `pass`
  help:     the breach should have failed the check: report it to alloc-gate, with the results
";
    assert!(text.contains(note), "{text}");
    assert_eq!(
        verdict_line(&audit),
        "alloc-gate: AUDIT FAILED: 6 gates, 8 rules, 7 breaches injected, 5 seen, 1 not seen, 1 \
         waived, 3 rules can't fail, 1 rule failing already, 3 rules not proved here"
    );
}

#[test]
fn the_last_line_has_the_result() {
    let head = "version = 1\n[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n";
    for (rules, results, line) in [
        (
            "allocs = \"<= 3\"\nbytes = \"== 9\"",
            "a: 1 x allocs=2 alloc-bytes=9\nb: 1 x alloc-bytes=9",
            "audited: 1 gate, 2 rules, 6 breaches injected, all seen",
        ),
        (
            "allocs = \"<= 3\"",
            "a: 1 x allocs=4\nb: 1 x allocs=9",
            "audited: 1 gate, 1 rule, 0 breaches injected, 1 rule failing already",
        ),
        (
            "allocs = \"<= 3\"",
            "a: 1 x",
            "audited: 1 gate, 1 rule, 1 breach injected, all seen",
        ),
        (
            "peak-bytes = \"<= 3\"",
            "a: 1 x",
            "NOTHING AUDITED: 1 gate, 1 rule, 0 breaches injected, 1 rule not proved here",
        ),
    ] {
        let audit = audited(&format!("{head}{rules}\n"), results);
        assert_eq!(verdict_line(&audit), format!("alloc-gate: {line}"));
    }
}

#[test]
fn units_and_decimals_distinguish_a_breach_from_the_measurement() {
    let head = "version = 1\n[[gate]]\nname = \"g\"\nscenarios = [\"a*\"]\n";
    let sweep = "a/n=1: 1 x\na/n=10: 1 x\na/n=100: 1 x\na/n=1000: 1 x";
    for (rule, results, words) in [
        (
            "allocs = \"<= 2\"",
            "a: 10000 x allocs=2",
            "2.00 to 2.0001 in 1 iteration of a",
        ),
        // The decimals are not enough for a trillionth, but the two still differ.
        (
            "allocs = \"<= 2\"",
            "a: 3000000000000 x allocs=2",
            "2.00 to ~2.000000 in 1 iteration of a",
        ),
        (
            "allocs = { first = \"<= 2\" }",
            "a: 9 x",
            "0 to 3 in 1 first call of a",
        ),
        (
            "allocs = { growth = \"O(1)\" }",
            sweep,
            "O(1) to O(log n) in 4 scenarios of a/n=*",
        ),
        (
            "foreign-allocs = \"<= 2\"",
            "a: 1 x | foreign allocs=1",
            "1 to 3 beside a",
        ),
        (
            "foreign-allocs = { first = \"<= 2\" }",
            "a: 1 x | foreign-first allocs=1",
            "1 to 3 in 1 first call of a",
        ),
        (
            "uncounted-allocs = \"<= 2\"",
            "a: 1 x | uncounted allocs=1",
            "1 to 3 excluded in a",
        ),
        (
            "time = \"<= 1 * [b]\"",
            "a: 1 x | time 5 6\nb: 1 x | time 8 9",
            "5.50 to 9.00 in 1 batch of a",
        ),
    ] {
        let text = terminal(&audited(&format!("{head}{rule}\n"), results), false);
        assert!(
            text.contains(&format!(": {words}")),
            "{words} is not in\n{text}"
        );
    }
}

#[test]
fn markdown_escapes_its_cells() {
    let audit = audited(GATES, RESULTS);
    let report = AuditReport {
        audit: &audit,
        lists_all: false,
    };
    let text = written(report, Format::Markdown);
    for line in [
        "| few \\| calls | `bytes max <= 4 KiB` | proved | 2 breaches, such as 40 to 4,097 in 1 \
         iteration of encode |\n",
        "| whatever | `failed >= baseline` | **CAN'T FAIL** | nothing was injected; can't fail on \
         1 scenario |\n",
        "| elsewhere |  | not proved | `when cfg(windows)` does not hold for \
         x86_64-unknown-linux-gnu |\n",
        "**far** few \\| calls: the limit is far from what is measured\n\n",
        "- help: add an `until` at gates.toml:32:1\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn json_has_every_proof() {
    let mut text = Vec::new();
    let report = json::audit::report(&audited(GATES, RESULTS));
    report.write(&mut text).unwrap();
    let found: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(found["outcome"], "cannot-fail");
    assert_eq!(found["breaches"], 7);
    let proof = &found["gates"][0]["rules"][0]["comparisons"][1]["proofs"][1];
    assert_eq!(proof["scenario"], "decode");
    assert_eq!(proof["found"], "seen");
    let breaches = &proof["breaches"][0];
    // Sums of 104 and 301 in 100 iterations.
    assert_eq!(breaches["before"]["numerator"], 26);
    assert_eq!(breaches["before"]["denominator"], 25);
    assert_eq!(breaches["after"]["numerator"], 301);
    assert_eq!(breaches["verdict"], "fail");
    assert_eq!(found["gates"][1]["standing"], "cannot-fail");
    assert_eq!(
        found["gates"][4]["skipped"],
        "`when cfg(windows)` does not hold for x86_64-unknown-linux-gnu"
    );
    assert_eq!(found["far-limits"][0]["tightened"], "<= 40");
}
