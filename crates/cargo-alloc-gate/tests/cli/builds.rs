//! Benches that can't be built: code 101, with the errors of cargo.

use snapbox::str;

use crate::project::{BOXES, Project};

/// A bench with one scenario and a source of its own.
const SOURCE: &str = "\
use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario(\"one box\", || Box::new(7_u64));
    suite.finish()
}
";

fn own(name: &str, source: &str) -> Project {
    let project = Project::own(name, &[("counts", source)]);
    project.gates(&["counts"], BOXES);
    project
}

#[test]
fn a_bench_that_does_not_compile_ends_with_101_below_the_compilers_words() {
    let project = own("no-compile", "fn main() { let _: u64 = \"seven\"; }\n");
    project.run("", 101).not_judged(str![[r#"
    Building 1 bench
error[E0308]: mismatched types
...
error: could not compile `no-compile` (bench "counts") due to 1 previous error
error: the benches did not build
  help: see cargo's errors above; `cargo bench --no-run` repeats them

"#]]);
}

#[test]
fn a_bench_without_its_required_features_ends_with_101_and_the_option_that_is_missing() {
    let project = own("features", SOURCE);
    project.add_to_manifest("required-features = [\"extra\"]\n\n[features]\nextra = []\n");
    project.run("", 101).not_judged(str![[r#"
    Building 1 bench
error: target `counts` in package `features` requires the features: `extra`
Consider enabling them by passing, e.g., `--features="extra"`
error: the benches did not build
  help: see cargo's errors above; `cargo bench --no-run` repeats them

"#]]);
    project.run("--features extra", 0).stderr(str![[r#"
    Building 1 bench
   Measuring features/counts
alloc-gate: passed: 1 gate checked, 1 scenario measured

"#]]);
}

#[test]
fn options_about_the_lock_file_are_passed_to_cargo() {
    let project = own("locked", SOURCE);
    // The lock file is of another workspace, so that cargo has to write it.
    project.run("--locked", 101).stdout("").stderr(str![[r#"
    Building 1 bench
error: [..]lock file [ROOT]/Cargo.lock [..] --locked [..]
...
error: the benches did not build
  help: see cargo's errors above; `cargo bench --no-run` repeats them
alloc-gate: NOT JUDGED: a bench did not build (exit code 101)

"#]]);
    project.run("", 0);
    project.run("--frozen", 0);
}
