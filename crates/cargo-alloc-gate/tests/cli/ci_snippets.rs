//! The lines for CI in all pages, and the workflow of this repository: they are YAML, their
//! actions are pinned and get inputs that exist, and their commands are ones that exist. Those for
//! other systems read reports that their commands write. That a system accepts them is not tested.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ci_lines::{ACTIONS, Snippet, System, commands, snippets};
use crate::pages::CLONE;
use crate::project::SOURCE;
use crate::yaml::Yaml;

/// Our actions, as pages name them, and as the workflow of this repository does.
const OURS: [&str; 3] = [
    "OWNER/REPOSITORY/.github/actions/alloc-gate@COMMIT # v0.1.0",
    "OWNER/REPOSITORY/.github/actions/alloc-gate/comment@COMMIT # v0.1.0",
    "./.github/actions/alloc-gate",
];

/// Where pages have the manifest of the command.
const COMMAND: &str = "../alloc-gate/crates/cargo-alloc-gate";

pub(crate) const CLONES: &str = "git clone REPOSITORY ../alloc-gate";
/// The branch that a merge request of GitLab is for.
const FETCHES: &str =
    "git fetch origin \"${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-$CI_DEFAULT_BRANCH}\"";
pub(crate) const CHECKS_OUT: &str = "git -C ../alloc-gate checkout COMMIT";

fn is_text(name: &str) -> bool {
    name.ends_with(".md") || name.ends_with(".yml")
}

/// The paths of all pages, workflows and actions, from the root of the repository.
fn texts() -> Vec<String> {
    let mut folders = vec![PathBuf::new()];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(Path::new(SOURCE).join(&folder)).expect("it is a folder");
        for entry in entries {
            let entry = entry.expect("the folder can be read");
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            let is_hidden = name.starts_with('.') && name != ".github";
            let kind = entry.file_type().expect("the entry has a type");
            if kind.is_dir() && name != "target" && !is_hidden {
                folders.push(path);
            } else if kind.is_file() && is_text(&name) {
                texts.push(path.to_str().expect("the path is UTF-8").to_owned());
            }
        }
    }
    texts.sort_unstable();
    texts
}

/// The keys of a map.
fn keys(map: Option<&Yaml>) -> Vec<&str> {
    let pairs = map.map(Yaml::pairs).unwrap_or_default();
    pairs.iter().map(|(key, _)| key.as_str()).collect()
}

/// What is wrong with the lines for a system.
pub(crate) fn mistakes_of(snippet: &Snippet<'_>) -> Vec<String> {
    if let System::GitHub = snippet.system {
        return mistakes(snippet.text);
    }
    let (commands, reports) = match snippet.commands_and_reports() {
        Ok(found) => found,
        Err(error) => return vec![error],
    };
    let mut found: Vec<String> = commands
        .iter()
        .filter_map(|command| mistake_of_command(command))
        .collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    found.extend(mistake_of_order(&commands));
    // Each file that the system reads is one that the command writes.
    let is_written = |file: &&String| {
        let written = |command: &&str| command.split(['=', ' ']).any(|word| word == *file);
        !commands.iter().any(written)
    };
    let missing = reports.iter().filter(is_written);
    found.extend(missing.map(|file| format!("no report {file}")));
    if reports.is_empty() {
        found.push("no report".to_owned());
    }
    found
}

/// What is wrong with a snippet for GitHub, a workflow or steps of one.
fn mistakes(text: &str) -> Vec<String> {
    let document = match Yaml::read(text) {
        Ok(document) => document,
        Err(error) => return vec![format!("no YAML: {error}")],
    };
    let mut found = actions_of(text);
    let steps = document.get("runs").and_then(|runs| runs.get("steps"));
    found.extend(
        steps
            .into_iter()
            .flat_map(Yaml::nodes)
            .flat_map(mistakes_of_step),
    );
    let jobs = document.get("jobs");
    if steps.is_none() && jobs.is_none() && document.nodes().is_empty() {
        found.push("neither steps nor jobs".to_owned());
    }
    found.extend(document.nodes().iter().flat_map(mistakes_of_step));
    let pushed = document.get("on").and_then(|on| on.get("push"));
    let is_release = pushed.is_some_and(|pushed| pushed.get("tags").is_some());
    let pairs = jobs.map(Yaml::pairs).unwrap_or_default();
    found.extend(
        pairs
            .iter()
            .flat_map(|(_, job)| mistakes_of_job(job, &keys(jobs), !is_release)),
    );
    found
}

/// The actions that are not pinned, or are unknown. YAML has no comments, so these are lines.
fn actions_of(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .map(|line| line.trim_start().trim_start_matches("- "));
    let actions = lines.filter_map(|line| line.strip_prefix("uses: "));
    let is_known =
        |action: &&str| OURS.contains(action) || ACTIONS.iter().any(|(name, _)| name == action);
    let unknown = actions.filter(|action| !is_known(action));
    unknown
        .map(|action| format!("unknown action {action}"))
        .collect()
}

/// What is wrong with a job. One of a release is no check that a pull request could require.
fn mistakes_of_job(job: &Yaml, jobs: &[&str], is_check: bool) -> Vec<String> {
    let mut found = Vec::new();
    if job.text("runs-on").is_none() {
        found.push("a job without runs-on".to_owned());
    }
    if let Some(needed) = job.text("needs") {
        if !jobs.contains(&needed) {
            found.push(format!("no job {needed}"));
        }
        let condition = job.text("if").unwrap_or_default();
        if is_check && !condition.contains("!cancelled()") {
            found.push(format!(
                "skipped, which passes, if {needed} fails: `{condition}`"
            ));
        }
    }
    let steps = job.get("steps").map(Yaml::nodes).unwrap_or_default();
    found.extend(steps.iter().flat_map(mistakes_of_step));
    let run = steps.iter().filter_map(|step| step.text("run"));
    let commands: Vec<&str> = run.flat_map(commands).collect();
    found.extend(mistake_of_order(&commands));
    found
}

/// Whether something that a command needs does not come before it.
fn mistake_of_order(commands: &[&str]) -> Option<String> {
    let place = |begin: &str| {
        commands
            .iter()
            .position(|command| command.starts_with(begin))
    };
    let install = format!("cargo install --locked --path {COMMAND}");
    let needs = [CLONES, CHECKS_OUT, &install, "cargo alloc-gate"].map(place);
    let is_wrong = needs[3].is_some() && !(needs.is_sorted() && needs[0].is_some());
    is_wrong.then(|| format!("not cloned, checked out and installed before: {commands:?}"))
}

fn mistakes_of_step(step: &Yaml) -> Vec<String> {
    let mut found = match (step.text("uses"), step.text("run")) {
        (Some(action), None) => mistakes_of_inputs(action, step.get("with")),
        (None, Some(script)) => mistakes_of_script(script),
        _ => vec!["a step has either `uses` or `run`".to_owned()],
    };
    let known = [
        "continue-on-error",
        "env",
        "id",
        "if",
        "name",
        "run",
        "shell",
        "uses",
        "with",
        "working-directory",
    ];
    let unknown = keys(Some(step))
        .into_iter()
        .filter(|key| !known.contains(key));
    found.extend(unknown.map(|key| format!("unknown key {key}")));
    let env = step.get("env");
    for value in keys(env).into_iter().filter_map(|key| env?.text(key)) {
        if let Some((_, output)) = value.split_once("${{ steps.gate.outputs.") {
            let output = output.trim_end_matches(" }}");
            if !of_action(OURS[0], "outputs")
                .iter()
                .any(|known| known == output)
            {
                found.push(format!("our action has no output {output}"));
            }
        }
    }
    found
}

fn mistakes_of_inputs(action: &str, inputs: Option<&Yaml>) -> Vec<String> {
    let is_action = |name: &str| name.split(" # ").next() == Some(action);
    let known = match ACTIONS.iter().find(|(name, _)| is_action(name)) {
        Some((_, inputs)) => inputs.iter().map(|&input| input.to_owned()).collect(),
        None => of_action(action, "inputs"),
    };
    let is_unknown = |key: &&str| !known.iter().any(|known| known == key);
    let unknown = keys(inputs).into_iter().filter(is_unknown);
    let unknown = unknown.map(|key| format!("{action} has no input {key}"));
    let args = inputs.and_then(|inputs| inputs.text("args"));
    unknown.chain(args.and_then(mistake_of_arguments)).collect()
}

fn mistakes_of_script(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    if script.replace("${{ matrix.", "").contains("${{") {
        found.push(format!("an expression inside a script: {script}"));
    }
    // The scripts of the workflow that are longer are no advice.
    if !script.trim().contains('\n') {
        found.extend(commands(script).filter_map(mistake_of_command));
    }
    found
}

/// The names of the inputs or outputs of an action of ours; another one has none.
fn of_action(action: &str, key: &str) -> Vec<String> {
    let Some((_, place)) = action.split_once(".github/") else {
        return Vec::new();
    };
    let folder = place.split('@').next().unwrap_or_default();
    let path = Path::new(SOURCE)
        .join(".github")
        .join(folder)
        .join("action.yml");
    let text = fs::read_to_string(path).expect("the action is there");
    let action = Yaml::read(&text).expect("the action is YAML");
    keys(action.get(key))
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// What is wrong with a command, if anything.
fn mistake_of_command(command: &str) -> Option<String> {
    let unknown = || Some(format!("unknown command {command}"));
    let words: Vec<&str> = command.split(' ').collect();
    match words[..] {
        ["cargo", "alloc-gate", ..] | ["cargo", "xtask", "alloc-gate", ..] => {
            let (_, args) = command.split_once("alloc-gate")?;
            mistake_of_arguments(args)
        }
        ["cargo", "install", "--locked", "--path", path] => {
            let path = path.replace(CLONE, SOURCE);
            let is_package = Path::new(&path).join("Cargo.toml").is_file();
            if is_package { None } else { unknown() }
        }
        // Of others, in this repository's workflow: the version is pinned.
        ["cargo", "install", _, "--version", _, "--locked"] => None,
        ["cargo", "--locked", "xtask", "ci"]
        | ["cargo", "--locked", "xtask", "ci", "--all"]
        | [
            "cargo",
            "--locked",
            "xtask",
            "release",
            "archive" | "notes",
            ..,
        ] => None,
        ["cargo", "--locked", "xtask", "ci", ref steps @ ..] => {
            let table = Path::new(SOURCE).join("xtask/src/ci/step.rs");
            let table = fs::read_to_string(table).expect("the table of steps is there");
            let is_step = |step: &&str| table.contains(&format!("step(\"{step}\", "));
            if steps.iter().all(is_step) {
                None
            } else {
                unknown()
            }
        }
        [script] if script.starts_with(".ci/") => match Path::new(SOURCE).join(script).is_file() {
            true => None,
            false => unknown(),
        },
        ["git", ..] if [CLONES, CHECKS_OUT, FETCHES].contains(&command) => None,
        ["rm", "-rf", CLONE] => None,
        // Of our actions.
        ["bash", script] if script.starts_with("\"$ACTION_FOLDER/") => None,
        ["test", _, "=", _] | ["echo", _] | ["rustup", "toolchain", "install", ..] => None,
        ["sudo", "apt-get", ..] => None,
        _ => unknown(),
    }
}

/// What the command says about its arguments, if they are wrong.
fn mistake_of_arguments(args: &str) -> Option<String> {
    let mut args = args.to_owned();
    // Of a matrix, any value.
    while let Some(begin) = args.find("${{") {
        let end = begin + args[begin..].find("}}").expect("an expression has an end");
        args.replace_range(begin..end + 2, "1");
    }
    let words = ["cargo alloc-gate"]
        .into_iter()
        .chain(args.split_whitespace());
    let error = cargo_alloc_gate::definition()
        .try_get_matches_from(words)
        .err()?;
    Some(
        error
            .to_string()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
    )
}

#[test]
fn every_line_for_ci_in_a_page_can_be_used() {
    let mut found = Vec::new();
    let mut checked = 0;
    for path in texts() {
        let text = fs::read_to_string(Path::new(SOURCE).join(&path)).expect("it can be read");
        let (snippets, unmarked) = match path.ends_with(".yml") {
            true => {
                let (system, text) = (System::GitHub, text.as_str());
                (vec![Snippet { system, text }], Vec::new())
            }
            false => snippets(&text),
        };
        checked += snippets.len();
        let mistakes = snippets.iter().flat_map(mistakes_of);
        found.extend(mistakes.map(|mistake| format!("{path}: {mistake}")));
        found.extend(
            unmarked
                .iter()
                .map(|line| format!("{path}: no `yaml` block: {line}")),
        );
    }
    assert_eq!(found, [""; 0]);
    // README.md, five of CI, one of several machines, two of the action, four files.
    assert_eq!(checked, 13);
}

#[test]
fn each_mistake_in_a_line_for_ci_is_found() {
    let (checkout, ours) = (ACTIONS[0].0, OURS[0]);
    for (text, expected) in [
        (
            "- uses: actions/checkout@v4",
            "unknown action actions/checkout@v4",
        ),
        (
            &format!("- uses: {checkout}\n  with: {{depth: 0}}"),
            "has no input depth",
        ),
        (
            &format!("- uses: {ours}\n  with: {{arg: check}}"),
            "has no input arg",
        ),
        (
            &format!("- uses: {ours}\n  with: {{args: chekc}}"),
            "unrecognized subcommand 'chekc'",
        ),
        (
            "- run: cargo alloc-gate --quikc",
            "unexpected argument '--quikc'",
        ),
        (
            "- run: cargo alloc-gate run --partition",
            "a value is required for '--partition",
        ),
        (
            "- run: cargo install cargo-alloc-gate --locked",
            "unknown command cargo install",
        ),
        (
            "- run: cargo install --locked --path ../alloc-gate/cli",
            "unknown command cargo install",
        ),
        (
            "- run: echo ${{ steps.gate.outputs.verdict }}",
            "an expression inside a script",
        ),
        ("- run: alloc-gate", "unknown command alloc-gate"),
        ("- runs: cargo alloc-gate", "either `uses` or `run`"),
        (
            "- run: echo \"$CODE\"\n  env: {CODE: '${{ steps.gate.outputs.code }}'}",
            "no output code",
        ),
        ("script:\n  - cargo alloc-gate", "neither steps nor jobs"),
        ("- run: cargo alloc-gate\n - uses: x", "no YAML"),
        (
            "- run: cargo alloc-gate\n  run: cargo alloc-gate",
            "no YAML",
        ),
        ("jobs: {a: {steps: []}}", "without runs-on"),
        ("jobs: {a: {runs-on: x, needs: b, steps: []}}", "no job b"),
        (
            "jobs: {a: {runs-on: x, steps: []}, b: {runs-on: x, needs: a, if: needs.a.outputs.c}}",
            "skipped, which passes, if a fails",
        ),
        (
            "jobs: {a: {runs-on: x, steps: [{run: cargo alloc-gate}]}}",
            "not cloned, checked out and installed",
        ),
    ] {
        let found = mistakes(text);
        assert!(
            found.iter().any(|mistake| mistake.contains(expected)),
            "{text}: {found:?}"
        );
    }
}
