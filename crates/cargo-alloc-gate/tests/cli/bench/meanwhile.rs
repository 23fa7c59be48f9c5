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
