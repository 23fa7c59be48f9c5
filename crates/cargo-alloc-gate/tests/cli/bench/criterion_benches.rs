//! `init` in a package with benches over criterion, and how they count.

use crate::bench::beginnings::fresh;
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

const DEPENDENCY: &str = "criterion = { version = \"0.8\", default-features = false }";

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
    let project = with_criterion("with_criterion", DEPENDENCY);
    let source = format!("path = '{SOURCE}/crates/alloc-criterion'");
    let ran = project.run_args(&["init", "--dependency", &source], 0);
    let line = ran.stderr_text();
    let mut line = line.lines().filter(|line| line.starts_with("criterion = "));
    let line = line.next().expect("it prints the line");
    let manifest = project.read("Cargo.toml");
    project.write("Cargo.toml", &manifest.replace(DEPENDENCY, line));
    let ran = project.run("run", 0);
    ran.stdout_has("\n| boxes/collect/160 |    161 | 2,560 |      161 |\n");
    ran.verdict("measured 5 scenarios (`run` checks no gates)");

    // The parameters are an axis, and the names end with them alone.
    let rules = project.read("gates.toml");
    let gate = "\n[[gate]]\nname = \"grows\"\nscenarios = [\"boxes/collect/*\"]\n\
                allocs = { growth = \"O(n)\" }\n";
    project.write("gates.toml", &(rules + gate));
    let passed = project.run("", 0);
    passed.verdict("passed: 1 gate checked, 5 scenarios measured");

    // A bench that nothing names is found by the name of criterion in its source.
    project.add_to_manifest("\n[[bench]]\nname = \"more\"\nharness = false\n");
    project.write("benches/more.rs", BENCH);
    project.run("", 1).stdout_has(
        "error[unlisted-bench]: gates.toml does not list `with_criterion/more`, a bench that uses \
         alloc-scenario, so it did not run\n",
    );
}

#[test]
fn init_names_the_benches_and_prints_the_line_that_counts_them() {
    let project = with_criterion(
        "names_criterion",
        "criterion = { workspace = true, features = [\"csv_output\"] }",
    );
    let manifest = project.read("Cargo.toml").replace(
        "[workspace]\n",
        "[workspace.dependencies]\ncriterion = { version = \"0.8\", default-features = false }\n",
    );
    let manifest = manifest + "required-features = [\"fast\"]\n\n[features]\nfast = []\n";
    project.write("Cargo.toml", &manifest);
    let ran = project.run("init", 0).stdout("");
    ran.stderr_has(
        "note: in Cargo.toml, replace the line of criterion with this one:\ncriterion = { package = \
         \"alloc-criterion\", path = \"",
    );
    ran.stderr_has("/alloc-criterion\", default-features = false, features = [\"csv_output\"] }\n");
    ran.verdict(
        "named the benches of criterion; once Cargo.toml has the line, run `cargo alloc-gate \
         suggest --write` for gates",
    );
    project.has("Cargo.toml", &manifest);
    project.has("gates.toml", "\n[run]\ntimeout = \"10m\" # of each bench\n");
    project.has(
        "gates.toml",
        "[[bench]]\npackage = \"names_criterion\"\ntarget = \"times\"\nfeatures = [\"fast\"]\n",
    );
    let rules = project.read("gates.toml");
    project.run("init", 0).stderr_has("Kept gates.toml");
    assert_eq!(project.read("gates.toml"), rules);
}
