//! Time limits of benches and scenarios, and quick runs.

use snapbox::str;

#[cfg(target_os = "linux")]
use crate::program::PROGRAM;
use crate::project::{BOXES, Project};

/// 110 calls of 50 ms, 5.5 seconds, between two scenarios that take no time.
const SLOW: &str = "main slow";

/// A project with `SLOW` and with this line in `[run]`.
fn slow(name: &str, line: &str) -> Project {
    let project = Project::with(name, SLOW, BOXES);
    let rules = project.read("gates.toml");
    let rules = rules.replace("[run]\n", &format!("[run]\n{line}\n"));
    project.write("gates.toml", &rules);
    project
}

#[test]
fn a_scenario_that_does_not_fit_fails_with_numbers_that_fit() {
    let project = slow("slow", "timeout = \"3s\"");
    let ran = project.run("", 104).stdout(str![[r#"
demo/counts  2 scenarios  1 gate  FAILED
| scenario | iters | allocs/op |
|----------|-------|-----------|
| first    |   100 |      1.00 |
| last     |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

error[timed-out-scenario]: `slow` timed out: does not fit the time limit of the bench: 101 more calls of 5[..]ms take [..]s, and [..]s of 3.0s are left. Set `.warm_up([..]).iterations([..]0)` here, or raise `timeout` under `[run]` in gates.toml (src/mains.rs:125)
  help: give the scenario fewer iterations or more time, and measure again

"#]]);
    ran.after_measuring(str![[r#"
alloc-gate: error: `slow` of demo/counts timed out; the other scenarios were checked (exit code 104)

"#]]);
    // With such numbers it fits.
    let rules = project.read("gates.toml");
    let rules = rules.replace("iterations = 100\n", "iterations = 30\n");
    project.write("gates.toml", &rules);
    project.passes("1 gate checked, 3 scenarios measured");
}

#[test]
fn each_scenario_can_have_a_time_limit() {
    let project = slow("slow-scenario", "scenario-timeout = \"3s\"");
    let ran = project.run("", 104);
    ran.stdout_has("`slow` timed out: does not fit the time limit of the scenario: ");
    ran.stdout_has(
        "here, or raise `scenario-timeout` under `[run]` in gates.toml (src/mains.rs:125)\n",
    );
}

#[test]
fn a_quick_run_says_so_and_is_no_baseline() {
    let gates = format!("\n[baseline]\ndata = \"accepted.toml\"\n{BOXES}");
    let project = Project::with("quick", "one: 8", &gates);
    let rules = project.read("gates.toml");
    let rules = rules.replace("iterations = 100\n", "iterations = 5_000\n");
    project.write("gates.toml", &rules);
    let quick = str![[r#"
demo/counts  1 scenario  1 gate  ok
| scenario | iters | allocs/op |
|----------|-------|-----------|
| one      |   100 |      1.00 |
environment: [HOST], profile bench, opt-level 0, a quick run with fewer iterations, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]];
    project.run("--quick", 0).stdout(quick);
    let json = project.run("run --quick --format json", 0).json();
    assert_eq!(json["environments"][0]["quick"], true);
    assert_eq!(json["scenarios"][0]["iterations"], 100);

    project.run("accept --quick", 2).not_judged(str![[r#"
error: `accept` can't be used with --quick
  help: run `accept` without --quick; a baseline needs all iterations

"#]]);
    let file = project.results("counts");
    project.run_on(&file, "accept", 104).not_judged(str![[r#"
error: the results of demo/counts are from a quick run
  help: measure again without --quick; a baseline needs all iterations

"#]]);
    assert!(!project.path("accepted.toml").exists());
    project
        .run_on(&file, "check", 0)
        .stdout_has(", a quick run with fewer iterations, ");
    project.run("accept", 0);
    project.has("accepted.toml", "iterations = 5000");
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_which_scenario_is_measured_and_for_how_long() {
    let project = slow("progress", "timeout = \"50s\"");
    let rules = project.read("gates.toml");
    let rules = rules.replace("iterations = 100\n", "iterations = 30\n");
    project.write("gates.toml", &rules);
    let mut terminal = project.command_in("script", "");
    terminal
        .args(["-qec", PROGRAM, "/dev/null"])
        .env("TERM", "xterm");
    let shown = project.finish(terminal).code(0).stdout_text();
    let line = "\r\x1b[?7lmeasuring demo/counts: slow, 2 of 3 [1s of 50s]\x1b[K\x1b[?7h";
    assert!(shown.contains(line), "{shown:?}");
    let removed = "\r\x1b[?7l\x1b[K\x1b[?7h";
    let (_, after) = shown.rsplit_once(removed).expect("the line is removed");
    assert!(after.contains("alloc-gate: passed"), "{after:?}");
}
