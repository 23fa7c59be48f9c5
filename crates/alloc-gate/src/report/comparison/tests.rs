//! Whole reports of small comparisons.

use super::*;
use crate::delta::compare;
use crate::sample::measured;

fn delta(base: &str, head: &str) -> Delta {
    compare(&measured(base), &measured(head)).unwrap()
}

fn sides(reference: &str, uncommitted: usize) -> Sides {
    Sides {
        reference: reference.into(),
        base: "0123456789abcdef0123456789abcdef01234567".into(),
        head: "fedcba9876543210fedcba9876543210fedcba98".into(),
        uncommitted,
    }
}

type Format = fn(Comparison<'_>, &mut dyn Write) -> io::Result<()>;

fn written(format: Format, sides: &Sides, delta: &Delta) -> String {
    let mut out = Vec::new();
    let comparison = Comparison {
        sides,
        delta,
        evaluation: None,
        approved: &[],
    };
    format(comparison, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const BASE: &str = "a|b: 4 x deallocs=2 dealloc-bytes=16\nfrom 0: 4 x\nold: 1 x";
const HEAD: &str = "a|b: 4 x deallocs=3 dealloc-bytes=12\nfrom 0: 4 x failed=3\nnew: 1 x";

#[test]
fn the_terminal_has_a_table_and_remarks_below_it() {
    assert_eq!(
        written(terminal, &sides("main", 2), &delta(BASE, HEAD)),
        "base: main (0123456789)
head: the working tree at fedcba9876, 2 files with uncommitted changes

| scenario | metric      |  base |  head |         change |
|----------|-------------|-------|-------|----------------|
| from 0   | failed      |  0.00 |  3.00 | +3.00 (from 0) |
| a\\|b     | deallocs    |  2.00 |  3.00 | +1.00 (+50.0%) |
| a\\|b     | net-bytes   |   -16 |   -12 |    +4 (+25.0%) |
| a\\|b     | freed-bytes |    16 |    12 |    -4 (-25.0%) |
| a\\|b     | net-blocks  | -2.00 | -3.00 | -1.00 (-50.0%) |
unchanged: 17 figures of 2 scenarios
new: `new`
removed: `old`
"
    );
}

#[test]
fn markdown_is_unpadded_and_escaped() {
    assert_eq!(
        written(markdown, &sides("0123456", 0), &delta(BASE, HEAD)),
        "## Allocations compared

- base: 0123456789
- head: the working tree at fedcba9876, no uncommitted changes

| scenario | metric | base | head | change |
|---|---|---:|---:|---:|
| from 0 | failed | 0.00 | 3.00 | +3.00 (from 0) |
| a\\|b | deallocs | 2.00 | 3.00 | +1.00 (+50.0%) |
| a\\|b | net-bytes | -16 | -12 | +4 (+25.0%) |
| a\\|b | freed-bytes | 16 | 12 | -4 (-25.0%) |
| a\\|b | net-blocks | -2.00 | -3.00 | -1.00 (-50.0%) |

- unchanged: 17 figures of 2 scenarios
- new: `new`
- removed: `old`
"
    );
}

#[test]
fn json_has_exact_figures_and_null_for_a_percentage_from_0() {
    let text = written(json, &sides("main", 2), &delta(BASE, HEAD));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["base"]["reference"], "main");
    assert_eq!(report["head"]["uncommitted"], 2);
    assert_eq!(report["figures-unchanged"], 17);
    assert_eq!(report["new"], serde_json::json!(["new"]));
    assert_eq!(report["removed"], serde_json::json!(["old"]));
    assert_eq!(report["check"], serde_json::Value::Null);
    assert_eq!(
        report["changes"][0],
        serde_json::json!({
            "scenario": "from 0",
            "package": "sample",
            "bench": "bench",
            "metric": "failed",
            "statistic": "mean",
            "base": { "numerator": 0, "denominator": 1, "text": "0" },
            "head": { "numerator": 3, "denominator": 1, "text": "3" },
            "difference": { "numerator": 3, "denominator": 1, "text": "3" },
            "percent": null,
            "deterministic": true,
        })
    );
}

#[test]
fn without_a_change_there_is_no_table() {
    assert_eq!(
        written(terminal, &sides("main", 1), &delta("a: 1 x", "a: 1 x")),
        "base: main (0123456789)
head: the working tree at fedcba9876, 1 file with uncommitted changes

no figure changed: 11 figures of 1 scenario
"
    );
}

#[test]
fn a_small_percentage_is_not_shown_as_zero() {
    for (percent, words) in [
        (None, "from 0"),
        (Some(50.0), "+50.0%"),
        (Some(-100.0), "-100.0%"),
        (Some(0.05), "+0.1%"),
        (Some(0.001), "+<0.1%"),
        (Some(-0.001), "-<0.1%"),
    ] {
        assert_eq!(percent_words(percent), words);
    }
}

#[test]
fn the_last_line_counts_figures_and_scenarios() {
    assert_eq!(
        line(&delta(BASE, HEAD)),
        "alloc-gate: compared, nothing judged: 5 figures changed, 17 unchanged, 1 scenario new, \
         1 scenario removed"
    );
    assert_eq!(
        line(&delta("a: 1 x", "a: 1 x")),
        "alloc-gate: compared, nothing judged: 0 figures changed, 11 unchanged"
    );
}
