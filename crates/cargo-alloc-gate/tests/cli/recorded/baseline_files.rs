//! `accept` where the files of the baseline can't or must not be written.

use snapbox::str;

use crate::project::{Project, RESULTS, names};
use crate::recorded::acceptances::{BODY, DATA, PAGE, RULES};

#[test]
fn a_failed_measurement_leaves_the_baseline_as_it_was() {
    let project = Project::recorded("accept-crash", BODY, RULES);
    project.judge("accept", 0);
    let (data, page) = (project.read(DATA), project.read(PAGE));
    project.write_results(RESULTS, &format!("{BODY}four: panicked no more\n"));
    project.judge("accept", 104).stdout("");
    assert_eq!(project.read(DATA), data);
    assert_eq!(project.read(PAGE), page);
}

#[test]
fn an_accept_that_cannot_write_one_file_writes_neither() {
    let project = Project::recorded("accept-nowhere", BODY, RULES);
    let rules = project.read("gates.toml");
    project.judge("accept", 0);
    let old = project.read(DATA).replace("one box", "old box");
    project.write(DATA, &old);
    let page = project.read(PAGE);
    for file in ["accepted.md", "accepted.toml"] {
        let below_a_file = format!("Cargo.toml/{file}");
        let elsewhere = rules.replace(&format!("design/{file}"), &below_a_file);
        project.write("gates.toml", &elsewhere);
        let ran = project.judge("accept", 110);
        let why =
            format!("failed to write [ROOT]/{below_a_file}: [ROOT]/Cargo.toml is not a directory");
        ran.stderr(format!(
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
    let project = Project::recorded("accept-folder", BODY, RULES);
    for path in [DATA, PAGE] {
        std::fs::create_dir_all(project.path(path)).expect("the folder can be made");
        let ran = project.judge("accept", 96).stdout("");
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

    let project = Project::recorded("accept-mode", BODY, RULES);
    project.write("by hand", "");
    let mode = |path: &str| {
        let metadata = metadata(project.path(path)).expect("the file is there");
        metadata.permissions().mode() & 0o777
    };
    project.judge("accept", 0);
    assert_eq!(mode(DATA), mode("by hand"));
    assert_ne!(mode(DATA), 0o600);
    set_permissions(project.path(PAGE), Permissions::from_mode(0o664)).expect("it is ours");
    project.judge("accept", 0);
    assert_eq!(mode(PAGE), 0o664);
}

#[test]
fn accept_adds_a_baseline_to_rules_without_one() {
    let relative = "\n[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\nallocs = \"<= baseline\"\n";
    let absolute = relative.replace("baseline", "3");
    let project = Project::recorded("accept-unnamed", BODY, &absolute);
    // Only `accept` itself writes.
    project
        .judge("accept --check", 96)
        .stderr_has("error: gates.toml has no `[baseline]`\n");
    for rules in [&*absolute, relative] {
        project.gates(&["counts"], rules);
        let before = project.read("gates.toml");
        let ran = project.judge("accept", 0);
        ran.stdout_has("new: three buffers\n");
        ran.stderr(str![[r#"
       Wrote alloc-baseline.toml
       Wrote gates.toml
       Wrote alloc-baseline.md
alloc-gate: accepted: 3 changes; review the diff and commit it

"#]]);
        let added = "
# The accepted values, for limits such as `<= baseline`.
[baseline]
data = \"alloc-baseline.toml\"
page = \"alloc-baseline.md\"
";
        assert_eq!(project.read("gates.toml"), format!("{before}{added}"));
        project.judge("check", 0);
        project.judge("accept --check", 0);
        for file in ["alloc-baseline.toml", "alloc-baseline.md"] {
            std::fs::remove_file(project.path(file)).expect("it was written");
        }
    }
}

/// The files in the folder of the baseline, temporary ones included.
fn contents(project: &Project) -> Vec<String> {
    names(&project.path("design"))
}
