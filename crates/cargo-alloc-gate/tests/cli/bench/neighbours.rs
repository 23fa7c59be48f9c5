//! A package with a global allocator of its own, which takes real builds.

use crate::project::Project;

const GATE: &str = "
[[gate]]
name = \"one\"
scenarios = [\"one box\"]
allocs = \"== 1\"
";

/// The forms of `docs/compared.md`, with the system's allocator in place of jemalloc.
const LIBRARY: &str = r#"
#[cfg(not(feature = "count-allocs"))]
#[global_allocator]
static ALLOC: std::alloc::System = std::alloc::System;

#[cfg(feature = "count-allocs")]
#[global_allocator]
static ALLOC: counting_alloc::CountingAlloc<std::alloc::System> =
    counting_alloc::CountingAlloc::new(std::alloc::System);

pub fn one_box() -> Box<u64> {
    Box::new(1)
}
"#;

const BENCH: &str = r#"
use alloc_scenario::Suite;

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario("one box", own_allocator::one_box);
    suite.finish()
}
"#;

#[test]
fn a_library_with_its_own_allocator_counts_behind_a_feature() {
    let project = Project::own("own-allocator", &[("counts", BENCH)]);
    project.write("src/lib.rs", LIBRARY);
    // With the features that the harness chooses, which is built already.
    let counting = concat!(env!("CARGO_MANIFEST_DIR"), "/../counting-alloc");
    project.add_to_manifest(&format!(
        "\n[features]\ncount-allocs = [\"dep:counting-alloc\"]\n\n\
         [dependencies]\ncounting-alloc = {{ path = '{counting}', optional = true, default-features = false }}\n"
    ));
    project.gates(&["counts"], GATE);
    project
        .run("--features count-allocs", 0)
        .verdict("passed: 1 gate checked, 1 scenario measured");
    // The advice does not add a second allocator.
    let ran = project.run("", 104);
    ran.stderr_has(
        "If a crate of the program has a `#[global_allocator]`, put the counter around that one \
         instead: `CountingAlloc::new(...)`\n",
    );
}
