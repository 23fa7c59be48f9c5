//! Packages with a bench of another harness, and with a global allocator of their own.

use snapbox::str;

use crate::project::Project;

/// A bench as `init` writes it.
const COUNTS: &str = r#"
use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario("one box", || Box::new(1_u64));
    suite.finish()
}
"#;

/// Stands in for criterion: takes its options, and no others.
const TIMES: &str = r#"
fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(option) = args.next() {
        assert_eq!(option, "--save-baseline");
        println!("saved as {}", args.next().expect("a name"));
    }
}
"#;

const GATE: &str = "
[[gate]]
name = \"one\"
scenarios = [\"one box\"]
allocs = \"== 1\"
";

#[test]
fn options_of_criterion_reach_benches_of_both_harnesses() {
    let project = Project::own("criterion", &[("counts", COUNTS), ("times", TIMES)]);
    project.gates(&["counts"], GATE);
    let mut command = project.command_in(env!("CARGO"), "");
    command.args(["bench", "--", "--save-baseline", "main"]);
    let ran = project.finish(command).code(0);
    ran.stderr_has(
        "note: options of other harnesses have no effect on this bench: `--save-baseline`\n",
    );
    ran.stdout_has("| one box  | 10,000 |      1.00 |");
    ran.stdout_has("saved as main\n");
    // The gate measures its own benches.
    project.run("", 0).stderr(str![[r#"
    Building 1 bench
   Measuring criterion/counts
alloc-gate: passed: 1 gate checked, 1 scenario measured

"#]]);
}
