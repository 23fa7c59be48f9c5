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
alloc-gate: NOT JUDGED: gates.toml or a baseline is invalid (exit code 96)

"#]]);
}
