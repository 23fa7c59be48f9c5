//! The sizes of requests: gates on the largest block, and the first operations of a
//! scenario that fails.

use snapbox::str;

use crate::project::Project;

const NO_LARGE_BLOCK: &str = r#"
[[gate]]
name = "no-block-above-64-KiB"
scenarios = ["*"]
largest-block = "<= 64 KiB"
allocs-over-64KiB = "== 0"
"#;

/// Reads 64 KiB into a vector that is doubled by reallocations.
const LOAD: &str = r#"
use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario("load", || {
        let mut bytes = Vec::<u8>::with_capacity(16 << 10);
        while bytes.len() < 64 << 10 {
            bytes.extend_from_slice(&[1; 16 << 10]);
        }
        bytes
    });
    suite.scenario("split", || "one two".split(' ').collect::<Vec<_>>());
    suite.finish()
}
"#;

#[test]
fn a_block_above_64_kib_fails_also_when_a_vector_grows_to_it() {
    let project = Project::own("sizes", &[("counts", LOAD)]);
    project.gates(&["counts"], NO_LARGE_BLOCK);
    project.run("", 0).stdout(str![[r#"
sizes/counts  2 scenarios  1 gate  ok
| scenario | iters | allocs-over-64KiB/op | largest-block |
|----------|-------|----------------------|---------------|
| load     |   100 |                 0.00 |        65,536 |
| split    |   100 |                 0.00 |            64 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
    let planted = LOAD.replace("64 << 10", "128 << 10");
    project.write("benches/counts.rs", &planted);
    project.run("", 1).stdout(str![[r#"
sizes/counts  2 scenarios  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL load                                               benches/counts.rs:9
       allocs-over-64KiB  1          == 0 [no-block-above-64-KiB]
       largest-block      131,072    <= 64 KiB [no-block-above-64-KiB]
       first operations: alloc 16384, grow 16384 -> 32768, grow 32768 -> 65536, grow 65536 -> 131072, dealloc 131072
1 of 2 scenarios failed, 1 of 1 gate (gates.toml:11)
help: if this is intended, change the limits at gates.toml:14:17 and gates.toml:15:21

"#]]);
    let report = project.run("--format json", 1).json();
    let judgement = &report["gates"][0]["judgements"][0];
    assert_eq!(judgement["metric"], "largest-block");
    assert_eq!(judgement["measured"]["numerator"], 131_072);
    assert_eq!(
        judgement["first-operations"],
        "alloc 16384, grow 16384 -> 32768, grow 32768 -> 65536, grow 65536 -> 131072, dealloc \
         131072"
    );
    let markdown = project.run("--format markdown", 1);
    markdown.stdout_has("- `load`: first operations: alloc 16384, grow 16384 -\\> 32768");
}

#[test]
fn results_without_the_sizes_of_the_rules_are_missing_until_measured_again() {
    let gate = "\n[[gate]]\nname = \"few\"\nscenarios = [\"*\"]\nallocs = \"<= 2\"\n";
    let project = Project::with("sizes-missing", "buffers: 65536 100", gate);
    project.run("run", 0);
    let file = project.results("counts");
    project.run_on(&file, "check", 0);
    project.gates(&["counts"], NO_LARGE_BLOCK);
    let judged = project.run_on(&file, "check", 1);
    let judged = judged.only_line("FAILED: 1 gate checked (1 missing), 1 scenario measured");
    judged.stdout_has("`largest-block` and `allocs-over-64KiB` of `buffers` were not measured");
    project.run("run", 0);
    project.run_on(&file, "check", 0);
}

#[test]
fn sizes_are_kept_in_the_baseline_and_compared_with_it() {
    let gates = r#"
[baseline]
data = "accepted.toml"

[[gate]]
name = "no-larger"
scenarios = ["*"]
largest-block = "<= baseline"
allocs-over-1kB = "<= baseline"
"#;
    let project = Project::with("sizes-baseline", "buffers: 5000 100", gates);
    project.run("accept", 0);
    let data = project.read("accepted.toml");
    assert!(data.contains("\nversion = 1\n"), "{data}");
    let largest = "largest-block = { unit = \"bytes\", value = 5000 }";
    assert!(data.contains(largest), "{data}");
    let over = "allocs-over-1kB = { unit = \"count\", value = 1 }";
    assert!(data.contains(over), "{data}");
    project.run("check", 0);
    project.scenarios("counts", "buffers: 5001 100");
    let ran = project.run("check", 1);
    ran.stdout_has("5,000 -> 5,001 (+1)");
}

#[test]
fn a_size_without_a_unit_is_a_mistake_with_its_place() {
    let gate = NO_LARGE_BLOCK.replace("64KiB", "65536");
    let project = Project::with("sizes-mistake", "buffers: 8", &gate);
    project
        .run("check", 96)
        .stderr_has("help: each size has one name: write `allocs-over-64KiB`");
}
