//! What the benches of the CLI tests share. It is built once; the file `TARGET.scenarios`
//! in its package says at run time which scenarios a bench has. A line of the file is one of
//!
//! * `NAME: SIZE...`, a scenario that allocates blocks of these sizes and frees them;
//! * `NAME: ACTION`, a scenario that does something else, see `add`;
//! * `use SET`, scenarios of `sets.rs`;
//! * `main NAME`, alone in the file: a `main` of `mains.rs`.

mod mains;
mod sets;

use std::process::ExitCode;

use alloc_scenario::Suite;

/// The `main` of a bench target.
pub fn main_of(target: &str) -> ExitCode {
    let file = format!("{target}.scenarios");
    let text = std::fs::read_to_string(file).expect("the test wrote the scenarios");
    if let Some(name) = text.strip_prefix("main ") {
        return mains::run(name.trim_end());
    }
    let mut suite = Suite::from_args();
    for line in text.lines() {
        match line.strip_prefix("use ") {
            Some(set) => sets::add(&mut suite, set),
            None => add(&mut suite, line),
        }
    }
    suite.finish()
}

fn add(suite: &mut Suite<'_>, line: &str) {
    let (name, action) = line.split_once(':').expect("a line is `NAME: SIZE...`");
    let words: Vec<&str> = action.split_whitespace().collect();
    match words[..] {
        ["abort"] => suite.scenario(name, || std::process::abort()),
        ["exit", code] => {
            let code = number(code) as i32;
            suite.scenario(name, move || std::process::exit(code))
        }
        ["hang"] => suite.scenario(name, || -> () {
            loop {
                std::thread::park()
            }
        }),
        ["panic"] => suite.scenario(name, || -> () { panic!("no more") }),
        _ => {
            let sizes: Vec<usize> = words.into_iter().map(number).collect();
            suite.scenario(name, move || {
                let mut blocks = [const { Vec::<u8>::new() }; 4];
                for (block, &size) in blocks.iter_mut().zip(&sizes) {
                    *block = std::hint::black_box(Vec::with_capacity(size));
                }
                blocks
            })
        }
    };
}

fn number(word: &str) -> usize {
    word.parse().expect("a size is a number")
}
