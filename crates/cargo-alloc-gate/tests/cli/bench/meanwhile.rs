//! Files that change while `accept` measures.

use crate::project::Project;
use crate::recorded::acceptances::{DATA, PAGE, RULES};

#[test]
fn files_that_changed_while_benches_ran_are_not_overwritten() {
    let project = Project::with("accept-changed", "one box: 8\n", RULES);
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
    let new = other("other", "two: 8 8 8");
    project.scenarios("counts", &meanwhile);
    let ran = project.run("accept --bench counts", 96);
    ran.stderr_has("design/accepted.toml changed while the benches ran\n");
    assert_eq!(project.read(DATA), new);
}
