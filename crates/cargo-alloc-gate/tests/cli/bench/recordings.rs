//! Results that `run` records.

use std::fs;

use crate::project::{BOXES, Project};

const BODY: &str = "one: 8\ntwo: 4\n";

#[test]
fn what_run_recorded_is_judged_like_what_check_measures() {
    let project = Project::with("record", BODY, BOXES);
    let ran = project.run("run", 0);
    ran.stdout_has("\n| two      |      1 |     4 |        1 |\n");
    ran.stderr_has("    Recorded ");
    ran.verdict("measured 2 scenarios (`run` checks no gates)");
    let file = project.results("counts");
    let recorded = fs::read_to_string(&file).expect("it was recorded");
    let judged = project.run_on(&file, "check", 0);
    judged.verdict("passed: 1 gate checked, 2 scenarios measured");
    let checked = project.run("check", 0);
    assert_eq!(judged.stdout_text(), checked.stdout_text());
    // Nobody waits for the pass that takes times, unless they are asked for.
    let of_check = fs::read_to_string(&file).expect("it was recorded");
    let is_timed = [recorded, of_check].map(|text| text.contains("\"time\":{"));
    assert_eq!(is_timed, [true, false]);
    project.write("file", "");
    project
        .run("run --output file", 110)
        .stderr_has("error: failed to write file: ");
    // Rules need no gates then.
    project.gates(&["counts"], "");
    project.run("run", 0);
}

#[test]
fn a_failed_run_leaves_no_older_results_to_be_judged() {
    let project = Project::with("record-old", BODY, BOXES);
    let file = project.results("counts");
    project.run("run", 0);
    // A list is no run.
    project.run("list", 0);
    project.run_on(&file, "", 0);
    project.scenarios("counts", "one: exit 3");
    project.run("run", 104);
    project.run_on(&file, "", 104);
    // Nor does one that does not build.
    project.scenarios("counts", BODY);
    project.run("run", 0);
    project.add_to_manifest("required-features = [\"absent\"]\n");
    for command in ["run", "run --scenarios one"] {
        fs::write(&file, "older").expect("it can be written");
        project.run(command, 101);
        assert!(fs::metadata(&file).is_err(), "{command}");
    }
}

#[test]
fn variables_of_the_caller_change_no_measurement() {
    let project = Project::with("record-env", BODY, BOXES);
    let elsewhere = project.path("elsewhere");
    // As a gate sets them for a bench, which starts another one.
    let variables = [
        ("ALLOC_GATE_ITERATIONS", "5"),
        (
            "ALLOC_GATE_BENCH_RESULTS",
            elsewhere.to_str().expect("it is UTF-8"),
        ),
        ("ALLOC_GATE_BENCH_TARGET", "another"),
        ("ALLOC_GATE_COMMIT", "another"),
        ("ALLOC_GATE_OPT_LEVEL", "9"),
        ("ALLOC_GATE_QUICK", "1"),
        ("ALLOC_GATE_SITES", "1"),
    ];
    let ran = project.run_with(&variables, "", 0);
    ran.stdout_has("|      1 |\n");
    assert!(!elsewhere.exists());
    let results = fs::read_to_string(project.results("counts"));
    let results = results.expect("the results are there");
    let wanted = ["\"commit\":null,\"dirty\":null", "\"opt-level\":\"0\""];
    assert!(wanted.iter().all(|it| results.contains(it)), "{results}");
    assert!(!results.contains("\"executable\""), "{results}");
    assert!(!ran.stdout_text().contains("quick"));
    // Without a number in the rules, the default.
    let rules = project.read("gates.toml");
    project.write("gates.toml", &rules.replace("iterations = 100\n", ""));
    project
        .run_with(&variables, "", 0)
        .stdout_has("over 10,000 iterations:\n");
}

#[test]
#[cfg(unix)]
fn a_commit_during_the_build_is_not_the_commit_of_the_results() {
    let project = Project::repository("record-meanwhile", BODY, BOXES);
    let file = project.results("counts");
    let before = project.git(&["rev-parse", "HEAD"]);
    let commit = "git -c user.name=A -c user.email=a@example.org commit --quiet --allow-empty -m x";
    let cargo = project.temporary().join("cargo");
    let exec = env!("CARGO");
    let script = format!("case \"$1\" in bench) {commit} ;; esac\nexec {exec} \"$@\"");
    crate::stand_in::program(&cargo, &script);
    let ran = project.run_with(&[("CARGO", cargo)], "run", 0);
    ran.stderr_has("\nwarning: the working tree changed while the benches were built\n");
    let recorded = format!("\"commit\":\"{}\",\"dirty\":true,", before.trim());
    let text = fs::read_to_string(&file).expect("the results are there");
    assert!(text.contains(&recorded), "{text}");
}
