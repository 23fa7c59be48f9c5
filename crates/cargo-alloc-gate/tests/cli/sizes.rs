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

/// Words, and an index of 64 MiB in one of the counted calls.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const RARE: &str = "\
pub fn parse(call: u32) -> (Vec<String>, Vec<u8>) {
    let words = \"one two three\".split(' ').map(str::to_owned).collect();
    let index = if call == 100 { index(64 << 20) } else { index(64 << 10) };
    (words, index)
}

fn index(size: usize) -> Vec<u8> {
    let mut index = Vec::with_capacity(4);
    index.push(1);
    index.reserve_exact(size - 1);
    index
}
";

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_large_block_in_one_of_many_calls_has_its_line() {
    use crate::explained::{bench, run};

    let scenarios = "    let mut calls = 0;
    suite.scenario(\"parse\", move || {
        calls += 1;
        parse(calls)
    });
";
    let bench = bench("rare", scenarios).replace("encode", "parse");
    let project = Project::own("rare", &[("counts", &bench)]);
    project.write("src/lib.rs", RARE);
    let largest = NO_LARGE_BLOCK.replace("allocs-over-64KiB = \"== 0\"\n", "");
    project.gates(&["counts"], &largest);
    run(&project, "", 1).stdout(str![[r#"
rare/counts  1 scenario  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL parse                                              benches/counts.rs:10
       largest-block  67,108,864    <= 64 KiB [no-block-above-64-KiB]

error[allocates]: a block of 67,108,864 bytes, the largest of 600 allocations
  --> src/lib.rs:10:11
   |
10 |     index.reserve_exact(size - 1);
   |           ^^^^^^^^^^^^^ a block of 67,108,864 bytes in 1 of 100 allocations
   |
   = called by: parse, src/lib.rs:3:34, and 1 other line

   largest-block  allocs  line
      67,108,864     100  src/lib.rs:10:11  Vec::reserve_exact in index
              96     400  src/lib.rs:2:63   Iterator::collect in parse
               4     100  src/lib.rs:8:21   Vec::with_capacity in index
      67,108,864     600  all

warning[nondeterministic-scenario]: the iterations of `parse` (benches/counts.rs:10) differ: largest-block 65,536 to 67,108,864
  help: make the input the same each time; or gate `max` as well as the mean, and set `nondeterministic = "allow"` in the gate
1 of 1 scenario failed, 1 of 1 gate (gates.toml:11)
help: if this is intended, change the limit at gates.toml:14:17

"#]]);
    let report = run(&project, "--format json", 1).json();
    let sites = &report["sites"][0];
    assert_eq!(sites["metric"], "largest-block");
    assert_eq!(sites["measured"]["numerator"], 64 << 20);
    let largest = sites["lines"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|line| {
            let figures = line["figures"].as_array().expect("a list");
            let one = figures.iter().find(|one| one["metric"] == "largest-block");
            one.map(|one| &one["measured"]["numerator"])
        });
    let largest: Vec<_> = largest.collect();
    assert_eq!(
        largest,
        [&96.into(), &4.into(), &(64 << 20).into()] as [&serde_json::Value; 3]
    );
    let over = NO_LARGE_BLOCK.replace("largest-block = \"<= 64 KiB\"\n", "");
    project.gates(&["counts"], &over);
    run(&project, "", 1).stdout(str![[r#"
rare/counts  1 scenario  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL parse                                              benches/counts.rs:10
       allocs-over-64KiB  0.01    == 0 [no-block-above-64-KiB]

error[allocates]: 0.01 requests over 64KiB per iteration
  --> src/lib.rs:10:11
   |
10 |     index.reserve_exact(size - 1);
   |           ^^^^^^^^^^^^^ 0.01 requests over 64KiB
   |
   = called by: parse, src/lib.rs:3:34

   allocs-over-64KiB  line
                0.01  src/lib.rs:10:11  Vec::reserve_exact in index
                0.01  sum

warning[nondeterministic-scenario]: the iterations of `parse` (benches/counts.rs:10) differ: allocs-over-64KiB 0 to 1
  help: make the input the same each time; or gate `max` as well as the mean, and set `nondeterministic = "allow"` in the gate
1 of 1 scenario failed, 1 of 1 gate (gates.toml:11)
help: if this is intended, change the limit at gates.toml:14:21

"#]]);
}
