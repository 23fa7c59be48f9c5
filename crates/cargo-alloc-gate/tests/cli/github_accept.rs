//! The script of the GitHub action that makes a patch of what `accept` would write.

use std::fs;
use std::process::Command;

use crate::github_action::{ACTION, temp, write_program};
use crate::program::{PROGRAM, Ran};
use crate::project::{BOXES, Project};
use crate::repository::Repository;

const RULES: &str = "
[baseline]
data = \"accepted.toml\"
document = \"accepted.md\"

[[gate]]
name = \"no-worse\"
scenarios = [\"*\"]
allocs = \"<= baseline\"
";

/// The script after a check with these arguments, with files in place of GitHub's.
fn script(project: &Project, program: &str, args: &str) -> Command {
    let temp = temp(project);
    fs::create_dir_all(&temp).expect("the folder can be made");
    for file in ["output", "summary.md"] {
        fs::write(temp.join(file), "").expect("the file can be written");
    }
    let mut command = project.command_in("bash", "");
    command
        .arg(format!("{ACTION}/accept.sh"))
        .env("INPUT_ARGS", args)
        .env("PROGRAM", program)
        .env("RUNNER_TEMP", &temp)
        .env("TMPDIR", &temp)
        .env("GITHUB_RUN_ID", "17")
        .env("GITHUB_OUTPUT", temp.join("output"))
        .env("GITHUB_STEP_SUMMARY", temp.join("summary.md"));
    command
}

/// What a later step can see: the repository, and the files that are no commit's.
fn seen(repository: &Repository) -> impl PartialEq + std::fmt::Debug {
    let read = |file| fs::read(repository.project.path(file)).ok();
    let files = ["gates.toml", "accepted.toml", "accepted.md", "notes"].map(read);
    (
        repository.state(),
        repository.git(&["count-objects"]),
        files,
    )
}

/// Runs the script, which succeeds, and leaves nothing but the patch.
fn run(repository: &Repository, program: &str, args: &str) -> Ran {
    let project = &repository.project;
    let before = seen(repository);
    let ran = project.finish(script(project, program, args)).code(0);
    assert_eq!(seen(repository), before);
    let left = crate::project::names(&temp(project));
    assert!(
        left.iter().all(|name| !name.starts_with("tmp.")),
        "{left:?}"
    );
    ran
}

/// The patch that the outputs name.
fn patch(project: &Project) -> Option<String> {
    let read = |file| fs::read_to_string(temp(project).join(file)).expect("it is there");
    let patch = temp(project).join("cargo-alloc-gate/accept.patch");
    let output = read("output");
    if output.is_empty() {
        assert_eq!(read("summary.md"), "");
        return None;
    }
    assert_eq!(output, format!("patch={}\n", patch.display()));
    let command = "\ngh run download 17 -n accept && git apply accept.patch && rm accept.patch\n";
    assert!(read("summary.md").contains(command));
    Some(patch.to_str().expect("the path is UTF-8").to_owned())
}

#[test]
fn the_patch_is_what_accept_writes_and_the_files_stay() {
    let repository = Repository::new("action-accept", "one: 8", RULES);
    let project = &repository.project;
    // New files, a file that is staged, and one that is edited.
    for (files, scenarios) in [("new", "one: 8 8"), ("replaced", "one: 8 8 8")] {
        repository.scenarios(scenarios);
        project.write("notes", files);
        repository.git(&["add", "notes"]);
        run(
            &repository,
            PROGRAM,
            "check --color never --report json=out.json",
        );
        let patch = patch(project).expect("there is a patch");
        assert!(!project.path("out.json").exists());
        repository.git(&["apply", &patch]);
        project.run("accept --check", 0);
        project.run("check", 0);
        repository.commit("Accept");
    }
    // Nothing to accept: the check failed for another reason.
    let ran = run(&repository, PROGRAM, "");
    ran.stdout_has("alloc-gate: no patch of `accept`: it changes nothing");
    assert_eq!(patch(project), None);
}

#[test]
fn without_a_patch_the_files_stay_too() {
    let repository = Repository::new("action-no-accept", "one: 8 8", BOXES);
    let project = &repository.project;
    let ran = run(&repository, PROGRAM, "check");
    ran.stdout_has("alloc-gate: no patch of `accept`: the rules have no `[baseline]`");
    assert_eq!(patch(project), None);

    let ran = run(&repository, PROGRAM, "check --partition hash:1/2");
    ran.stdout_has("alloc-gate: no patch of `accept`: it ended with exit code 2");
    assert_eq!(patch(project), None);

    // A program that fails after it has changed files.
    project.write("notes", "not a commit's");
    let damage = "#!/usr/bin/env bash\necho >>gates.toml\nrm notes\necho 1 >accepted.toml\n";
    let path = temp(project).join("program");
    let program = path.to_str().expect("the path is UTF-8");
    for (end, code) in [("exit 104", 104), ("kill -KILL $$", 137)] {
        write_program(project, program, &format!("{damage}{end}\n"));
        let ran = run(&repository, program, "check");
        ran.stdout_has(&format!("`accept`: it ended with exit code {code}"));
        assert_eq!(patch(project), None);
    }
}

/// `cargo new` makes a `.gitignore`; without it, builds are no part of the patch either.
#[test]
fn a_target_folder_that_git_sees_stays_as_it_is() {
    let repository = Repository::new("action-accept-target", "one: 8", RULES);
    let project = &repository.project;
    project.write("target/debug/old", "before");
    let path = temp(project).join("program");
    let program = path.to_str().expect("the path is UTF-8");
    let text = "#!/usr/bin/env bash\ncd target/debug && echo after >old && echo >new\n\
                cd ../.. && echo figures >accepted.toml\n";
    write_program(project, program, text);
    project.finish(script(project, program, "")).code(0);
    assert_eq!(project.read("target/debug/old"), "after\n");
    assert!(project.path("target/debug/new").exists());
    assert!(!project.path("accepted.toml").exists());
    let patch = fs::read_to_string(patch(project).expect("there is one")).expect("it is text");
    assert!(
        patch.contains("+figures") && !patch.contains("target"),
        "{patch}"
    );
}

#[test]
fn accept_gets_the_arguments_about_benches_and_builds() {
    let repository = Repository::new("action-accept-args", "one: 8", RULES);
    let project = &repository.project;
    let path = temp(project).join("program");
    let program = path.to_str().expect("the path is UTF-8");
    write_program(
        project,
        program,
        "#!/usr/bin/env bash\necho \"called: $*\"\n",
    );
    for (args, expected) in [
        ("", "accept"),
        ("check", "accept"),
        ("--color never", "accept --color never"),
        (
            "check -p a --report html=a.html --table=all -F b",
            "accept -p a -F b",
        ),
        (
            "check\n--results all --explain never\n",
            "accept --results all",
        ),
        ("compare origin/main --gate -p a", "accept -p a"),
        ("compare --gate --format json", "accept"),
        ("check --format", "accept"),
    ] {
        run(&repository, program, args).stdout_has(&format!("called: {expected}\n"));
    }
    for args in ["list --json", "run"] {
        let ran = run(&repository, program, args);
        assert!(!ran.stdout_text().contains("called"), "{args}");
    }
}
