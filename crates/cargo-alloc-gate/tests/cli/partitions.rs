//! Parts of the scenarios: `--partition` measures one, and commands that read results join
//! all parts of a bench.

use std::fs;

use snapbox::str;

use crate::machines::{BODY, MACOS, change_target, edit, file_of, measure_parts};
use crate::project::{BOXES, Project, names};
use crate::repository::Repository;

#[test]
fn parts_are_judged_and_accepted_like_the_whole() {
    let gates = format!("\n[baseline]\ndata = \"accepted.toml\"\n{BOXES}bytes = \"== baseline\"\n");
    let project = Project::with("machines-parts", BODY, &gates);
    project.run("accept", 0);
    let whole = project.run("check", 0);
    measure_parts(&project, "parts");
    let parts = project.run("check --results parts", 0);
    parts.verdict("passed: 1 gate checked, 5 scenarios measured");
    assert_eq!(parts.stdout_text(), whole.stdout_text());
    // The order in the data is that of the bench.
    let accepted = project.read("accepted.toml");
    project.run("accept --check --results parts", 0);
    fs::remove_file(project.path("accepted.toml")).expect("it is there");
    project.run("accept --results parts", 0);
    assert_eq!(project.read("accepted.toml"), accepted);
    project.run("list --results parts", 0);
}

#[test]
fn sweeps_and_unavailable_scenarios_are_joined() {
    let gates = "
[[gate]]
name = \"scales\"
scenarios = [\"boxes/*\"]
allocs = { growth = \"O(n)\" }
";
    let scenarios = "use boxes by count\nuse unavailable\n";
    let project = Project::with("machines-sweep", scenarios, gates);
    let whole = project.run("check", 0).stdout_text();
    measure_parts(&project, "parts");
    let parts = project.run("check --results parts", 0);
    assert_eq!(parts.stdout_text(), whole);
    let list = project.run("list", 0).stdout_text();
    let recorded = project.run("list --results parts", 0).stdout_text();
    assert_eq!(recorded, list);
    // A part alone has too few points, and no other gate applies to it.
    let part = project.run("check --partition count:1/3", 4);
    part.stdout_has("skipped scales: ");
}

#[test]
fn a_missing_part_is_named() {
    let project = Project::with("machines-missing", BODY, BOXES);
    measure_parts(&project, "parts/linux");
    measure_parts(&project, "parts/macos");
    change_target(&project.path("parts/macos"), MACOS);
    fs::remove_dir_all(project.path("parts/macos/2")).expect("it is there");
    let line = "check --results parts/linux parts/macos";
    project.run(line, 104).not_judged(str![[r#"
error: 2 of 3 parts of demo/counts on aarch64-apple-darwin were measured; missing: count:2/3
  help: add the folder that `cargo alloc-gate run --partition count:2/3 --output DIR` wrote

"#]]);
    let ran = project.run("list --results parts/macos", 104);
    ran.stderr_has("2 of 3 parts of demo/counts on aarch64-apple-darwin were measured");
    let merge = "merge parts/macos --output merged.jsonl";
    project.run(merge, 104).stderr_has("missing: count:2/3");
    assert!(!project.path("merged.jsonl").exists());
    project.run("check --results parts/linux", 0);
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let project = Project::with("machines-mixed", BODY, BOXES);
    measure_parts(&project, "parts");
    let refused = |line: &str, why: &str| project.run(line, 104).stderr_has(why);
    refused(
        "check --results parts parts/2",
        "error: count:2/3 of demo/counts on ",
    );
    project.run("run --partition hash:2/3 --output other", 0);
    refused(
        "check --results parts/1 other parts/3",
        " was partitioned in two ways: count:1/3 and hash:2/3\n",
    );
    project.run("run --output whole", 0);
    refused(
        "check --results parts whole",
        " was measured whole and in parts\n  help: pass the results of only one of them\n",
    );
    // Other filters before the division.
    project.run(
        "run --partition count:2/3 --output filtered --scenarios t* f*",
        0,
    );
    refused(
        "check --results parts/1 filtered parts/3",
        "error: the scenario `three` of demo/counts is in two parts\n",
    );
    project.run(
        "run --partition count:2/3 --output filtered --scenarios one two",
        0,
    );
    refused(
        "check --results parts/1 filtered parts/3",
        "error: the results are incomplete: a filter left scenarios out\n",
    );
    project.scenarios("counts", &format!("{BODY}six: 8\n"));
    project.run("run --partition count:2/3 --output longer", 0);
    refused(
        "check --results parts/1 longer parts/3",
        " differ in their scenarios\n  help: measure all parts with the same sources",
    );
    let third = file_of(&project, "parts/3");
    edit(&third, |text| {
        text.replace("\"rustc\":\"rustc", "\"rustc\":\"other")
    });
    refused("check --results parts", " differ in their compiler\n");
}

#[test]
fn a_scenario_in_a_part_that_is_not_that_of_its_hash_is_refused() {
    let project = Project::with("machines-hash", BODY, BOXES);
    for part in 1..=2 {
        project.run(
            &format!("run --partition hash:{part}/2 --output parts/{part}"),
            0,
        );
    }
    project.run("check --results parts", 0);
    let [one, two] = ["parts/1", "parts/2"].map(|folder| file_of(&project, folder));
    edit(&one, |text| text.replace("hash:1/2", "hash:2/2"));
    edit(&two, |text| text.replace("hash:2/2", "hash:1/2"));
    let ran = project.run("check --results parts", 104);
    ran.stderr_has(" is in hash:2/2, but its name belongs to another part\n");
    ran.stderr_has("again with `cargo alloc-gate run --partition hash:2/2`\n");
}

#[test]
fn parts_of_different_commits_are_refused_even_if_old_results_are_allowed() {
    let project = Project::with("machines-commits", BODY, BOXES);
    let repository = Repository::from_project(project);
    let project = &repository.project;
    measure_parts(project, "../machines-commits-parts");
    project.run("check --results ../machines-commits-parts", 0);
    repository.commit("Go on");
    let ran = project.run("check --results ../machines-commits-parts", 104);
    ran.stderr_has("error: the results of demo/counts are from commit ");
    project.run(
        "run --partition count:2/3 --output ../machines-commits-parts/2",
        0,
    );
    let ran = project.run(
        "check --allow-stale --results ../machines-commits-parts",
        104,
    );
    ran.stderr_has(" differ in their commit\n");
}

#[test]
fn a_part_is_measured_alone() {
    let project = Project::with("machines-alone", BODY, BOXES);
    let ran = project.run("run --partition count:2/3 --output out", 0);
    ran.stdout(str![[r#"
demo/counts  2 scenarios
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| two      |   100 |      1.00 |        4 |        1.00 |
| five     |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]).after_measuring(str![[r#"
    Recorded out/demo.counts.[HOST].count-2-of-3.jsonl
alloc-gate: measured 2 of 5 scenarios (`run` checks no gates)

"#]]);
    let checked = project.run("check --partition count:2/3", 0);
    checked.only_verdict("passed: 1 gate checked, 2 of 5 scenarios measured");
    let both = project.run("check --partition count:2/2 --scenarios one t*", 0);
    both.verdict("passed: 1 gate checked, 1 of 5 scenarios measured");
    // What `check` keeps in the target folder is a part too.
    let file = project.results("counts");
    project
        .run_on(&file, "check", 104)
        .stderr_has("1 of 2 parts of demo/counts");
}

#[test]
fn a_part_can_be_empty() {
    let project = Project::with("machines-empty", "one: 8\n", BOXES);
    for part in 1..=2 {
        let line = format!("run --partition count:{part}/2 --output parts/{part}");
        project.run(&line, 0);
    }
    let ran = project.run("run --partition count:2/2", 0);
    let ran = ran.stdout("no scenario was measured\nenvironment: [..]\n");
    ran.verdict("measured 0 of 1 scenario (`run` checks no gates)");
    project.run("check --partition count:2/2", 4);
    let checked = project.run("check --results parts", 0);
    checked.only_line("passed: 1 gate checked, 1 scenario measured");
}

#[test]
fn parts_are_written_with_the_target_and_the_part_in_their_name() {
    let project = Project::with_two("machines-names", BODY, "other: 8", BOXES);
    project.run("run --partition hash:1/2 --output all", 0);
    project.run("run --partition hash:2/2 --output all", 0);
    project.run("run --output whole", 0);
    let files = names(&project.path("all"));
    let expected = ["counts", "other"].map(|bench| {
        ["1", "2"].map(|part| (format!("demo.{bench}."), format!(".hash-{part}-of-2.jsonl")))
    });
    for (file, (begin, end)) in files.iter().zip(expected.as_flattened()) {
        assert!(file.starts_with(begin) && file.ends_with(end), "{files:?}");
    }
    assert_eq!(files.len(), 4);
    project.run("check --results all", 0);
    // One bench of a folder, and only its parts.
    let one = project.run("check --results all --bench counts", 0);
    one.only_line("passed: 1 gate checked, 5 scenarios measured");
    let one = project.run("check --results whole -p demo --bench other", 0);
    one.only_line("passed: 1 gate checked, 1 scenario measured");
    // A run that fails leaves no older results of its own.
    project.scenarios("other", "other: panic\n");
    project.run("run --partition hash:1/2 --output all", 104);
    project.run("run --output whole --bench other", 104);
    let whole = names(&project.path("whole"));
    assert!(
        whole.iter().all(|name| name.starts_with("demo.counts.")),
        "{whole:?}"
    );
    project
        .run("check --results whole", 1)
        .stderr_has("1 error");
}
