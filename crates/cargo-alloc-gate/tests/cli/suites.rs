//! Benches whose `main` does not return what the one `Suite::finish` returned:
//! code 104, whatever was measured.

use snapbox::str;

use crate::benches::project;
use crate::project::bench_with_main;

#[test]
fn a_bench_that_fails_after_a_whole_measurement_is_not_judged() {
    let main = r#"    let mut suite = Suite::from_args();
    suite.scenario("one box", || Box::new(7_u64));
    let _ = suite.finish();
    std::process::ExitCode::from(1)"#;
    let project = project("afterwards", bench_with_main(main));
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring afterwards/counts
--- output of afterwards/counts
  | 
  | | scenario | iters | allocs/op | bytes/op | deallocs/op | reallocs/op | peak bytes |[..]
  | |----------|------:|----------:|---------:|------------:|------------:|-----------:|[..]
  | | one box  |   100 |      1.00 |        8 |        1.00 |        0.00 |          8 |[..]
---
error: afterwards/counts measured everything and then failed (exit status: 1)
  next: `main` has to return what `Suite::finish` returns, and nothing may fail after it
error: 1 of 1 benches failed: afterwards/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_ends_with_0_and_never_calls_finish_has_measured_nothing() {
    let main = r#"    let mut suite = Suite::from_args();
    suite.scenario("one box", || Box::new(7_u64));
    std::process::ExitCode::SUCCESS"#;
    let project = project("unfinished", bench_with_main(main));
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring unfinished/counts
error: unfinished/counts ended without writing results
  next: its `main` has to register scenarios in an `alloc_scenario::Suite` and return what `finish` returns; a bench of another harness does not belong into gates.toml
error: 1 of 1 benches failed: unfinished/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_forgives_a_panic_with_its_own_code_is_not_judged() {
    let main = r#"    let mut suite = Suite::from_args();
    suite.scenario("panics", || panic!("no more"));
    let _ = suite.finish();
    std::process::ExitCode::SUCCESS"#;
    let project = project("forgiving", bench_with_main(main));
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring forgiving/counts
--- output of forgiving/counts
  | 0 scenarios measured, 0 filtered out
  | 
  | thread 'main'[..] panicked at benches/counts.rs:8:33:
  | no more
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
  | error: scenario `panics` (at benches/counts.rs:8) panicked: no more (at benches/counts.rs:8:33)
---
error: forgiving/counts: 1 scenario not measured:
  `panics` (benches/counts.rs:8)
  | panicked: no more (at benches/counts.rs:8:33)
  next: mend the scenario; the others were measured, and nothing is judged without it
error: 1 of 1 benches failed: forgiving/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_second_suite_is_not_lost_behind_the_first() {
    let main = r#"    let mut first = Suite::from_args();
    first.scenario("one", || Box::new(7_u64));
    let code = first.finish();
    let mut second = Suite::from_args();
    second.scenario("two", || [Box::new(7_u64), Box::new(8)]);
    let _ = second.finish();
    code"#;
    let project = project("two-suites", bench_with_main(main));
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring two-suites/counts
--- output of two-suites/counts
  | 
  | | scenario | iters | allocs/op | bytes/op | deallocs/op | reallocs/op | peak bytes |[..]
  | |----------|------:|----------:|---------:|------------:|------------:|-----------:|[..]
  | | one      |   100 |      1.00 |        8 |        1.00 |        0.00 |          8 |[..]
  | 
  | | scenario | iters | allocs/op | bytes/op | deallocs/op | reallocs/op | peak bytes |[..]
  | |----------|------:|----------:|---------:|------------:|------------:|-----------:|[..]
  | | two      |   100 |      2.00 |       16 |        2.00 |        0.00 |         16 |[..]
---
error: two-suites/counts wrote results that can't be judged: it wrote more than one stream of results
  next: only `Suite::finish`, called once, may write into the folder that ALLOC_GATE_RESULTS names
error: 1 of 1 benches failed: two-suites/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}
