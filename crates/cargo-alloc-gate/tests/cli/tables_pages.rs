//! `--update-tables`: updates tables between the markers of a page.

use snapbox::str;

use crate::project::Project;

const BODY: &str = "one box: 8\ntwo boxes: 8 8\nuse vectors by kind\n";

const RULES: &str = r#"
[policy]
ungated = "allow"

[[gate]]
name = "boxes"
scenarios = ["*box*"]
allocs = "<= 2"

[[table]]
name = "boxes"
scenarios = ["*box*"]
rows = "scenario"
metrics = ["allocs", "bytes"]
baseline = "one box"
caption = "Of boxes | blocks"

[[table]]
name = "vectors by n"
scenarios = ["vec/*"]
rows = "n"
columns = "kind"
metrics = ["allocs", { metric = "bytes", statistic = "max" }]
"#;

const PAGE: &str = "\
# Mine

Text with `<!-- alloc-gate: begin table nosuch -->` in it.

<!-- alloc-gate: begin table vectors by n -->
old text
<!-- alloc-gate: end table vectors by n -->
Between.

  <!-- alloc-gate: begin table boxes -->
  <!-- alloc-gate: end table boxes -->

trailing  ";

/// A box is a block of 8 bytes. A vector of `n` bytes in a vector is a block of 24
/// bytes and one of `n`, or a block of 48 and two of `n`.
const VECTORS: &str = "
**vectors by n: allocs**

| n | kind=one | kind=two |
|---|---:|---:|
| 10 | 2.00 | 3.00 |
| 100 | 2.00 | 3.00 |

**vectors by n: bytes max**

| n | kind=one | kind=two |
|---|---:|---:|
| 10 | 34 | 68 |
| 100 | 124 | 248 |

";

const BOXES: &str = "
Of boxes \\| blocks

| scenario | allocs | bytes |
|---|---:|---:|
| one box | 1.00 | 8 |
| two boxes | 2.00 (2.00x) | 16 (2.00x) |

(2.00x): twice the figure of `one box`

";

/// The page with both tables.
fn filled() -> String {
    PAGE.replace("old text\n", VECTORS).replace(
        "begin table boxes -->\n  <!--",
        &format!("begin table boxes -->\n{BOXES}<!--"),
    )
}

#[test]
fn run_and_check_update_the_tables_and_leave_the_rest() {
    let project = Project::with("page", BODY, RULES);
    for line_break in ["\n", "\r\n"] {
        project.write("docs/page.md", &PAGE.replace('\n', line_break));
        let page = ["--update-tables", "docs/page.md"];
        let ran = project.run_args(&[&["run"][..], &page].concat(), 0);
        ran.after_measuring(str![[r#"
    Recorded [TARGET]/alloc-gate/demo.counts.jsonl
       Wrote docs/page.md
alloc-gate: measured 6 scenarios (`run` checks no gates)

"#]]);
        let filled = filled().replace('\n', line_break);
        assert_eq!(project.read("docs/page.md"), filled);
        project.run_args(&page, 0).after_measuring(str![[r#"
       Wrote docs/page.md
alloc-gate: passed: 1 gate checked, 6 scenarios measured

"#]]);
        assert_eq!(project.read("docs/page.md"), filled);
    }
}

#[test]
fn failed_checks_and_recorded_results_update_the_tables_too() {
    let project = Project::with("page-fails", BODY, &RULES.replace("<= 2", "<= 1"));
    project.write("page.md", PAGE);
    project.run("-q --update-tables page.md", 1);
    assert_eq!(project.read("page.md"), filled());

    project.write("page.md", PAGE);
    project.run("run -q", 0);
    let recorded = project.results("counts");
    project.run_on(&recorded, "--update-tables page.md", 1);
    assert_eq!(project.read("page.md"), filled());
}

#[test]
fn a_selection_updates_the_tables_that_are_complete() {
    let project = Project::with("page-part", BODY, RULES);
    project.write("page.md", PAGE);
    let args = "run --scenarios one* --update-tables page.md";
    let ran = project.run(args, 0);
    let ran = ran.stdout(str![[r#"
demo/counts  1 scenario
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| one box  |   100 |      1.00 |        8 |        1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

boxes
Of boxes | blocks
| scenario | allocs | bytes |
|----------|--------|-------|
| one box  |   1.00 |     8 |

not shown: 1 table, of which no scenario was selected

"#]]);
    ran.stderr(str![[r#"
    Building 1 bench
   Measuring 1 scenario of demo/counts
    Recorded [TARGET]/alloc-gate/demo.counts.jsonl
       Wrote page.md
warning: tables not updated, because not all their scenarios were selected: `vectors by n`, `boxes`
  help: measure all scenarios of a table to update it; with `package` or `bench` in gates.toml, a table needs only those benches
alloc-gate: measured 1 of 6 scenarios (`run` checks no gates)

"#]]);
    assert_eq!(project.read("page.md"), PAGE);

    project.run("run -q --scenarios *box --update-tables page.md", 0);
    let page = project.read("page.md");
    assert_eq!(page, PAGE, "`*box` leaves `two boxes` out");
    project.run("run -q --scenarios *box* --update-tables page.md", 0);
    let page = project.read("page.md");
    assert!(page.contains("-->\nold text\n<!--"), "{page}");
    let stamped = format!("{BOXES}Measured apart from the page. Compiler: rustc 1.");
    assert!(page.contains(&stamped), "{page}");
}

#[test]
fn the_environment_says_what_measured_and_how() {
    let project = Project::with("page-environment", BODY, RULES);
    let marks = |content: &str| {
        format!(
            "# Mine\n\n<!-- alloc-gate: begin environment -->\n{content}<!-- alloc-gate: end \
             environment -->\n"
        )
    };
    project.write("page.md", &marks(""));
    project.run("run --update-tables page.md --scenarios *", 0).stderr(str![[r#"
warning: the tables `boxes`, `vectors by n` have no markers in page.md
  help: add `<!-- alloc-gate: begin table boxes -->` and `<!-- alloc-gate: end table boxes -->`, each on a line of its own
    Building 1 bench
   Measuring demo/counts
    Recorded [TARGET]/alloc-gate/demo.counts.jsonl
       Wrote page.md
alloc-gate: measured 6 scenarios (`run` checks no gates)

"#]]);
    let page = project.read("page.md");
    let lines: Vec<&str> = page.lines().collect();
    let is = |line: usize, begin: &str| {
        assert!(lines[line].starts_with(begin), "{line}: {begin}\n{page}");
    };
    is(4, "- Compiler: rustc 1.");
    is(5, "- Target: `");
    is(6, "- Profile: `bench`");
    is(7, "- Features: default");
    is(8, "- Harness: alloc-scenario ");
    is(9, "- Cores: ");
    let command = "- Command: `cargo alloc-gate run --update-tables page.md --scenarios '*'`";
    assert_eq!(lines[10], command);
    assert_eq!(page, marks(&format!("\n{}\n\n", lines[4..=10].join("\n"))));
}

#[test]
fn broken_markers_are_found_before_anything_is_built() {
    let project = Project::with("page-broken", BODY, RULES);
    let begin = "<!-- alloc-gate: begin table boxes -->";
    let end = "<!-- alloc-gate: end table boxes -->";
    for (page, problem) in [
        (
            format!("a\n{begin}\n"),
            format!("2: `{begin}` has no `{end}` after it; restore the line, or delete this one"),
        ),
        (
            format!("a\n\n{end}\n"),
            format!("3: `{end}` has no `{begin}` before it; restore the line, or delete this one"),
        ),
        (
            format!("{begin}\n{end}\n{begin}\n{end}\n"),
            format!("3: `{begin}` occurs twice; keep one of them"),
        ),
        (
            format!(
                "\n{}\n{}\n",
                begin.replace("boxes", "boxs"),
                end.replace("boxes", "boxs")
            ),
            String::from(
                "2: gates.toml has no table `boxs`; the tables of gates.toml are `boxes`, \
                 `vectors by n`",
            ),
        ),
        (
            begin.replace("table boxes", "boxes"),
            String::from(
                "1: there are no markers of `boxes`; there are those of `table NAME` and of \
                 `environment`",
            ),
        ),
        (
            format!(
                "{begin}\n<!-- alloc-gate: begin environment -->\n{end}\n\
                 <!-- alloc-gate: end environment -->\n"
            ),
            format!(
                "2: `<!-- alloc-gate: begin environment -->` stands before `{end}`; a block ends \
                 before the next begins"
            ),
        ),
        (
            String::from("Nothing.\n"),
            String::from(
                "1: no line of the page is `<!-- alloc-gate: begin table NAME -->` or \
                 `<!-- alloc-gate: begin environment -->`; the tables of gates.toml are `boxes`, \
                 `vectors by n`",
            ),
        ),
    ] {
        project.write("page.md", &page);
        for command in ["run", "check"] {
            let ran = project.run(&format!("{command} --update-tables page.md"), 96);
            ran.not_judged(format!(
                "error: page.md:{problem}\n  help: fix the markers; the page is unchanged\n"
            ));
            assert_eq!(project.read("page.md"), page);
        }
    }
}

#[test]
fn a_missing_page_is_not_created() {
    let project = Project::with("page-absent", BODY, RULES);
    let ran = project.run("run --update-tables page.md", 96);
    ran.not_judged(str![[r#"
error: failed to read page.md: [..]
  help: --update-tables takes a markdown page in UTF-8, with lines such as `<!-- alloc-gate: begin table NAME -->` and `<!-- alloc-gate: end table NAME -->`

"#]]);
    assert!(!project.path("page.md").exists());
}

#[test]
fn a_page_that_is_a_report_too_is_wrong_usage() {
    let project = Project::with("page-twice", BODY, RULES);
    let ran = project.run("run --report markdown=a.md --update-tables a.md", 2);
    ran.stderr_begins("error: two reports have the same file: `a.md`\n");
}

#[test]
fn nothing_is_written_when_a_bench_crashes_and_nothing_when_nothing_is_selected() {
    let body = format!("{BODY}crash box: exit 3\n");
    let project = Project::with("page-crash", &body, RULES);
    project.write("page.md", PAGE);
    for command in ["run", "check"] {
        project.run(&format!("{command} -q --update-tables page.md"), 104);
        assert_eq!(project.read("page.md"), PAGE);
        project.run(
            &format!("{command} -q --update-tables page.md --scenarios x"),
            4,
        );
        assert_eq!(project.read("page.md"), PAGE);
    }
}

#[test]
fn run_writes_reports_and_no_summary_of_gates() {
    let project = Project::with("run-reports", BODY, RULES);
    let mut command = project.command();
    command
        .args("run -q --format markdown --report json=out/report.json".split(' '))
        .env("GITHUB_STEP_SUMMARY", project.path("summary.md"));
    project.finish(command).code(0).stdout_has("\n### boxes\n");
    let report: serde_json::Value =
        serde_json::from_str(&project.read("out/report.json")).expect("the report is JSON");
    assert_eq!(report["outcome"], "nothing-judged");
    assert_eq!(report["gates"], serde_json::json!([]));
    assert_eq!(report["scenarios-measured"], 6);
    assert_eq!(report["tables"][1]["name"], "vectors by n: allocs");
    assert_eq!(report["tables"][1]["cells"][1]["measured"]["numerator"], 3);
    assert!(!project.path("summary.md").exists());
}

/// A bench with one scenario.
const ONE_BOX: &str = "\
use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario(concat!(\"box of \", env!(\"CARGO_CRATE_NAME\")), || Box::new(7_u64));
    suite.finish()
}
";

const BOTH_AND_ONE: &str = r#"
[policy]
ungated = "allow"

[[table]]
name = "both"
scenarios = ["box*"]
rows = "scenario"
metrics = ["allocs"]

[[table]]
name = "one"
bench = "counts"
scenarios = ["box*"]
rows = "scenario"
metrics = ["allocs"]
"#;

#[test]
fn one_of_several_benches_updates_the_tables_that_need_no_other() {
    let project = Project::own("page-benches", &[("counts", ONE_BOX), ("other", ONE_BOX)]);
    project.gates(&["counts", "other"], BOTH_AND_ONE);
    let block = |name: &str, text: &str| {
        format!(
            "<!-- alloc-gate: begin table {name} -->\n{text}<!-- alloc-gate: end table {name} -->\n"
        )
    };
    let old = block("both", "old\n") + &block("one", "old\n");
    project.write("page.md", &old);
    project
        .run("run -q --bench counts --update-tables page.md", 0)
        .stderr(str![[r#"
warning: tables not updated, because not all their scenarios were selected: `both`
  help: measure all scenarios of a table to update it; with `package` or `bench` in gates.toml, a table needs only those benches
alloc-gate: measured 1 scenario (`run` checks no gates)

"#]]);
    let page = project.read("page.md");
    assert!(page.starts_with(&block("both", "old\n")), "{page}");
    assert!(page.contains("| box of counts | 1.00 |\n"), "{page}");
    project.run("run -q --update-tables page.md", 0);
    let page = project.read("page.md");
    assert!(!page.contains("old"), "{page}");
    assert_eq!(page.matches("| box of counts |").count(), 2, "{page}");
    assert_eq!(page.matches("| box of other |").count(), 1, "{page}");
}
