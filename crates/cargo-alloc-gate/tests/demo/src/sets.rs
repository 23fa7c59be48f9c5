//! Scenarios that do more than allocate blocks of given sizes.

use std::fs;

use alloc_scenario::Suite;

pub(crate) fn add(suite: &mut Suite<'_>, set: &str) {
    match set {
        "panics" => panics(suite),
        "panic with commands" => {
            suite.scenario("panics", || -> () {
                panic!("first\n::error::second\r::error::third")
            });
        }
        "noise" => {
            suite.scenario("noisy", || println!("::error::from stdout"));
        }
        "noise and a crash" => {
            suite.scenario("noisy", || -> () {
                print!("::error::from stdout");
                eprintln!("a\r::warning::from stderr\n  ::add-mask::\u{1b}[31mred\u{1b}[0m\u{7}");
                std::process::exit(3)
            });
        }
        "one name twice" => {
            suite.scenario("same", || Box::new(7_u64));
            suite.scenario("same", || Box::new(8_u64));
        }
        "odd" => {
            let mut calls = 0;
            suite.scenario("odd", move || {
                calls += 1;
                vec![1_u8; calls % 2]
            });
        }
        "vectors" => {
            suite.scenario_with("vec", |b| {
                b.axis("n", [10_usize, 100, 1_000, 10_000])
                    .run(|&n| vec![7_u8; n])
            });
        }
        "rows" => {
            suite.scenario_with("rows", |b| b.axis("n", [1, 2]).run(|&n| n));
        }
        "unavailable" => unavailable(suite),
        _ => match set.strip_prefix("edited ") {
            // Somebody edits the file while the bench runs.
            Some(file) if std::env::args().any(|arg| arg == "--bench") => {
                let text = fs::read_to_string(file).expect("the file is there");
                fs::write(file, text + "# later\n").expect("it can be written");
            }
            Some(_) => {}
            None => panic!("no set is called `{set}`"),
        },
    }
}

fn panics(suite: &mut Suite<'_>) {
    suite
        .scenario("first", || Box::new(7_u64))
        .scenario("panics", || -> () { panic!("no more") })
        .scenario("second", || Box::new(7_u32))
        .scenario_with("differs", |b| {
            b.run(|()| 2).verify(|n| assert_eq!(*n, 3, "arithmetic"))
        });
}

fn unavailable(suite: &mut Suite<'_>) {
    suite.scenario_with("pair", |b| {
        b.axis("subject", ["tbb"])
            .axis("size", [8, 64])
            .unavailable("libtbb.so is not installed")
    });
    suite.scenario_with("resident", |b| b.unavailable("the system says nothing"));
    suite.scenario_with("other", |b| b.unavailable("libtbb.so is not installed"));
}
