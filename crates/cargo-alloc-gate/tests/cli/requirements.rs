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
demo/counts  2 scenarios  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL small                                              src/lib.rs:60
       bytes       100 -> 165 (1.65x)    <= baseline + max(1%, 64 B) (limit 164) [no-creep]
       first operations: alloc 165, dealloc 165
FAIL large                                              src/lib.rs:60
       bytes       100,000 -> 101,001 (1.01x)    <= baseline + max(1%, 64 B) (limit 101,000) [no-creep]
       first operations: alloc 101001, dealloc 101001
2 of 2 scenarios failed, 1 of 1 gate (gates.toml:14)
help: if this is intended, run `cargo alloc-gate accept`

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

  help: fix the errors above; nothing was built
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
demo/counts  2 scenarios  3 gates  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL boxes                                              src/lib.rs:60
       bytes       16    == 0.5 * freed-bytes (limit 8, `freed-bytes` is 16) [nothing-stays], <= [control] (limit 8, `control` is 8) [against-the-control]
       first operations: alloc 8, alloc 8, dealloc 8, dealloc 8
1 of 2 scenarios failed, 2 of 3 gates (gates.toml:14, gates.toml:25)
help: if this is intended, change the limits at gates.toml:17:9 and gates.toml:28:9

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
demo/counts  4 scenarios  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL boxes/count=*                                      src/sets.rs:54
       allocs intercept  1    == 0 [one-box-each]
       points: 2 at 1, 11 at 10, 101 at 100, 1,001 at 1,000; line: 1 * count + 1, exactly
4 of 4 scenarios failed, 1 of 1 gate (gates.toml:11)
help: if this is intended, change the limit at gates.toml:14:40

"#]]);
}
