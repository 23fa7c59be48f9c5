//! [`Operation`]: a small piece of work that real programs do, to be counted by every
//! oracle.

/// A small piece of work that real programs do. It does the same every time.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Its name on the command line.
    pub name: &'static str,
    /// The threads that allocate in it.
    pub threads: Threads,
    /// The work.
    pub run: fn(),
}

/// The threads that allocate in an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Only the thread that runs the operation: its peak is the process's.
    One,
    /// Other threads too.
    Several,
}

/// Operations on one thread, each named after its function.
macro_rules! on_one_thread {
    ($($name:ident),* $(,)?) => {
        $crate::operation::operations![One: $($name),*]
    };
}

/// Operations in which other threads allocate too.
macro_rules! on_several_threads {
    ($($name:ident),* $(,)?) => {
        $crate::operation::operations![Several: $($name),*]
    };
}

macro_rules! operations {
    ($threads:ident: $($name:ident),*) => {
        &[$($crate::operation::Operation {
            name: stringify!($name),
            threads: $crate::operation::Threads::$threads,
            run: $name,
        }),*]
    };
}

pub(crate) use {on_one_thread, on_several_threads, operations};
