//! A check that fails names the lines that allocate, from the executable that was measured; and
//! `explain` shows the lines of any scenario, and its call stacks.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use crate::program::{EXPLAINS, Ran};
use crate::project::{self, Project};

pub(crate) const LIBRARY: &str = "\
//! Texts as bytes.

/// The text with its length before it.
pub fn encode(text: &str) -> Vec<u8> {
    let units = little_endian(text);
    let mut bytes = Vec::with_capacity(1 + units.len());
    bytes.push(units.len() as u8);
    bytes.extend(units);
    bytes
}

fn little_endian(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * text.len());
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}
";

pub(crate) fn bench(package: &str, scenarios: &str) -> String {
    project::bench(&format!("use {package}::encode;\n"), scenarios)
}

pub(crate) const ENCODE: &str = "    suite.scenario(\"encode\", || encode(\"hello\"));\n";

pub(crate) const GATE: &str = "
[[gate]]
name = \"few\"
scenarios = [\"*\"]
allocs = \"<= 1\"
";

pub(crate) fn project(name: &str, scenarios: &str) -> Project {
    let project = Project::own(name, &[("counts", &bench(name, scenarios))]);
    project.write("src/lib.rs", LIBRARY);
    project.gates(&["counts"], GATE);
    project
}

impl Project {
    #[track_caller]
    pub(crate) fn run_explained(&self, line: &str, code: i32) -> Ran {
        self.run_with(&[(EXPLAINS, "1")], line, code)
    }
}

/// The excerpts of lines of the library.
pub(crate) const LINES: &str = " --> src/lib.rs:6:21
  |
6 |     let mut bytes = Vec::with_capacity(1 + units.len());
  |                     ^^^^^^^^^^^^^^^^^^ 1 allocation, 11 bytes
  |
  = called by: main, benches/counts.rs:9:33
  --> src/lib.rs:13:21
   |
13 |     let mut bytes = Vec::with_capacity(2 * text.len());
   |                     ^^^^^^^^^^^^^^^^^^ 1 allocation, 10 bytes
   |
   = called by: encode, src/lib.rs:5:17
";

#[test]
fn a_failed_check_names_the_lines_that_allocate() {
    let project = project("explained", ENCODE);
    let ran = project.run_explained("", 1);
    ran.stderr_has("  Explaining 1 failing scenario\n");
    ran.stdout(format!(
        r#"explained/counts  1 scenario  1 gate  FAILED

FAIL encode  benches/counts.rs:9
       allocs  2  <= 1 [few]

error[allocates]: 2 allocations and 21 bytes per iteration
{LINES}
help: if this is intended, change the limit at gates.toml:14:10
environment: [HOST], profile bench, commit unknown
"#
    ));
    // Nothing is explained, and the verdict is the same.
    let ran = project.run_explained("--explain never", 1);
    assert!(!ran.stdout_text().contains("src/lib.rs"));
    let results = project.results("counts");
    let ran = project.run_explained(&format!("--explain all --results {results}"), 1);
    ran.stderr_has("    Skipping the lines that allocate: recorded results have none; `cargo ");
    // Short runs are explained as well, and GitHub gets the line that allocates most.
    let on_github = [(EXPLAINS, "1"), ("GITHUB_ACTIONS", "true")];
    let ran = project.run_with(&on_github, "--quick", 1);
    ran.stderr_has(
        "\n::error file=src/lib.rs,line=6,title=alloc-gate%3A encode failed::encode: 2 allocations \
         per iteration, limit 1 [few]%0A1 allocation, 11 bytes\nalloc-gate: FAILED",
    );
    // Without a stack of the value, there is none to print.
    project
        .run_explained("explain --folded --metric net-bytes", 0)
        .stdout("");
    let ran = project.run_explained("explain --folded --report json=a.json", 0);
    ran.stdout_has(
        "counts::main::{{closure}};explained::encode;alloc::vec::Vec<T>::with_capacity;",
    );
    ran.stdout_has(";explained::encode;explained::little_endian;alloc::vec::Vec<T>::with_capac");
    project.has("a.json", "\"sites\"");
    project.run_explained("explain --stacks", 0).stdout_has(
        "\ncall stacks, innermost frame first:\n     src/lib.rs:6:21  Vec::with_capacity in encode\n",
    );
    let ran = project.run_explained("explain nothing*", 4);
    ran.stderr_has("error: no scenario matches `nothing*`\n");
}

#[test]
fn line_tables_with_other_names_of_folders_have_lines_or_say_so() {
    let project = project("renamed", ENCODE);
    let root = project.root().display();
    // For the member alone, so that its dependencies are as in the other projects.
    let wrapper = project.path("wrapper");
    let path = wrapper.to_str().expect("the path is UTF-8");
    for (names, expected) in [
        (format!("{root}=/src"), LINES),
        (
            format!("{root}/src=/lib"),
            "= note: lines may be missing: line tables name `/lib/lib.rs`, which is no file of the \
             workspace; build without `--remap-path-prefix`\n",
        ),
    ] {
        let remaps = format!("exec \"$@\" --remap-path-prefix={names}\n");
        crate::stand_in::program(&wrapper, &remaps);
        // Cargo doesn't see that the wrapper is another one.
        project.write("src/lib.rs", LIBRARY);
        let wrapped = [(EXPLAINS, "1"), ("RUSTC_WORKSPACE_WRAPPER", path)];
        project.run_with(&wrapped, "", 1).stdout_has(expected);
    }
}

#[test]
fn forty_failures_are_explained_unless_all_are_asked_for() {
    let scenarios = "    for number in 1..=43 {
        suite.scenario(&format!(\"encode {number}\"), || encode(\"hello\"));
    }
";
    let project = project("worst", scenarios);
    let ran = project.run_explained("", 1);
    ran.stderr_has("Explaining 40 of 43 failing scenarios; `--explain all` explains each\n");
    ran.stdout_has("FAIL 40 scenarios ");
    ran.stdout_has("FAIL 3 scenarios ");
    ran.stdout_has("not explained; `--explain all` explains each\n");
    project
        .run_explained("--explain all", 1)
        .stdout_has("FAIL 43 scenarios ");
}

#[test]
fn what_can_not_be_explained_is_a_sentence() {
    // Scenarios that run only once.
    let scenarios = "    let is_second = || std::env::var_os(\"ALLOC_GATE_SITES\").is_some();
    suite.scenario(\"panics\", || {
        assert!(!is_second(), \"once is enough\");
        encode(\"hello\")
    });
    suite.scenario(\"is explained\", || encode(\"hello\"));
    suite.scenario(\"waits\", || {
        while is_second() {
            std::thread::park();
        }
        encode(\"hello\")
    });
";
    let project = project("unexplained", scenarios);
    project.run_keys("timeout = \"4s\"");
    let ran = project.run_explained("", 1);
    ran.stdout_has("not explained: the scenario failed in the second run\n");
    ran.stdout_has("2 allocations and 21 bytes per iteration\n");
    ran.stdout_has(
        "not explained: there was no time for it in the second run; raise `timeout` under `[run]`\n",
    );
    project.write("benches/counts.rs", &bench("unexplained", ENCODE));
    let ran = project.run_explained("--config profile.bench.debug=false", 1);
    ran.stdout_has("functions without lines: the bench has no line tables");
}

#[test]
fn the_lines_of_green_scenarios_are_shown_when_they_are_asked_for() {
    let scenarios = format!(
        "{ENCODE}    suite.scenario(\"keep\", || std::mem::forget(encode(\"hi\")));
    let mut count = 0;
    suite.scenario(\"sometimes\", || {{
        count += 1;
        if count % 2 == 0 {{ encode(\"hello\") }} else {{ Vec::new() }}
    }});
    suite.scenario_with(\"other\", |b| b.scope(alloc_scenario::Scope::Process).run(|()| Box::new(1)));
"
    );
    let project = project("green", &scenarios);
    let ran = project.run_explained("explain enc*", 0);
    ran.verdict("explained 1 scenario (`explain` checks no gates)");
    ran.stdout(format!(
        "encode: allocs\n\nnote: 2 allocations and 21 bytes per iteration\n{LINES}\n"
    ));
    let line = "explain keep --metric net-bytes --statistic max --format json";
    let report = project.run_explained(line, 0).json();
    let sites = &report["sites"][0];
    assert_eq!(sites["measured"]["text"], "5", "{report}");
    let lines = sites["lines"].as_array().expect("a list");
    let kept = lines.iter().filter(|line| {
        let values = line["values"].as_array().expect("a list");
        values.iter().any(|one| one["metric"] == "net-bytes")
    });
    let places: Vec<_> = kept.map(|line| &line["place"]["line"]).collect();
    assert_eq!(places, [6], "{report}");
    let ran = project.run_explained("explain sometimes --folded", 0);
    ran.stderr_has("note: the values are sums of 2 iterations\n");
    // The peak of the process has no stacks.
    let ran = project.run_explained("explain other --folded --metric peak-bytes", 104);
    ran.stderr_has("failed to explain 1 of 1 scenario");
    let ran = project.run_explained("explain --folded", 2);
    ran.stderr_has("error: --folded needs one scenario, and 4 scenarios were selected\n");
}
