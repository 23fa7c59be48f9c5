//! `bisect`: the commit that it finds, the commits that it skips, and its errors.

use snapbox::str;

use crate::project::{DEMO_FOLDER, Project};
use crate::repository::Repository;

const ONE: &str = "rows: 1\n";
const TWO: &str = "rows: 24 1\n";
const THREE: &str = "rows: 48 1 1\n";

/// The arguments of a search for a change of `allocs` of `rows`.
fn bisect<'a>(good: &'a str, bad: &'a str) -> [&'a str; 7] {
    bisect_figure(good, bad, "rows", "allocs")
}

fn bisect_figure<'a>(
    good: &'a str,
    bad: &'a str,
    scenario: &'a str,
    metric: &'a str,
) -> [&'a str; 7] {
    [
        "bisect",
        good,
        bad,
        "--scenario",
        scenario,
        "--metric",
        metric,
    ]
}

#[test]
fn the_first_changed_commit_is_found_past_one_that_does_not_build() {
    let repository = Repository::new("bisect-found", ONE, "");
    repository.commit("Change nothing");
    repository.commit("Change nothing again");
    let broken = repository.commit_broken("Break the build");
    repository.commit("Fix the build");
    let culprit = repository.commit_scenarios("Nest the rows", TWO);
    repository.commit_scenarios("Have another row", THREE);
    repository.scenarios("rows: hang");
    let before = repository.state();
    let ran = repository.run_args(&bisect("main~6", "main"), 0);
    assert_eq!(repository.state(), before);
    repository.is_clean();

    let said = ran.stderr_text();
    let skipped = format!("    Skipping {}, as above\n", &broken[..10]);
    assert!(said.contains(&skipped), "{said}");
    ran.stdout_has(&format!("commit:  {culprit}\n"));
    let line = format!(
        "alloc-gate: found: {} changed allocs of `rows` from 1 to 2; ",
        &culprit[..10]
    );
    assert!(ran.last_line().starts_with(&line), "{}", ran.last_line());
    ran.stdout(str![[r#"
the first commit that changed allocs of `rows`:

commit:  [..]
date:    2026-01-02T03:04:05+00:00
subject: Nest the rows
before:  1
after:   2

"#]]);
}

#[test]
fn commits_that_could_not_be_measured_are_named_where_they_matter() {
    let repository = Repository::new("bisect-ambiguous", ONE, "");
    let broken = repository.commit_broken("Break the build");
    let lacking = repository.commit_scenarios("Rename it", &TWO.replace("rows", "lines"));
    let changed = repository.commit_scenarios("Nest the rows", TWO);
    let ran = repository.run_args(&bisect("main~3", "main"), 101);
    let text = ran.stdout_text();
    for (commit, why) in [
        (&broken, "skipped: at [..]: failed to build the benches"),
        (
            &lacking,
            "skipped: at [..]: no bench has the scenario `rows`",
        ),
        (&changed, "changed, or comes after the change"),
    ] {
        let why = why.replace("[..]", &commit[..10]);
        let line = text
            .lines()
            .position(|line| line.starts_with(commit.as_str()));
        let below = line.and_then(|line| text.lines().nth(line + 1));
        assert_eq!(below, Some(format!("  {why}").as_str()), "{text}");
    }
    let line = "alloc-gate: error: failed to find the first commit that changed allocs of `rows`: 2 \
                commits could not be measured (exit code 101)";
    assert_eq!(ran.last_line(), line);
    repository.is_clean();
}

#[test]
fn a_search_without_an_answer_is_refused() {
    let repository = Repository::new("bisect-refused", &format!("{ONE}use odd\n"), "");
    repository.commit("Change nothing");
    for (args, code, words) in [
        (
            bisect("main~1", "main"),
            2,
            "nothing changed: allocs of `rows` is 1 at main~1 ([..]) and at main ([..])",
        ),
        (
            bisect("main", "main~1"),
            2,
            "main ([..]) is not an ancestor of main~1 ([..])",
        ),
        (
            bisect("main", "HEAD"),
            2,
            "main and HEAD are the same commit",
        ),
        (
            bisect("nosuch", "main"),
            2,
            "`nosuch` is not a commit in this repository",
        ),
        (
            bisect_figure("main~1", "main", "odd", "bytes"),
            2,
            "at main~1 ([..]): `bytes` of `odd` varies between iterations, and bisect needs \
             a deterministic figure",
        ),
        (
            bisect_figure("main~1", "main", "even", "bytes"),
            4,
            "at main~1 ([..]): no bench has the scenario `even`",
        ),
    ] {
        let ran = repository.run_args(&args, code);
        // The lines before are about the work.
        let errors: String = ran
            .stderr_text()
            .lines()
            .filter_map(|line| line.strip_prefix("error: "))
            .map(|line| format!("{line}\n"))
            .collect();
        ran.same(&errors, format!("{words}\n"));
        assert_eq!(ran.stdout_text(), "");
        repository.is_clean();
    }
    let unknown = bisect_figure("a", "b", "rows", "alocs");
    repository.run_args(&unknown, 2);
}

#[test]
fn a_name_in_several_benches_needs_its_bench() {
    let project = Project::for_repository("bisect-names", ONE, "");
    project.add_to_manifest(&format!(
        "\n[[bench]]\nname = \"second\"\nharness = false\npath = '{DEMO_FOLDER}/benches/counts.rs'\n"
    ));
    project.scenarios("second", ONE);
    project.gates(&["counts", "second"], "");
    let repository = Repository::from_project(project);
    repository.project.scenarios("second", TWO);
    repository.commit("Nest the rows of the second bench");
    let ran = repository.run_args(&bisect("main~1", "main"), 2);
    ran.stderr_has(
        "several benches have the scenario `rows`: committed/counts and committed/second\n",
    );
    ran.stderr_has("  help: write `counts/rows`, or select a bench with -p and --bench\n");
    let figure = bisect_figure("main~1", "main", "second/rows", "allocs");
    let ran = repository.run_args(&figure, 0);
    ran.stdout_has("subject: Nest the rows of the second bench\n");
}
