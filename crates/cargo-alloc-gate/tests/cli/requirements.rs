//! Requirements of small projects: limits other than plain numbers.

use snapbox::str;

use crate::project::Project;

#[test]
fn a_tolerance_of_two_kinds_lets_small_and_large_figures_vary() {
    let rules = r#"
[baseline]
data = "accepted.toml"

[[gate]]
name = "no-creep"
scenarios = ["*"]
bytes = "<= baseline + max(1%, 64 B)"
"#;
    let project = Project::with("two-tolerances", "small: 100\nlarge: 100000", rules);
    project.run("accept", 0);
    project.scenarios("counts", "small: 164\nlarge: 101000");
    project.passes("1 gate checked, 2 scenarios measured");
    // 1 percent of 100,000 is 1,000; 1 percent of 100 is less than 64.
    project.scenarios("counts", "small: 165\nlarge: 101001");
    let ran = project.fails("1 gate checked (1 failed), 2 scenarios measured");
    ran.stdout(str![[r#"
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| small    |   100 |      1.00 |      165 |        1.00 |
| large    |   100 |      1.00 |  101,001 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL    no-creep: 2 scenarios
        bytes <= baseline + max(1%, 64 B): 165 to 101,001

FAIL no-creep: small
  measured: bytes 165 per iteration
  required: `bytes <= baseline + max(1%, 64 B)` (gates.toml:17:9)
  baseline: 100
  limit:    164
  scenario: benches/counts.rs:62
  next:     find what changed since the baseline; if the change is intended, run `cargo alloc-gate accept`, or change the rule at gates.toml:17:9

FAIL no-creep: large
  measured: bytes 101,001 per iteration
  required: `bytes <= baseline + max(1%, 64 B)` (gates.toml:17:9)
  baseline: 100,000
  limit:    101,000
  scenario: benches/counts.rs:62
  next:     find what changed since the baseline; if the change is intended, run `cargo alloc-gate accept`, or change the rule at gates.toml:17:9

"#]]);
}

#[test]
fn a_factor_of_the_baseline_is_a_mistake_that_names_the_tolerance() {
    let rules = r#"
[baseline]
data = "accepted.toml"

[[gate]]
name = "no-creep"
scenarios = ["*"]
bytes = "<= 1.1 * baseline"
"#;
    let project = Project::with("factor-of-baseline", "small: 100", rules);
    project.run("check", 96).stderr(str![[r#"
error: gates.toml is invalid: 1 mistake

error[bad-requirement]: `1.1 * baseline` is not a limit
  --> gates.toml:17:13
   |
17 | bytes = "<= 1.1 * baseline"
   |             ^^^^^^^^^^^^^^
   |
   = help: write the factor as a tolerance: `baseline + 10%`

  help: correct what is underlined; nothing was built
alloc-gate: error: gates.toml is invalid: 1 mistake (exit code 96)

"#]]);
}

#[test]
fn figures_of_one_scenario_are_compared_and_a_control_needs_no_gate() {
    let rules = r#"
[policy]
ungated = "deny"

[[gate]]
name = "nothing-stays"
scenarios = ["boxes"]
freed-bytes = "== bytes"

[[gate]]
name = "no-costly-start"
scenarios = ["boxes"]
allocs = { first = "<= 2 * mean" }
bytes = { max = "<= 2 * p50" }

[[gate]]
name = "against-the-control"
scenarios = ["boxes"]
bytes = "<= [control]"
"#;
    let project = Project::with("other-figures", "boxes: 8 8\ncontrol: 16", rules);
    project.passes("3 gates checked, 2 scenarios measured");
    // A wrong relation, and a control that is too small.
    project.scenarios("counts", "boxes: 8 8\ncontrol: 8");
    let rules = project.read("gates.toml");
    let rules = rules.replace(
        "freed-bytes = \"== bytes\"",
        "bytes = \"== 0.5 * freed-bytes\"",
    );
    project.write("gates.toml", &rules);
    let ran = project.fails("3 gates checked (2 failed), 2 scenarios measured");
    ran.stdout(str![[r#"
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| boxes    |   100 |      2.00 |       16 |        2.00 |
| control  |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL    nothing-stays: 1 scenario
        bytes == 0.5 * freed-bytes: 16
pass    no-costly-start: 1 scenario
        allocs first <= 2 * mean: 2
        bytes max <= 2 * p50: 16
FAIL    against-the-control: 1 scenario
        bytes <= [control]: 16

FAIL nothing-stays: boxes
  measured: bytes 16 per iteration
  required: `bytes == 0.5 * freed-bytes` (gates.toml:17:9)
  other:    `freed-bytes mean`: 16
  limit:    8
  scenario: benches/counts.rs:62
  next:     fix the code that benches/counts.rs:62 measures, or change the limit at gates.toml:17:9

FAIL against-the-control: boxes
  measured: bytes 16 per iteration
  required: `bytes <= [control]` (gates.toml:28:9)
  other:    `control`: 8
  limit:    8
  scenario: benches/counts.rs:62
  next:     fix the code that benches/counts.rs:62 measures, or change the limit at gates.toml:28:9

"#]]);
}

#[test]
fn slope_and_intercept_are_exact_over_an_axis() {
    let rules = |intercept: &str| {
        format!(
            "
[[gate]]
name = \"one-box-each\"
scenarios = [\"boxes/*\"]
allocs = {{ slope = \"== 1\", intercept = \"{intercept}\", growth = \"O(n)\" }}
"
        )
    };
    let project = Project::with("lines", "use boxes by count", &rules("== 1"));
    project.passes("1 gate checked, 4 scenarios measured");
    project.gates(&["counts"], &rules("== 0"));
    let ran = project.fails("1 gate checked (1 failed), 4 scenarios measured");
    ran.stdout(str![[r#"
| scenario         | iters | allocs/op | bytes/op | deallocs/op |
|------------------|-------|-----------|----------|-------------|
| boxes/count=1    |   100 |      2.00 |       16 |        2.00 |
| boxes/count=10   |   100 |     11.00 |      160 |       11.00 |
| boxes/count=100  |   100 |    101.00 |    1,600 |      101.00 |
| boxes/count=1000 |   100 |  1,001.00 |   16,000 |    1,001.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL    one-box-each: 4 scenarios
        allocs slope == 1: 1.00
        allocs intercept == 0: 1.00
        allocs growth O(n): O(n) (1 * count + 1, exactly)

FAIL one-box-each: boxes/count=*
  measured: allocs 1.00 at 0 of the axis
  required: `allocs intercept == 0` (gates.toml:14:40)
  points:   2.00 at 1, 11.00 at 10, 101.00 at 100, 1,001.00 at 1,000
  line:     1 * count + 1, exactly
  scenario: benches/sets.rs:54
  next:     fix the code that benches/sets.rs:54 measures, or change the limit at gates.toml:14:40

"#]]);
}
