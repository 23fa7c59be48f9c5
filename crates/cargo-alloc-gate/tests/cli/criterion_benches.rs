//! `init --criterion`, and the benches of criterion that it counts.

use snapbox::str;

use crate::beginnings::fresh;
use crate::project::{Project, SOURCE};

const BENCH: &str = r#"use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn boxes(c: &mut Criterion) {
    let mut group = c.benchmark_group("boxes");
    for number in [10_usize, 20, 40, 80, 160] {
        group.bench_function(BenchmarkId::new("collect", number), |b| {
            b.iter(|| (0..number).map(Box::new).collect::<Vec<_>>())
        });
    }
    group.finish();
}

criterion_group!(benches, boxes);
criterion_main!(benches);
"#;

/// A package with a bench over criterion.
fn with_criterion(name: &str, dependency: &str) -> Project {
    let project = fresh(name);
    project.add_to_manifest(&format!(
        "\n[dev-dependencies]\n{dependency}\n\n[[bench]]\nname = \"times\"\nharness = false\n"
    ));
    project.write("benches/times.rs", BENCH);
    project
}

#[test]
#[ignore = "it builds criterion; the step `criterion` runs it"]
fn one_line_counts_the_benches_of_criterion() {
    let project = with_criterion(
        "with_criterion",
        "criterion = { version = \"0.8\", default-features = false } # the times",
    );
    let source = format!("path = '{SOURCE}/crates/alloc-criterion'");
    let ran = project.run_args(&["init", "--criterion", "--dependency", &source], 0);
    ran.stdout(str![[r#"
with_criterion/times  5 scenarios
| scenario          | iters | allocs/op | bytes/op | deallocs/op |
|-------------------|-------|-----------|----------|-------------|
| boxes/collect/10  |   100 |     11.00 |      160 |       11.00 |
| boxes/collect/20  |   100 |     21.00 |      320 |       21.00 |
| boxes/collect/40  |   100 |     41.00 |      640 |       41.00 |
| boxes/collect/80  |   100 |     81.00 |    1,280 |       81.00 |
| boxes/collect/160 |   100 |    161.00 |    2,560 |      161.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]).stderr(str![[r#"
note: Cargo.toml gets
- criterion = { version = "0.8", default-features = false } # the times
+ criterion = { package = "alloc-criterion", path = "../../../../../crates/alloc-criterion", default-features = false } # the times
note: gates.toml gets
+ [[bench]]
+ package = "with_criterion"
+ target = "times"
       Wrote gates.toml
       Wrote Cargo.toml
    Building 1 bench
   Measuring with_criterion/times
    Recorded [TARGET]/alloc-gate/with_criterion.times.jsonl
alloc-gate: measured 5 scenarios (`run` checks no gates); report: [TARGET]/alloc-gate/report.md
alloc-gate: counts the criterion benches; run `cargo alloc-gate suggest --write` for gates

"#]]);

    // The parameters are an axis, and the names end with them alone.
    let rules = project.read("gates.toml");
    let gate = |growth: &str| {
        format!(
            "{rules}\n[[gate]]\nname = \"grows\"\nscenarios = [\"boxes/collect/*\"]\n\
             allocs = {{ growth = \"{growth}\" }}\n"
        )
    };
    project.write("gates.toml", &gate("O(n)"));
    let passed = project.run("", 0);
    passed.verdict("passed: 1 gate checked, 5 scenarios measured");
    project.write("gates.toml", &gate("O(1)"));
    project.run("", 1).stdout(str![[r#"
with_criterion/times  5 scenarios  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL boxes/collect/*                                    benches/times.rs:6
       allocs growth  O(n) over parameter    O(1) [grows]
       points: 11 at 10, 21 at 20, 41 at 40, 81 at 80, 161 at 160; line: 1 * parameter + 1, exactly
5 of 5 scenarios failed, 1 of 1 gate (gates.toml:21)
help: fix how the code that benches/times.rs:6 measures grows with parameter, or allow `O(n)` at gates.toml:24:21

"#]]);

    // A bench that nothing names is found by the name of criterion in its source.
    project.write("gates.toml", &gate("O(n)"));
    project.add_to_manifest("\n[[bench]]\nname = \"more\"\nharness = false\n");
    project.write("benches/more.rs", BENCH);
    project.run("", 1).stdout(str![[r#"
with_criterion/times  5 scenarios  1 gate
| scenario          | iters | allocs/op |
|-------------------|-------|-----------|
| boxes/collect/10  |   100 |     11.00 |
| boxes/collect/20  |   100 |     21.00 |
| boxes/collect/40  |   100 |     41.00 |
| boxes/collect/80  |   100 |     81.00 |
| boxes/collect/160 |   100 |    161.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

error[unlisted-bench]: gates.toml does not name `with_criterion/more`, a bench over alloc-scenario, so it did not run
  help: add `[[bench]]` with `package = "with_criterion"` and `target = "more"` to gates.toml; a third line, `run = false`, leaves it out

"#]]);
}

#[test]
fn what_init_cant_change_stays_as_it_is() {
    let project = fresh("no_criterion");
    project
        .run("init --criterion", 2)
        .stdout("")
        .stderr(str![[r#"
error: `no_criterion` has no bench over criterion
  help: name another package with -p, or write a new bench with `cargo alloc-gate init`
alloc-gate: error: `no_criterion` has no bench over criterion (exit code 2)

"#]]);
    let project = with_criterion("inherited_criterion", "criterion.workspace = true");
    let manifest = project.read("Cargo.toml").replace(
        "[workspace]\n",
        "[workspace.dependencies]\ncriterion = \"0.8\"\n",
    );
    project.write("Cargo.toml", &manifest);
    project
        .run("init --criterion", 110)
        .stdout("")
        .stderr(str![[r#"
error: nothing was written: Cargo.toml: it takes criterion from `[workspace.dependencies]`
  help: write this line of its own there, with the features of criterion that the benches need: `criterion = { package = "alloc-criterion", path = "../../../../../crates/alloc-criterion" }`
alloc-gate: error: nothing was written: Cargo.toml: it takes criterion from `[workspace.dependencies]` (exit code 110)

"#]]);
    project.has("Cargo.toml", &manifest);
}
