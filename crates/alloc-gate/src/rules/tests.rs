//! gates.toml in, configuration or diagnostics out.
use super::*;

/// The config of `rest` behind a version line.
fn parse(rest: &str) -> Result<Config, Diagnostics> {
    Config::parse("gates.toml", &format!("version = 1\n{rest}"))
}

/// Each mistake as `line:column code: underlined text: message (hint)`.
fn mistakes(rest: &str) -> Vec<String> {
    let text = format!("version = 1\n{rest}");
    let diagnostics = Config::parse("gates.toml", &text).expect_err("the rules are wrong");
    diagnostics
        .list()
        .iter()
        .map(|diagnostic| {
            let hint = diagnostic.hint.as_ref();
            format!(
                "{} {}: {}: {}{}",
                diagnostics.place(diagnostic),
                diagnostic.code,
                text[diagnostic.span.clone()].lines().next().unwrap_or(""),
                diagnostic.message,
                hint.map(|hint| format!(" ({hint})")).unwrap_or_default()
            )
        })
        .collect()
}

const GATE: &str = "[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n";

fn gate_mistake(line: &str) -> String {
    let mistakes = mistakes(&format!("{GATE}{line}\n"));
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    mistakes.into_iter().next().expect("there is one")
}

#[test]
fn a_whole_file_is_read() {
    let config = parse(
        r#"
[run]
warmup = 10
iterations = 1_00
timeout = "2m"
[baseline]
data = "b.toml"
document = "b.md"
[policy]
stale = "deny"
ungated = "allow"
[[bench]]
package = "codec"
target = "alloc_count"
[[gate]]
name = "R12"
scenarios = ["encode*", "decode"]
allocs = "< 5"
bytes = { max = "<= baseline", first = "<= 1_000, > 0" }
reason = "promised"
"#,
    )
    .unwrap();
    assert_eq!(
        config.run,
        RunSettings {
            warmup: Some(10),
            iterations: Some(100),
            timeout: Duration::from_secs(120)
        }
    );
    assert_eq!(
        config.baseline.unwrap().pages,
        [BaselinePage::of_all_benches("b.md")]
    );
    assert_eq!(config.policy.stale, Reaction::Deny);
    assert_eq!(config.policy.ungated, Reaction::Allow);
    assert_eq!(config.policy.nondeterministic, Reaction::Warn);
    assert_eq!(config.benches[0].target, "alloc_count");
    let [gate] = &config.gates[..] else {
        panic!("one gate");
    };
    assert_eq!(gate.reason.as_deref(), Some("promised"));
    assert_eq!(gate.place.to_string(), "16:1");
    assert!(gate.scenarios[0].matches("encode (Int32)/rows=1"));
    assert!(!gate.scenarios[1].matches("decode2"));
    let rules: Vec<String> = gate
        .rules
        .iter()
        .map(|rule| {
            format!(
                "{} {} {} {}",
                rule.place, rule.metric, rule.statistic, rule.requirement
            )
        })
        .collect();
    assert_eq!(
        rules,
        [
            "19:10 allocs mean < 5",
            "20:17 bytes max <= baseline",
            "20:40 bytes first <= 1_000, > 0"
        ]
    );
}

#[test]
fn what_is_not_said_has_the_documented_default() {
    let config = parse("").unwrap();
    assert_eq!(config.run, RunSettings::default());
    assert_eq!(config.run.iterations, None);
    assert_eq!(config.run.timeout, Duration::from_secs(60));
    assert_eq!(config.policy, Policy::default());
    assert!(config.gates.is_empty());
}

#[test]
fn all_mistakes_are_reported_in_one_run() {
    assert_eq!(
        mistakes(
            r#"colour = "blue"
[run]
iterations = 0
timeout = "soon"
warm-up = 3
[policy]
stale = "denny"
[[bench]]
package = "a"
[[bench]]
package = "b"
target = "t"
[[bench]]
package = "b"
target = "t"
[[gate]]
name = "g"
scenarios = []
allocs = "< 5"
[[gate]]
name = "g"
scenarios = ["a[", 3]
alocs = "< 5"
bytes = { mox = "< 5", max = 5, min = "=< 5" }
"#
        ),
        [
            "2:1 unknown-key: colour: unknown key `colour` in gates.toml (known are `version`, \
             `baseline`, `metrics`, `run`, `policy`, `bench`, `gate`, \
             `waiver`, `table`)",
            "4:14 bad-value: 0: `iterations` has to be a whole number of at least 1",
            "5:11 bad-value: \"soon\": `soon` is not a time limit (write seconds as `90s` or \
             minutes as `5m`)",
            "6:1 unknown-key: warm-up: unknown key `warm-up` in `[run]` (did you mean `warmup`?)",
            "8:9 bad-value: \"denny\": `stale` can't be `denny` (did you mean `deny`?)",
            "9:1 missing-key: [[bench]]: `[[bench]]` needs the key `target`",
            "14:1 duplicate-bench: [[bench]]: the bench `t` of `b` is listed twice",
            "17:1 no-scenarios: [[gate]]: the gate says no `scenarios`, and so applies to nothing \
             (`scenarios = [\"*\"]` means all of them)",
            "22:8 duplicate-gate: \"g\": two gates are called `g` (the other one is at \
             gates.toml:18:8)",
            "23:14 bad-pattern: \"a[\": `a[` is not a glob: unclosed character class; missing ']' \
             (`*` stands for any text; `\\\\` before a special character takes it literally)",
            "23:20 wrong-type: 3: `scenarios` has to be an array of strings, and this is of type \
             integer",
            "24:1 unknown-metric: alocs: unknown metric `alocs` (did you mean `allocs`?)",
            "25:11 unknown-statistic: mox: unknown statistic `mox` (did you mean `max`?)",
            "25:30 wrong-type: 5: `max` has to be a string, and this is of type integer",
            "25:40 unknown-operator: =<: unknown operator `=<` (known are `<`, `<=`, `==`, `>=`, \
             `>`)",
        ]
    );
}

#[test]
fn a_gate_that_protects_nothing_is_a_mistake() {
    assert_eq!(
        gate_mistake("allocs = \">= 0\""),
        "5:10 cannot-fail: \">= 0\": `allocs` is never below 0, so `>= 0` can't fail (a gate that \
         can't fail protects nothing; give an upper limit, or leave it out)"
    );
    assert_eq!(
        gate_mistake("allocs = \"< 2, > 3\""),
        "5:10 cannot-hold: \"< 2, > 3\": no measurement can meet `allocs < 2, > 3` (a gate that \
         can't hold is always broken; correct the limits)"
    );
    assert_eq!(
        gate_mistake("bytes = \"<= baseline\""),
        "5:9 no-baseline-file: \"<= baseline\": the requirement needs a baseline, and the file \
         names none (add `[baseline]` with `data = \"design/alloc-baseline.toml\"`)"
    );
    assert_eq!(
        gate_mistake("reason = \"none\""),
        "2:1 empty-gate: [[gate]]: the gate requires nothing (add a metric with a requirement, \
         such as `allocs = \"<= 3\"`)"
    );
    assert_eq!(
        gate_mistake("bytes = {}"),
        "5:9 empty-gate: {}: `bytes` requires nothing (add a statistic, such as \
         `bytes = { max = \"<= 3\" }`)"
    );
}

#[test]
fn a_broken_file_names_line_and_column() {
    for (text, shown) in [
        (
            "version = 1\n[[gate]\n",
            "2:8 toml-syntax: unclosed array table, expected `]`",
        ),
        ("", "1:1 missing-key: gates.toml needs the key `version`"),
        (
            "version = 2\n",
            "1:11 unsupported-version: gates.toml is of a version that this program can't read",
        ),
        (
            "version = 1\nversion = 1\n",
            "2:1 toml-syntax: duplicate key",
        ),
    ] {
        let diagnostics = Config::parse("gates.toml", text).unwrap_err();
        let first = &diagnostics.list()[0];
        assert_eq!(
            format!(
                "{} {}: {}",
                diagnostics.place(first),
                first.code,
                first.message
            ),
            shown
        );
    }
}

#[test]
fn escaped_and_literal_strings_are_underlined_whole_or_exactly() {
    assert!(gate_mistake("allocs = '< x'").starts_with("5:13 bad-requirement: x: "));
    assert!(
        gate_mistake("allocs = \"\\u003c x\"").starts_with("5:10 bad-requirement: \"\\u003c x\": ")
    );
    assert!(gate_mistake("allocs = \"\"").starts_with("5:10 bad-requirement: \"\": "));
}
