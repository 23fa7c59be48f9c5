//! `accept` of a part and of recorded results.

use snapbox::str;

use crate::project::Project;
use crate::recorded::baselines::{BODY, DATA, PAGE, RULES};

/// The line of iterations that allocate this often.
fn allocs(n: u64) -> String {
    format!("\nallocs = {n}\n")
}

#[test]
fn single_scenarios_are_accepted_and_all_others_stay() {
    let project = Project::with_two(
        "accept-scenario",
        "--odd: 8\nof a/1: 8\nof a/1, twice: 8\nof a/2: 8",
        "of b: 8",
        RULES,
    );
    project.run("accept", 0);
    let data = project.read(DATA);
    // Seven boxes in each, and another name for a scenario.
    let old = data.replace(&allocs(1), &allocs(7));
    let old = old.replace("name = \"of b\"", "name = \"old of b\"");
    project.write(DATA, &old);

    let ran = project.run_args(&["accept", "--scenario", "*odd", "--scenario", "of ?/1"], 0);
    ran.stdout(str![[r#"
--odd: allocs 7 -> 1 (-6)
of a/1: allocs 7 -> 1 (-6)

"#]])
        .stderr(str![[r#"
    Building 2 benches
   Measuring 2 scenarios of demo/counts
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: 2 changes; review the diff and commit it

"#]]);
    let new = project.read(DATA);
    assert_eq!(new.matches(&allocs(1)).count(), 2);
    assert_eq!(new.matches(&allocs(7)).count(), 3);
    assert!(new.contains("name = \"old of b\""));
    // The data has `old of b`, and the bench has `of b`.
    let ran = project.run_args(&["accept", "--scenario", "of a/*"], 0);
    ran.stdout(str![[r#"
of a/1, twice: allocs 7 -> 1 (-6)
of a/2: allocs 7 -> 1 (-6)

"#]]);
    let ran = project.run_args(&["accept", "--check", "--scenario", "of *"], 1);
    ran.stdout(str![[r#"
new: of b

"#]]);

    let before = project.read(DATA);
    let ran = project.run_args(&["accept", "--scenario", "of a/1", "--scenario", "of c"], 4);
    ran.not_judged(str![[r#"
    Building 2 benches
error: no scenario matches `of c`
  help: a glob must match the whole name; `cargo alloc-gate list` prints the names; did you mean `of b`?

"#]]);
    assert_eq!(project.read(DATA), before);
    for glob in ["[", ""] {
        let ran = project.run_args(&["accept", "--scenario", glob], 2);
        ran.stderr_has("--scenarios <GLOB>");
    }
}

#[test]
fn excluded_scenarios_are_not_kept_and_are_missing_for_a_gate() {
    let project = Project::with("accept-exclude", "kept: 8\nlab/1: 8", RULES);
    project.run("accept", 0);
    project.has(DATA, "name = \"lab/1\"");

    let rules = project.read("gates.toml");
    let excluding = rules.replace("[baseline]\n", "[baseline]\nexclude = [\"lab/*\"]\n");
    assert_ne!(rules, excluding);
    project.write("gates.toml", &excluding);
    project.run("accept", 0).stdout(str![[r#"
gone: lab/1

"#]]);
    let data = project.read(DATA);
    assert!(
        data.contains("name = \"kept\"") && !data.contains("lab/1"),
        "{data}"
    );
    assert!(!project.read(PAGE).contains("lab/1"));
    project.run("accept --check", 0);

    // The gate applies to all scenarios, and this one has no baseline.
    let ran = project.run("check", 1);
    ran.stdout_has("error[no-accepted-figure]: the baseline does not have `allocs` of `lab/1` (");
    ran.stdout_has("the baseline does not have `bytes max` of `lab/1` (");
}

#[test]
fn recorded_results_of_several_machines_are_accepted_in_one_go() {
    let project = Project::with_two("accept-from", "of a: 8", "of b: 8", RULES);
    project.run("run", 0);
    for target in ["one", "two"] {
        for (bench, file) in [("counts", "a"), ("other", "b")] {
            let results = project.results_from(bench, target);
            project.write(&format!("{file}.{target}.jsonl"), &results);
        }
    }
    let accept = "accept --results a.one.jsonl a.two.jsonl b.one.jsonl b.two.jsonl";
    let check = format!("{accept} --check");
    let ran = project.run(&check, 1);
    assert!(ran.stdout_text().starts_with("new environment: one, "));
    assert!(!project.path(DATA).exists());

    let ran = project.run(accept, 0);
    ran.stdout(str![[r#"
new environment: one, profile bench, over std::alloc::System
new: of a (on one, profile bench, over std::alloc::System)
new: of b (on one, profile bench, over std::alloc::System)
new environment: two, profile bench, over std::alloc::System
new: of a (on two, profile bench, over std::alloc::System)
new: of b (on two, profile bench, over std::alloc::System)

"#]])
        .stderr(str![[r#"
       Wrote design/accepted.toml
       Wrote design/accepted.md
alloc-gate: accepted: 6 changes; review the diff and commit it

"#]]);
    project.run(&check, 0).stdout("");

    // All benches of `two`: its other scenarios are removed. One bench of `one`: the
    // scenarios of the other bench stay.
    let data = project.read(DATA);
    let of_b = "\"of b\"\nbench = { package = \"demo\", target = \"other\" }";
    // They may be of a bench that no longer exists.
    let old = "\"old of b\"\nbench = { package = \"demo\", target = \"past\" }";
    let edited = data.replace(of_b, old);
    assert_eq!(edited.matches(old).count(), 2);
    project.write(DATA, &edited);
    let ran = project.run("accept --results a.one.jsonl a.two.jsonl b.two.jsonl", 0);
    ran.stdout(str![[r#"
new: of b (on two, profile bench, over std::alloc::System)
gone: old of b (on two, profile bench, over std::alloc::System)

"#]]);
    assert_eq!(project.read(DATA), data.replacen(of_b, old, 1));
}

#[test]
fn incomplete_or_foreign_recorded_results_are_refused() {
    let project = Project::with("accept-from-broken", BODY, RULES);
    project.run("run", 0);
    let text = project.results_from("counts", "one");
    project.write("whole.jsonl", &text);
    let changed = |file: &str, from: &str, to: &str| {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{file}");
        project.write(file, &changed);
    };
    let all = r#""registered":["one box","three buffers","x"],"cores":"#;
    changed("filtered.jsonl", "\"cores\":", all);
    changed("foreign.jsonl", "\"package\":\"demo\"", "\"package\":\"x\"");
    changed("other.jsonl", "\"harness\":\"", "\"harness\":\"other ");
    let two: Vec<&str> = text.lines().take(2).collect();
    project.write("cut.jsonl", &two.join("\n"));
    let (head, proof) = text
        .split_once("\"this-thread\":{\"allocs\":")
        .expect("a proof");
    let proof = proof.trim_start_matches(|c: char| c.is_ascii_digit());
    project.write(
        "dead.jsonl",
        &format!("{head}\"this-thread\":{{\"allocs\":0{proof}"),
    );
    for (files, said) in [
        (&["filtered.jsonl"][..], "no run measured the scenario `x`"),
        (&["cut.jsonl"], "the end record is missing"),
        (&["dead.jsonl"], "dead.jsonl:1: "),
        (&["no.jsonl"], "failed to read results from no.jsonl"),
        (
            &["foreign.jsonl"],
            "the results include a bench that gates.toml does not name: x/counts",
        ),
        (
            &["whole.jsonl", "other.jsonl"],
            "demo/counts was measured twice on one, profile bench, over ",
        ),
    ] {
        let ran = project.run_args(&[&["accept", "--results"], files].concat(), 104);
        let ran = ran.stdout("");
        let text = ran.stderr_text();
        assert!(text.contains(said) && text.contains("\n  help: "), "{text}");
        assert!(!project.path(DATA).exists(), "{said}");
    }
    let usage = "accept --results whole.jsonl --bench counts";
    project.run(usage, 2).stdout("");
    project.run("accept --results whole.jsonl", 0);
}
