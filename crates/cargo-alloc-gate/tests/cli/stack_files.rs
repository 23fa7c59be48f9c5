//! `explain` shows call stacks, and writes them as flame graphs, as folded stacks and for DHAT's
//! viewer. The frames of the standard library differ between its versions.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use snapbox::str;

use crate::explained::{ENCODE, LIBRARY, LINES, project, run};
use crate::project::{Project, names};
use crate::repository::Repository;

/// The frames of a flame graph: their names and their figures.
fn frames(picture: &str) -> Vec<(String, String)> {
    assert!(picture.starts_with("<svg "), "{picture}");
    assert!(picture.ends_with("</svg>\n"), "{picture}");
    let titles = picture.split("<g><title>").skip(1);
    let frames = titles.map(|title| {
        let mut lines = title.lines().map(|line| line.split("</title>").next());
        let mut next = || lines.next().flatten().unwrap_or_default().to_owned();
        (next(), next())
    });
    frames.collect()
}

fn figure<'f>(frames: &'f [(String, String)], function: &str) -> &'f str {
    let frame = frames.iter().find(|(name, _)| name == function);
    &frame.expect("the function has a frame").1
}

#[test]
fn the_stacks_of_each_line_are_shown() {
    let project = project("stacks_of_lines", ENCODE);
    run(&project, "explain --stacks", 0).stdout(format!(
        r#"encode: allocs

note: 2 allocations and 21 bytes per iteration
{LINES}
   call stacks, innermost frame first:
     src/lib.rs:6:21  Vec::with_capacity in encode
       1 allocation, 11 bytes
...
         [..]: src/lib.rs:6:21[..]  stacks_of_lines::encode
         [..]: benches/counts.rs:9:33[..]  counts::main::{{{{closure}}}}
     src/lib.rs:13:21  Vec::with_capacity in little_endian
       1 allocation, 10 bytes
...
         [..]: src/lib.rs:13:21[..]  stacks_of_lines::little_endian
         [..]: src/lib.rs:5:17[..]  stacks_of_lines::encode
         [..]: benches/counts.rs:9:33[..]  counts::main::{{{{closure}}}}

"#
    ));
    let report = run(&project, "explain --stacks --format json", 0).json();
    let line = &report["sites"][0]["lines"][0];
    assert_eq!(line["place"]["line"], 6, "{report}");
    let frames = line["stacks"][0]["frames"].as_array().expect("a list");
    let [.., encode, bench] = &frames[..] else {
        panic!("{report}");
    };
    assert_eq!(
        [encode, bench],
        [
            &serde_json::json!({
                "kind": "called",
                "function": "stacks_of_lines::encode",
                "file": "src/lib.rs",
                "line": 6,
                "column": 21,
            }),
            &serde_json::json!({
                "kind": "called",
                "function": "counts::main::{{closure}}",
                "file": "benches/counts.rs",
                "line": 9,
                "column": 33,
            }),
        ]
    );
    let plain = run(&project, "explain --format json", 0);
    assert!(!plain.stdout_text().contains("\"stacks\""));
}

#[test]
fn the_stacks_of_a_scenario_are_written_to_files() {
    let project = project("stack_files", ENCODE);
    let files = "--flame out/a.svg --folded a.folded --dhat a.json";
    let ran = run(&project, &format!("explain {files}"), 0).stderr(str![[r#"
    Building 1 bench
  Explaining 1 scenario
       Wrote out/a.svg
       Wrote a.folded
       Wrote a.json
alloc-gate: explained 1 scenario (`explain` checks no gates)

"#]]);
    let drawn = frames(&project.read("out/a.svg"));
    assert_eq!(
        figure(&drawn, "stack_files::encode"),
        "allocs per iteration: 2 (100%)"
    );
    assert_eq!(
        figure(&drawn, "stack_files::little_endian"),
        "allocs per iteration: 1 (50%)"
    );
    ran.same(&project.read("a.folded"), str![[r#"
counts::main::{{closure}};stack_files::encode;alloc::vec::Vec<T>::with_capacity;[..] 1
counts::main::{{closure}};stack_files::encode;stack_files::little_endian;alloc::vec::Vec<T>::with_capacity;[..] 1

"#]]);
    let dhat: serde_json::Value =
        serde_json::from_str(&project.read("a.json")).expect("the file is JSON");
    assert_eq!(dhat["dhatFileVersion"], 2);
    assert_eq!(dhat["cmd"], "encode");
    let points = dhat["pps"].as_array().expect("a list");
    let bytes: Vec<_> = points.iter().map(|point| &point["tb"]).collect();
    assert_eq!(bytes, [10, 11]);
    for point in points {
        let keys = ["tb", "tbk", "tl", "mb", "mbk", "gb", "gbk", "eb", "ebk"];
        assert!(keys.iter().all(|key| point[key].is_u64()), "{dhat}");
        let table = dhat["ftbl"].as_array().expect("a list");
        let frames = point["fs"].as_array().expect("a list").iter();
        let frames = frames.map(|index| &table[index.as_u64().expect("an index") as usize]);
        let frames: Vec<_> = frames.filter_map(|frame| frame.as_str()).collect();
        assert!(
            frames.ends_with(&["counts::main::{{closure}} (benches/counts.rs:9:33)"]),
            "{dhat}"
        );
    }
    // The figure decides which stacks are written: `--metric` and `--statistic`.
    run(
        &project,
        "explain --flame a.svg --metric bytes --statistic max",
        0,
    );
    let drawn = frames(&project.read("a.svg"));
    assert_eq!(
        figure(&drawn, "all"),
        "bytes in the worst iteration: 21 (100%)"
    );
    // Without live blocks at the end, nothing is drawn.
    run(&project, "explain --folded a.folded --metric net-bytes", 0);
    assert_eq!(project.read("a.folded"), "");
    // Folded stacks have no fractions.
    let scenario = "    let mut count = 0;
    suite.scenario(\"encode\", || {
        count += 1;
        if count % 2 == 0 { encode(\"hello\") } else { Vec::new() }
    });
";
    project.write(
        "benches/counts.rs",
        &crate::explained::bench("stack_files", scenario),
    );
    run(&project, "explain --folded a.folded", 0)
        .stderr_has("       Wrote a.folded: sums of 2 iterations\n");
}

#[test]
fn the_stacks_of_two_commits_are_compared() {
    let project = project("stacks_based", ENCODE).with_common_target();
    let repository = Repository::from_project(project);
    let project = &repository.project;
    let planted = LIBRARY
        .replace("//! Texts", "//! A module.\n//! Texts")
        .replace(
            "(2 * text.len());\n",
            "(2 * text.len());\n    let text = text.to_uppercase();\n",
        );
    project.write("src/lib.rs", &planted);
    let line = "explain --base main --stacks --flame a.svg --folded a.folded";
    let ran = run(project, line, 0);
    let text = ran.stdout_text();
    let (_, stacks) = text.split_once("  sum\n").expect("there is a table");
    ran.same(
        stacks,
        str![[r#"

   call stacks, innermost frame first:
     added: src/lib.rs:15:21  to_uppercase in little_endian
       now: 1 allocation, 5 bytes
...
         [..]: src/lib.rs:15:21[..]  stacks_based::little_endian
         [..]: src/lib.rs:6:17[..]  stacks_based::encode
         [..]: benches/counts.rs:9:33[..]  counts::main::{{closure}}
     not shown: the stacks of 2 unchanged lines


"#]],
    );
    let drawn = frames(&project.read("a.svg"));
    assert_eq!(
        figure(&drawn, "stacks_based::little_endian"),
        "allocs per iteration: 1 -&gt; 2 (+1)"
    );
    ran.same(&project.read("a.folded"), str![[r#"
counts::main::{{closure}};stacks_based::encode;alloc::vec::Vec<T>::with_capacity;[..] 1 1
counts::main::{{closure}};stacks_based::encode;stacks_based::little_endian;<str>::to_uppercase;[..] 0 1
counts::main::{{closure}};stacks_based::encode;stacks_based::little_endian;alloc::vec::Vec<T>::with_capacity;[..] 1 1

"#]]);
    // The base has no such scenario.
    let renamed = ENCODE.replace("\"encode\"", "\"text\"");
    let bench = crate::explained::bench("stacks_based", &renamed);
    project.write("benches/counts.rs", &bench);
    let ran = run(project, "explain --base main --flame b.svg", 0);
    ran.stderr_has("warning: b.svg has no difference: at main (");
    let drawn = frames(&project.read("b.svg"));
    assert_eq!(figure(&drawn, "all"), "allocs per iteration: 3 (100%)");
}

#[test]
fn a_file_that_can_not_be_written_is_an_error() {
    let names = ["a", "b", "c", "d", "e", "it's", "g"];
    let scenarios = names.map(|name| ENCODE.replace("\"encode\"", &format!("\"{name}\"")));
    let project = project("stack_errors", &scenarios.concat());
    let fails = |line: &str, code: i32| run(&project, &format!("explain {line}"), code);
    fails("--flame a.svg --dhat a.json", 2).stderr(str![[r#"
    Building 1 bench
error: --flame needs one scenario, and 7 scenarios were selected: a, b, c, d, e, and 2 more
  help: name one, as in `cargo alloc-gate explain a --flame FILE`
alloc-gate: error: --flame needs one scenario, and 7 scenarios were selected: a, b, c, d, e, and 2 more (exit code 2)

"#]]);
    fails("[a-b] --dhat a.json", 2).stderr(str![[r#"
    Building 1 bench
error: --dhat needs one scenario, and 2 scenarios were selected: a, b
  help: name one, as in `cargo alloc-gate explain a --dhat FILE`
alloc-gate: error: --dhat needs one scenario, and 2 scenarios were selected: a, b (exit code 2)

"#]]);
    fails("a --dhat a.json --base main", 2).stderr(str![[r#"
error: --dhat can't be used with --base: the format has no differences
  help: use --flame or --folded, or leave out --base
alloc-gate: error: --dhat can't be used with --base: the format has no differences (exit code 2)

"#]]);
    fails("a --flame gates.toml", 2).stderr_has("a report can't overwrite gates.toml");
    fails("a --folded Cargo.lock", 2).stderr_has("a report can't overwrite Cargo.lock");
    fails("a --folded a.txt --flame ./a.txt", 2).stderr_has("a report can't overwrite a.txt");
    fails("a --folded a.txt --report json=a.txt", 2).stderr_has("two reports have the same file");
    fails("a --flame", 2).stderr_has("a value is required for '--flame <FILE>'");
    fails("a --flame src/lib.rs/a.svg", 110).stderr_has("failed to write src/lib.rs/a.svg");
    // Calls of C code have no stacks.
    let ran = fails("a --flame a.svg --metric native-allocs", 104);
    ran.stderr_has("failed to explain 1 of 1 scenario");
    assert!(!is_written(&project));
}

fn is_written(project: &Project) -> bool {
    names(project.root())
        .iter()
        .any(|name| name.starts_with("a."))
}
