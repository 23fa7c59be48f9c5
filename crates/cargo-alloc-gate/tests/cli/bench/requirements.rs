//! Requirements of small projects: limits other than plain numbers.

use crate::project::Project;

#[test]
fn a_scenario_is_compared_with_a_control_that_needs_no_gate() {
    let rules = r#"
[policy]
ungated = "deny"

[[gate]]
name = "against-the-control"
scenarios = ["boxes"]
bytes = "<= 0.5 * [control]"
"#;
    let project = Project::with("other-figures", "boxes: 8 8\ncontrol: 32", rules);
    project.passes("1 gate checked, 2 scenarios measured");
    project.scenarios("counts", "boxes: 8 8\ncontrol: 31");
    let ran = project.fails("1 gate checked (1 failed), 2 scenarios measured");
    ran.stdout_has(
        "16    <= 0.5 * [control] (limit 15.5, `control` is 31) [against-the-control]\n",
    );
}
