//! `explain` shows call stacks, and prints them as folded stacks. The frames of the standard library differ between its versions.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use snapbox::str;

use crate::explained::{ENCODE, LIBRARY, LINES, project, run};
use crate::repository::Repository;

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
fn the_stacks_of_a_scenario_are_printed_folded() {
    let project = project("folded", ENCODE);
    run(&project, "explain --folded --report json=a.json", 0)
        .stdout(str![[r#"
counts::main::{{closure}};folded::encode;alloc::vec::Vec<T>::with_capacity;[..] 1
counts::main::{{closure}};folded::encode;folded::little_endian;alloc::vec::Vec<T>::with_capacity;[..] 1

"#]])
        .stderr(str![[r#"
    Building 1 bench
  Explaining 1 scenario
alloc-gate: explained 1 scenario (`explain` checks no gates)

"#]]);
    assert!(project.read("a.json").contains("\"sites\""));
    // The figure decides which stacks there are: without live blocks at the end, none.
    run(&project, "explain --folded --metric net-bytes", 0).stdout("");
    // Calls of C code have no stacks.
    run(&project, "explain --folded --metric native-allocs", 104)
        .stderr_has("failed to explain 1 of 1 scenario");
    let scenarios = "    let mut count = 0;
    suite.scenario(\"encode\", || {
        count += 1;
        if count % 2 == 0 { encode(\"hello\") } else { Vec::new() }
    });
    suite.scenario(\"other\", || ());
";
    let bench = crate::explained::bench("folded", scenarios);
    project.write("benches/counts.rs", &bench);
    run(&project, "explain encode --folded", 0)
        .stderr_has("note: the values are sums of 2 iterations\n");
    run(&project, "explain --folded", 2).stderr(str![[r#"
    Building 1 bench
error: --folded needs one scenario, and 2 scenarios were selected
  help: name one, such as encode
alloc-gate: error: --folded needs one scenario, and 2 scenarios were selected (exit code 2)

"#]]);
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
    let ran = run(project, "explain --base main --stacks", 0);
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
    let folded = "explain --base main --folded";
    run(project, folded, 0).stdout(str![[r#"
counts::main::{{closure}};stacks_based::encode;alloc::vec::Vec<T>::with_capacity;[..] 1 1
counts::main::{{closure}};stacks_based::encode;stacks_based::little_endian;<str>::to_uppercase;[..] 0 1
counts::main::{{closure}};stacks_based::encode;stacks_based::little_endian;alloc::vec::Vec<T>::with_capacity;[..] 1 1

"#]]);
    // The base has no such scenario.
    let renamed = ENCODE.replace("\"encode\"", "\"text\"");
    let bench = crate::explained::bench("stacks_based", &renamed);
    project.write("benches/counts.rs", &bench);
    let ran = run(project, folded, 0);
    ran.stderr_has("warning: the stacks have no difference: at main (");
    let stacks = ran.stdout_text();
    assert!(stacks.lines().all(|line| line.ends_with(" 1")), "{stacks}");
}
