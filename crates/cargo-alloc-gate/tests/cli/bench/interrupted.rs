//! Runs that are stopped by a signal, by the time limit or by a kill. Only Linux shows
//! whether a process is left.

use std::env;
use std::fs;
use std::iter;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::program::{PROGRAM, TMP};
use crate::project::{BOXES, Project, names};
use crate::recorded::acceptances::{DATA, PAGE, RULES};

const BODY: &str = "one box: 8\nthree buffers: 100 20 3\n";

/// How long a process may live after the program that started it, on a machine with other work; what
/// waits here sleeps for minutes. After a kill, git and what cargo started end by themselves.
const PATIENCE: Duration = Duration::from_secs(30);

/// The runs to kill: a third each of `check`, `accept` and `compare`.
fn kills() -> usize {
    env::var("ALLOC_GATE_KILLS").map_or(9, |number| number.parse().expect("a number of kills"))
}

/// Moments of a run that takes as long as `whole`, the same in every process.
fn moments(whole: Duration) -> impl Iterator<Item = Duration> {
    let next = |seed: &u32| Some(seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    // The high bits of a linear congruential generator.
    iter::successors(next(&7), next).map(move |number| whole * (number >> 24) / 256)
}

#[test]
fn a_signal_stops_the_bench_and_what_it_started() {
    let project = waiting("stopped-by-signal");
    for (name, signal) in [
        ("SIGINT", Signal::INT),
        ("SIGTERM", Signal::TERM),
        ("SIGHUP", Signal::HUP),
        ("SIGKILL", Signal::KILL),
    ] {
        let _ = fs::remove_file(project.path("other.pid"));
        let mut command = project.command();
        command.arg("check");
        // Also if these tests run under nohup.
        let child = spawn(with_signals("--default-signal=HUP", &command));
        await_file(&project.path("other.pid"));
        send(&child, signal);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.signal(), Some(signal.as_raw()), "{name}");
        assert_none_left(project.root());
        if signal == Signal::KILL {
            return;
        }
        let stderr = String::from_utf8(output.stderr).expect("it is UTF-8");
        let expected = format!("alloc-gate: error: stopped by {name}");
        assert_eq!(stderr.lines().last(), Some(expected.as_str()), "{stderr}");
        assert_eq!(scratch(&project), [""; 0]);
    }
}

/// The same command, with signals as this option of env says.
fn with_signals(option: &str, command: &Command) -> Command {
    let mut started = Command::new("env");
    started
        .arg(option)
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        started.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => started.env(name, value),
            None => started.env_remove(name),
        };
    }
    started
}

#[test]
fn the_time_limit_stops_what_the_bench_started_too() {
    let project = waiting("stopped-by-limit");
    project.scenarios("counts", "main waits for programs of two sessions");
    let rules = project.read("gates.toml");
    let limited = rules.replace("[run]\n", "[run]\ntimeout = \"3s\"\n");
    project.write("gates.toml", &limited);
    let ran = project.run("check", 104);
    ran.stderr_has("error: demo/counts timed out after 3 s\n");
    assert_eq!(running_in(project.root()), [""; 0]);
}

#[test]
fn a_shell_without_an_end_is_not_waited_for() {
    let project = Project::with("endless-shell", "one box: 8", BOXES);
    fs::create_dir_all(project.path("bin")).expect("it can be made");
    crate::stand_in::program(&project.path("bin/sh"), "#!/bin/bash\nexec sleep 300\n");
    let mut command = project.command();
    let path = env::var("PATH").expect("it is UTF-8");
    let path = format!("{}:{path}", project.path("bin").display());
    command.env("PATH", path);
    let ran = project.finish(command).code(0);
    ran.verdict("passed: 1 gate checked, 1 scenario measured");
    assert_eq!(running_in(project.root()), [""; 0]);
}

#[test]
fn a_parent_that_blocks_the_signal_of_children_hides_no_commit() {
    let project = Project::repository("blocked-signal", "one box: 8", BOXES);
    // Waiting for git by the signal ended a minute later, without an answer.
    let command = with_signals("--block-signal=CHLD", &project.command());
    let ran = project.finish(command).code(0);
    assert!(!ran.stdout_text().contains("commit unknown"));
}

#[test]
fn kills_at_any_moment_leave_no_process_and_each_file_whole() {
    let project = Project::with("killed", BODY, RULES);
    let accepted = |body: &str, name: &str| {
        project.scenarios("counts", body);
        project.run("accept", 0);
        fs::copy(project.results("counts"), project.path(name)).expect("it was recorded");
        [DATA, PAGE].map(|file| project.read(file))
    };
    let more = format!("{BODY}another: 8 8\n");
    let states = [accepted(BODY, "one.jsonl"), accepted(&more, "two.jsonl")];
    assert_ne!(states[0], states[1]);
    // How long a run takes here, so that kills hit all of it.
    let begin = Instant::now();
    project.run("check", 0);
    let whole = begin.elapsed();

    let signals = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP];
    for (round, moment) in moments(whole).take(kills() - kills() / 3).enumerate() {
        let signal = signals[round % 4];
        let mut command = project.command();
        match round % 3 {
            0 => command.args(["accept", "--results", "one.jsonl"]),
            1 => command.args(["accept", "--results", "two.jsonl"]),
            _ => command.args(["check"]),
        };
        let child = spawn(command);
        sleep(moment);
        send(&child, signal);
        child.wait_with_output().expect("it ends");
        assert_none_left(project.root());
        // A kill can leave a temporary file.
        let mut files = names(&project.path("design"));
        files.retain(|name| !name.starts_with(".alloc-gate-"));
        assert_eq!(files, ["accepted.md", "accepted.toml"]);

        let mut next = project.command();
        next.args(["check", "--quiet"]);
        let _ = project.finish(next);
        assert_eq!(scratch(&project), [""; 0], "round {round}");
        let whole = |file: &str, index: usize| {
            let text = project.read(file);
            let state = states.iter().position(|state| state[index] == text);
            state.unwrap_or_else(|| panic!("round {round}: {file}: {text}"))
        };
        // The data is replaced first.
        if whole(DATA, 0) != whole(PAGE, 1) {
            let results = ["one.jsonl", "two.jsonl"][whole(DATA, 0)];
            project.scenarios("counts", [BODY, &more][whole(DATA, 0)]);
            page_is_behind(&project, results);
        }
    }
}

#[test]
fn a_page_that_a_killed_accept_left_behind_is_named() {
    let project = Project::with("killed-half-way", BODY, RULES);
    project.run("accept", 0);
    fs::copy(project.results("counts"), project.path("one.jsonl")).expect("it was recorded");
    let (data, page) = (project.read(DATA), project.read(PAGE));
    // What a kill between the two files leaves.
    project.write(PAGE, &page.replace("one box", "old box"));
    page_is_behind(&project, "one.jsonl");
    project.run("accept", 0);
    assert_eq!((project.read(DATA), project.read(PAGE)), (data, page));
    project.run("accept --check", 0);
}

/// Asserts that `check` and `accept --check` name the page, by results that hold.
#[track_caller]
fn page_is_behind(project: &Project, results: &str) {
    let check = project.run(&format!("check --results {results}"), 0);
    check.stdout_has("warning[stale-document]: `design/accepted.md` is out of date");
    let check = project.run(&format!("accept --check --results {results}"), 1);
    check.stdout_has("design/accepted.md is out of date\n");
}

#[test]
fn kills_of_a_comparison_leave_nothing_behind_the_next_run() {
    let project = Project::repository("compare-kills", "one box: 8\n", BOXES);
    // Comparisons of other tests would remove what is left.
    let target = Path::new(TMP).join("cli-kills-target");
    let command = |args: &[&str]| {
        let mut command = project.command();
        command.env("CARGO_TARGET_DIR", &target).args(args);
        command
    };
    let ran = |args: &[&str]| project.finish(command(args)).code(0);
    ran(&["compare", "HEAD"]);
    let begin = Instant::now();
    ran(&["compare", "HEAD"]);
    let whole = begin.elapsed();
    let signals = [Signal::KILL, Signal::TERM, Signal::INT];
    for (round, moment) in moments(whole).take(kills() / 3).enumerate() {
        let signal = signals[round % 3];
        let child = spawn(command(&["compare", "HEAD"]));
        sleep(moment);
        send(&child, signal);
        child.wait_with_output().expect("it ends");
        for folder in [project.beside(), &project.temporary()] {
            assert_none_left(folder);
        }
        ran(&["check", "--quiet"]);
        remove_what_a_killed_linker_leaves(&project.temporary());
        project.is_clean();
        assert_eq!(scratch_in(&target), [""; 0], "round {round}");
    }
}

/// A kill of cargo's group takes gcc and its collect2 along, in the middle of a link, and nobody else
/// knows the names of their files: what the linker resolved, constructors and destructors, and what
/// the linker printed. Another folder for temporary files, which the next run could remove, would be
/// seen by build scripts, and make cargo run them again.
fn remove_what_a_killed_linker_leaves(folder: &Path) {
    for name in names(folder) {
        let rest = name.strip_prefix("cc");
        let rest = rest.and_then(|rest| rest.split_at_checked(6));
        let ends = [".res", ".cdtor.c", ".cdtor.o", ".ld", ".le"];
        if rest.is_some_and(|(_, end)| ends.contains(&end)) {
            fs::remove_file(folder.join(name)).expect("it is a file");
        }
    }
}

#[test]
fn nohup_keeps_the_program_running() {
    let project = waiting("under-nohup");
    let mut command = project.command_in("nohup", "");
    command.args([PROGRAM, "check"]);
    let child = spawn(command);
    await_file(&project.path("other.pid"));
    send(&child, Signal::HUP);
    sleep(Duration::from_millis(300));
    let root = project.root().canonicalize().expect("it is there");
    assert!(running_in(&root).len() >= 3);
    send(&child, Signal::TERM);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.signal(), Some(Signal::TERM.as_raw()));
    assert_none_left(project.root());
}

/// A project with a bench that starts another program and waits for it.
fn waiting(name: &str) -> Project {
    let project = Project::with(name, "one box: 8", BOXES);
    // The build is not under test.
    project.run("list --quiet", 0);
    project.scenarios("counts", "main waits for another program");
    project
}

fn spawn(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Sends a signal to the program alone, unless it has ended.
fn send(child: &Child, signal: Signal) {
    let id = i32::try_from(child.id()).expect("it is small");
    let _ = kill_process(Pid::from_raw(id).expect("it is not 0"), signal);
}

#[track_caller]
fn await_file(path: &Path) {
    let begin = Instant::now();
    while !path.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{path:?}");
        sleep(Duration::from_millis(10));
    }
}

/// Asserts that soon no process runs in the folder.
#[track_caller]
fn assert_none_left(folder: &Path) {
    let root = folder.canonicalize().expect("it is there");
    let begin = Instant::now();
    loop {
        let left = running_in(&root);
        if left.is_empty() {
            return;
        }
        assert!(begin.elapsed() < PATIENCE, "still running: {left:?}");
        sleep(Duration::from_millis(20));
    }
}

/// The names of the processes whose current folder is in `root`.
fn running_in(root: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux has it").flatten();
    let here = processes.map(|process| process.path()).filter(|process| {
        fs::read_link(process.join("cwd")).is_ok_and(|folder| folder.starts_with(root))
    });
    here.filter_map(|process| fs::read_to_string(process.join("comm")).ok())
        .collect()
}

/// The folders for temporary files that are left.
fn scratch(project: &Project) -> Vec<String> {
    scratch_in(project.target())
}

fn scratch_in(target: &Path) -> Vec<String> {
    let mut names = names(&target.join("alloc-gate/scratch"));
    names.retain(|name| name != "lock");
    names
}
