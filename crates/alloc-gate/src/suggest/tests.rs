//! Gates that are suggested for results. `check` verifies again that they are valid
//! and hold.

use super::*;
use crate::evaluation::Outcome;
use crate::results::Measurements;
use crate::tests::{self, inputs, measured};

mod groups;
mod random;
mod sweeps;

const HEADING: &str = "\
# Suggested from what was measured on x86_64-unknown-linux-gnu, profile bench, over
# std::alloc::System, by rustc 1.90.0 and alloc-scenario 0.1.0. A limit is the largest
# figure of the gate's scenarios: leave room where it may move, and add a `reason` for
# whoever breaks it. `\"<= baseline\"` limits each scenario by its own figure.

";

fn suggested(rules: &str, results: &str, which: Which) -> Suggestions {
    let measurements = measured(results);
    let rules = format!("version = 1\n{rules}");
    let config = tests::rules(&rules);
    let suggestions = gates(&inputs(&config, &measurements), Some(&measurements), which);
    let suggestions = suggestions.expect("what is suggested holds");
    let text = suggestions.appended_to("gates.toml", &rules);
    check(
        &text.expect("the file is valid"),
        &suggestions,
        &measurements,
    );
    suggestions
}

/// Checks that the file with the gates is valid, that they hold, and that no scenario
/// is ungated.
fn check(text: &str, suggestions: &Suggestions, measurements: &Measurements) {
    let config = tests::rules(text);
    let evaluation = evaluate(&inputs(&config, measurements));
    let names: Vec<&str> = evaluation
        .gates
        .iter()
        .filter(|gate| gate.verdict == Verdict::Pass && !gate.judgements.is_empty())
        .map(|gate| gate.name.as_str())
        .filter(|name| suggestions.names.iter().any(|own| own == name))
        .collect();
    assert_eq!(names, suggestions.names, "{text}");
    let ungated = evaluation.findings.iter();
    let ungated = ungated.filter(|finding| finding.kind.code() == "ungated-scenario");
    assert_eq!(ungated.count(), 0, "{text}");
}

/// The text after the heading.
fn text(results: &str) -> String {
    let suggestions = suggested("", results, Which::Ungated);
    let text = suggestions.text.strip_prefix(HEADING);
    text.expect("the heading comes first").to_owned()
}

/// The rules that are suggested for one scenario with this result.
fn rules(result: &str) -> Vec<String> {
    let text = text(&format!("s: {result}"));
    let (_, rules) = text.split_once("scenarios = [\"s\"]\n").expect("one gate");
    rules.lines().map(str::to_owned).collect()
}

#[test]
fn figures_that_are_the_same_in_each_iteration_are_their_own_limits() {
    assert_eq!(
        text(
            "encode: 10000 x allocs=2 grows=1 alloc-bytes=1500 deallocs=2 dealloc-bytes=1500 \
             peak=1200\n\
             lookup: 500 x"
        ),
        "\
# Measured by sample/bench.
[[gate]]
name = \"encode\"
scenarios = [\"encode\"]
alloc-calls = \"<= 3\"
bytes = \"<= 1_500\"
net-bytes = \"== 0\"

# Measured by sample/bench.
[[gate]]
name = \"lookup\"
scenarios = [\"lookup\"]
alloc-calls = \"== 0\"
net-bytes = \"== 0\"
"
    );
}

#[test]
fn figures_that_differ_are_limited_at_the_worst_with_a_remark() {
    // 1 of 4 iterations allocates twice: a mean of 1.25.
    assert_eq!(
        text(
            "fill: 3 x allocs=1 alloc-bytes=8 deallocs=1 dealloc-bytes=8; 1 x allocs=2 \
              alloc-bytes=16 deallocs=2 dealloc-bytes=16"
        ),
        "\
# Measured by sample/bench.
# Its iterations differ, in the same way in both measurements: the limit on `max` is the
# worst value.
[[gate]]
name = \"fill\"
scenarios = [\"fill\"]
nondeterministic = \"allow\"
alloc-calls = { max = \"<= 2\" }
bytes = { max = \"<= 16\" }
net-bytes = \"== 0\"
"
    );
}

/// The gates for the first measurement, when a second one is `again`.
fn suggested_after(first: &str, again: Option<&str>) -> Suggestions {
    let (first, again) = (measured(first), again.map(measured));
    let config = Config::without_file();
    let suggestions = gates(&inputs(&config, &first), again.as_ref(), Which::All);
    let suggestions = suggestions.expect("what is suggested holds");
    for measurements in [Some(&first), again.as_ref()].into_iter().flatten() {
        let text = format!("version = 1\n{}", suggestions.text);
        let config = tests::rules(&text);
        let outcome = evaluate(&inputs(&config, measurements)).outcome();
        assert_ne!(outcome, Outcome::Failed, "{text}");
    }
    suggestions
}

#[test]
fn a_figure_that_differs_between_two_measurements_has_no_limit() {
    let suggestions = suggested_after(
        "trip: 1000 x allocs=5 alloc-bytes=90\nserve: 1 x allocs=4 alloc-bytes=8; 1 x allocs=6\ngone: 1 x",
        Some(
            "trip: 999 x allocs=5 alloc-bytes=90; 1 x allocs=5 alloc-bytes=98\n\
             serve: 1 x allocs=4 grows=1 alloc-bytes=8; 1 x allocs=7 alloc-bytes=8",
        ),
    );
    assert_eq!(
        suggestions.text.strip_prefix(HEADING).unwrap_or_default(),
        "\
# Measured by sample/bench.
# No limit on `bytes`, `net-bytes`: two measurements are not enough, because figures
# differ.
[[gate]]
name = \"trip\"
scenarios = [\"trip\"]
alloc-calls = \"<= 5\"

# No gate for `serve`: two measurements are not enough, because figures differ.

# No gate for `gone`: two measurements are not enough, because figures differ.
"
    );
    let counts = (suggestions.names.len(), suggestions.scenarios);
    assert_eq!((counts, suggestions.left_out), ((1, 1), 2));
}

/// 20 iterations of 1,000 requests each came to the same distribution twice. In the third
/// run, an iteration allocated 1,007 times.
#[test]
fn figures_that_may_be_the_same_by_chance_have_no_limit() {
    let run = |peak: u64| {
        format!(
            "s: 1 x allocs=1005 peak=8; 19 x allocs=1006 peak=8\nfew: 20 x allocs=7 peak={peak}\n"
        )
    };
    let moved = run(9).replace("peak=8", "peak=9");
    let suggestions = suggested_after(&run(8), Some(&moved));
    let text = suggestions.text;
    assert_eq!(text.matches("\n# No gate for `").count(), 2, "{text}");
    assert_eq!(suggestions.names.len(), 0, "{text}");
    // Without a figure that differs, the iterations differ in a regular way.
    let suggestions = suggested_after(&run(8), Some(&run(8)));
    assert_eq!(suggestions.names.len(), 2);
}

#[test]
fn a_sweep_has_no_limit_on_a_metric_that_differs_at_a_point() {
    let sweep = |at_8: u64| {
        let points = [(1, 1), (2, 1), (4, 1), (8, at_8)];
        points
            .map(|(n, reallocs)| format!("s/n={n}: 1000 x allocs=3 grows={reallocs}\n"))
            .concat()
    };
    let suggestions = suggested_after(&sweep(1), Some(&sweep(2)));
    let text = suggestions.text;
    assert!(
        text.contains("# No limit on `alloc-calls`: two meas"),
        "{text}"
    );
    assert!(text.contains("\nnet-bytes = \"== 0\""), "{text}");
    assert!(!text.contains("\nalloc-calls"), "{text}");
}

#[test]
fn iterations_that_differ_have_no_limit_without_a_second_measurement() {
    let suggestions = suggested_after("fill: 3 x allocs=1; 1 x allocs=2", None);
    let text = suggestions.text;
    let remark = "# No limit on `alloc-calls`: one measurement is not enough, because iterations \
                  differ.\n";
    assert!(text.contains(remark), "{text}");
    assert!(!text.contains("\nalloc-calls"), "{text}");
    assert!(text.contains("\nnet-bytes = \"== 0\""), "{text}");
}

#[test]
fn net_bytes_are_limited_with_their_sign() {
    assert_eq!(
        rules("1 x allocs=1 alloc-bytes=4096")[2],
        "net-bytes = \"<= 4_096\""
    );
    assert_eq!(
        rules("1 x deallocs=1 dealloc-bytes=4096")[1],
        "net-bytes = \"<= -4_096\""
    );
    assert_eq!(
        rules("1 x; 1 x deallocs=1 dealloc-bytes=8")[2],
        "net-bytes = { max = \"<= 0\" }"
    );
}

#[test]
fn native_calls_are_limited_where_they_were_measured() {
    let rules = rules("2 x allocs=1 alloc-bytes=8 native-allocs=3 native-bytes=96");
    assert_eq!(
        rules[3..],
        ["native-allocs = \"<= 3\"", "native-bytes = \"<= 96\""]
    );
}

#[test]
fn a_glob_matches_no_other_scenario() {
    let text = text("s/n=1: 1 x\ns/n=10: 1 x\ns/n=100: 1 x\ns/m=1: 1 x\ns/big: 1 x allocs=9");
    for globs in [
        "scenarios = [\"s/n=1\", \"s/n=10\", \"s/n=100\", \"s/m=1\"]",
        "scenarios = [\"s/big\"]",
    ] {
        assert!(text.contains(globs), "{text}");
    }
}

/// Two sweeps of a group that has another gate too.
#[test]
fn the_sweeps_of_a_part_of_a_group_have_a_glob_each() {
    let mut results = String::from("s/none: 1 x\n");
    for sweep in ["s/a", "s/b"] {
        for n in [1, 10, 100, 1_000] {
            results.push_str(&format!("{sweep}/n={n}: 1 x allocs={n}\n"));
        }
    }
    let text = text(&results);
    let gate = "name = \"s\"\nscenarios = [\"s/a/*\", \"s/b/*\"]\n\
                alloc-calls = { max = \"<= 1_000\", growth = \"O(n)\" }\n";
    assert!(text.contains(gate), "{text}");
}

#[test]
fn names_are_escaped_in_globs_strings_and_comments() {
    let results = "\"a[0]\": 1 x\n\"a0\": 1 x allocs=5\n\"what?\\\\ \\\"now\\\"\": 1 x\n\
                   \"x\\n[[gate]]\": 1 x\n\"{a,b}*/n=1\": 1 x\n\"ab*/n=2\": 1 x allocs=3";
    let text = text(results);
    assert!(text.contains("scenarios = ['a\\[0\\]']"), "{text}");
    assert!(text.contains("'\\{a,b\\}\\*/n=1'"), "{text}");
    let again = results.replace("[[gate]]\": 1 x", "[[gate]]\": 1 x allocs=1");
    let suggestions = suggested_after(results, Some(&again));
    let text = suggestions.text;
    assert!(text.contains(r"# No gate for `x \[\[gate\]\]`:"), "{text}");
}

#[test]
fn a_sweep_with_special_characters_has_one_glob() {
    let results = [1, 10, 100, 1_000].map(|n| format!("Vec<[u8]>/n={n}: 1 x\n"));
    let text = text(&results.concat());
    assert!(text.contains("scenarios = ['Vec<\\[u8\\]>/*']"), "{text}");
}

#[test]
fn names_of_gates_are_unique() {
    let rules = "[[gate]]\nname = \"a-b\"\nscenarios = [\"z\"]\nallocs = \"<= 1\"\n";
    let results = "z: 1 x\na b: 1 x\n\"a(b)\": 1 x\na_b: 1 x";
    let suggestions = suggested(rules, results, Which::Ungated);
    assert_eq!(suggestions.names, ["a-b-2", "a-b-3", "a-b-4"]);
}

#[test]
fn gated_scenarios_are_left_out_unless_all_are_asked_for() {
    let gate =
        "[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\nexclude = [\"b\"]\nallocs = \"<= 9\"\n";
    let results = "a: 1 x\nb: 1 x\nc: 1 x";
    let ungated = suggested(gate, results, Which::Ungated);
    assert_eq!(
        (&ungated.names[..], ungated.scenarios),
        (&["b".to_owned()][..], 1)
    );
    let all = suggested(gate, results, Which::All);
    assert_eq!((all.names.len(), all.scenarios), (3, 3));
    // Gates that were added are not suggested again.
    let none = suggested(&format!("{gate}{}", ungated.text), results, Which::Ungated);
    assert_eq!(none, Suggestions::default());
    assert_eq!(
        none.appended_to("gates.toml", "as it was").unwrap(),
        "as it was"
    );
}

#[test]
fn a_sweep_with_a_gated_point_has_the_other_points() {
    let gate = "[[gate]]\nname = \"one\"\nscenarios = [\"s/n=1\"]\nallocs = \"== 9\"\n";
    let results = "s/n=1: 1 x allocs=9\ns/n=2: 1 x\ns/n=4: 1 x\ns/n=8: 1 x\ns/n=16: 1 x";
    let suggestions = suggested(gate, results, Which::Ungated);
    assert!(
        suggestions
            .text
            .contains("scenarios = [\"s/n=2\", \"s/n=4\", \"s/n=8\", \"s/n=16\"]"),
        "{}",
        suggestions.text
    );
}

#[test]
fn scope_threads_foreign_calls_and_own_metrics_are_pointed_out() {
    let text = text(
        "serve: 1 x allocs=3 | scope=process | threads=4\n\
         wait: 1 x | foreign allocs=2 | foreign-first deallocs=1\n\
         hide: 1 x | uncounted allocs=4 | uncounted-first allocs=5 deallocs=1\n\
         pack: 1 x | custom rows count 1 x 1 | custom size bytes 1 x 64",
    );
    for remark in [
        "# Process scope: allocations of other threads are counted, too.\n",
        "# The figures are sums over several threads.\n",
        "# Other threads allocated or deallocated during the measurement. The figures do not\n\
         # include this (foreign).\n",
        "# `uncounted` excluded allocations or deallocations from the figures.\n",
        "# Also measured: `rows`, `size`. No limit is suggested for that.\n",
    ] {
        assert_eq!(text.matches(remark).count(), 1, "{remark}\n{text}");
    }
}

#[test]
fn each_environment_has_its_heading() {
    let results = "bench a/x\na: 1 x\nb: 1 x\nbench a/y allocator=mimalloc\nc: 1 x";
    let text = suggested("", results, Which::All).text;
    assert_eq!(text.matches("Suggested from").count(), 2, "{text}");
    let second = "profile bench, over\n# mimalloc, by rustc 1.90.0";
    assert!(text.contains(second), "{text}");
}

#[test]
fn a_file_is_continued_with_its_own_line_ends() {
    let suggestions = suggested("", "a: 1 x", Which::All);
    let text = suggestions
        .appended_to("g", "version = 1\r\n\r\n\r\n")
        .unwrap();
    assert_eq!(
        text,
        format!("version = 1\n\n{}", suggestions.text).replace('\n', "\r\n")
    );
    let text = suggestions.appended_to("g", "version = 1 # end").unwrap();
    assert_eq!(text, format!("version = 1 # end\n\n{}", suggestions.text));
}

#[test]
fn a_file_that_tables_cannot_continue_is_refused() {
    let suggestions = suggested("", "a: 1 x", Which::All);
    let inline = "version = 1\ngate = [{ name = \"g\", scenarios = [\"*\"], allocs = \"<= 1\" }]\n";
    assert!(Config::parse("g", inline).is_ok());
    assert!(suggestions.appended_to("g", inline).is_err());
}

#[test]
fn a_gate_that_does_not_hold_is_an_error() {
    let measurements = measured("a: 1 x allocs=2");
    let config = Config::without_file();
    let inputs = inputs(&config, &measurements);
    let gate = |rule: &str| Suggestions {
        names: vec![String::from("g")],
        scenarios: 1,
        left_out: 0,
        text: format!("[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{rule}\n"),
    };
    assert!(gate("allocs = \"<= 2\"").verify(&inputs).is_ok());
    for (rule, begin) in [
        (
            "allocs = \"<= 1\"",
            "the suggested gate `g` does not hold for its own measurements\n\n[[gate]]\n",
        ),
        (
            "alocs = \"<= 1\"",
            "the suggested gates are invalid\n\nerror[unknown-metric]: unknown metric `alocs`\n",
        ),
    ] {
        let error = gate(rule).verify(&inputs).unwrap_err();
        assert!(error.starts_with(begin), "{error}");
    }
    assert_eq!(
        evaluate(&inputs).outcome(),
        Outcome::NothingJudged,
        "the rules at hand have no gate"
    );
}
