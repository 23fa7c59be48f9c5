//! `accept` where the files of the baseline can't or must not be written.

use snapbox::str;

use crate::project::{Project, names};
use crate::recorded::baselines::{BODY, DATA, PAGE, RULES};

#[test]
fn a_failed_measurement_leaves_the_baseline_as_it_was() {
    let body = format!("{BODY}use panic on request\n");
    let project = Project::with("accept-crash", &body, RULES);
    project.run("accept", 0);
    let (data, page) = (project.read(DATA), project.read(PAGE));
    project.write("crash", "");
    project.run("accept", 104).stdout("");
    assert_eq!(project.read(DATA), data);
    assert_eq!(project.read(PAGE), page);
}

#[test]
fn an_accept_that_cannot_write_one_file_writes_neither() {
    let project = Project::with("accept-nowhere", BODY, RULES);
    let rules = project.read("gates.toml");
    project.run("accept", 0);
    let old = project.read(DATA).replace("one box", "old box");
    project.write(DATA, &old);

    let page = project.read(PAGE);

    for file in ["accepted.md", "accepted.toml"] {
        let below_a_file = format!("Cargo.toml/{file}");
        let elsewhere = rules.replace(&format!("design/{file}"), &below_a_file);
        project.write("gates.toml", &elsewhere);
        let ran = project.run("accept", 110);
        let why =
            format!("failed to write [ROOT]/{below_a_file}: [ROOT]/Cargo.toml is not a directory");
        ran.after_measuring(format!(
            "error: {why}
  help: make the path writable, or choose another; an existing file was not changed
alloc-gate: error: {why} (exit code 110)
"
        ));
        assert_eq!(project.read(DATA), old);
        assert_eq!(project.read(PAGE), page);
        assert_eq!(contents(&project), ["accepted.md", "accepted.toml"]);
    }
}

#[test]
fn a_folder_instead_of_a_baseline_file_is_an_error() {
    let project = Project::with("accept-folder", BODY, RULES);
    for path in [DATA, PAGE] {
        std::fs::create_dir_all(project.path(path)).expect("the folder can be made");
        let ran = project.run("accept", 96).stdout("");
        let said = ran.stderr_text();
        assert!(said.contains(path) && said.contains("\n  help: "), "{said}");
        std::fs::remove_dir(project.path(path)).expect("it is still an empty folder");
        assert_eq!(contents(&project), [""; 0]);
    }
}

#[cfg(unix)]
#[test]
fn new_files_have_default_permissions_and_old_ones_keep_theirs() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let project = Project::with("accept-mode", BODY, RULES);
    project.write("by hand", "");
    let mode = |path: &str| {
        let metadata = metadata(project.path(path)).expect("the file is there");
        metadata.permissions().mode() & 0o777
    };
    project.run("accept", 0);
    assert_eq!(mode(DATA), mode("by hand"));
    assert_ne!(mode(DATA), 0o600);
    set_permissions(project.path(PAGE), Permissions::from_mode(0o664)).expect("it is ours");
    project.run("accept", 0);
    assert_eq!(mode(PAGE), 0o664);
}

#[test]
fn files_that_changed_while_benches_ran_are_not_overwritten() {
    let project = Project::with("accept-changed", BODY, RULES);
    project.run("accept", 0);
    let page = project.read(PAGE);
    let without_baseline = RULES.replace("baseline", "3").replace("[3]", "[policy]");
    let without_baseline = without_baseline
        .replace("data = ", "#")
        .replace("page = ", "#");
    for (edited, rules) in [(DATA, RULES), ("gates.toml", &without_baseline)] {
        project.scenarios("counts", &format!("one box: 8 8\nuse edited {edited}\n"));
        project.gates(&["counts"], rules);
        let before = project.read(edited);
        let ran = project.run("accept", 96);
        ran.stderr_has(&format!(
            "error: {edited} changed while the benches ran\n  \
             help: nothing was written; run the command again\n"
        ));
        assert_eq!(project.read(edited), format!("{before}# later\n"));
        assert_eq!(project.read(PAGE), page);
        assert!(!project.path("alloc-baseline.toml").exists());
    }
}

#[test]
fn what_another_accept_wrote_meanwhile_stays() {
    let project = Project::with_two("accept-at-once", "one: 8", "two: 8", RULES);
    project.run("accept", 0);
    let old = project.read(DATA);
    // The data of another `accept`, of which this one takes the place.
    let other = |bench: &str, scenarios: &str| {
        project.write(DATA, &old);
        project.scenarios(bench, scenarios);
        project.run(&format!("accept --bench {bench}"), 0);
        let new = project.read(DATA);
        project.write("other.toml", &new);
        project.write(DATA, &old);
        new
    };
    let meanwhile = format!("one: 8 8\nuse edited {DATA} like other.toml\n");
    other("other", "two: 8 8 8");
    project.scenarios("counts", &meanwhile);
    let ran = project.run("accept --bench counts", 0);
    ran.stdout("one: allocs 1 -> 2 (+1), bytes 8 -> 16 (2.00x), peak-bytes 8 -> 16 (2.00x)\n");
    project.scenarios("counts", "one: 8 8");
    project.run("accept --check", 0);
    // Both measured the same scenario.
    let new = other("counts", "one: 8 8 8");
    project.scenarios("counts", &meanwhile);
    let ran = project.run("accept --bench counts", 96);
    ran.stderr_has("design/accepted.toml changed while the benches ran\n");
    assert_eq!(project.read(DATA), new);
}

#[test]
fn accept_adds_a_baseline_to_rules_without_one() {
    let relative = "\n[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\nallocs = \"<= baseline\"\n";
    let absolute = relative.replace("baseline", "3");
    let project = Project::with("accept-unnamed", BODY, &absolute);
    // Only `accept` itself writes.
    project.run("accept --check", 96).not_judged(str![[r#"
error: gates.toml has no `[baseline]`
  help: run `cargo alloc-gate accept`, which adds `[baseline]` and writes its files

"#]]);
    let offered = str![[r#"
       Wrote alloc-baseline.toml
       Wrote gates.toml
       Wrote alloc-baseline.md
note: no gate compares with the baseline yet, as this one in gates.toml would:

[[gate]]
name = "no-worse"
scenarios = ["*"]
allocs = "<= baseline"
bytes = "<= baseline"

alloc-gate: accepted: 3 changes; review the diff and commit it

"#]];
    let compared = str![[r#"
       Wrote alloc-baseline.toml
       Wrote gates.toml
       Wrote alloc-baseline.md
alloc-gate: accepted: 3 changes; review the diff and commit it

"#]];
    for (rules, written) in [(absolute.as_str(), offered), (relative, compared)] {
        project.gates(&["counts"], rules);
        let before = project.read("gates.toml");
        let ran = project.run("accept", 0);
        ran.stdout_has("new: three buffers\n");
        ran.after_measuring(written);
        let added = "
# The accepted figures, for limits such as `<= baseline`.
[baseline]
data = \"alloc-baseline.toml\"
page = \"alloc-baseline.md\"
";
        assert_eq!(project.read("gates.toml"), format!("{before}{added}"));
        project.run("", 0);
        project.run("accept --check", 0);
        for file in ["alloc-baseline.toml", "alloc-baseline.md"] {
            std::fs::remove_file(project.path(file)).expect("it was written");
        }
    }
}

/// The files in the folder of the baseline, temporary ones included.
fn contents(project: &Project) -> Vec<String> {
    names(&project.path("design"))
}
