//! `accept --ratchet`, with and without `--limits`: figures and limits only get tighter.

use snapbox::str;

use crate::baselines::{DATA, PAGE};
use crate::project::Project;

const BODY: &str = "a: each 3\nb: each 3\n";

const RULES: &str = r#"
[baseline]
data = "design/accepted.toml"
document = "design/accepted.md"

[[gate]]
name = "no-creep"
scenarios = ["*"]
allocs = "<= baseline"

# Measured on the first of May.
[[gate]]
name = 'few'
scenarios = [
    "a",   # the hot one
    "b",
]
allocs   = { max = '<= 10' , mean = ">= 1, < 20" } # 10 is much
"#;

#[test]
fn a_ratchet_accepts_only_improvements() {
    let project = Project::with("ratchet", BODY, RULES);
    let rules = project.read("gates.toml");
    project.run("accept", 0);
    let accepted = project.read(DATA);
    project.scenarios("counts", "a: each 2\nb: each 4");

    // `a` has improved and is not accepted yet; `b` has got worse.
    let ran = project.run("accept --ratchet --check", 1);
    ran.stdout(str![[r#"
a: allocs 3 -> 2 (-1), bytes 24 -> 16 (0.67x)
kept: b: allocs mean 4 is worse than 3, allocs max 4 is worse than 3

"#]])
        .only_verdict(
            "FAILED: the committed baseline is out of date; run `cargo alloc-gate accept \
             --ratchet` and review the diff",
        );
    assert_eq!(project.read(DATA), accepted);

    let ran = project.run("accept --ratchet", 0);
    ran.stdout(str![[r#"
a: allocs 3 -> 2 (-1), bytes 24 -> 16 (0.67x)
kept: b: allocs mean 4 is worse than 3, allocs max 4 is worse than 3

"#]])
        .after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: 1 change, 1 scenario kept; review the diff and commit it

"#]]);
    let data = project.read(DATA);
    // `a` comes before `b`, and `b` is unchanged.
    let half = |data: &str| data.split_once("name = \"b\"").map(|(_, b)| b.to_owned());
    assert_eq!(half(&data), half(&accepted));
    assert_eq!(data.matches("\nallocs = 2\n").count(), 1);
    assert_eq!(data.matches("\nallocs = 3\n").count(), 1);
    assert_eq!(project.read("gates.toml"), rules);
    project.run("accept --ratchet --check", 0);
    // The gate still uses the figures that were kept.
    project.run("check", 1);
    let ran = project.run("accept", 0);
    assert!(ran.stdout_text().starts_with("b: allocs 3 -> 4 (+1), "));
}

#[test]
fn limits_are_tightened_in_the_rules_and_nothing_else_changes() {
    let project = Project::with("ratchet-limits", BODY, RULES);
    let rules = project.read("gates.toml");
    project.scenarios("counts", "a: each 3\nb: each 2");
    let with_limits = "accept --ratchet --limits";
    project.run("accept --ratchet --limits --check", 1);
    assert_eq!(project.read("gates.toml"), rules);
    // The largest count is three, the smallest two.
    let ran = project.run(with_limits, 0);
    ran.stdout(str![[r#"
new environment: [HOST], profile bench, over std::alloc::System
new: a
new: b
gates.toml:27:20: few: allocs max <= 10 -> <= 3 (a: 3)
gates.toml:27:37: few: allocs mean >= 1 -> >= 2 (b: 2)
gates.toml:27:37: few: allocs mean < 20 -> < 4 (a: 3)

"#]])
        .after_measuring(str![[r#"
       Wrote design/accepted.toml
       Wrote gates.toml
       Wrote design/accepted.md
alloc-gate: accepted: 6 changes; review the diff and commit it

"#]]);
    let expected = rules.replace(
        "{ max = '<= 10' , mean = \">= 1, < 20\" } # 10",
        "{ max = '<= 3' , mean = \">= 2, < 4\" } # 10",
    );
    assert_ne!(expected, rules);
    assert_eq!(project.read("gates.toml"), expected);
    project.has(PAGE, "`allocs max <= 3`");
    project.run("check", 0);

    let ran = project.run(with_limits, 0).stdout("");
    ran.verdict("accepted: no figure changed");
    project.run("accept --ratchet --limits --check", 0);
    // A scenario above its limit changes neither the baseline nor the gate.
    project.scenarios("counts", "a: each 9\nb: each 2");
    project.run(with_limits, 0);
    assert_eq!(project.read("gates.toml"), expected);
    project.run("check", 1);
}

#[test]
fn limits_need_a_ratchet_and_all_benches() {
    let project = Project::new("ratchet-usage", &[]);
    for args in [
        &["accept", "--limits"][..],
        &["accept", "--ratchet", "--limits", "--bench", "counts"],
        &["accept", "--ratchet", "--limits", "--package", "x"],
        &["accept", "--ratchet", "--limits", "--scenario", "a"],
    ] {
        project.run_args(args, 2).stdout("");
    }
}

#[test]
fn rules_that_changed_while_benches_ran_are_not_overwritten() {
    let body = format!("{BODY}use edited rules\n");
    let project = Project::with("ratchet-changed", &body, RULES);
    let rules = project.read("gates.toml");
    let ran = project.run("accept --ratchet --limits", 96);
    ran.not_judged(str![[r#"
    Building 1 bench
   Measuring demo/counts
error: gates.toml changed while the benches ran
  help: nothing was written; run the command again

"#]]);
    assert_eq!(project.read("gates.toml"), format!("{rules}# later\n"));
    assert!(!project.path(DATA).exists());
}
