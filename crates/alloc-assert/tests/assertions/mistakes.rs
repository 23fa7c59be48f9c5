//! Mistakes in the text of an assertion: the place is underlined, and the allowed forms
//! are listed.

use alloc_assert::{AssertMeasured, assert_allocs, measure};
use alloc_results::Metric;

use crate::failure::failure_of;

/// The message of a mistake, with everything that is allowed.
fn message(text: &str, what: &str, underlined: &str, hint: &str) -> String {
    let counted = Metric::ALL.map(Metric::name).join(", ");
    let metrics = format!("{counted}, foreign-allocs");
    format!(
        "not a requirement on allocations: {what}
    {text}
{underlined}
  hint:        {hint}
  form:        METRIC COMPARATOR NUMBER, joined by commas: `allocs <= 2, net-bytes == 0`
  metrics:     {metrics}
  comparators: <, <=, ==, >=, >"
    )
}

#[test]
fn a_mistake_is_reported_before_the_expression_runs() {
    let mut ran = false;
    let failure = failure_of(|| assert_allocs!(ran = true, "=< 3"));
    assert!(!ran);
    let hint = "the comparators are listed below";
    let expected = message("=< 3", "unknown operator `=<`", "    ^^", hint);
    assert_eq!(failure.message, expected);
}

#[test]
fn the_underline_counts_characters_and_survives_line_breaks() {
    let failure = failure_of(|| assert_allocs!((), "== 0,\n\tblöcke == 0"));
    let lines: Vec<_> = failure.message.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "not a requirement on allocations: unknown metric `blöcke`",
            "    == 0,  blöcke == 0",
            "           ^^^^^^",
        ]
    );
}

#[test]
fn each_mistake_has_its_hint() {
    for (text, what, underlined, hint) in [
        (
            "allocs <= 2, alocs == 0",
            "unknown metric `alocs`",
            "                 ^^^^^",
            "did you mean `allocs`?",
        ),
        (
            "bytes <= {}",
            "`{}` is not a number",
            "             ^^",
            "pass `format_args!(\"bytes <= {}\", limit)` to fill in a limit",
        ),
        (
            "allocs <= 4 kB",
            "`allocs` is a count, but `kB` is a unit of bytes",
            "              ^^^^",
            "remove the unit: `allocs <= 4`",
        ),
        (
            "bytes == 1, allocs > -1",
            "`allocs` is never below 0, so `allocs > -1` can't fail",
            "                ^^^^^^^^^^^",
            "an assertion that can't fail tests nothing; write an upper limit",
        ),
    ] {
        let failure = failure_of(|| measure(|| ()).assert(text));
        assert_eq!(failure.message, message(text, what, underlined, hint));
    }
}
