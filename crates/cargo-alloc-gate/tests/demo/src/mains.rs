//! Ways to write `main`: most don't return what the one `Suite::finish` returned.

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

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
        "no suite" => {
            print!("0 allocations");
            eprintln!("all is well");
            ExitCode::SUCCESS
        }
        "fails always" => {
            println!("::error::list");
            ExitCode::from(3)
        }
        "garbage instead of results" => {
            write_beside("notes.txt");
            ExitCode::SUCCESS
        }
        "garbage beside results" => {
            write_beside("a.txt");
            one_box().finish()
        }
        "waits for another program" => {
            let mut other = Command::new("sleep").arg("300").spawn().expect("it is there");
            std::fs::write("other.new", other.id().to_string()).expect("it can be written");
            std::fs::rename("other.new", "other.pid").expect("it can be renamed");
            let _ = other.wait();
            ExitCode::SUCCESS
        }
        "busy threads" => busy_threads(),
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

/// Measures while eight threads allocate.
fn busy_threads() -> ExitCode {
    let ends = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !ends.load(SeqCst) {
                    std::hint::black_box(vec![0_u8; 32]);
                }
            });
        }
        let code = one_box().finish();
        ends.store(true, SeqCst);
        code
    })
}

/// Measures work that is in no figure.
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
        "implementations" => implementations(),
        "slow" => slow(),
        "own pool" => own_pool(),
        "leaves a pipe instead of results" => leaves_a_pipe(),
        "waits for programs of two sessions" => {
            let _ = Command::new("setsid").args(["sleep", "300"]).spawn();
            run("waits for another program")
        }
        _ => panic!("no main is called `{name}`"),
    }
}

/// A scenario of 50 ms between two that take no time.
fn slow() -> ExitCode {
    let mut suite = Suite::from_args();
    suite
        .scenario("first", || Box::new(7_u64))
        .scenario("slow", || std::thread::sleep(std::time::Duration::from_millis(50)))
        .scenario("last", || Box::new(7_u64));
    suite.finish()
}

/// Two jobs on a worker thread for each call, which waits for both.
fn own_pool() -> ExitCode {
    type Job = Box<dyn FnOnce() + Send>;

    let mut suite = Suite::from_args();
    let (to_worker, jobs) = std::sync::mpsc::channel::<Job>();
    let worker = std::thread::spawn(move || jobs.into_iter().for_each(|job| job()));
    let (done, is_done) = std::sync::mpsc::sync_channel(2);
    let work = |size: usize| {
        let done = done.clone();
        let job = move || {
            drop(std::hint::black_box(vec![1_u8; size]));
            let _ = done.send(());
        };
        to_worker.send(Box::new(job)).expect("the worker lives");
    };
    suite.scenario_with("pool", |b| {
        b.scope(alloc_scenario::Scope::Process).run(|()| {
            work(100);
            work(200);
            let _ = (is_done.recv(), is_done.recv());
        })
    });
    let code = suite.finish();
    drop(to_worker);
    let _ = worker.join();
    code
}

/// Compares two implementations, of which one copies each word. The scenarios borrow a
/// variable that is declared after the suite.
fn implementations() -> ExitCode {
    type Count = fn(&str) -> usize;

    fn copied(text: &str) -> usize {
        text.split(' ').map(Box::<str>::from).count()
    }

    fn borrowed(text: &str) -> usize {
        text.split(' ').count()
    }

    let mut suite = Suite::from_args();
    let word = std::hint::black_box(String::from("word"));
    suite.scenario_with("count", |b| {
        b.labeled_axis("impl", [("copied", copied as Count), ("borrowed", borrowed)])
            .axis("words", [10_usize, 100])
            .elements(|&(_, words)| words)
            .setup(|&(count, words)| (count, vec![word.as_str(); words].join(" ")))
            .run(|(count, text)| count(text))
    });
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
