//! [`Operation`]: something that real programs do, small enough to run in every
//! oracle. How it is counted is not known here.

use crate::operations::{blocks, collections, files, libraries, sharing, text, threads};

/// Something that real programs do. Every run does the same.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// By which it is called on the command line.
    pub name: &'static str,
    /// Who allocates in it.
    pub threads: Threads,
    /// What it does.
    pub run: fn(),
}

/// Who allocates in an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The one that runs it, alone: its peak is the process's.
    One,
    /// Others too.
    Several,
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    [
        collections::OPERATIONS,
        text::OPERATIONS,
        sharing::OPERATIONS,
        threads::OPERATIONS,
        files::OPERATIONS,
        libraries::OPERATIONS,
        blocks::OPERATIONS,
    ]
    .into_iter()
    .flatten()
}

/// The one called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Operation> {
    all().find(|operation| operation.name == name)
}

/// Operations of one thread, each named as its function.
macro_rules! on_one_thread {
    ($($name:ident),* $(,)?) => {
        &[$($crate::operation::Operation {
            name: stringify!($name),
            threads: $crate::operation::Threads::One,
            run: $name,
        }),*]
    };
}

/// Operations in which other threads allocate too.
macro_rules! on_several_threads {
    ($($name:ident),* $(,)?) => {
        &[$($crate::operation::Operation {
            name: stringify!($name),
            threads: $crate::operation::Threads::Several,
            run: $name,
        }),*]
    };
}

pub(crate) use {on_one_thread, on_several_threads};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_operation_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = all().map(|operation| operation.name).collect();
        assert_eq!(names.len(), all().count());
        assert!(names.len() >= 45, "{}", names.len());
    }

    #[test]
    fn an_operation_is_found_by_its_name() {
        assert_eq!(find("sort_stable").unwrap().name, "sort_stable");
        assert!(find("no_such_operation").is_none());
    }
}
