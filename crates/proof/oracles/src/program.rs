//! The `main` of every counting program: warms up, holds the ballast, runs one
//! operation between two readings, and prints the counts.

use std::env;
use std::hint::black_box;
use std::panic;
use std::process::ExitCode;

use proof_shared::console;

use crate::operations;
use crate::values::Values;

/// Runs the closure once and returns the counts.
pub type Count = fn(&mut dyn FnMut()) -> Values;

/// Runs of an operation before it is counted, for one-time setup in std, in a
/// library or in C.
const WARM_UPS: usize = 3;

/// The bytes held while an operation is counted. This is more than any operation
/// holds, so the program's peak falls into the counted run, and is the ballast plus
/// the peak of that run.
pub const BALLAST: usize = 64 << 20;

/// The `main` of a counting program. `PROGRAM operation NAME once` warms the
/// operation up, runs it once and prints the values of `count_operation`;
/// `PROGRAM operation NAME idle` does the same without the last run.
pub fn main(count_operation: Count) -> ExitCode {
    // A caught panic prints nothing and takes no backtrace, whatever the
    // environment variables say.
    panic::set_hook(Box::new(|_| ()));
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["operation", name, "once"] => operation(name, count_operation, Execution::Once),
        ["operation", name, "idle"] => operation(name, count_operation, Execution::Idle),
        _ => refuse("expected `operation NAME once` or `operation NAME idle`"),
    }
}

/// Whether the operation runs between the two readings. The words on the command
/// line have the same length, because arguments are allocated too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Execution {
    Once,
    Idle,
}

fn operation(name: &str, count: Count, execution: Execution) -> ExitCode {
    let Some(operation) = operations::find(name) else {
        return refuse(&format!("no operation is called `{name}`"));
    };
    for _ in 0..WARM_UPS {
        (operation.run)();
    }
    let ballast = black_box(Vec::<u8>::with_capacity(BALLAST));
    let values = count(&mut || {
        if execution == Execution::Once {
            (operation.run)();
        }
    });
    drop(ballast);
    print(&values)
}

fn print(values: &Values) -> ExitCode {
    match console::print(&values.to_string()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn refuse(problem: &str) -> ExitCode {
    console::note(&format!("error: {problem}"));
    ExitCode::from(2)
}
