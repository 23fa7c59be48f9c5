//! Benches that can't be believed: code 104. Nothing is judged, whatever their
//! gates say.

use snapbox::str;

use crate::project::{Project, bench, bench_with_main};

/// A gate that any bench holds.
const LENIENT: &str = "
[[gate]]
name = \"lenient\"
scenarios = [\"*\"]
allocs = \"<= 1_000_000\"
";

pub(crate) fn project(name: &str, bench: String) -> Project {
    let project = Project::new(name, &[("counts", bench)]);
    project.gates(&["counts"], LENIENT);
    project
}

#[test]
fn scenarios_that_panic_are_all_named_and_the_others_still_run() {
    let project = project(
        "panics",
        bench(
            r#"    suite
        .scenario("first", || Box::new(7_u64))
        .scenario("panics", || panic!("no more"))
        .scenario("second", || Box::new(7_u32))
        .scenario("differs", || assert_eq!(1 + 1, 3, "arithmetic"));"#,
        ),
    );
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring panics/counts
--- output of panics/counts
  | 
  | | scenario | iters | allocs/op | bytes/op | deallocs/op | reallocs/op | peak bytes |[..]
  | |----------|------:|----------:|---------:|------------:|------------:|-----------:|[..]
  | | first    |   100 |      1.00 |        8 |        1.00 |        0.00 |          8 |[..]
  | | second   |   100 |      1.00 |        4 |        1.00 |        0.00 |          4 |[..]
  | 
  | thread 'main'[..] panicked at benches/counts.rs:10:32:
  | no more
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
  | 
  | thread 'main'[..] panicked at benches/counts.rs:12:33:
  | assertion `left == right` failed: arithmetic
  |   left: 2
  |  right: 3
  | error: scenario `panics` (at benches/counts.rs:10) panicked: no more (at benches/counts.rs:10:32)
  | error: scenario `differs` (at benches/counts.rs:12) panicked: assertion `left == right` failed: arithmetic
  |   left: 2
  |  right: 3 (at benches/counts.rs:12:33)
---
error: panics/counts: 2 scenarios not measured:
  `panics` (benches/counts.rs:10)
  | panicked: no more (at benches/counts.rs:10:32)
  `differs` (benches/counts.rs:12)
  | panicked: assertion `left == right` failed: arithmetic
  |   left: 2
  |  right: 3 (at benches/counts.rs:12:33)
  next: mend the scenario; the others were measured, and nothing is judged without it
error: 1 of 1 benches failed: panics/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_aborts_is_named_with_the_scenario_that_it_measured() {
    let project = project(
        "aborts",
        bench(
            r#"    suite
        .scenario("first", || Box::new(7_u64))
        .scenario("aborts", || std::process::abort());"#,
        ),
    );
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring aborts/counts
error: aborts/counts crashed ([..]) while it measured `aborts`
  next: run it by itself: `cargo bench -p aborts --bench counts`
error: 1 of 1 benches failed: aborts/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_exits_with_0_half_way_has_not_passed() {
    let project = project(
        "half-way",
        bench(
            r#"    suite
        .scenario("first", || Box::new(7_u64))
        .scenario("exits", || std::process::exit(0));"#,
        ),
    );
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring half-way/counts
error: half-way/counts ended with code 0 and half a measurement: the stream stops before its end record; the bench ended while it measured `exits`
  next: a scenario must not end the process; `main` has to return what `Suite::finish` returns
error: 1 of 1 benches failed: half-way/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_bench_that_hangs_is_stopped_and_the_scenario_is_named() {
    let project = project(
        "hangs",
        bench(
            r#"    suite
        .scenario("first", || Box::new(7_u64))
        .scenario("hangs", || loop { std::thread::park() });"#,
        ),
    );
    let rules = project.read("gates.toml");
    project.write(
        "gates.toml",
        &rules.replace("[run]\n", "[run]\ntimeout = \"3s\"\n"),
    );
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring hangs/counts
error: hangs/counts was stopped after 3 seconds while it measured `hangs`
  next: raise `timeout` in `[run]` of gates.toml, or give the scenario fewer `iterations`
error: 1 of 1 benches failed: hangs/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_program_that_is_no_bench_of_ours_has_written_no_results() {
    let text = "fn main() { print!(\"0 allocations\"); eprintln!(\"all is well\"); }\n";
    let project = project("garbage", text.to_owned());
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring garbage/counts
--- output of garbage/counts
  | 0 allocations
  | all is well
---
error: garbage/counts ended without writing results
  next: its `main` has to register scenarios in an `alloc_scenario::Suite` and return what `finish` returns; a bench of another harness does not belong into gates.toml
error: 1 of 1 benches failed: garbage/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn a_bench_without_the_counter_says_what_to_add() {
    let text = bench("    suite.scenario(\"one box\", || Box::new(7_u64));")
        .replace("#[global_allocator]", "#[expect(dead_code)]");
    let project = project("forgot", text);
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring forgot/counts
--- output of forgot/counts
  | error: no allocation was counted: `CountingAlloc` is not the global allocator of this bench. Add to its root:
  |     #[global_allocator]
  |     static ALLOC: alloc_scenario::CountingAlloc = alloc_scenario::CountingAlloc::system();
---
error: forgot/counts: the counter is not live: known allocations read as zero on the thread that measures. Add to the bench:
    #[global_allocator]
    static ALLOC: alloc_scenario::CountingAlloc = alloc_scenario::CountingAlloc::system();
  next: nothing was measured: a counter that reads zero would pass every gate; mend it, and measure again
error: 1 of 1 benches failed: forgot/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn garbage_among_the_results_is_never_taken_for_them() {
    let beside = r#"    let folder = std::env::var("ALLOC_GATE_RESULTS").unwrap_or_default();
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(format!("{folder}/notes.txt"), "garbage\n");
    let mut suite = Suite::from_args();
    suite.scenario("one box", || Box::new(7_u64));
"#;
    let alone = format!("{beside}    std::process::ExitCode::SUCCESS");
    let beside = format!("{beside}    let code = suite.finish();\n    code");
    let beside = beside.replace("notes.txt", "a.txt");
    let project = Project::new(
        "garbage-results",
        &[
            ("alone", bench_with_main(&alone)),
            ("beside", bench_with_main(&beside)),
        ],
    );
    project.gates(&["alone", "beside"], LENIENT);
    project
        .run(&["--no-fail-fast"])
        .code(104)
        .stdout("")
        .stderr(str![[r#"
    Building 2 benches
   Measuring garbage-results/alone
error: garbage-results/alone wrote results that can't be judged: its results:1: not a result line of alloc-gate (expected value at line 1 column 1); give the files that a bench wrote under ALLOC_GATE_RESULTS
  next: only `Suite::finish`, called once, may write into the folder that ALLOC_GATE_RESULTS names
   Measuring garbage-results/beside
--- output of garbage-results/beside
  | 
  | | scenario | iters | allocs/op | bytes/op | deallocs/op | reallocs/op | peak bytes |[..]
  | |----------|------:|----------:|---------:|------------:|------------:|-----------:|[..]
  | | one box  |   100 |      1.00 |        8 |        1.00 |        0.00 |          8 |[..]
---
error: garbage-results/beside wrote results that can't be judged: it wrote several files, `a.txt` and `beside.[..].jsonl`
  next: only `Suite::finish`, called once, may write into the folder that ALLOC_GATE_RESULTS names
error: 2 of 2 benches failed: garbage-results/alone, garbage-results/beside
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn two_scenarios_of_one_name_are_refused_with_both_places() {
    let text = r#"    suite.scenario("same", || Box::new(7_u64));
    suite.scenario("same", || Box::new(8_u64));"#;
    let project = project("same-name", bench(text));
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 1 bench
   Measuring same-name/counts
--- output of same-name/counts
  | error: two scenarios are called `same`: at benches/counts.rs:8:11 and at benches/counts.rs:9:11; rename one, or put it into a group
---
error: same-name/counts crashed (exit status: 101)
  next: run it by itself: `cargo bench -p same-name --bench counts`
error: 1 of 1 benches failed: same-name/counts
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn after_a_failed_bench_the_others_run_only_if_asked_for() {
    let body = |name: &str| format!("    suite.scenario(\"{name}\", || Box::new(7_u64));");
    let crash = "    suite.scenario(\"b\", || std::process::exit(3));";
    let project = Project::new(
        "fail-fast",
        &[
            ("a", bench(&body("a"))),
            ("b", bench(crash)),
            ("c", bench(&body("c"))),
            ("d", bench(&crash.replace("\"b\"", "\"d\""))),
        ],
    );
    project.gates(&["a", "b", "c", "d"], LENIENT);
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 4 benches
   Measuring fail-fast/a
   Measuring fail-fast/b
error: fail-fast/b crashed (exit status: 3) while it measured `b`
  next: run it by itself: `cargo bench -p fail-fast --bench b`
error: 1 of 4 benches failed and 2 not started: fail-fast/b
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
    project
        .run(&["--no-fail-fast"])
        .code(104)
        .stdout("")
        .stderr(str![[r#"
    Building 4 benches
   Measuring fail-fast/a
   Measuring fail-fast/b
error: fail-fast/b crashed (exit status: 3) while it measured `b`
  next: run it by itself: `cargo bench -p fail-fast --bench b`
   Measuring fail-fast/c
   Measuring fail-fast/d
error: fail-fast/d crashed (exit status: 3) while it measured `d`
  next: run it by itself: `cargo bench -p fail-fast --bench d`
error: 2 of 4 benches failed: fail-fast/b, fail-fast/d
  next: nothing is judged on half a measurement; see above for each
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}

#[test]
fn scenarios_of_one_name_in_two_benches_are_refused() {
    let text = bench("    suite.scenario(\"same\", || Box::new(7_u64));");
    let project = Project::new("two-same", &[("a", text.clone()), ("b", text)]);
    project.gates(&["a", "b"], LENIENT);
    project.run(&[]).code(104).stdout("").stderr(str![[r#"
    Building 2 benches
   Measuring two-same/a
   Measuring two-same/b
error: two scenarios are called `same`, in two-same/a and in two-same/b; rename one, or put it into a group
  next: nothing is judged until each scenario has one name and one measurement
alloc-gate: NOT JUDGED: a bench crashed, timed out, was incomplete, or its counter was not live (exit code 104)

"#]]);
}
