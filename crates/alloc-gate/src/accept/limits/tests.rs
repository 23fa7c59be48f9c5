//! Rules that [`tighten`] makes of rules, a baseline and results.

use super::*;
use crate::judge::{Inputs, evaluate};
use crate::results::{Measurements, Selection};
use crate::tests::{self, accepted, inputs, measured};

const HEAD: &str = "version = 1\n[baseline]\ndata = \"b.toml\"\n";

fn tightened(rules: &str, baseline: &Baseline, results: &[&str]) -> Tightened {
    let measured: Vec<Measurements> = results.iter().map(|results| measured(results)).collect();
    let judge = |config: &Config| -> Vec<Evaluation> {
        let judged = measured.iter().map(|measurements| {
            evaluate(&Inputs {
                baseline: Some(baseline),
                selection: Selection::Selected,
                ..inputs(config, measurements)
            })
        });
        judged.collect()
    };
    tighten(&tests::rules(rules), baseline, judge).expect("the tighter rules are valid and hold")
}

/// The tightened line of a rule on all scenarios.
fn rule(rule: &str, results: &str) -> String {
    let rules = format!("{HEAD}[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{rule}\n");
    let nothing = Baseline::default();
    let tightened = tightened(&rules, &nothing, &[results]);
    // A second run changes nothing.
    assert_eq!(
        self::tightened(tightened.config.text(), &nothing, &[results]).limits,
        [],
        "{rule}"
    );
    let line = tightened.config.text().lines().last();
    line.unwrap_or_default().to_owned()
}

/// Means 1.5 and 3, maxima 2 and 3, first calls 4 and 3.
const RESULTS: &str = "a: 5 x allocs=1; 5 x allocs=2 | first allocs=4\nb: 10 x allocs=3";

#[test]
fn an_upper_limit_comes_down_to_the_worst_scenario() {
    for (before, after) in [
        ("allocs = \"<= 5\"", "allocs = \"<= 3\""),
        ("allocs = \"< 5\"", "allocs = \"< 4\""),
        ("allocs = { max = \"<= 5\" }", "allocs = { max = \"<= 3\" }"),
        (
            "allocs = { first = \"< 9\" }",
            "allocs = { first = \"< 5\" }",
        ),
        // 15 and 30.
        (
            "allocs = { total = \"<= 99\" }",
            "allocs = { total = \"<= 30\" }",
        ),
        ("bytes = \"<= 5\"", "bytes = \"<= 0\""),
    ] {
        assert_eq!(rule(before, RESULTS), after);
    }
}

#[test]
fn a_lower_limit_goes_up_to_the_worst_scenario() {
    for (before, after) in [
        ("allocs = \">= 1\"", "allocs = \">= 1.5\""),
        (
            "allocs = { min = \">= 0.5\" }",
            "allocs = { min = \">= 1\" }",
        ),
        ("allocs = { max = \"> 0\" }", "allocs = { max = \"> 1\" }"),
        // The next whole number below 1.5 is 1.
        ("allocs = \"> 0.5\"", "allocs = \"> 1\""),
        ("net-bytes = \">= -8\"", "net-bytes = \">= 0\""),
    ] {
        assert_eq!(rule(before, RESULTS), after);
    }
}

#[test]
fn a_limit_never_loosens() {
    for rule in [
        // The figure of 3 fails the first limits, and 3.01 is nearer to it than the
        // next whole number.
        "allocs = \"<= 2\"",
        "allocs = \"< 3\"",
        "allocs = \"< 3.01\"",
        "allocs = { first = \"> 2.5\" }",
        "allocs = { min = \">= 2\" }",
        "allocs = \"<= 3\"",
    ] {
        assert_eq!(self::rule(rule, RESULTS), rule);
    }
}

#[test]
fn a_fraction_is_exact_or_rounded_away_from_the_figure() {
    // 1/3, 2/3, 1/10,000, and -1/3 of a byte.
    for (before, results, after) in [
        (
            "allocs = \"<= 5\"",
            "a: 2 x; 1 x allocs=1",
            "allocs = \"<= 0.34\"",
        ),
        (
            "allocs = \">= 0.1\"",
            "a: 2 x; 1 x allocs=1",
            "allocs = \">= 0.33\"",
        ),
        (
            "allocs = \"<= 5\"",
            "a: 1 x; 2 x allocs=1",
            "allocs = \"<= 0.67\"",
        ),
        (
            "allocs = \"<= 0.335\"",
            "a: 2 x; 1 x allocs=1",
            "allocs = \"<= 0.335\"",
        ),
        (
            "allocs = \"<= 5\"",
            "a: 9999 x; 1 x allocs=1",
            "allocs = \"<= 0.0001\"",
        ),
        (
            "allocs = \"<= 5\"",
            "a: 3 x allocs=2; 2 x allocs=3",
            "allocs = \"<= 2.4\"",
        ),
        (
            "net-bytes = \">= -5, <= 5\"",
            "a: 2 x; 1 x dealloc-bytes=1",
            "net-bytes = \">= -0.34, <= -0.33\"",
        ),
    ] {
        assert_eq!(rule(before, results), after, "{results}");
    }
}

#[test]
fn only_limits_that_are_plain_numbers_change() {
    let results = "a: 10 x allocs=1";
    let config = "allocs = \"<= 5, <= baseline, >= 0.25, == 1\"";
    let before = accepted(results);
    let rules = format!("{HEAD}[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{config}\n");
    let after = tightened(&rules, &before, &[results]);
    let line = after.config.text().lines().last();
    assert_eq!(line, Some("allocs = \"<= 1, <= baseline, >= 1, == 1\""));
    for rule in ["allocs = \"== 7\"", "allocs = \"<= baseline\""] {
        assert_eq!(self::rule(rule, results), rule);
    }
}

#[test]
fn a_limit_without_a_figure_stays() {
    // `b` has no peak, and `c` was not measured.
    let results = "a: 10 x peak=1\nb: 10 x";
    assert_eq!(
        rule("peak-bytes = \"<= 9\"", results),
        "peak-bytes = \"<= 9\""
    );
    let rules = format!("{HEAD}[[gate]]\nname = \"g\"\nscenarios = [\"c\"]\nallocs = \"<= 9\"\n");
    let after = tightened(&rules, &Baseline::default(), &[results]);
    assert_eq!(after.config.text(), rules);
}

#[test]
fn every_environment_has_to_hold_a_limit() {
    let rules = format!("{HEAD}[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\nallocs = \"<= 9\"\n");
    let here = "a: 10 x allocs=2";
    let there = "bench sample/bench target=t\na: 10 x allocs=4";
    let other = "bench sample/bench target=u\na: 10 x allocs=6\ngone: 10 x allocs=1";
    let last = |baseline: &str, results: &[&str]| {
        let after = tightened(&rules, &accepted(baseline), results);
        after
            .config
            .text()
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(last(here, &[here, there]), "allocs = \"<= 4\"");
    assert_eq!(last(other, &[here, there]), "allocs = \"<= 6\"");
    // Accepted figures of the measured environment do not count.
    assert_eq!(
        last("a: 10 x allocs=7\nold: 10 x allocs=8", &[here]),
        "allocs = \"<= 2\""
    );
}

/// The text has line ends of both kinds, tabs, quotes of all kinds, a byte order mark
/// and no last line end.
#[test]
fn every_byte_but_the_digits_stays() {
    let rules = "\u{feff}# Rules\r\nversion = 1\r\n\r\n[[gate]] # one\r\nname='a'\t# tab\r\n\
                 scenarios = [\r\n  \"a\", # the first\n\r\n  'b',\r\n]\r\n\
                 allocs   =   '<=  10_000 ,>= 1'  # quoted '<= 5'\n\
                 bytes = { max = \"\"\"<= 5000\"\"\", \"first\" = \"< 5_000\" }\r\n\
                 deallocs.max = \"\\u003C= 7\"\n\
                 [[gate]]\nname = \"b\"\nscenarios = [\"*\"]\n\n\
                 [gate.\"allocs\"]\n# Why so many?\nmax = '''< 9'''\n\n  [gate.frees]\n";
    let rules = rules.replace("  [gate.frees]\n", "  [gate.grows]\n  max='<=8'");
    let results = "a: 10 x allocs=1234 alloc-bytes=1234 deallocs=3 grows=2\nb: 1 x allocs=2";
    let expected = rules
        .replace("<=  10_000 ,>= 1'", "<=  1_234 ,>= 2'")
        .replace("<= 5000", "<= 1234")
        .replace("< 5_000", "< 1_235")
        .replace("\"\\u003C= 7\"", "\"<= 3\"")
        .replace("max='<=8'", "max='<=2'");
    let after = tightened(&rules, &Baseline::default(), &[results]);
    assert_eq!(after.config.text(), expected);
    assert_eq!(after.limits.len(), 6);
}

#[test]
fn gates_in_an_inline_array_are_found() {
    let rules = "version = 1\ngate = [\n  { name = \"a\", scenarios = [\"b\"], allocs = \"<= 9\" },\n\
                   { name = \"b\", scenarios = [\"a\"], allocs = { max = \"<= 9\" } }, # two\n]\n";
    let after = tightened(rules, &Baseline::default(), &[RESULTS]);
    let expected = rules
        .replacen("<= 9", "<= 3", 1)
        .replacen("<= 9", "<= 2", 1);
    assert_eq!(after.config.text(), expected);
}

#[test]
fn a_change_names_gate_place_figure_and_scenario() {
    let rules =
        format!("{HEAD}[[gate]]\nname = \"few\"\nscenarios = [\"*\"]\nallocs = \">= 1, <= 10\"\n");
    let after = tightened(&rules, &Baseline::default(), &[RESULTS]);
    let shown: Vec<String> = after.limits.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "few: allocs mean >= 1 -> >= 1.5 (a: 1.5)",
            "few: allocs mean <= 10 -> <= 3 (b: 3)",
        ]
    );
    assert_eq!(
        after.limits[0].place,
        Place {
            line: 7,
            column: 10
        }
    );
}

#[test]
fn a_gate_that_fails_stays_as_it_is_and_is_no_error() {
    assert_eq!(
        rule("allocs = { max = \"<= 2\", mean = \"<= 9\" }", RESULTS),
        "allocs = { max = \"<= 2\", mean = \"<= 3\" }"
    );
}

#[test]
fn limits_that_would_make_a_scenario_fail_are_refused() {
    let rules = format!("{HEAD}[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\nallocs = \"<= 9\"\n");
    let config = Config::parse("gates.toml", &rules).expect("the rules are valid");
    // Judges differently under the new rules.
    let judge = |judged: &Config| -> Vec<Evaluation> {
        let results = if judged.text() == rules {
            "a: 1 x"
        } else {
            "a: 1 x allocs=1"
        };
        vec![evaluate(&inputs(judged, &measured(results)))]
    };
    let error = tighten(&config, &Baseline::default(), judge).unwrap_err();
    assert_eq!(error, "with tighter limits `a` would fail the gate `g`");
}
