//! Tables of the past: the baselines of a repository's commits.

use std::path::Path;
use std::process::Command;

use snapbox::str;

use crate::program::Ran;
use crate::project::Project;
use crate::repository;

const BODY: &str = "encode: 8\ndecode: 4\n";

const RULES: &str = r#"
[baseline]
data = "past/b.toml"

[[gate]]
name = "boxes"
scenarios = ["*"]
allocs = "<= 1"

[[table]]
name = "trend"
scenarios = ["encode", "decode"]
rows = "commit"
columns = "scenario"
history = {}
metrics = ["allocs"]
baseline = "commit=first"
caption = "Of the past"
footnotes = ["All counts."]
"#;

/// A baseline with figures that no bench measures.
fn baseline(version: u32, scenarios: &[(&str, u32)]) -> String {
    let mut text = format!(
        "version = {version}\n\n[[environment]]\ntarget = \"t\"\nprofile = \"bench\"\nfeatures = \
         []\nallocator = \"a\"\ndebug-assertions = false\nrustc = \"rustc 1.2.3\"\nharness = \
         \"h\"\n"
    );
    for (name, allocs) in scenarios {
        text.push_str(&format!(
            "\n[[environment.scenario]]\nname = \"{name}\"\nbench = {{ package = \"p\", target = \
             \"b\" }}\niterations = 1\nwarmup = 0\n[environment.scenario.metrics]\nallocs = {{ \
             total = {allocs}, min = {allocs}, p50 = {allocs}, p99 = {allocs}, max = {allocs}, \
             first = {allocs} }}\n"
        ));
    }
    text
}

/// Runs git in the project, late on a day in another time zone, when it is the next day in
/// UTC.
#[track_caller]
fn git(project: &Project, day: u32, args: &[&str]) -> String {
    let mut command = repository::git(project.root());
    command
        .env("GIT_AUTHOR_DATE", "2001-01-01T00:00:00+00:00")
        .env(
            "GIT_COMMITTER_DATE",
            format!("2026-03-{day:02}T23:30:00-02:00"),
        )
        .args(args);
    repository::printed(command).trim().to_owned()
}

fn init(project: &Project) {
    git(project, 1, &["init", "--quiet", "--initial-branch", "main"]);
}

/// Commits `path` alone, and returns the short name of the commit.
fn commit(project: &Project, day: u32, path: &str) -> String {
    git(project, day, &["add", "--all", "--", path]);
    git(project, day, &["commit", "--quiet", "--message", "Change"]);
    git(project, day, &["rev-parse", "HEAD"])[..10].to_owned()
}

/// Makes five commits, of which four changed the baseline: one with an unknown version,
/// one with a scenario, one without the file, and one with two scenarios.
fn past(project: &Project) -> [String; 4] {
    init(project);
    let write = |day, text: &str| {
        project.write("past/b.toml", text);
        commit(project, day, "past")
    };
    let first = write(1, &baseline(0, &[]));
    let second = write(2, &baseline(1, &[("encode", 4)]));
    std::fs::remove_file(project.path("past/b.toml")).expect("it was just written");
    let third = commit(project, 3, "past");
    project.write("other", "");
    commit(project, 4, "other");
    let last = write(5, &baseline(1, &[("decode", 3), ("encode", 2), ("new", 1)]));
    [first, second, third, last]
}

/// The text with `C1`, `C2` and so on instead of the names of commits.
fn named(text: &str, commits: &[String]) -> String {
    let numbered = commits.iter().enumerate();
    numbered.fold(text.to_owned(), |text, (index, commit)| {
        text.replace(commit, &format!("C{:<9}", index + 1).replace(' ', "_"))
    })
}

/// Runs the bench, and returns its result file.
fn recorded(project: &Project) -> String {
    project.run("run --quiet", 0);
    project.results("counts")
}

/// The program in the project, which is in no repository other than its own.
fn program(project: &Project, args: &[&str]) -> Command {
    let mut command = project.command();
    let above = project.root().parent().expect("projects have a folder");
    // The tables quote messages of git.
    command.env("LC_ALL", "C");
    command.env("GIT_CEILING_DIRECTORIES", above).args(args);
    command
}

fn ran(project: &Project, args: &[&str]) -> Ran {
    project.finish(program(project, args)).code(0)
}

const PAGE: &str = "\
# Mine

<!-- alloc-gate: begin table trend -->
as it was
<!-- alloc-gate: end table trend -->
";

#[test]
fn past_baselines_are_shown_by_commit_in_every_format() {
    let project = Project::with("history", BODY, RULES);
    let commits = past(&project);
    // Uncommitted changes are not shown.
    project.write("past/b.toml", &baseline(1, &[("encode", 9)]));
    project.write("page.md", PAGE);
    let file = recorded(&project);
    let args = ["--results", &file, "--update-tables", "page.md"];
    let checked = ran(&project, &args);
    checked.same(
        &named(&checked.stdout_text(), &commits),
        str![[r#"
demo/counts  2 scenarios  1 gate  ok
| scenario | iters | allocs/op |
|----------|-------|-----------|
| encode   |   100 |      1.00 |
| decode   |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit C4________ with uncommitted changes, [TIME]

trend: allocs
Of the past
| commit                |       decode |       encode |
|-----------------------|--------------|--------------|
| 2026-03-02 C1________ |        - [1] |        - [1] |
| 2026-03-03 C2________ |        - [2] | 4.00 (-) [3] |
| 2026-03-04 C3________ |        - [4] |        - [4] |
| 2026-03-06 C4________ | 3.00 (-) [3] | 2.00 (-) [3] |
[1] the baseline of the commit can't be read: past/b.toml:1:11: a baseline of a version other than 1 to 3
[2] the baseline of the commit has no such scenario
[3] there is no figure of `commit=2026-03-02 C1________`
[4] the baseline of the commit can't be read: the commit removes the file
All counts.

warning[unused-baseline]: no gate compares with the baseline in `past/b.toml`, so that worse figures pass
  help: write `alloc-calls = "<= baseline"` into a gate, or set `unused-baseline = "allow"` in `[policy]`

"#]],
    );
    checked.stderr(str![[r#"
warning: the results of demo/counts were measured with uncommitted changes
  help: commit the changes, and measure again
       Wrote page.md
alloc-gate: passed: 1 gate checked, 2 scenarios measured

"#]]);
    let page = named(&project.read("page.md"), &commits);
    assert_eq!(
        page,
        PAGE.replace(
            "as it was\n",
            "
Of the past

| commit | decode | encode |
|---|---:|---:|
| 2026-03-02 C1________ | - \\[1\\] | - \\[1\\] |
| 2026-03-03 C2________ | - \\[2\\] | 4.00 (-) \\[3\\] |
| 2026-03-04 C3________ | - \\[4\\] | - \\[4\\] |
| 2026-03-06 C4________ | 3.00 (-) \\[3\\] | 2.00 (-) \\[3\\] |

\\[1\\] the baseline of the commit can't be read: past/b.toml:1:11: a baseline of a version \
other than 1 to 3

\\[2\\] the baseline of the commit has no such scenario

\\[3\\] there is no figure of `commit=2026-03-02 C1________`

\\[4\\] the baseline of the commit can't be read: the commit removes the file

All counts.

"
        )
    );
}

#[test]
fn the_newest_commits_are_compared_and_run_and_json_show_them_too() {
    let rules = RULES.replace("{}", "{ last = 2 }");
    let rules = rules.replace("commit=first", "commit=last");
    let project = Project::with("history-run", BODY, &rules);
    let commits = past(&project);
    let run = ran(&project, &["run", "--report", "json=report.json"]);
    let text = named(&run.stdout_text(), &commits);
    let (_, table) = text.split_once("\n\n").expect("a table stands below");
    run.same(
        table,
        str![[r#"
trend: allocs
Of the past
| commit                | decode | encode |
|-----------------------|--------|--------|
| 2026-03-04 C3________ |  - [1] |  - [1] |
| 2026-03-06 C4________ |   3.00 |   2.00 |
[1] the baseline of the commit can't be read: the commit removes the file
All counts.

"#]],
    );
    let json = named(&project.read("report.json"), &commits);
    for part in [
        "\"rows\": \"commit\",\n      \"columns\": \"scenario\",",
        "\"history\": {\n        \"file\": \"past/b.toml\",\n        \"shallow\": false\n      },",
        "\"row\": \"2026-03-06 C4________\",\n          \"column\": \"encode\",",
        "\"absent\": \"baseline\"",
    ] {
        assert!(json.contains(part), "{part}\n{json}");
    }
}

#[test]
fn rules_elsewhere_name_the_file_by_a_way_up_and_a_name_is_no_pattern() {
    let project = Project::with("history-elsewhere", BODY, "");
    init(&project);
    project.write("a*b/[b].toml", &baseline(1, &[("encode", 5)]));
    let first = commit(&project, 1, "a*b");
    project.write("a-b/b.toml", &baseline(1, &[("encode", 6)]));
    commit(&project, 2, "a-b");
    let file = recorded(&project);
    let absolute = project.root().join("a*b").join("[b].toml");
    let absolute = absolute.canonicalize().expect("it was just written");
    for name in ["../a*b/[b].toml", absolute.to_str().expect("it is UTF-8")] {
        let table = RULES.replace("past/b.toml", "b.toml").replace(
            "history = {}",
            &format!("history = {{ baseline = '{name}' }}"),
        );
        let bench = "[[bench]]\npackage = \"demo\"\ntarget = \"counts\"\n";
        project.write("rules/own.toml", &format!("version = 1\n{bench}{table}"));
        let args = ["--config-file", "rules/own.toml", "--results", &file];
        let text = named(
            &ran(&project, &args).stdout_text(),
            std::slice::from_ref(&first),
        );
        assert!(
            text.contains("| 2026-03-02 C1________ |   5.00 |\nAll counts.\n"),
            "{text}"
        );
        assert_eq!(text.matches("\n| 2026-").count(), 1, "{text}");
    }
}

#[test]
fn a_shallow_clone_says_that_its_history_ends() {
    let origin = Project::with("history-origin", BODY, RULES);
    let commits = past(&origin);
    let project = Project::with("history-shallow", BODY, RULES);
    init(&project);
    let url = format!("file://{}", origin.root().display());
    let fetch = |depth| git(&project, 1, &["fetch", "--quiet", depth, &url, "main"]);
    // The last commit, and the one before it, which left the baseline alone.
    fetch("--depth=2");
    git(&project, 1, &["update-ref", "HEAD", "FETCH_HEAD"]);
    let file = recorded(&project);
    let text = ran(&project, &["--results", &file]).stdout_text();
    let text = named(&text, &commits);
    assert!(
        text.contains(
            "| 2026-03-06 C4________ |   3.00 |   2.00 |
the repository is a shallow clone: the history of `past/b.toml` ends where the clone does, and \
             the oldest commit shown may have its figures from one before it
All counts.
"
        ),
        "{text}"
    );
    // The clone has as many commits as the table shows.
    let rules = project.read("gates.toml").replace("{}", "{ last = 1 }");
    project.write("gates.toml", &rules);
    let text = ran(&project, &["--results", &file]).stdout_text();
    assert!(!text.contains("shallow"), "{text}");
    // The last commit of a shallow clone has the file of all before it.
    fetch("--depth=1");
    ran(&project, &["--results", &file]).stdout_has("shallow clone");
    // No commit of the clone has the file.
    project.write("gates.toml", &rules.replace("past/b.toml", "nosuch.toml"));
    ran(&project, &["--results", &file])
        .stdout_has("`nosuch.toml`: no commit has the file; the repository is a shallow clone\n");
}

#[test]
fn without_a_history_the_table_shows_the_reason_and_the_rest_works() {
    let project = Project::with("history-none", BODY, RULES);
    project.write("page.md", PAGE);
    let file = recorded(&project);
    let args = ["--results", &file, "--update-tables", "page.md"];
    let checked = ran(&project, &args);
    checked.same(
        &checked.stdout_text(),
        str![[r#"
demo/counts  2 scenarios  1 gate  ok
| scenario | iters | allocs/op |
|----------|-------|-----------|
| encode   |   100 |      1.00 |
| decode   |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

trend: allocs
Of the past
there is no history of `past/b.toml`: no git repository found: not a git repository (or any of the parent directories): .git
All counts.

warning[table-no-history]: the table `trend` has no history of `past/b.toml`: no git repository found: not a git repository (or any of the parent directories): .git
  help: use a repository with the commits that changed the file, or remove the table at gates.toml:19:1

"#]],
    );
    project.has(
        "page.md",
        "Of the past\n\nthere is no history of `past/b.toml`: no git repository found",
    );

    let reason = |args: &[&str], change: &dyn Fn(&mut Command)| {
        let mut command = program(&project, args);
        change(&mut command);
        let text = project.finish(command).code(0).stdout_text();
        let (_, rest) = text
            .split_once("there is no history of `past/b.toml`: ")
            .unwrap_or_else(|| panic!("{text}"));
        rest.lines().next().unwrap_or_default().to_owned()
    };
    let args = ["--results", &file];
    let unchanged = |_: &mut Command| {};
    let without_git = |command: &mut Command| {
        let rustc = Path::new(env!("CARGO")).with_file_name("rustc");
        command.env("PATH", project.path("src")).env("RUSTC", rustc);
    };
    let said = reason(&args, &without_git);
    assert!(said.starts_with("failed to start git: "), "{said}");
    init(&project);
    assert_eq!(
        reason(&args, &unchanged),
        "the repository has no commit yet"
    );
    project.write("past/other.toml", "");
    commit(&project, 1, "past/other.toml");
    assert_eq!(reason(&args, &unchanged), "no commit has the file");
    let rules = project.read("gates.toml");
    let outside = rules.replace("history = {}", "history = { baseline = \"../b.toml\" }");
    project.write("gates.toml", &outside);
    ran(&project, &args).stdout_has("`../b.toml`: the file is outside of the repository\n");
}

#[test]
fn a_selection_updates_the_whole_past() {
    let project = Project::with("history-part", BODY, RULES);
    project.write("page.md", PAGE);
    let args = ["run", "--scenarios", "encode", "--update-tables", "page.md"];
    let updated = || {
        ran(&project, &args).stderr(str![[r#"
    Building 1 bench
   Measuring 1 scenario of demo/counts
    Recorded [TARGET]/alloc-gate/demo.counts.jsonl
       Wrote page.md
alloc-gate: measured 1 of 2 scenarios (`run` checks no gates)

"#]]);
        project.read("page.md")
    };
    // As after a run of all scenarios.
    let reason = "there is no history of `past/b.toml`: no git repository found";
    assert!(updated().contains(reason), "{}", project.read("page.md"));

    let commits = past(&project);
    let page = named(&updated(), &commits);
    assert!(
        page.contains("| 2026-03-06 C4________ | 3.00 (-) \\[3\\] | 2.00 (-) \\[3\\] |\n"),
        "{page}"
    );
}
