//! Reports in each format, and code 110 where one can't be written.

use snapbox::str;

use crate::project::Project;
use crate::repository::Repository;

const BODY: &str = "one | box: 8\ntwo boxes: 8 8\n";

const GATES: &str = r#"
[[gate]]
name = "boxes"
scenarios = ["*"]
allocs = "<= 1"
reason = "a box is one block"

[[gate]]
name = "small"
scenarios = ["*"]
bytes = { max = "<= 16" }
"#;

/// A gate that both scenarios hold.
const LENIENT: &str = r#"
[[gate]]
name = "lenient"
scenarios = ["*"]
allocs = "<= 2"
"#;

/// The figures of `run`, which judges nothing.
const OF_RUN: &str = "\
demo/counts  2 scenarios
| scenario   | iters | allocs/op | bytes/op | deallocs/op |
|------------|-------|-----------|----------|-------------|
| one \\| box |   100 |      1.00 |        8 |        1.00 |
| two boxes  |   100 |      2.00 |       16 |        2.00 |
";

/// Those of `check`: what its gate judges.
const OF_CHECK: &str = "\
demo/counts  2 scenarios  1 gate  ok
| scenario   | iters | allocs/op |
|------------|-------|-----------|
| one \\| box |   100 |      1.00 |
| two boxes  |   100 |      2.00 |
";

/// The environment.
const SHOWN: &str = "\
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]
";

#[test]
fn run_and_check_show_figures_and_gates() {
    let project = Project::with("tables", BODY, LENIENT);
    let ran = project.run("run", 0);
    ran.same(&ran.stdout_text(), format!("{OF_RUN}{SHOWN}"));
    let checked = project.run("", 0);
    let text = checked.stdout_text();
    checked.same(&text, format!("{OF_CHECK}{SHOWN}"));
    let checked = project.run("--verbose", 0);
    let gate = "\npass    lenient: 2 scenarios\n        allocs <= 2: 1 to 2\n";
    let text = checked.stdout_text();
    checked.same(&text, format!("{OF_CHECK}{SHOWN}{gate}"));
}

#[test]
fn the_json_report_has_the_verdicts() {
    let project = Project::with("json", BODY, GATES);
    let ran = project.run("--format json", 1);
    let json = ran.json();
    assert_eq!(json["outcome"], "failed");
    assert_eq!(json["gates-judged"], 2);
    assert_eq!(json["environments"][0]["package"], "demo");
    let judgements = &json["gates"][0]["judgements"];
    assert_eq!(judgements[0]["verdict"], "pass");
    assert_eq!(judgements[1]["scenario"], "two boxes");
    assert_eq!(judgements[1]["measured"]["text"], "2");
    ran.only_verdict("FAILED: 2 gates checked (1 failed), 2 scenarios measured");
}

#[test]
fn the_markdown_report_has_the_failure() {
    let project = Project::with("markdown", BODY, GATES);
    let ran = project.run("--format markdown", 1);
    ran.stdout_has("| **FAIL** | two boxes `src/lib.rs:60` | allocs | 2 |");
    ran.only_verdict("FAILED: 2 gates checked (1 failed), 2 scenarios measured");
}

#[test]
fn a_report_in_a_file_has_the_bytes_of_the_one_on_stdout_behind_its_mark() {
    let project = Project::with("reports", BODY, GATES);
    let ran = project.run(
        "--report markdown=out/gates.md --report=json=out/gates.json --report \
         terminal=out/gates.txt",
        1,
    );
    let text = format!("alloc-gate report\n{}", ran.stdout_text());
    assert_eq!(project.read("out/gates.txt"), text);
    let file = project.results("counts");
    for (format, path, mark) in [
        ("markdown", "out/gates.md", "<!-- alloc-gate -->\n"),
        ("json", "out/gates.json", ""),
    ] {
        let ran = project.run_on(&file, &format!("--format {format}"), 1);
        assert_eq!(project.read(path), format!("{mark}{}", ran.stdout_text()));
    }
}

#[test]
fn githubs_step_summary_gets_the_markdown_report_after_what_is_there() {
    let project = Project::with("summary", BODY, LENIENT);
    project.write("summary.md", "before\n");
    let mut program = project.command();
    program
        .env("GITHUB_STEP_SUMMARY", "summary.md")
        .args(["--format", "markdown"]);
    let ran = project.finish(program).code(0);
    let expected = format!("before\n{}", ran.stdout_text());
    assert_eq!(project.read("summary.md"), expected);

    let mut program = project.command();
    program.env("GITHUB_STEP_SUMMARY", "");
    project.finish(program).code(0);
    assert_eq!(project.read("summary.md"), expected);
}

#[test]
fn under_github_actions_failures_are_annotations_on_their_lines() {
    let project = Project::with("annotations", BODY, GATES);
    let run = |value: &str| {
        let mut program = project.command();
        program.env("GITHUB_ACTIONS", value);
        project.finish(program).code(1)
    };
    run("true").after_measuring(str![[r#"
alloc-gate checks how often and how much this code allocates. What to do: `design/red.md` in its repository.
::error file=src/lib.rs,line=60,title=alloc-gate%3A two boxes failed::allocs 2, required: <= 1 [boxes]
alloc-gate: FAILED: 2 gates checked (1 failed), 2 scenarios measured

"#]]);
    run("").only_verdict("FAILED: 2 gates checked (1 failed), 2 scenarios measured");
}

#[test]
fn a_gate_that_fails_against_a_git_ref_is_annotated_too() {
    let gate = LENIENT.replace("<= 2", "<= baseline");
    let gate = format!("\n[baseline]\ndata = \"accepted.toml\"\n{gate}");
    let repository = Repository::new("annotated", "box: 8\n", &gate);
    repository.scenarios("box: 8 8\n");
    let mut command = repository.command();
    let args = ["compare", "HEAD", "--gate"];
    command.env("GITHUB_ACTIONS", "true").args(args);
    let ran = repository.project.finish(command).code(1);
    let end =
        "title=alloc-gate%3A box failed::allocs 1 -> 2 (+1), required: <= baseline [lenient]\n";
    ran.stderr_has(end);
}

#[test]
fn a_report_that_cannot_be_written_ends_with_110_and_the_others_are_written() {
    let project = Project::with("no-report", BODY, LENIENT);
    std::fs::create_dir(project.path("folder")).expect("the folder can be made");
    let ran = project.run(
        "--report markdown=Cargo.toml/gates.md --report markdown=folder --report \
         terminal=gates.txt",
        110,
    );
    let ran = ran.stdout(str![[r#"
demo/counts  2 scenarios  1 gate  ok
| scenario   | iters | allocs/op |
|------------|-------|-----------|
| one \| box |   100 |      1.00 |
| two boxes  |   100 |      2.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]).after_measuring(str![[r#"
error: failed to write Cargo.toml/gates.md: Cargo.toml is not a directory
  help: make the path writable, or choose another; an existing file was not changed
error: failed to write folder: is a directory
  help: make the path writable, or choose another; an existing file was not changed
alloc-gate: passed: 1 gate checked, 2 scenarios measured; but an output could not be written (exit code 110)

"#]]);
    project.has("gates.txt", &ran.stdout_text());
}

#[test]
fn a_step_summary_that_cannot_be_written_ends_with_110() {
    let project = Project::with("no-summary", BODY, LENIENT);
    let mut program = project.command();
    program.env("GITHUB_STEP_SUMMARY", "Cargo.toml/summary.md");
    project.finish(program).code(110).after_measuring(str![[r#"
error: failed to write Cargo.toml/summary.md: [..] (os error [..])
  help: make the path writable, or choose another; an existing file was not changed
alloc-gate: passed: 1 gate checked, 2 scenarios measured; but an output could not be written (exit code 110)

"#]]);
}

#[test]
fn a_broken_gate_is_worse_than_an_output_that_cannot_be_written() {
    let project = Project::with("both-broken", BODY, GATES);
    let ran = project.run("--report json=Cargo.toml/gates.json", 1);
    ran.after_measuring(str![[r#"
error: failed to write Cargo.toml/gates.json: Cargo.toml is not a directory
  help: make the path writable, or choose another; an existing file was not changed
alloc-gate: FAILED: 2 gates checked (1 failed), 2 scenarios measured; but an output could not be written (exit code 1)

"#]]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_ends_with_110_whatever_was_asked_for() {
    let project = Project::with(
        "full",
        BODY,
        &format!("\n[baseline]\ndata = \"accepted.toml\"\n{LENIENT}"),
    );
    let run = |command: &str| {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut program = project.command();
        program.arg(command).stdout(full.expect("Linux has it"));
        project.finish(program).code(110)
    };
    run("check").after_measuring(str![[r#"
error: failed to write to stdout: No space left on device (os error 28)
  help: the disk may be full, or the program that reads stdout has exited
alloc-gate: passed: 1 gate checked, 2 scenarios measured; but an output could not be written (exit code 110)

"#]]);
    for command in ["run", "accept", "list", "--help"] {
        run(command).stderr(str![[r#"
...
error: failed to write to stdout: No space left on device (os error 28)
  help: the disk may be full, or the program that reads stdout has exited
alloc-gate: error: failed to write to stdout: No space left on device (os error 28) (exit code 110)

"#]]);
    }
    assert!(!project.path("accepted.toml").exists());
}

#[test]
fn colours_are_printed_only_on_request() {
    let project = Project::with("colours", BODY, GATES);
    let plain = project.run("--color never", 1);
    assert!(!plain.stdout_text().contains('\u{1b}'));
    let mut program = project.command();
    program.env_remove("NO_COLOR");
    let automatic = project.finish(program).code(1);
    assert_eq!(automatic.stdout_text(), plain.stdout_text());
    assert_eq!(automatic.stderr_text(), plain.stderr_text());

    let mut program = project.command();
    program.env("CARGO_TERM_COLOR", "always");
    let as_cargo = project.finish(program).code(1);
    // The option overrides NO_COLOR, which every test has set.
    let always = project.run("--color always", 1);
    assert_eq!(as_cargo.stdout_text(), always.stdout_text());
    let stripped = anstream::adapter::strip_str(&always.stdout_text()).to_string();
    assert_eq!(stripped, plain.stdout_text());
    let stripped = anstream::adapter::strip_str(&always.stderr_text()).to_string();
    assert_eq!(stripped, plain.stderr_text());
    let visible = always.stdout_text().replace('\u{1b}', "^");
    always.same(
        &visible,
        str![[r#"
demo/counts  2 scenarios  2 gates  ^[1m^[31mFAILED^[0m
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

^[1m^[31mFAIL^[0m two boxes                                          ^[2msrc/lib.rs:60^[0m
       allocs      2    <= 1 [boxes]
       ^[2mfirst operations: alloc 8, alloc 8, dealloc 8, dealloc 8^[0m
1 of 2 scenarios failed, 1 of 2 gates (gates.toml:11)
note: boxes: a box is one block
help: if this is intended, change the limit at gates.toml:14:10

"#]],
    );
}
