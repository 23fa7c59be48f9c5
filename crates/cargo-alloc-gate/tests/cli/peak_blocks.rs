//! Gates on the most blocks that are live at once, in the scopes of the thread and the process.

use snapbox::str;

use crate::project::Project;

const FEW_AT_ONCE: &str = r#"
[[gate]]
name = "few-at-once"
scenarios = ["alone", "worker"]
peak-blocks = "<= 100"
"#;

const BENCH: &str = r#"
use alloc_scenario::{CountingAlloc, Scope, Suite, black_box};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn blocks(number: usize) {
    // One at a time.
    drop(black_box(vec![1_u8; 8]));
    drop(black_box(vec![1_u8; 8]));
    let mut blocks = Vec::with_capacity(number);
    blocks.extend((1..number).map(|_| black_box(vec![1_u8; 8])));
}

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario("alone", || blocks(100));
    suite.scenario_with("worker", |b| {
        b.scope(Scope::Process)
            .run(|()| std::thread::spawn(|| blocks(50)).join().expect("no panic"))
    });
    suite.scenario_with("team", |b| b.run_on_threads(|()| 2, |()| blocks(5)));
    suite.finish()
}
"#;

#[test]
fn a_block_more_at_once_fails_in_either_scope() {
    let project = Project::own("peak-blocks", &[("counts", BENCH)]);
    project.gates(&["counts"], FEW_AT_ONCE);
    // 99 blocks, and the list of them.
    project.run("check --scenarios alone", 0).stdout(str![[r#"
peak-blocks/counts  1 scenario  1 gate  ok
| scenario | iters | peak-blocks/op |
|----------|-------|----------------|
| alone    |   100 |         100.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]]);
    project.run("check", 0);
    project.write(
        "benches/counts.rs",
        &BENCH.replace("blocks(100)", "blocks(101)"),
    );
    project.run("check --scenarios alone", 1).stdout(str![[r#"
peak-blocks/counts  1 scenario  1 gate  FAILED
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

FAIL alone                                              benches/counts.rs:17
       peak-blocks  101    <= 100 [few-at-once]
       first operations: alloc 8, dealloc 8, alloc 8, dealloc 8, alloc 2424, 27 x alloc 8 and 174 more
1 of 1 scenario failed, 1 of 1 gate (gates.toml:11)
help: if this is intended, change the limit at gates.toml:14:15

"#]]);
    project.write(
        "benches/counts.rs",
        &BENCH.replace("blocks(50)", "blocks(101)"),
    );
    project
        .run("check --scenarios worker", 1)
        .stdout_has("FAIL worker");
    let report = project
        .run("check --scenarios worker --format json", 1)
        .json();
    let judgement = &report["gates"][0]["judgements"][0];
    assert_eq!(judgement["metric"], "peak-blocks");
    assert!(
        judgement["measured"]["numerator"].as_u64() >= Some(101),
        "{judgement}"
    );
}

#[test]
fn the_peak_of_blocks_is_kept_in_the_baseline_and_compared_with_it() {
    let gates = r#"
[baseline]
data = "accepted.toml"

[[gate]]
name = "no-more-at-once"
scenarios = ["alone"]
peak-blocks = "<= baseline"
"#;
    let project = Project::own("peak-blocks-baseline", &[("counts", BENCH)]);
    project.gates(&["counts"], gates);
    project.run("accept", 0);
    let data = project.read("accepted.toml");
    let accepted = "peak-blocks = { unit = \"count\", value = 100 }";
    assert!(data.contains(accepted), "{data}");
    project.run("check", 0);
    project.write(
        "benches/counts.rs",
        &BENCH.replace("blocks(100)", "blocks(102)"),
    );
    project.run("check", 1).stdout_has("100 -> 102 (+2)");
}

#[test]
fn where_there_is_no_peak_of_blocks_the_report_says_so() {
    let gates = FEW_AT_ONCE.replace("\"worker\"", "\"team\"");
    let project = Project::own("peak-blocks-team", &[("counts", BENCH)]);
    project.gates(&["counts"], &gates);
    let ran = project.run("check", 1);
    ran.stdout_has("error: `peak-blocks` of `team` was not measured [few-at-once]");
    ran.stdout_has("A scenario on several threads has it only in process scope");
    let team = BENCH.replace("b.run_on_threads", "b.scope(Scope::Process).run_on_threads");
    project.write("benches/counts.rs", &team);
    project.run("check", 0);
    let explained = project.run("explain alone --metric peak-blocks", 2);
    explained.stderr(str![[r#"
error: invalid value 'peak-blocks' for '--metric <METRIC>': it has no lines; `peak-bytes` has those of the bytes at their peak

For more information, try '--help'.
alloc-gate: error: wrong usage (exit code 2)

"#]]);
}
