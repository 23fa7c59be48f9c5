//! Reports in each format, annotations and summaries, and code 110 where one can't be written.

use crate::project::{BOXES, Project, RESULTS};

const BODY: &str = "one | box: 100 x allocs=1 bytes=8 deallocs=1 freed-bytes=8\n\
                    two boxes: 100 x allocs=2 bytes=16 deallocs=2 freed-bytes=16\n";

/// The second scenario fails.
fn failing(name: &str) -> Project {
    let gates = format!("{BOXES}reason = \"a box is one block\"\n");
    Project::recorded(name, BODY, &gates)
}

/// Both scenarios hold.
fn passing(name: &str) -> Project {
    let gates = BOXES.replace("<= 1", "<= 2");
    let baseline = "\n[baseline]\ndata = \"accepted.toml\"\n";
    Project::recorded(name, BODY, &format!("{baseline}{gates}"))
}

const PASSED: &str = "passed: 1 gate checked, 2 scenarios measured";

#[test]
fn a_check_shows_values_and_with_v_gates() {
    let project = passing("tables");
    let plain = project.judge("check", 0);
    plain.stdout_has("\n| one \\| box |      1 |\n");
    let gate =
        "\n\npass  boxes (gates.toml:14): 2 scenarios\n        `allocs <= 2`: 1 to 2\nenvironment";
    let verbose = project.judge("check -v", 0);
    let plain = plain.stdout_text().replace("\nenvironment", gate);
    assert_eq!(verbose.stdout_text(), plain);
    verbose.verdict(PASSED);
}

#[test]
fn a_report_in_a_file_has_the_bytes_of_the_one_on_stdout_behind_its_mark() {
    let project = failing("reports");
    let line = "check --report markdown=out/gates.md --report=json=out/gates.json --report \
                terminal=out/gates.txt --report tests.xml --report page.html";
    let ran = project.judge(line, 1);
    ran.verdict("FAILED: 1 of 2 scenarios, 1 of 1 gate");
    let text = format!("alloc-gate report\n{}", ran.stdout_text());
    assert_eq!(project.read("out/gates.txt"), text);
    for (format, path, mark, said) in [
        (
            "markdown",
            "out/gates.md",
            "<!-- alloc-gate -->\n",
            "\n#### **FAIL** two boxes  benches/",
        ),
        ("json", "out/gates.json", "", "\"outcome\": \"failed\""),
    ] {
        let ran = project.judge(&format!("check --format {format}"), 1);
        assert_eq!(project.read(path), format!("{mark}{}", ran.stdout_text()));
        project.has(path, said);
    }
    project.has(
        "tests.xml",
        "<failure message=\"two boxes: 2 allocations per iteration, limit ",
    );
    project.has("page.html", "<!doctype html>");
    // Not on stdout, where a CI system looks for commands.
    let ran = project.run("check --format junit", 2);
    ran.stderr_has("invalid value 'junit' for '--format <FORMAT>'");
    let ran = project.run("compare HEAD --report new.xml", 2);
    ran.stderr_has("error: a report in the format `junit` needs the verdicts of gates\n");
}

#[test]
fn a_repository_takes_its_own_reports_back_whose_places_are_links_on_github() {
    let project = failing("exports").committed();
    let commit = project.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let results = format!("bench demo/counts commit={commit} clean\n{BODY}");
    project.write_results(RESULTS, &results);
    let line = format!("check --report page.html --report tests.xml --results {RESULTS}");
    // The second time over a page that git tracks.
    for _ in 0..2 {
        let on_github = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_SERVER_URL", "https://github.example"),
            ("GITHUB_REPOSITORY", "owner/name"),
        ];
        project.run_with(&on_github, &line, 1);
        project.has(
            "page.html",
            &format!("<a href=\"https://github.example/owner/name/blob/{commit}/gates.toml#L11\">"),
        );
        project.has("tests.xml", "file=\"benches/counts.rs\"");
        project.git(&["add", "--force", "page.html", "tests.xml"]);
    }
}

#[test]
fn githubs_step_summary_gets_the_markdown_report_after_what_is_there() {
    let project = passing("summary");
    project.write("summary.md", "before\n");
    let line = format!("check --format markdown --results {RESULTS}");
    let judge =
        |summary: &str, code| project.run_with(&[("GITHUB_STEP_SUMMARY", summary)], &line, code);
    let ran = judge("summary.md", 0);
    let expected = format!("before\n{}", ran.stdout_text());
    assert_eq!(project.read("summary.md"), expected);
    judge("", 0);
    assert_eq!(project.read("summary.md"), expected);
    let ran = judge("Cargo.toml/summary.md", 110);
    ran.stderr_has("error: failed to write Cargo.toml/summary.md: ");
}

#[test]
fn under_github_actions_failures_are_annotations_on_their_lines() {
    let project = failing("annotations");
    let line = format!("check --results {RESULTS}");
    let judge = |value: &str| project.run_with(&[("GITHUB_ACTIONS", value)], &line, 1);
    judge("true").stderr_has(
        "::error file=benches/counts.rs,line=3,title=alloc-gate%3A two boxes failed::two \
         boxes: 2 allocations per iteration, limit 1 [boxes]\nalloc-gate: FAILED: ",
    );
    assert!(!judge("").stderr_text().contains("::error"));
}

#[test]
fn an_output_that_cannot_be_written_ends_with_110_and_the_others_are_written() {
    let project = passing("no-report");
    std::fs::create_dir(project.path("folder")).expect("the folder can be made");
    let line = "check --report markdown=Cargo.toml/gates.md --report markdown=folder --report \
                terminal=gates.txt";
    let ran = project.judge(line, 110);
    ran.stderr_has("error: failed to write Cargo.toml/gates.md: Cargo.toml is not a directory\n");
    ran.stderr_has("error: failed to write folder: is a directory\n");
    ran.verdict(&format!(
        "{PASSED}; but an output could not be written (exit code 110)"
    ));
    project.has("gates.txt", &ran.stdout_text());
    // A broken gate is worse.
    let project = failing("both-broken");
    let ran = project.judge("check --report json=Cargo.toml/gates.json", 1);
    ran.verdict(
        "FAILED: 1 of 2 scenarios, 1 of 1 gate; but an output could not be \
         written (exit code 1)",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_ends_with_110_whatever_was_asked_for() {
    let project = passing("full");
    for command in ["check", "accept", "list", "--help"] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut program = project.command();
        program
            .args([command, "--results", RESULTS])
            .stdout(full.expect("Linux has it"));
        let ran = project.finish(program).code(110);
        ran.stderr_has("error: failed to write to stdout: No space left on device (os error 28)\n");
    }
    assert!(!project.path("accepted.toml").exists());
}

#[test]
fn colours_are_printed_only_on_request() {
    let project = failing("colours");
    let plain = project.judge("check --color never", 1).stdout_text();
    let with = |variables: &[(&str, &str)]| {
        let mut program = project.command();
        program
            .args(["check", "--results", RESULTS])
            .env_remove("NO_COLOR");
        program.envs(variables.iter().copied());
        project.finish(program).code(1).stdout_text()
    };
    assert!(!plain.contains('\u{1b}'));
    assert_eq!(with(&[]), plain);
    // The option overrides NO_COLOR, which every test has set.
    let always = project.judge("check --color always", 1);
    assert_eq!(
        with(&[("CARGO_TERM_COLOR", "always")]),
        always.stdout_text()
    );
    let stripped = anstream::adapter::strip_str(&always.stdout_text()).to_string();
    assert_eq!(stripped, plain);
    always.stdout_has("\u{1b}[1m\u{1b}[31mFAIL\u{1b}[0m two boxes  ");
}
