//! Several machines: `run --scenarios --output` measures a part on each, and `check --results`
//! judges the parts of all targets at once.

use std::fs;
use std::path::Path;

use snapbox::str;

use crate::project::{BOXES, Project, names, with_target};

const BODY: &str = "one: 8\ntwo: 4\nthree: 4\nfour: 4\nfive: 8\n";

const MACOS: &str = "aarch64-apple-darwin";

/// The scenarios of three parts.
const PARTS: [&str; 3] = ["{one,four}", "{two,five}", "three"];

/// Measures each part into a folder of its own below `folder`.
fn measure_parts(project: &Project, folder: &str) {
    for (number, scenarios) in PARTS.iter().enumerate() {
        let line = format!(
            "run --scenarios {scenarios} --output {folder}/{}",
            number + 1
        );
        project.run(&line, 0);
    }
}

/// Makes the results in a folder, and in the folders in it, those of another target.
fn change_target(folder: &Path, triple: &str) {
    for name in names(folder) {
        let path = folder.join(name);
        if path.is_dir() {
            change_target(&path, triple);
        } else {
            edit(&path, |text| with_target(text, triple));
        }
    }
}

fn edit(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).expect("the file is there");
    let changed = change(&text);
    assert_ne!(changed, text);
    fs::write(path, changed).expect("the file can be written");
}

/// The one file of a part.
fn file_of(project: &Project, folder: &str) -> std::path::PathBuf {
    let folder = project.path(folder);
    match &names(&folder)[..] {
        [name] => folder.join(name),
        names => panic!("one file is expected, not {names:?}"),
    }
}

#[test]
fn a_matrix_of_targets_and_parts_has_one_verdict() {
    let gate = format!("{BOXES}reason = \"a box each\"\n");
    let project = Project::with("machines-matrix", BODY, &gate);
    measure_parts(&project, "parts/linux");
    measure_parts(&project, "parts/macos");
    change_target(&project.path("parts/macos"), MACOS);
    let folders = "parts/linux parts/macos";
    let held = project.run(&format!("check --results {folders}"), 0);
    held.only_line("passed: 2 gates checked in 2 environments, 10 scenarios measured");

    // Only one target regresses.
    project.scenarios("counts", &BODY.replace("four: 4", "four: 4 4"));
    project.run("run --scenarios {one,four} --output parts/macos/1", 0);
    let file = file_of(&project, "parts/linux/1");
    let name = file.file_name().expect("it is a file");
    let file = project.path("parts/macos/1").join(name);
    edit(&file, |text| with_target(text, MACOS));
    let line = format!("check --results {folders} --report markdown=report.md");
    let failed = project.run(&line, 1);
    failed.verdict("FAILED: 2 gates checked in 2 environments (1 failed), 10 scenarios measured");
    let _ = failed.stdout(str![[r#"
on [HOST], profile bench, over std::alloc::System: passed: 1 gate checked, 5 scenarios measured

demo/counts  5 scenarios  1 gate  ok
| scenario | iters | allocs/op |
|----------|-------|-----------|
| one      |   100 |      1.00 |
| two      |   100 |      1.00 |
| three    |   100 |      1.00 |
| four     |   100 |      1.00 |
| five     |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

on aarch64-apple-darwin, profile bench, over std::alloc::System: FAILED: 1 gate checked (1 failed), 5 scenarios measured

demo/counts  5 scenarios  1 gate  FAILED
environment: aarch64-apple-darwin, profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL four                                               src/lib.rs:60
       allocs      2    <= 1 [boxes]
       first operations: alloc 4, alloc 4, dealloc 4, dealloc 4
1 of 5 scenarios failed, 1 of 1 gate (gates.toml:11)
note: boxes: a box each
help: if this is intended, change the limit at gates.toml:14:10

"#]]);
    let markdown = project.read("report.md");
    assert!(markdown.contains("\n# Allocation gates\n\nalloc-gate: FAILED: 2 gates "));
    assert!(markdown.contains("\n## aarch64-apple-darwin, profile bench, over "));
    let json = project.run(&format!("check --format json --results {folders}"), 1);
    let json = json.json();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["outcome"], "failed");
    assert_eq!(json["gates-judged"], 2);
    assert_eq!(json["scenarios-measured"], 10);
    assert_eq!(json["runs"][0]["outcome"], "held");
    assert_eq!(json["runs"][1]["outcome"], "failed");
    assert_eq!(json["runs"][1]["environments"][0]["target"], MACOS);

    // A part of the scenarios does not have the one that fails.
    let line = format!("check --results {folders} --scenarios one --scenarios t*");
    let some = project.run(&line, 0);
    some.only_line("passed: 2 gates checked in 2 environments, 6 of 10 scenarios measured");
}

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
    fs::remove_file(project.path("accepted.toml")).expect("it is there");
    project.run("accept --results parts", 0);
    assert_eq!(project.read("accepted.toml"), accepted);
    project.run("list --results parts", 0);
}

#[test]
fn a_scenario_that_no_results_measured_is_named() {
    let project = Project::with("machines-missing", BODY, BOXES);
    measure_parts(&project, "parts/linux");
    measure_parts(&project, "parts/macos");
    change_target(&project.path("parts/macos"), MACOS);
    fs::remove_dir_all(project.path("parts/macos/2")).expect("it is there");
    let line = "check --results parts/linux parts/macos";
    project.run(line, 104).not_judged(str![[r#"
error: the results are incomplete: no run measured the scenario `two` of demo/counts
  help: measure it as well, and pass all results; those of one bench must be of the same sources and compiler

"#]]);
    let list = project.run("list --results parts/macos", 104);
    list.stderr_has("no run measured the scenario `two` of demo/counts\n");
    project.run("check --results parts/linux", 0);
    // A selection of what is judged does not hide it.
    project.run("check --results parts/macos --scenarios one", 104);
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let project = Project::with("machines-mixed", BODY, BOXES);
    measure_parts(&project, "parts");
    let refused = |line: &str, why: &str| project.run(line, 104).stderr_has(why);
    let twice = "error: the scenario `two` of demo/counts was measured twice";
    refused("check --results parts parts/2", twice);
    project.run("run --output whole", 0);
    refused("check --results parts whole", "was measured twice");
    project.scenarios("counts", &format!("{BODY}six: 8\n"));
    project.run("run --scenarios {two,five} --output longer", 0);
    let missing = "no run measured the scenario `two` of demo/counts\n";
    refused("check --results parts/1 longer parts/3", missing);
    let third = file_of(&project, "parts/3");
    let missing = "no run measured the scenario `three` of demo/counts\n";
    project.run("check --results parts", 0);
    // Of another compiler, and of another commit.
    for (field, other) in [("\"rustc\":\"", "x"), ("\"commit\":", "\"00ff\",\"was\":")] {
        edit(&third, |text| {
            text.replace(field, &format!("{field}{other}"))
        });
        refused("check --allow-stale --results parts", missing);
        edit(&third, |text| {
            text.replace(&format!("{field}{other}"), field)
        });
    }
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
    project.run("run --scenarios boxes/count={1,100} --output parts/1", 0);
    let others = "run --scenarios boxes/count=10{,00} --scenarios [!b]* --output parts/2";
    project.run(others, 0);
    let parts = project.run("check --results parts", 0);
    assert_eq!(parts.stdout_text(), whole);
}

#[test]
fn scenarios_of_recorded_results_are_selected() {
    let project = Project::with("machines-selected", BODY, BOXES);
    project.run("run --output out", 0);
    let some = project.run(
        "check --results out --scenarios one --scenarios t* --scenarios absent",
        0,
    );
    some.stderr(str![[r#"
warning: --scenarios absent matches no scenario
  help: a glob must match the whole name; `cargo alloc-gate list` prints the names; --scenarios '*absent*' selects by a part of the name
alloc-gate: passed: 1 gate checked, 3 of 5 scenarios measured

"#]]);
    let none = project.run("check --results out --scenarios absent", 4);
    none.stderr_begins("error: --scenarios absent matches no scenario\n");
    let list = project.run("list --results out --scenarios one", 0);
    list.stdout("demo/counts\n  one: boxes\n")
        .only_line("listed 1 of 5 scenarios, 0 of them ungated");
}

#[test]
fn a_command_for_one_environment_refuses_several() {
    let project = Project::with("machines-one", BODY, BOXES);
    project.run("run --output out/linux", 0);
    project.run("run --output out/macos", 0);
    change_target(&project.path("out/macos"), MACOS);
    let ran = project.run("list --results out", 104);
    ran.stderr_has("error: the results are from several environments: ");
    ran.stderr_has(
        "help: pass the results of one environment; only `check` and `accept` take several\n",
    );
    // Other features are another environment too.
    let linux = file_of(&project, "out/linux");
    let text = fs::read_to_string(&linux).expect("it is there");
    let features = text.replace("\"features\":[]", "\"features\":[\"simd\"]");
    project.write("out/simd/counts.jsonl", &features);
    let three = project.run("check --results out", 0);
    three.only_line("passed: 3 gates checked in 3 environments, 15 scenarios measured");
}

#[test]
fn a_baseline_of_a_system_that_one_does_not_have_is_accepted_from_its_parts() {
    let gates = format!("\n[baseline]\ndata = \"accepted.toml\"\n{BOXES}bytes = \"== baseline\"\n");
    let project = Project::with("machines-accept", BODY, &gates);
    project.run("accept", 0);
    measure_parts(&project, "downloaded");
    change_target(&project.path("downloaded"), MACOS);
    let second = project.path("downloaded/2");
    fs::rename(&second, project.path("second")).expect("it is there");
    let ran = project.run("accept --results downloaded", 104);
    ran.stderr_has("no run measured the scenario `two` of demo/counts\n");
    fs::rename(project.path("second"), &second).expect("it is there");
    let missing = project.run("check --results downloaded", 1);
    missing.verdict("FAILED: 1 gate checked (1 missing), 5 scenarios measured");
    project.run("accept --results downloaded", 0);
    project.run("check --results downloaded", 0);
    project.run("check", 0);
}

#[test]
fn wrong_arguments_are_refused() {
    let project = Project::with("machines-wrong", BODY, BOXES);
    project.write("empty/notes.txt", "");
    let ran = project.run("check --results empty", 104);
    ran.not_judged(str![[r#"
error: no results found in empty: neither it nor a folder in it has a `*.jsonl` file
  help: `cargo alloc-gate run --output DIR` writes results to a folder

"#]]);
    project.write("file", "");
    let ran = project.run("run --output file", 110);
    ran.stderr_has("error: failed to write file: ");
}
