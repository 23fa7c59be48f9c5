//! Results in, gates out. That they are valid and hold is checked by the code that
//! makes them, and here once more by `check`.

use super::*;
use crate::results::streams;
use crate::{CfgSets, Date, Measurements, Outcome};

const HEADING: &str = "\
# Suggested from what was measured on x86_64-unknown-linux-gnu, profile bench, over
# std::alloc::System, by rustc 1.90.0 and alloc-scenario 0.1.0. A limit is the figure
# itself: leave room where it may move, and add a `reason` for whoever breaks it.

";

fn measured(results: &str) -> Measurements {
    let streams = streams(results).expect("the results are well written");
    Measurements::new(streams).expect("no name occurs twice")
}

fn inputs<'i>(config: &'i Config, measurements: &'i Measurements, none: &'i CfgSets) -> Inputs<'i> {
    Inputs {
        config,
        measurements,
        baseline: None,
        document: None,
        partiality: Partiality::Whole,
        cfgs: none,
        today: Date::from_unix_days(0),
    }
}

fn suggested(rules: &str, results: &str, which: Which) -> Suggestions {
    let (measurements, none) = (measured(results), CfgSets::default());
    let rules = format!("version = 1\n{rules}");
    let config = Config::parse("gates.toml", &rules).expect("the rules are valid");
    let suggestions = gates(&inputs(&config, &measurements, &none), which);
    let suggestions = suggestions.expect("what is suggested holds");
    let text = suggestions.appended_to("gates.toml", &rules);
    check(
        &text.expect("the file is valid"),
        &suggestions,
        &measurements,
    );
    suggestions
}

/// With the gates in it, the file is read, they hold, and no scenario is ungated.
fn check(text: &str, suggestions: &Suggestions, measurements: &Measurements) {
    let none = CfgSets::default();
    let config = Config::parse("gates.toml", text).expect("the gates are valid");
    let evaluation = evaluate(&inputs(&config, measurements, &none));
    let names: Vec<&str> = evaluation
        .gates
        .iter()
        .filter(|gate| gate.verdict == Verdict::Pass && !gate.judgements.is_empty())
        .map(|gate| gate.name.as_str())
        .filter(|name| suggestions.names().iter().any(|own| own == name))
        .collect();
    assert_eq!(names, suggestions.names(), "{text}");
    let ungated = evaluation.findings.iter();
    let ungated = ungated.filter(|finding| finding.remark.code() == "ungated-scenario");
    assert_eq!(ungated.count(), 0, "{text}");
}

/// The text behind the heading.
fn text(results: &str) -> String {
    let suggestions = suggested("", results, Which::Ungated);
    let text = suggestions.text().strip_prefix(HEADING);
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
            "encode (Int32): 10000 x allocs=2 alloc-bytes=1500 deallocs=2 dealloc-bytes=1500 \
             peak=1200\n\
             lookup: 500 x"
        ),
        "\
# `encode (Int32)` of sample/bench: 10,000 iterations.
[[gate]]
name = \"encode-int32\"
scenarios = [\"encode (Int32)\"]
allocs = \"<= 2\" # 2 in each of 10,000 iterations
reallocs = \"== 0\" # 0 in each of 10,000 iterations
bytes = \"<= 1_500\" # 1,500 in each of 10,000 iterations
peak-bytes = \"<= 1_200\" # 1,200 in each of 10,000 iterations
net-bytes = \"== 0\" # 0 in each of 10,000 iterations

# `lookup` of sample/bench: 500 iterations.
[[gate]]
name = \"lookup\"
scenarios = [\"lookup\"]
allocs = \"== 0\" # 0 in each of 500 iterations
reallocs = \"== 0\" # 0 in each of 500 iterations
net-bytes = \"== 0\" # 0 in each of 500 iterations
"
    );
}

#[test]
fn figures_that_differ_are_limited_at_the_worst_and_it_says_so() {
    // 1 of 4 iterations allocates twice: a mean of 1.25.
    assert_eq!(
        text(
            "fill: 3 x allocs=1 alloc-bytes=8 deallocs=1 dealloc-bytes=8; 1 x allocs=2 \
              alloc-bytes=16 deallocs=2 dealloc-bytes=16"
        ),
        "\
# `fill` of sample/bench: 4 iterations.
# Its iterations differ: a limit on `max` is the worst that was seen, and another run
# may see worse.
[[gate]]
name = \"fill\"
scenarios = [\"fill\"]
allocs = { max = \"<= 2\" } # 1 to 2 (mean 1.25) in 4 iterations
reallocs = \"== 0\" # 0 in each of 4 iterations
bytes = { max = \"<= 16\" } # 8 to 16 (mean 10.00) in 4 iterations
net-bytes = \"== 0\" # 0 in each of 4 iterations
"
    );
}

#[test]
fn what_stays_and_what_goes_is_limited_with_its_sign() {
    assert_eq!(
        rules("1 x allocs=1 alloc-bytes=4096")[3],
        "net-bytes = \"<= 4_096\" # 4,096 in each of 1 iteration"
    );
    assert_eq!(
        rules("1 x deallocs=1 dealloc-bytes=4096")[2],
        "net-bytes = \"<= -4_096\" # -4,096 in each of 1 iteration"
    );
    assert_eq!(
        rules("1 x; 1 x deallocs=1 dealloc-bytes=8")[2],
        "net-bytes = { max = \"<= 0\" } # -8 to 0 (mean -4.00) in 2 iterations"
    );
}

#[test]
fn native_calls_are_limited_where_they_were_measured() {
    let rules = rules("2 x allocs=1 alloc-bytes=8 native-allocs=3 native-bytes=96");
    assert_eq!(
        rules[4..],
        [
            "native-allocs = \"<= 3\" # 3 in each of 2 iterations",
            "native-bytes = \"<= 96\" # 96 in each of 2 iterations"
        ]
    );
}

#[test]
fn a_sweep_has_one_gate_with_its_growth() {
    // Two vectors for any number of rows, and a row's text each.
    let rows = |n: u64| {
        format!(
            "decode/rows={n}: 10 x allocs={} alloc-bytes={} deallocs={0} dealloc-bytes={1} \
             peak=96 | elements={n}\n",
            n + 2,
            20 * n
        )
    };
    let results: String = [1_000, 10, 100, 10_000].map(rows).concat();
    assert_eq!(
        text(&results),
        "\
# `decode/rows=*` of sample/bench: 4 scenarios, 10 iterations each.
[[gate]]
name = \"decode-by-rows\"
scenarios = [\"decode/rows=*\"]
# by rows: 12 at 10, 102 at 100, 1,002 at 1,000, 10,002 at 10,000; O(n); 1.20 per
# element at 10
allocs = { max = \"<= 10_002\", per-element = \"<= 1.2\", growth = \"O(n)\" }
reallocs = \"== 0\" # 0 in each of 10 iterations
# by rows: 200 at 10, 2,000 at 100, 20,000 at 1,000, 200,000 at 10,000; O(n); 20.00 per
# element at 10
bytes = { max = \"<= 200_000\", per-element = \"<= 20\", growth = \"O(n)\" }
# by rows: 96 at 10, 96 at 100, 96 at 1,000, 96 at 10,000; O(1)
peak-bytes = { max = \"<= 96\", growth = \"O(1)\" }
net-bytes = \"== 0\" # 0 in each of 10 iterations
"
    );
}

/// The requirements on `allocs` that are suggested for `s/n=*`.
fn growth(points: &[(u64, u64)], rest: &str) -> String {
    let line = |(n, allocs): &(u64, u64)| {
        format!("s/n={n}: 2 x allocs={allocs} deallocs={allocs}{rest}\n")
    };
    let text = text(&points.iter().map(line).collect::<String>());
    let rule = text.lines().find(|line| line.starts_with("allocs"));
    rule.expect("there is a rule").to_owned()
}

#[test]
fn growth_is_the_class_that_was_measured() {
    assert_eq!(
        growth(&[(1, 5), (10, 5), (100, 5), (1_000, 5)], ""),
        "allocs = { max = \"<= 5\", growth = \"O(1)\" }"
    );
    assert!(
        growth(&[(1, 1), (10, 100), (100, 10_000), (1_000, 1_000_000)], "")
            .starts_with("allocs = { max = \"<= 1_000_000\", growth = \"O(n^2)\" }")
    );
    // Nothing can require more than that.
    let cubic = growth(&[(1, 1), (10, 1_000), (20, 8_000), (100, 1_000_000)], "");
    assert!(
        cubic.starts_with("allocs = { max = \"<= 1_000_000\" }"),
        "{cubic}"
    );
}

#[test]
fn too_few_points_and_means_that_move_have_no_growth() {
    let few = text("s/n=1: 1 x allocs=1\ns/n=10: 1 x allocs=1\ns/n=100: 1 x allocs=1");
    assert_eq!(few.matches("[[gate]]").count(), 3);
    assert!(!few.contains("growth"), "{few}");
    let near =
        text("s/n=1: 1 x allocs=1\ns/n=2: 1 x allocs=1\ns/n=3: 1 x allocs=1\ns/n=4: 1 x allocs=1");
    assert_eq!(near.matches("[[gate]]").count(), 4);
    let moving = growth(
        &[(1, 5), (10, 5), (100, 5), (1_000, 5)],
        "; 1 x allocs=7 deallocs=7",
    );
    assert_eq!(moving, "allocs = { max = \"<= 7\" }");
}

#[test]
fn a_fraction_per_element_is_rounded_up() {
    let thirds = |n: u64| {
        format!(
            "s/n={n}: 1 x allocs={} deallocs={0} | elements={}\n",
            n,
            3 * n
        )
    };
    let text = text(&[3, 30, 300, 3_000].map(thirds).concat());
    assert!(text.contains("per-element = \"<= 0.333334\""), "{text}");
}

#[test]
fn of_two_axes_the_first_with_enough_points_is_grown_over() {
    let mut results = String::new();
    for cols in [1, 8] {
        for rows in [1, 10, 100, 1_000] {
            results.push_str(&format!("get/cols={cols},rows={rows}: 1 x allocs={cols}\n"));
        }
    }
    let text = text(&results);
    for part in [
        "name = \"get-cols-1-by-rows\"\nscenarios = [\"get/cols=1,rows=*\"]\ngrowth-axis = \"rows\"\n",
        "name = \"get-cols-8-by-rows\"\nscenarios = [\"get/cols=8,rows=*\"]\ngrowth-axis = \"rows\"\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(text.matches("[[gate]]").count(), 2);
}

#[test]
fn a_series_that_lost_a_point_to_another_one_needs_enough_without_it() {
    // Four of `cols` with one row, and with the first of them four of `rows`.
    let four = ["1,rows=1", "2,rows=1", "4,rows=1", "8,rows=1"];
    let lost = ["1,rows=2", "1,rows=4", "1,rows=8"];
    let line = |name: &&str| format!("get/cols={name}: 1 x allocs=1\n");
    let results: String = four.iter().chain(&lost).map(line).collect();
    assert_eq!(
        suggested("", &results, Which::Ungated).names(),
        [
            "get-rows-1-by-cols",
            "get-cols-1-rows-2",
            "get-cols-1-rows-4",
            "get-cols-1-rows-8"
        ]
    );
}

#[test]
fn without_growth_there_is_no_axis_to_grow_over() {
    let results = [1, 2, 4, 8].map(|n| format!("get/cols={n},rows=1: 1 x\n"));
    let text = text(&results.concat());
    assert!(text.contains("name = \"get-rows-1-by-cols\""), "{text}");
    assert!(!text.contains("growth"), "{text}");
}

#[test]
fn a_glob_matches_no_other_scenario() {
    let text =
        text("s/n=1: 1 x\ns/n=10: 1 x\ns/n=100: 1 x\ns/n=1000: 1 x\ns/n=big (10): 1 x allocs=9");
    assert!(
        text.contains("scenarios = [\"s/n=1\", \"s/n=10\", \"s/n=100\", \"s/n=1000\"]"),
        "{text}"
    );
    assert!(text.contains("scenarios = [\"s/n=big (10)\"]"), "{text}");
}

#[test]
fn names_are_escaped_in_globs_strings_and_comments() {
    let text = text(
        "\"a[0]\": 1 x\n\"a0\": 1 x allocs=5\n\"what?\\\\ \\\"now\\\"\": 1 x\n\
         \"x\\n[[gate]]\": 1 x\n\"{a,b}*/n=1\": 1 x\n\"ab*/n=2\": 1 x allocs=3",
    );
    assert!(text.contains("scenarios = ['a\\[0\\]']"), "{text}");
    assert!(text.contains("# `x [[gate]]` of sample/bench"), "{text}");
    assert!(text.contains("'\\{a,b\\}\\*/n=1'"), "{text}");
}

#[test]
fn a_sweep_with_special_characters_has_one_glob() {
    let results = [1, 10, 100, 1_000].map(|n| format!("Vec<[u8]>/n={n}: 1 x\n"));
    let text = text(&results.concat());
    assert!(text.contains("scenarios = ['Vec<\\[u8\\]>/n=*']"), "{text}");
}

#[test]
fn names_of_gates_are_unique() {
    let rules = "[[gate]]\nname = \"a-b\"\nscenarios = [\"z\"]\nallocs = \"<= 1\"\n";
    let results = "z: 1 x\na b: 1 x\n\"a(b)\": 1 x\na_b: 1 x";
    let suggestions = suggested(rules, results, Which::Ungated);
    assert_eq!(suggestions.names(), ["a-b-2", "a-b-3", "a-b-4"]);
}

#[test]
fn gated_scenarios_are_left_out_unless_all_are_asked_for() {
    let gate =
        "[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\nexclude = [\"b\"]\nallocs = \"<= 9\"\n";
    let results = "a: 1 x\nb: 1 x\nc: 1 x";
    let ungated = suggested(gate, results, Which::Ungated);
    assert_eq!(
        (ungated.names(), ungated.scenarios()),
        (&["b".to_owned()][..], 1)
    );
    let all = suggested(gate, results, Which::All);
    assert_eq!((all.names().len(), all.scenarios()), (3, 3));
    // What was suggested once is not suggested again.
    let none = suggested(
        &format!("{gate}{}", ungated.text()),
        results,
        Which::Ungated,
    );
    assert_eq!(none, Suggestions::default());
    assert_eq!(
        none.appended_to("gates.toml", "as it was").unwrap(),
        "as it was"
    );
}

#[test]
fn a_sweep_of_which_a_point_is_gated_is_about_the_others() {
    let gate = "[[gate]]\nname = \"one\"\nscenarios = [\"s/n=1\"]\nallocs = \"== 9\"\n";
    let results = "s/n=1: 1 x allocs=9\ns/n=2: 1 x\ns/n=4: 1 x\ns/n=8: 1 x\ns/n=16: 1 x";
    let suggestions = suggested(gate, results, Which::Ungated);
    assert!(
        suggestions
            .text()
            .contains("scenarios = [\"s/n=2\", \"s/n=4\", \"s/n=8\", \"s/n=16\"]"),
        "{}",
        suggestions.text()
    );
}

#[test]
fn scope_threads_foreign_calls_and_own_metrics_are_pointed_out() {
    let text = text(
        "serve: 1 x allocs=3 | scope=process | threads=4\n\
         wait: 1 x | foreign allocs=2 deallocs=1\n\
         pack: 1 x | custom rows count 1 x 1 | custom size bytes 1 x 64",
    );
    for remark in [
        "# Process scope: what other threads allocate meanwhile is counted too.\n",
        "# The figures are sums over 4 threads.\n",
        "# Other threads allocated or deallocated 3 times meanwhile, which is not part of its\n\
         # figures (foreign).\n",
        "# It measures `rows`, `size` itself, and no limit here is about that.\n",
    ] {
        assert_eq!(text.matches(remark).count(), 1, "{remark}\n{text}");
    }
}

#[test]
fn each_environment_has_its_heading() {
    let results = "bench a/x\na: 1 x\nb: 1 x\nbench a/y allocator=mimalloc\nc: 1 x";
    let text = suggested("", results, Which::All).text().to_owned();
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
        format!("version = 1\n\n{}", suggestions.text()).replace('\n', "\r\n")
    );
    let text = suggestions.appended_to("g", "version = 1 # end").unwrap();
    assert_eq!(text, format!("version = 1 # end\n\n{}", suggestions.text()));
}

#[test]
fn a_file_that_tables_cannot_continue_is_refused() {
    let suggestions = suggested("", "a: 1 x", Which::All);
    let inline = "version = 1\ngate = [{ name = \"g\", scenarios = [\"*\"], allocs = \"<= 1\" }]\n";
    assert!(Config::parse("g", inline).is_ok());
    assert!(suggestions.appended_to("g", inline).is_err());
}

#[test]
fn a_gate_that_does_not_hold_is_not_handed_out() {
    let (measurements, none) = (measured("a: 1 x allocs=2"), CfgSets::default());
    let config = Config::without_file();
    let inputs = inputs(&config, &measurements, &none);
    let gate = |rule: &str| Suggestions {
        names: vec![String::from("g")],
        scenarios: 1,
        text: format!("[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{rule}\n"),
    };
    assert!(gate("allocs = \"<= 2\"").verify(&inputs).is_ok());
    assert!(matches!(
        gate("allocs = \"<= 1\"").verify(&inputs),
        Err(SuggestError::Broken { .. })
    ));
    assert!(matches!(
        gate("alocs = \"<= 1\"").verify(&inputs),
        Err(SuggestError::Invalid(_))
    ));
    assert_eq!(
        evaluate(&inputs).outcome(),
        Outcome::NothingJudged,
        "the rules at hand have no gate"
    );
}

/// Numbers that are the same each time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Often small, sometimes huge.
    fn count(&mut self) -> u64 {
        match self.below(4) {
            0 => 0,
            1 => self.below(4),
            2 => self.below(10_000),
            _ => self.below(1 << 53),
        }
    }

    fn sample(&mut self, n: u64) -> String {
        let times = 1 + self.below(1_000);
        let allocs = match self.below(4) {
            0 => n,
            1 => n.saturating_mul(n),
            _ => self.count(),
        };
        let (bytes, freed, grows, peak) = (self.count(), self.count(), self.count(), self.count());
        format!(
            "{times} x allocs={allocs} alloc-bytes={bytes} dealloc-bytes={freed} grows={grows} \
             peak={peak}"
        )
    }

    fn scenario(&mut self, name: &str, n: u64) -> String {
        let mut line = format!("{name}: {}", self.sample(n));
        if self.below(4) == 0 {
            line.push_str(&format!("; {}", self.sample(n)));
        }
        for rest in [
            format!(" | elements={}", 1 + self.below(n + 3)),
            String::from(" | scope=process"),
            String::from(" | foreign allocs=3"),
        ] {
            if self.below(3) == 0 {
                line.push_str(&rest);
            }
        }
        line + "\n"
    }
}

#[test]
fn whatever_was_measured_what_is_suggested_holds() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut series = 0;
    for _ in 0..100 {
        let mut results = String::new();
        for base in ["a", "a b", "a*{b}[c]"] {
            if numbers.below(3) == 0 {
                results.push_str(&numbers.scenario(base, 7));
            }
            let step = 2 + numbers.below(9);
            let mut n = numbers.below(3);
            for _ in 0..numbers.below(7) {
                let cols = 1 + numbers.below(2);
                for name in [format!("{base}/n={n}"), format!("{base}/cols={cols},n={n}")] {
                    if numbers.below(4) > 0 {
                        results.push_str(&numbers.scenario(&name, n));
                    }
                }
                n = n * step + 1;
            }
        }
        if results.is_empty() {
            continue;
        }
        // It checks what it is given.
        let suggestions = suggested("", &results, Which::Ungated);
        series += suggestions.text().matches("-by-").count();
    }
    assert!(series > 40, "{series} series are no trial");
}
