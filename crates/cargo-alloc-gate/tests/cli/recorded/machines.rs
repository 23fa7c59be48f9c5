//! Several machines: each measured a part, and one command judges the parts of all targets.

use std::fs;

use crate::project::{BOXES, Project};

const MACOS: &str = "aarch64-apple-darwin";

/// The scenarios of three parts.
const PARTS: [&str; 3] = ["one,four", "two,five", "three"];

/// All of them, in the order of the bench.
const ALL: &str = "one,two,three,four,five";

/// Scenarios that allocate one block each, on a machine of `about`.
fn boxes(about: &str, names: &str) -> String {
    let names = names.split(',');
    let lines = names.map(|name| format!("{name}: 100 x allocs=1 bytes=8\n"));
    format!("bench demo/counts {about}\n{}", lines.collect::<String>())
}

/// The results of such a part.
fn part(about: &str, names: &str) -> String {
    boxes(&format!("registered={ALL} {about}"), names)
}

/// Writes each part to a folder of its own below `folder`.
fn write_parts(project: &Project, folder: &str, about: &str) {
    for (number, names) in (1..).zip(PARTS) {
        project.write_results(&format!("{folder}/{number}"), &part(about, names));
    }
}

/// A project whose whole results are the recorded ones, and whose parts of two targets are in `linux` and
/// `macos`.
fn matrix(name: &str, gates: &str) -> Project {
    let project = Project::recorded(name, &boxes("", ALL), gates);
    write_parts(&project, "linux", "");
    write_parts(&project, "macos", &format!("target={MACOS}"));
    project
}

#[test]
fn a_matrix_of_targets_and_parts_has_one_verdict() {
    let project = matrix("machines-matrix", BOXES);
    let line = "check --results linux macos";
    let held = project.run(line, 0);
    held.verdict("passed: 2 gates checked in 2 environments, 10 scenarios measured");
    // Only one target regresses.
    let worse = part(&format!("target={MACOS}"), PARTS[0]);
    let worse = worse.replace("four: 100 x allocs=1", "four: 100 x allocs=2");
    project.write_results("macos/1", &worse);
    let failed = project.run(&format!("{line} --report markdown=report.md"), 1);
    failed.verdict("FAILED: 1 of 10 scenarios, 1 of 2 gates in 2 environments");
    failed.stdout_has(": passed: 1 gate checked, 5 scenarios measured\n\ndemo/counts  5 scenarios");
    failed.stdout_has("\non aarch64-apple-darwin, profile bench, over std::alloc::System: FAIL");
    project.has("report.md", "\n### on aarch64-apple-darwin, profile ");
    // A file has the same list, and is replaced like other reports.
    for _ in 0..2 {
        let ran = project.run(&format!("{line} --format json --report json=list.json"), 1);
        assert_eq!(project.read("list.json"), ran.stdout_text());
        assert_eq!(ran.json()[1]["environments"][0]["target"], MACOS);
    }
    // A part of the scenarios does not have the one that fails.
    let some = project.run(&format!("{line} --scenarios one --scenarios t*"), 0);
    some.verdict("passed: 2 gates checked in 2 environments, 6 of 10 scenarios measured");
}

#[test]
fn parts_are_judged_and_accepted_like_the_whole() {
    let gates = format!("\n[baseline]\ndata = \"accepted.toml\"\n{BOXES}bytes = \"== baseline\"\n");
    let project = matrix("machines-parts", &gates);
    project.judge("accept", 0);
    let whole = project.judge("check", 0);
    let parts = project.run("check --results linux", 0);
    parts.verdict("passed: 1 gate checked, 5 scenarios measured");
    assert_eq!(parts.stdout_text(), whole.stdout_text());
    let missing = project.run("check --results macos", 1);
    missing.verdict("FAILED: 1 of 1 gate (1 missing)");
    // The order in the data is the bench's.
    let accepted = project.read("accepted.toml");
    fs::remove_file(project.path("accepted.toml")).expect("it is there");
    project.run("accept --results linux", 0);
    assert_eq!(project.read("accepted.toml"), accepted);
    project.run("list --results linux", 0);
    // A baseline of a system that one does not have; the other system's stays.
    project.run("accept --results macos", 0);
    project.run("check --results linux macos", 0);
}

#[test]
fn a_scenario_that_no_results_measured_is_named() {
    let project = matrix("machines-missing", BOXES);
    fs::remove_dir_all(project.path("macos/2")).expect("it is there");
    let missing = "error: the results are incomplete: no run measured the scenario `two` of \
                   demo/counts\n  help: measure it too, and pass all results";
    // A selection of what is judged does not hide it.
    for line in [
        "check --results linux macos",
        "check --results macos --scenarios one",
        "list --results macos",
        "accept --results macos",
    ] {
        project.run(line, 104).stderr_has(missing);
    }
    project.run("check --results linux", 0);
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let project = matrix("machines-mixed", BOXES);
    let refused = |line: &str, why: &str| {
        project.run(line, 104).stderr_has(why);
    };
    let twice = "error: the scenario `two` of demo/counts was measured twice";
    refused("check --results linux linux/2", twice);
    refused("check --results linux ../r", "was measured twice");
    project.write_results("other", &boxes("harness=other_0.1.0", ALL));
    refused("accept --results other ../r", "was measured twice on ");
    let longer = format!("registered={ALL},six");
    project.write_results("longer", &boxes(&longer, "two,five"));
    let missing = "no run measured the scenario `two` of demo/counts\n";
    refused("check --results linux/1 longer linux/3", missing);
    let missing = "no run measured the scenario `three` of demo/counts\n";
    for about in ["rustc=rustc_1.91.0", "commit=00ff"] {
        project.write_results("linux/3", &part(about, "three"));
        refused("check --allow-stale --results linux", missing);
    }
}

#[test]
fn unavailable_scenarios_are_joined() {
    let (one, tbb) = ("one: 1 x\n", "tbb: unavailable it is not installed\n");
    let project = Project::recorded("machines-unavailable", &format!("{one}{tbb}"), BOXES);
    for (folder, line) in [("parts/1", tbb), ("parts/2", one)] {
        let about = "bench demo/counts registered=one,tbb\n";
        project.write_results(folder, &format!("{about}{line}"));
    }
    let parts = project.run("check --results parts", 1);
    parts.stdout_has("error[unavailable-scenario]: `tbb` could not be measured: it is not ");
    parts.verdict("FAILED: 1 of 1 gate (1 missing)");
}

#[test]
fn results_of_several_environments_are_listed_once() {
    let project = matrix("machines-one", BOXES);
    let ran = project.run("list --results linux macos", 0);
    ran.verdict("listed 5 scenarios, 0 of them ungated");
    // Other features are another environment too.
    project.write_results("simd", &boxes("features=simd", ALL));
    let three = project.run("check --results linux macos simd", 0);
    three.verdict("passed: 3 gates checked in 3 environments, 15 scenarios measured");
}
