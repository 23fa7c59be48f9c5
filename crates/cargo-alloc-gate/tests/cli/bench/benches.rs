//! Benches without usable results, or with a `main` of their own: code 104, whatever was
//! measured. No command of a bench reaches a terminal or a CI system. Work in no value fails.

use crate::project::{BOXES, Project};

#[test]
fn scenarios_that_panic_are_all_named_and_the_others_still_run() {
    let project = Project::with("panics", "use panics", BOXES);
    let ran = project.run("", 104);
    ran.stderr_has("  | thread 'main'").verdict(
        "error: 2 scenarios of demo/counts were not measured; the other scenarios were checked \
         (exit code 104)",
    );
    ran.stdout_has("\n| second   |      1 |\n");
    ran.stdout_has(
        "\nerror[panicked-scenario]: `panics` was not measured: panicked: no more \
         (at src/sets.rs:61:40) (src/sets.rs:61)\nerror[panicked-scenario]: `differs` ",
    );
    // A command that needs every value stops.
    project.run("run", 104).stdout("");
}

#[test]
fn a_bench_without_whole_results_is_not_judged() {
    let project = Project::with("not-whole", "", BOXES);
    for (scenarios, said, end) in [
        (
            "first: 8\naborts: abort",
            " while it measured `aborts`\n  help: run it by itself: `cargo bench --package demo ",
            " while it measured `aborts`",
        ),
        (
            "first: 8\nexits: exit 0",
            " the end record is missing; the bench exited while it measured `exits`\n",
            "error: demo/counts exited with code 0, but its results are incomplete: the end record is \
             missing; the bench exited while it measured `exits`",
        ),
        (
            "use one name twice",
            "  | error: two scenarios are called `same`: at src/sets.rs:26:19 and at \
             src/sets.rs:27:19; rename one, or put it into a group\n",
            "error: demo/counts crashed (exit status: 101)",
        ),
        (
            "main fails afterwards",
            "help: return the result of `Suite::finish` from `main`, and do nothing after it\n",
            "error: demo/counts failed after it had measured all scenarios (exit status: 1)",
        ),
        (
            "main never finishes",
            "help: register scenarios with `alloc_scenario::Suite` and return the result of `finish`",
            "error: demo/counts exited without writing results",
        ),
        (
            "main forgives a panic",
            "\n  `panics` (src/mains.rs:19)\n  | panicked: no more (at src/mains.rs:19:49)\n",
            "error: `panics` of demo/counts was not measured",
        ),
        // Nobody writes to it.
        (
            "main leaves a pipe instead of results",
            "error: demo/counts wrote unusable results: its results:1: no records; ",
            "error: demo/counts wrote unusable results",
        ),
        (
            "main two suites",
            "error: demo/counts wrote unusable results: it wrote its results more than once\n",
            "error: demo/counts wrote unusable results",
        ),
        (
            "main garbage beside results",
            "error: demo/counts wrote unusable results: it wrote several result files: `a.txt` and ",
            "error: demo/counts wrote unusable results",
        ),
    ] {
        project.scenarios("counts", scenarios);
        let ran = project.run("", 104).stdout("");
        ran.stderr_has(said).stderr_has("\n  help: ");
        let last = ran.last_line();
        assert!(
            last.contains(end) && last.ends_with("; no gates were checked (exit code 104)"),
            "{last}"
        );
    }
}

#[test]
fn a_bench_without_the_counter_says_what_to_add() {
    let project = Project::new("forgot", &[("dead", "")], BOXES);
    let ran = project.run("", 104).stdout("");
    ran.stderr_has("error: demo/dead: the counter is not active: known allocations read as zero");
    // Its scenarios have names all the same.
    let ran = project.run("list", 0);
    ran.stdout_has("demo/dead\n  one box: gated by boxes\n");
}

#[test]
fn a_bench_without_results_does_not_stop_the_others() {
    let project = Project::new(
        "fail-fast",
        &[("counts", "b: exit 3"), ("other", "c: 8")],
        BOXES,
    );
    let ran = project.run("", 104);
    ran.stdout_has("\n| c        |      1 |\n");
    ran.verdict(
        "error: demo/counts crashed (exit status: 3) while it measured `b`; the other scenarios \
         were checked (exit code 104)",
    );
}

#[test]
fn the_output_of_a_bench_is_shown_where_it_failed_and_marked() {
    let project = Project::with("noisy", "use noise", BOXES);
    let ran = project.passes("1 gate checked, 1 scenario measured");
    assert!(!(ran.stdout_text() + &ran.stderr_text()).contains("from stdout"));
    project
        .run("--verbose", 0)
        .stderr_has(" --bench\n--- output of demo/counts\n  | ::error::from stdout\n");
    project.scenarios("counts", "use noise and a crash");
    // Even with colours, the bench has none of its own.
    let ran = project.run("--color always --quiet", 104).stdout("");
    ran.stderr_has(
        "--- output of demo/counts\n  | ::error::from stdout\n  | a\n  | ::warning::from stderr\n  \
         |   ::add-mask::red\n---\n\u{1b}[1m\u{1b}[31merror\u{1b}[0m: demo/counts crashed ",
    );
    project.scenarios("counts", "use panic with commands");
    let ran = project.run("", 104);
    ran.stderr_has("  | panicked: first\n  | ::error::second\n  | ::error::third (at src/sets.rs:");
}

#[test]
fn work_that_is_in_no_value_fails_unless_it_is_allowed() {
    let gates = r#"
[[gate]]
name = "none"
scenarios = ["*"]
allocs = "== 0"
"#;
    let project = Project::with("hidden-work", "main hidden work", gates);
    let ran = project.run("", 1);
    ran.verdict("FAILED: 1 gate checked (2 errors), 2 scenarios measured");
    ran.stdout_has("error[uncounted-allocations]: `uncounted` excluded 100 allocations and 100 deallocations in 100 iterations, and 1 allocation and 1 deallocation in the first call from the counts of `excluded` (src/mains.rs:70)");
    ran.stdout_has("error[foreign-allocations]: other threads made ")
        .stdout_has(" while `first on a thread` was counted; ");
    let allowed = "[policy]\nforeign = \"allow\"\n";
    project.gates(&["counts"], &format!("{gates}{allowed}"));
    project.passes("1 gate checked, 2 scenarios measured");
}
