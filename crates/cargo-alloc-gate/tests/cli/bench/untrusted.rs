//! The output of a bench is shown only where it helps, and marked, so that it gives no
//! commands to terminals or CI systems.

use snapbox::str;

use crate::project::{BOXES, Project};

#[test]
fn the_output_of_a_bench_that_passes_is_not_shown() {
    let project = Project::with("noisy", "use noise", BOXES);
    let ran = project.passes("1 gate checked, 1 scenario measured");
    ran.stdout(str![[r#"
demo/counts  1 scenario  1 gate  ok
| scenario | iters | allocs/op |
|----------|-------|-----------|
| noisy    |   100 |      0.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
}

#[test]
fn the_output_of_a_bench_that_fails_is_shown_and_marked() {
    let project = Project::with("noisy-fails", "use noise and a crash", BOXES);
    // Even with colours, the bench has none of its own.
    let ran = project.run("--color always --quiet", 104);
    let visible = ran.stderr_text().replace('\u{1b}', "^");
    ran.stdout("").same(&visible, str![[r#"
--- output of demo/counts
  | ::error::from stdout
  | a
  | ::warning::from stderr
  |   ::add-mask::red
---
^[1m^[31merror^[0m: demo/counts crashed (exit status: 3) while it measured `noisy`
  help: run it by itself: `cargo bench --package demo --bench counts`
^[1malloc-gate: error: demo/counts crashed (exit status: 3) while it measured `noisy`; no gates were checked (exit code 104)^[0m

"#]]);
}

#[test]
fn a_panic_message_stays_inside_its_marks() {
    let project = Project::with("noisy-panics", "use panic with commands", BOXES);
    let ran = project.run("", 104);
    for line in ran.stderr_text().split(['\n', '\r']) {
        assert!(!line.trim_start().starts_with("::"), "{line}");
    }
    ran.bench_failed(str![[r#"
--- output of demo/counts
  | 
  | thread 'main'[..] panicked at src/sets.rs:13:17:
  | first
  | ::error::second
  | ::error::third
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
---
error: demo/counts: 1 scenario not measured:
  `panics` (src/sets.rs:12)
  | panicked: first
  | ::error::second
  | ::error::third (at src/sets.rs:13:17)
  help: fix the scenario; the check fails until every scenario is measured
alloc-gate: error: `panics` of demo/counts panicked; no gates were checked (exit code 104)

"#]]);
}

#[test]
fn verbose_shows_the_commands_and_what_the_bench_prints() {
    let project = Project::with("noisy-verbose", "use noise", BOXES);
    project.run("--verbose --format json", 0).stderr(str![[r#"
    Building 1 bench
     Running [..] bench --manifest-path [ROOT]/Cargo.toml --no-run --message-format json-render-diagnostics --package 'path+file://[ROOT]#demo@1.2.3' --bench counts --config 'profile.bench.debug="line-tables-only"' --config 'profile.bench.package."*".debug=false'
   Measuring demo/counts
     Running [BUILD]/release/deps/counts-[..] --bench
--- output of demo/counts
  | ::error::from stdout
...
---
alloc-gate: passed: 1 gate checked, 1 scenario measured

"#]]);
}
