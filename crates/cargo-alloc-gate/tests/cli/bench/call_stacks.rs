//! `explain` shows call stacks, and prints them as folded stacks. The frames of the standard library differ between its versions.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use snapbox::str;

use crate::bench::explained::{ENCODE, LIBRARY, project, run};
use crate::repository::Repository;

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
    run(&project, "explain --stacks", 0).stdout_has(
        "\n   call stacks, innermost frame first:\n     src/lib.rs:6:21  Vec::with_capacity in encode\n",
    );
    // The figure decides which stacks there are: without live blocks at the end, none.
    run(&project, "explain --folded --metric net-bytes", 0).stdout("");
    let scenarios = "    let mut count = 0;
    suite.scenario(\"encode\", || {
        count += 1;
        if count % 2 == 0 { encode(\"hello\") } else { Vec::new() }
    });
    suite.scenario_with(\"other\", |b| b.scope(alloc_scenario::Scope::Process).run(|()| Box::new(1)));
";
    let bench = crate::bench::explained::bench("folded", scenarios);
    project.write("benches/counts.rs", &bench);
    run(&project, "explain encode --folded", 0)
        .stderr_has("note: the values are sums of 2 iterations\n");
    // The peak of the process has no stacks.
    run(&project, "explain other --folded --metric peak-bytes", 104)
        .stderr_has("failed to explain 1 of 1 scenario");
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
    let folded = "explain --base main --folded";
    run(project, folded, 0).stdout(str![[r#"
counts::main::{{closure}};stacks_based::encode;alloc::vec::Vec<T>::with_capacity;[..] 1 1
counts::main::{{closure}};stacks_based::encode;stacks_based::little_endian;<str>::to_uppercase;[..] 0 1
counts::main::{{closure}};stacks_based::encode;stacks_based::little_endian;alloc::vec::Vec<T>::with_capacity;[..] 1 1

"#]]);
    // The base has no such scenario.
    let renamed = ENCODE.replace("\"encode\"", "\"text\"");
    let bench = crate::bench::explained::bench("stacks_based", &renamed);
    project.write("benches/counts.rs", &bench);
    let ran = run(project, folded, 0);
    ran.stderr_has("warning: the stacks have no difference: at main (");
    let stacks = ran.stdout_text();
    assert!(stacks.lines().all(|line| line.ends_with(" 1")), "{stacks}");
}
