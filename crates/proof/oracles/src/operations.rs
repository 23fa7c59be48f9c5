//! The corpus of operations, grouped by what they exercise.

mod blocks;
mod collections;
mod files;
mod libraries;
mod sharing;
mod text;
mod threads;

use crate::operation::Operation;

/// All operations.
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

/// The operation with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Operation> {
    all().find(|operation| operation.name == name)
}

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
}
