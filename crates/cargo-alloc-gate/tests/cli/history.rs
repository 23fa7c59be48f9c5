//! `history`: the accepted figures over the commits that changed them.

use snapbox::str;

use crate::project::Project;
use crate::repository::Repository;

const GATES: &str = "
[baseline]
data = \"baseline.toml\"

[[gate]]
name = \"no-creep\"
scenarios = [\"*\"]
allocs = \"<= baseline\"
";

/// A baseline with the allocations and bytes of scenarios in two iterations together.
fn data(scenarios: &[(&str, i64, i64)]) -> String {
    let mut text = String::from(
        "version = 1\n[[environment]]\ntarget = \"t\"\nprofile = \"bench\"\nfeatures = []\n\
         allocator = \"a\"\ndebug-assertions = false\nrustc = \"r\"\nharness = \"h\"\n",
    );
    for (name, allocs, bytes) in scenarios {
        text.push_str(&format!(
            "[[environment.scenario]]\nname = \"{name}\"\n\
             bench = {{ package = \"p\", target = \"b\" }}\niterations = 2\nwarmup = 0\n\
             [environment.scenario.metrics]\n"
        ));
        for (metric, total) in [("allocs", allocs), ("bytes", bytes)] {
            text.push_str(&format!(
                "{metric} = {{ total = {total}, min = 0, p50 = 0, p99 = {total}, max = {total}, first = 0 }}\n"
            ));
        }
    }
    text
}

fn repository(name: &str) -> Repository {
    let project = Project::with(name, "", GATES);
    project.write("baseline.toml", &data(&[("old", 2, 16), ("same", 2, 8)]));
    let repository = Repository::committed(project);
    let accept = |subject: &str, scenarios: &[(&str, i64, i64)]| {
        repository.project.write("baseline.toml", &data(scenarios));
        repository.commit(subject);
    };
    accept("Add new", &[("old", 2, 16), ("same", 2, 8), ("new", 4, 64)]);
    accept(
        "Need a | length",
        &[("old", 3, 16), ("same", 2, 8), ("new", 5, 128)],
    );
    accept(
        "Write other words",
        &[("old", 3, 16), ("same", 2, 8), ("new", 5, 128)],
    );
    accept("Remove old", &[("same", 2, 8), ("new", 5, 128)]);
    repository
}

#[test]
fn the_figures_of_scenarios_that_changed_are_shown_by_commit() {
    let repository = repository("history");
    let ran = repository.run("history", 0);
    ran.verdict("3 scenarios in 4 revisions of baseline.toml (`history` checks no gates)");
    ran.stdout(str![[r#"
new
| commit     | date       |     allocs |      bytes | subject          |
|------------|------------|------------|------------|------------------|
| [..] | [..] |          2 |         32 | Add new          |
| [..] | [..] | 2.5 (+0.5) | 64 (2.00x) | Need a \| length |

old
| commit     | date       |     allocs | subject          |
|------------|------------|------------|------------------|
| [..] | [..] |          1 | Begin            |
| [..] | [..] | 1.5 (+0.5) | Need a \| length |
| [..] | [..] |    removed | Remove old       |

1 scenario never changed

"#]]);
    // What is not committed is a revision, too.
    let now = data(&[("same", 2, 8), ("new", 4, 128)]);
    repository.project.write("baseline.toml", &now);
    let ran = repository.run("history same new", 0);
    ran.stdout(str![[r#"
same
| commit     | date       | allocs | bytes | subject |
|------------|------------|--------|-------|---------|
| [..] | [..] |      1 |     4 | Begin   |

new
| commit        | date       |     allocs |      bytes | subject          |
|---------------|------------|------------|------------|------------------|
| [..] | [..] |          2 |         32 | Add new          |
| [..] | [..] | 2.5 (+0.5) | 64 (2.00x) | Need a \| length |
| not committed |            |   2 (-0.5) |         64 |                  |

"#]]);
    let json = repository.run("history new --format json", 0).json();
    let changes = json["scenarios"][0]["changes"].as_array().expect("a list");
    assert_eq!(changes.len(), 3);
    assert_eq!(changes[1]["subject"], "Need a | length");
    let figure = &changes[1]["figures"][0];
    assert_eq!(figure["metric"], "allocs");
    assert_eq!(figure["before"]["numerator"], 2);
    assert_eq!(figure["accepted"]["numerator"], 5);
    assert_eq!(figure["accepted"]["denominator"], 2);
    assert_eq!(changes[2]["commit"], serde_json::Value::Null);
    let files = "--report history.csv --report history.html --report markdown=history.md";
    repository.run(&format!("history new old {files}"), 0);
    let table = repository.project.read("history.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 1 + 3 * 2 + 3, "{table}");
    let begin = "package,bench,scenario,metric,mean,commit,date,subject,environment";
    assert_eq!(rows[0], begin);
    assert!(rows[2].starts_with("p,b,new,allocs,2.5,"), "{table}");
    assert!(
        rows[2].contains(",Need a | length,\"t, profile bench"),
        "{table}"
    );
    // The allocations of `old` until it was removed.
    assert!(rows[9].starts_with("p,b,old,allocs,,"), "{table}");
    let page = repository.project.read("history.html");
    assert!(page.contains(">allocs</text><path d=\"M0.0,"), "{page}");
    let page = repository.project.read("history.md");
    assert!(page.contains("| Need a \\| length |"), "{page}");
}

#[test]
fn a_page_says_since_when_a_figure_is_accepted() {
    let project = Project::with("history-on-a-page", "one: 8\nsame: 4\n", GATES);
    project.run("accept", 0);
    let repository = Repository::committed(project);
    repository.scenarios("one: 8 2\nsame: 4\n");
    repository.run("accept", 0);
    let second = repository.commit("Need <b> two");
    repository.scenarios("one: 8 2 1\nsame: 4\n");
    let run = |line| {
        repository.run(line, 1);
        repository.project.read("page.html")
    };
    let page = run("check --report page.html");
    let date = repository.git(&["show", "--no-patch", "--format=%cs"]);
    let since = format!(
        "<p>accepted since {} in {}: Need &lt;b&gt; two</p>\n<div class=\"wide\"><svg ",
        date.trim(),
        &second[..10],
    );
    // At the failure, and among all figures: a third of the height for each allocation.
    assert_eq!(page.matches(&since).count(), 2, "{page}");
    let steps = "d=\"M0.0,41.7H106.7V30.3H213.3V19.0H320.0\"";
    assert_eq!(page.matches(steps).count(), 2, "{page}");
    assert_eq!(
        page.matches(">allocs: 2 -&gt; 3</text>").count(),
        2,
        "{page}"
    );
    assert!(page.contains("<p>1 figure of gates never changed.</p>"));
    // A clone without history does not take the commit for the one that changed it.
    repository.commit("Need three");
    repository.git(&["fetch", "--quiet", "--depth", "1", ".", "main"]);
    let page = run("check --report page.html");
    let since = format!("<p>accepted since {} or longer</p>", date.trim());
    assert!(page.contains(&since), "{page}");
}

#[test]
fn a_history_that_is_not_there_says_why() {
    let repository = repository("history-lacking");
    let ran = repository.run("history other", 4);
    ran.stderr(str![[r#"
error: no accepted scenario matches
  help: `cargo alloc-gate history` shows those that changed
alloc-gate: error: no accepted scenario matches (exit code 4)

"#]]);
    repository.project.write("baseline.toml", "version = 2\n");
    repository.commit("Break it");
    repository
        .project
        .write("baseline.toml", &data(&[("new", 4, 64)]));
    let ran = repository.run("history new", 0);
    ran.stderr(str![[r#"
note: 1 commit left out, whose data can't be read: [..], baseline.toml:1:11: a baseline of a version other than 1
alloc-gate: 1 scenario in 5 revisions of baseline.toml (`history` checks no gates)

"#]]);
    repository.project.gates(&["counts"], "");
    let ran = repository.run("history", 2);
    ran.stderr(str![[r#"
error: gates.toml has no [baseline]
  help: add one with `data`, and run `cargo alloc-gate accept`
alloc-gate: error: gates.toml has no [baseline] (exit code 2)

"#]]);
}
