//! What a bench prints is not ours: it is shown when it helps, marked, and gives
//! no commands to terminals or CI systems.

use snapbox::str;

use crate::project::Project;

const LENIENT: &str = r#"
[[gate]]
name = "lenient"
scenarios = ["*"]
allocs = "<= 1_000"
"#;

#[test]
fn the_output_of_a_bench_that_passes_is_not_shown() {
    let body = r#"    suite.scenario("noisy", || println!("::error::from stdout"));"#;
    let project = Project::with("noisy", body, LENIENT);
    project
        .run(&[])
        .code(0)
        .stdout(str![[r#"
| scenario | iters | allocs/op | bytes/op | deallocs/op |
|----------|-------|-----------|----------|-------------|
| noisy    |   100 |      0.00 |        0 |        0.00 |

pass    lenient: 1 scenario
        allocs <= 1_000: 0.00

"#]])
        .stderr(str![[r#"
    Building 1 bench
   Measuring noisy/counts
alloc-gate: passed: 1 gate judged, 1 scenario measured

"#]]);
}

#[test]
fn the_output_of_a_bench_that_fails_is_shown_and_marked() {
    let body = r#"    suite.scenario("noisy", || {
        print!("::error::from stdout");
        eprintln!("a\r::warning::from stderr\n  ::add-mask::\u{1b}[31mred\u{1b}[0m\u{7}");
        std::process::exit(3)
    });"#;
    let project = Project::with("noisy-fails", body, LENIENT);
    // Not even where colours are wanted does it have any of its own.
    let ran = project.run(&["--color", "always", "--quiet"]).code(104);
    let visible = ran.stderr_text().replace('\u{1b}', "^");
    ran.stdout("").same(&visible, str![[r#"
--- output of noisy-fails/counts
  | ::error::from stdout
  | a
  | ::warning::from stderr
  |   ::add-mask::red
---
^[1m^[31merror^[0m: noisy-fails/counts crashed (exit status: 3) while it measured `noisy`
  next: run it by itself: `cargo bench -p noisy-fails --bench counts`
^[1m^[31merror^[0m: 1 of 1 benches failed: noisy-fails/counts
  next: nothing is judged on half a measurement; see above for each
^[1malloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)^[0m

"#]]);
}

#[test]
fn a_panic_message_stays_inside_its_marks() {
    let body =
        r#"    suite.scenario("panics", || panic!("first\n::error::second\r::error::third"));"#;
    let project = Project::with("noisy-panics", body, LENIENT);
    let ran = project.run(&[]).code(104);
    for line in ran.stderr_text().split(['\n', '\r']) {
        assert!(!line.trim_start().starts_with("::"), "{line}");
    }
    ran.stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring noisy-panics/counts
--- output of noisy-panics/counts
  | 0 scenarios measured, 0 filtered out
  | 
  | thread 'main'[..] panicked at benches/counts.rs:8:33:
  | first
  | ::error::second
  | ::error::third
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
  | error: scenario `panics` (at benches/counts.rs:8) panicked: first
  | ::error::second
  | ::error::third (at benches/counts.rs:8:33)
---
error: noisy-panics/counts: 1 scenario not measured:
  `panics` (benches/counts.rs:8)
  | panicked: first
  | ::error::second
  | ::error::third (at benches/counts.rs:8:33)
  next: mend the scenario; the others were measured, and nothing is judged without it
error: 1 of 1 benches failed: noisy-panics/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn verbose_shows_the_commands_and_what_the_bench_prints() {
    let body = r#"    suite.scenario("noisy", || println!("::error::from stdout"));"#;
    let project = Project::with("noisy-verbose", body, LENIENT);
    let ran = project.run(&["--verbose", "--format", "json"]).code(0);
    ran.stderr(str![[r#"
    Building 1 bench
     Running [..] bench --manifest-path [ROOT]/Cargo.toml --no-run --message-format json-render-diagnostics --package noisy-verbose --bench counts
   Measuring noisy-verbose/counts
     Running [TARGET]/release/deps/counts-[..] --bench
--- output of noisy-verbose/counts
  | ::error::from stdout
...
---
alloc-gate: passed: 1 gate judged, 1 scenario measured

"#]]);
}
