//! Time limits of benches and scenarios, quick runs, and what a terminal shows meanwhile.

#[cfg(target_os = "linux")]
use crate::program::PROGRAM;
use crate::project::{BOXES, Project};

/// A project of 110 calls of 50 ms, 5.5 seconds, between two scenarios that take no time.
fn slow(name: &str, keys: &str) -> Project {
    let project = Project::with(name, "main slow", BOXES);
    project.run_keys(keys);
    project
}

#[test]
fn a_scenario_that_does_not_fit_fails_with_numbers_that_fit() {
    for (key, of) in [("scenario-timeout", "scenario"), ("timeout", "bench")] {
        let project = slow("slow", &format!("{key} = \"3s\""));
        let ran = project.run("", 104);
        ran.stdout_has("\n| last     |      1 |\n");
        ran.stdout_has(&format!(
            "\nerror[timed-out-scenario]: `slow` timed out: does not fit the time limit of the \
             {of}: 101 more calls of 5"
        ));
        ran.stdout_has(&format!(
            "0)` here, or raise `{key}` under `[run]` in gates.toml"
        ));
        // With such numbers it fits.
        let rules = project.read("gates.toml");
        let fewer = rules.replace("iterations = 100", "iterations = 30");
        project.write("gates.toml", &fewer);
        project.passes("1 gate checked, 3 scenarios measured");
    }
}

#[test]
fn a_quick_run_says_so_and_is_no_baseline() {
    let gates = format!("\n[baseline]\ndata = \"accepted.toml\"\n{BOXES}");
    let project = Project::with("quick", "one: 8", &gates);
    let rules = project.read("gates.toml");
    project.write(
        "gates.toml",
        &rules.replace("iterations = 100\n", "iterations = 5_000\n"),
    );
    let ran = project.run("--quick", 0);
    ran.stdout_has("\n| one      |      1 |\n");
    ran.stdout_has(", a quick run with fewer iterations, ");
    project
        .run("accept --quick", 2)
        .stderr_has("error: `accept` can't be used with --quick\n");
    let file = project.results("counts");
    project
        .run_on(&file, "accept", 104)
        .stderr_has("error: the results of demo/counts are from a quick run\n");
    assert!(!project.path("accepted.toml").exists());
    project.run("accept", 0);
    project.has("accepted.toml", "iterations = 5000");
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_which_scenario_is_measured_and_for_how_long() {
    let project = slow("progress", "timeout = \"50s\"");
    let rules = project.read("gates.toml");
    project.write(
        "gates.toml",
        &rules.replace("iterations = 100\n", "iterations = 30\n"),
    );
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
