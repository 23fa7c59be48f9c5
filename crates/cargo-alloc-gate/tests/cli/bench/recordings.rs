//! Results that `run` records.

use std::fs;

use crate::project::{BOXES, Project};
use crate::repository::Repository;

const BODY: &str = "one: 8\ntwo: 4\n";

#[test]
fn what_run_recorded_is_judged_like_what_check_measures() {
    let project = Project::with("record", BODY, BOXES);
    let ran = project.run("run", 0);
    ran.stdout_has("\n| two      |   100 |      1.00 |        4 |        1.00 |\n");
    ran.stderr_has("    Recorded ");
    ran.verdict("measured 2 scenarios (`run` checks no gates)");
    let recorded = fs::read_to_string(project.results("counts")).expect("it was recorded");
    let judged = project.run_on(&project.results("counts"), "check", 0);
    let judged = judged.only_line("passed: 1 gate checked, 2 scenarios measured");
    let checked = project.run("check", 0);
    assert_eq!(judged.stdout_text(), checked.stdout_text());
    // Nobody waits for the pass that takes times, unless they are asked for.
    let of_check = fs::read_to_string(project.results("counts")).expect("it was recorded");
    let is_timed = [recorded, of_check].map(|text| text.contains("\"time\":{"));
    assert_eq!(is_timed, [true, false]);
    project.write("file", "");
    let ran = project.run("run --output file", 110);
    ran.stderr_has("error: failed to write file: ");
    // Rules need no gates then.
    fs::remove_file(project.path("gates.toml")).expect("it is there");
    project.add_to_manifest("\n[package.metadata.alloc-gate]\nbenches = [\"counts\"]\n");
    project.run("run", 0);
}

#[test]
fn a_failed_run_leaves_no_older_results_to_be_judged() {
    let body = format!("{BODY}use exit on request\n");
    let project = Project::with("record-old", &body, BOXES);
    project.run("run", 0);
    let file = project.results("counts");
    project.run_on(&file, "", 0);
    project.write("crash", "");
    project.run("run", 104);
    project.run_on(&file, "", 104);
    // Nor does one that does not build.
    fs::remove_file(project.path("crash")).expect("the file is there");
    for command in ["run", "run --scenarios one"] {
        project.run("run", 0);
        let manifest = project.read("Cargo.toml");
        project.add_to_manifest("required-features = [\"absent\"]\n");
        project.run(command, 101);
        assert!(fs::metadata(&file).is_err(), "{command}");
        project.write("Cargo.toml", &manifest);
    }
    // A list is no run.
    project.run("run", 0);
    project.run("list", 0);
    project.run_on(&file, "", 0);
}

#[test]
fn variables_of_the_caller_change_no_measurement() {
    let project = Project::with("record-env", BODY, BOXES);
    let rules = project.read("gates.toml");
    let defaults = rules.replace("warmup = 10\niterations = 100\n", "");
    for (rules, iterations) in [(&rules, "100"), (&defaults, "10,000")] {
        project.write("gates.toml", rules);
        let mut program = project.command();
        program
            .env("ALLOC_GATE_ITERATIONS", "5")
            .env("ALLOC_GATE_BENCH_RESULTS", project.path("elsewhere"))
            .env("ALLOC_GATE_BENCH_TARGET", "another")
            .env("ALLOC_GATE_COMMIT", "another")
            .env("ALLOC_GATE_OPT_LEVEL", "9");
        let ran = project.finish(program).code(0);
        let row = format!("| {iterations:>5} |      1.00 |\n");
        ran.stdout_has(&row);
        assert!(!project.path("elsewhere").exists());
        let results = fs::read_to_string(project.results("counts"));
        let results = results.expect("the results are there");
        assert!(
            results.contains("\"commit\":null,\"dirty\":null"),
            "{results}"
        );
        assert!(results.contains("\"opt-level\":\"0\""), "{results}");
    }
}

#[test]
#[cfg(unix)]
fn a_commit_during_the_build_is_not_the_commit_of_the_results() {
    let repository = Repository::new("record-meanwhile", BODY, BOXES);
    let file = repository.project.results("counts");
    let before = repository.git(&["rev-parse", "HEAD"]);
    let cargo = repository.temporary().join("cargo");
    let commit = "git -c user.name=A -c user.email=a@example.org commit --quiet --allow-empty -m x";
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in bench) {commit} ;; esac\nexec {} \"$@\"\n",
        env!("CARGO")
    );
    fs::write(&cargo, script).expect("it can be written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&cargo, mode).expect("it is ours");
    let mut command = repository.command();
    command.arg("run").env("CARGO", cargo);
    let ran = repository.project.finish(command).code(0);
    ran.stderr_has("\nwarning: the working tree changed while the benches were built\n");
    let recorded = format!("\"commit\":\"{}\",\"dirty\":true,", before.trim());
    let text = fs::read_to_string(&file).expect("the results are there");
    assert!(text.contains(&recorded), "{text}");
}
