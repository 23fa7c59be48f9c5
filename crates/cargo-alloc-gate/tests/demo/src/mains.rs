//! Ways to write `main`: most don't return what the one `Suite::finish` returned.

use std::process::{Command, ExitCode};

use alloc_scenario::Suite;

pub(crate) fn run(name: &str) -> ExitCode {
    match name {
        "fails afterwards" => {
            let _ = one_box().finish();
            ExitCode::FAILURE
        }
        "never finishes" => {
            let _ = one_box();
            ExitCode::SUCCESS
        }
        "forgives a panic" => {
            let mut suite = Suite::from_args();
            suite.scenario("panics", || -> () { panic!("no more") });
            let _ = suite.finish();
            ExitCode::SUCCESS
        }
        "two suites" => {
            let code = one_box().finish();
            let mut second = Suite::from_args();
            second.scenario("two", || [Box::new(7_u64), Box::new(8)]);
            let _ = second.finish();
            code
        }
        "fails always" => {
            println!("::error::list");
            ExitCode::from(3)
        }
        "garbage beside results" => {
            write_beside("a.txt");
            one_box().finish()
        }
        "waits for another program" => {
            let mut other = Command::new("sleep")
                .arg("300")
                .spawn()
                .expect("it is there");
            std::fs::write("other.new", other.id().to_string()).expect("it can be written");
            std::fs::rename("other.new", "other.pid").expect("it can be renamed");
            let _ = other.wait();
            ExitCode::SUCCESS
        }
        "hidden work" => hidden_work(),
        _ => good(name),
    }
}

fn one_box<'a>() -> Suite<'a> {
    let mut suite = Suite::from_args();
    suite.scenario("one box", || Box::new(7_u64));
    suite
}

/// Writes a file where results belong.
fn write_beside(file: &str) {
    let folder = std::env::var("ALLOC_GATE_BENCH_RESULTS").unwrap_or_default();
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(format!("{folder}/{file}"), "garbage\n");
}

/// Measures work that is in no value.
fn hidden_work() -> ExitCode {
    let work = || drop(std::hint::black_box(vec![0_u8; 32]));
    let mut suite = Suite::from_args();
    suite.scenario("excluded", move || alloc_scenario::uncounted(work));
    let mut is_first = true;
    suite.scenario("first on a thread", move || {
        if std::mem::take(&mut is_first) {
            let _ = std::thread::spawn(work).join();
        }
    });
    suite.finish()
}

/// Ways to write `main` that return what `finish` returned.
fn good(name: &str) -> ExitCode {
    match name {
        "slow" => slow(),
        "leaves a pipe instead of results" => leaves_a_pipe(),
        "waits for programs of two sessions" => {
            let _ = Command::new("setsid").args(["sleep", "300"]).spawn();
            run("waits for another program")
        }
        _ => panic!("no main is called `{name}`"),
    }
}

/// A scenario of 50 ms between two that take no time. It borrows a variable that is declared
/// after the suite.
fn slow() -> ExitCode {
    let mut suite = Suite::from_args();
    let pause = std::time::Duration::from_millis(50);
    suite
        .scenario("first", || Box::new(7_u64))
        .scenario("slow", || std::thread::sleep(pause))
        .scenario("last", || Box::new(7_u64));
    suite.finish()
}

/// Ends with a pipe where results belong, which nobody writes to.
fn leaves_a_pipe() -> ExitCode {
    write_beside("a.txt");
    let folder = std::env::var("ALLOC_GATE_BENCH_RESULTS").unwrap_or_default();
    let pipe = format!("{folder}/a.txt");
    let _ = std::fs::remove_file(&pipe);
    let _ = Command::new("mkfifo").arg(&pipe).status();
    ExitCode::SUCCESS
}
