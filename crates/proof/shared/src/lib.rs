//! The parts that the proof crates share: a hand-written counter, a console, and child
//! processes.

pub mod child;
pub mod console;
pub mod two_atomics;
pub mod valgrind;

/// Pairs each function with its name, for the list of tests in a `main` of its own.
#[macro_export]
macro_rules! named {
    ($($function:ident),* $(,)?) => {
        [$((stringify!($function), $function as fn() -> _)),*]
    };
}
