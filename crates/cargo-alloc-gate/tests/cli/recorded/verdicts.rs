//! What is missing is a verdict, and never passes; and where nothing is judged, the code is 4.

use crate::project::{BOXES, Project};

#[test]
fn rules_without_gates_judge_nothing() {
    let results = "one box: 100 x allocs=1\n";
    let project = Project::recorded("no-gates", results, "");
    let ran = project.judge("check", 4);
    ran.stdout_has("\n| one box  |      1 |");
    ran.stderr_has("error: gates.toml has no gates\n  help: `cargo alloc-gate suggest --write` ");
    ran.verdict("NOTHING CHECKED: 0 gates checked, 1 scenario measured");
}

#[test]
fn a_selection_that_no_gate_applies_to_judges_nothing() {
    let results = "bench demo/counts\none: 1 x allocs=1\nbench demo/other\nother box: 1 x\n";
    let one = BOXES.replace('*', "one*");
    let project = Project::recorded("ungated", results, &one);
    let other = "bench demo/other\nother box: 1 x allocs=1\n";
    project.write_results("other", other);
    let line = "check --results other --bench other";
    let ran = project.run(line, 4);
    ran.stdout_has("warning[ungated-scenario]: no gate applies to `other box` (");
    ran.stderr_has("error: no gate in gates.toml applies to the selected scenarios\n");
    ran.verdict("NOTHING CHECKED: 0 gates checked (1 not selected), 1 scenario measured");
    // The gates that apply judge a part.
    let others = BOXES.replace("boxes", "others").replace('*', "other*");
    project.gates(&["counts", "other"], &format!("{one}{others}"));
    let ran = project.run(line, 0);
    ran.verdict("passed: 1 gate checked (1 not selected), 1 scenario measured");
}

#[test]
fn packages_and_benches_are_selected_by_globs_and_excluded() {
    let results = |benches: &[&str]| {
        let lines = benches
            .iter()
            .map(|bench| format!("bench {bench}\nin {bench}: 1 x\n"));
        lines.collect::<String>()
    };
    let all = ["demo/counts", "demo/other", "store/counts"];
    let store = "\n[[bench]]\npackage = \"store\"\ntarget = \"counts\"\n";
    let project = Project::recorded("globs", &results(&all), &format!("{store}{BOXES}"));
    for (line, selected) in [
        ("-p st*", &all[2..]),
        ("-p {demo,store} --bench oth*", &all[1..2]),
        ("--exclude store --bench counts", &all[..1]),
    ] {
        // One bench too many is refused, and one too few is an error of the check.
        let folder = format!("r{}", line.replace(['*', '?', ' '], "_"));
        project.write_results(&folder, &results(selected));
        let ran = project.run(&format!("check --results {folder} {line}"), 0);
        ran.verdict("passed: 1 gate checked, 1 scenario measured");
    }
}
