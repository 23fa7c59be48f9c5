//! What every counting program does: warm up, hold the ballast, run one
//! operation between two readings, print what was counted. How its allocator
//! counts is the program's affair.

use std::env;
use std::hint::black_box;
use std::panic;
use std::process::ExitCode;

use crate::Figures;
use crate::console;
use crate::lines::LINES;
use crate::operation;

/// Runs the closure, once, and says what was counted meanwhile.
pub type Count = fn(&mut dyn FnMut()) -> Figures;

/// How often an operation runs before it is counted: what is set up once, by
/// std, by a library or by C, is set up then.
const WARM_UPS: usize = 3;

/// Held while an operation is counted, in bytes. More than any operation holds,
/// so that the most that was ever live was live during the counted run, and
/// exceeds the ballast by that run's peak.
pub const BALLAST: usize = 64 << 20;

/// The `main` of a counting program. `PROGRAM operation NAME once` warms the
/// operation up, runs it once and prints what `count_operation` says;
/// `PROGRAM operation NAME idle` does the same without the last run.
/// `PROGRAM lines` prints what `count_line` says of each of the five lines.
pub fn main(count_operation: Count, count_line: Count) -> ExitCode {
    // A caught panic prints nothing and takes no backtrace, whatever the
    // environment says.
    panic::set_hook(Box::new(|_| ()));
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["lines"] => console::answer(&lines(count_line).to_string()),
        ["operation", name, "once"] => counted(name, count_operation, Turn::Once),
        ["operation", name, "idle"] => counted(name, count_operation, Turn::Idle),
        _ => console::refuse("expected `lines`, `operation NAME once` or `operation NAME idle`"),
    }
}

/// What happens between the two readings. The words for it are of one length,
/// because arguments are allocated too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Once,
    Idle,
}

fn counted(name: &str, count: Count, turn: Turn) -> ExitCode {
    let Some(operation) = operation::find(name) else {
        return console::refuse(&format!("no operation is called `{name}`"));
    };
    for _ in 0..WARM_UPS {
        (operation.run)();
    }
    let ballast = black_box(Vec::<u8>::with_capacity(BALLAST));
    let figures = count(&mut || {
        if turn == Turn::Once {
            (operation.run)();
        }
    });
    drop(ballast);
    console::answer(&figures.to_string())
}

fn lines(count: Count) -> Figures {
    let mut all = Figures::default();
    for (number, line) in (1..).zip(&LINES) {
        // The worker of the line that has one is started here.
        let mut v = (line.prepare)();
        (line.run)(&mut v);
        drop(v);
        let mut v = (line.prepare)();
        let figures = count(&mut || (line.run)(&mut v));
        all = all.and(figures.prefixed(&format!("{number}.")));
    }
    all
}
