//! The parts that the proof crates share: a hand-written counter, a console,
//! statistics, and child processes.

pub mod child;
pub mod console;
pub mod statistics;
pub mod two_atomics;
pub mod valgrind;
