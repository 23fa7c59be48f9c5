//! `run --lines` records the lines that allocate, and `check --results` shows them where neither
//! the executable nor its platform is.

use std::fs;

use snapbox::str;

use crate::explained::{ENCODE, LINES, explaining, project, run};
use crate::machines::{MACOS, edit, file_of};
use crate::project::{Project, with_target};

/// A second scenario, which holds.
const TWO: &str = "    suite.scenario(\"boxed\", || Box::new(1));\n";

/// The table of its line.
const BOXED: &str = "        1      4  benches/counts.rs:10:32  new in main\n";

/// Measures in folders below `out`, with the lines, and removes what was built.
fn record(project: &Project, options: &[&str]) {
    for (number, option) in options.iter().enumerate() {
        project.run(&format!("run --lines --output out/{number} {option}"), 0);
    }
    fs::remove_dir_all(project.target()).expect("the target folder is there");
}

/// Makes all streams of a file those of another target.
fn change_target(text: &str) -> String {
    let streams = text.split_inclusive("\"record\":\"end\"");
    streams
        .map(
            |stream| match stream.contains("\"record\":\"environment\"") {
                true => with_target(stream, MACOS),
                false => stream.to_owned(),
            },
        )
        .collect()
}

#[test]
fn recorded_results_name_lines_without_the_executable() {
    let project = project("recorded_lines", &format!("{ENCODE}{TWO}"));
    let ran = project.run("run --lines --output out", 0);
    ran.stderr(str![[r#"
    Building 1 bench
   Measuring recorded_lines/counts
   Recording the lines of recorded_lines/counts
    Recorded out/recorded_lines.counts.[HOST].jsonl
alloc-gate: measured 2 scenarios (`run` checks no gates)

"#]]);
    let live = run(&project, "", 1).stdout_text();
    fs::remove_dir_all(project.target()).expect("the target folder is there");
    let ran = run(&project, "--results out", 1).stderr(str![[r#"
  Explaining 1 failing scenario
alloc-gate: FAILED: 1 gate checked (1 failed), 2 scenarios measured

"#]]);
    assert_eq!(ran.stdout_text(), live);
    assert!(live.contains(LINES), "{live}");
    // Also of a platform that this one has no executables of.
    let file = file_of(&project, "out");
    edit(&file, change_target);
    let there = run(&project, "--results out", 1);
    assert!(
        there
            .stdout_text()
            .contains("environment: aarch64-apple-darwin")
    );
    assert!(there.stdout_text().contains(LINES));
    // `list` reads the results alone.
    project.run("list --results out", 0);
    // Without the lines they are results as well.
    edit(&file, |text| {
        let (results, _) = text
            .split_once("\"record\":\"end\"")
            .expect("it has an end");
        let end = text[results.len()..].find('\n').expect("it is a line");
        text[..=results.len() + end].to_owned()
    });
    run(&project, "--results out", 1).stderr_has(
        "    Skipping the lines that allocate: the results have none; `cargo alloc-gate run --lines` \
         records them\n",
    );
}

#[test]
fn parts_and_merged_results_keep_their_lines() {
    let project = project("recorded_parts", &format!("{ENCODE}{TWO}"));
    let gates = project.read("gates.toml").replace("<= 1\"", "<= 0\"");
    project.write("gates.toml", &gates);
    record(
        &project,
        &["--partition count:1/2", "--partition count:2/2"],
    );
    project.run("merge out --output merged.jsonl", 0);
    for results in ["out", "merged.jsonl"] {
        let ran = run(&project, &format!("--results {results}"), 1);
        ran.stdout_has("        1     11  src/lib.rs:6:21   Vec::with_capacity in encode\n");
        ran.stdout_has(BOXED);
    }
    // A scenario alone is the first of another part.
    run(&project, "--partition count:2/2", 1).stdout_has(BOXED);
}

#[test]
fn lines_that_are_not_those_of_the_results_are_refused() {
    let project = project("recorded_refused", ENCODE);
    record(&project, &[""]);
    let file = file_of(&project, "out/0");
    let text = fs::read_to_string(&file).expect("it is there");
    let end = text.find("\"record\":\"end\"").expect("it has an end");
    let end = end + text[end..].find('\n').expect("it is a line") + 1;
    let (results, lines) = text.split_at(end);
    for (changed, problem) in [
        (
            lines.to_owned(),
            "the results come after the lines of recorded_refused/counts",
        ),
        (
            format!(
                "{results}{}",
                lines.replacen("\"dirty\":null", "\"dirty\":true", 1)
            ),
            "the lines of recorded_refused/counts and the results differ in uncommitted changes",
        ),
        (
            format!("{results}{}", lines.replace("\"encode\"", "\"decode\"")),
            "the lines of recorded_refused/counts and the results differ in their scenarios",
        ),
        (
            format!("{results}{}", with_target(lines, MACOS)),
            "the lines of recorded_refused/counts and the results differ in how the bench was built",
        ),
        (
            format!(
                "{results}{}",
                lines.replacen("\"commit\":null", "\"commit\":\"00ff\"", 1)
            ),
            "the lines of recorded_refused/counts and the results differ in their commit",
        ),
    ] {
        fs::write(&file, changed).expect("it can be written");
        let ran = run(&project, "--results out", 104);
        ran.stderr_has(&format!(".jsonl: {problem}\n"));
    }
    // Rows that don't add up.
    let wrong = lines.replacen("\"allocs\":1,", "\"allocs\":2,", 1);
    fs::write(&file, format!("{results}{wrong}")).expect("it can be written");
    run(&project, "--results out", 104).stderr_has("the sites of `encode` don't add up");
}

#[test]
fn a_bench_whose_lines_can_not_be_recorded_is_a_warning() {
    let ends = "    if std::env::var_os(\"ALLOC_GATE_SITES\").is_some() {
        std::process::abort();
    }
";
    let project = project("recorded_without", &format!("{ends}{ENCODE}"));
    let mut command = explaining(&project, "run --lines --output out");
    command.env_remove("RUST_BACKTRACE");
    let ran = project.finish(command).code(0);
    ran.stderr_has(
        "warning: the results of recorded_without/counts have no lines: \
         recorded_without/counts crashed (signal: 6 (SIGABRT))\n",
    );
    run(&project, "--results out", 1).stderr_has("Skipping the lines that allocate");
}
