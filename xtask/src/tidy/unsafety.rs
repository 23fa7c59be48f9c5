//! Where `unsafe` may stand: in counting-alloc, tests included, in the
//! unpublished crates that call allocators directly to measure them and that call
//! a C library, in three files of proof-oracles and proof-shared that call or
//! implement an allocator, and nowhere else. It does not judge whether a use of it is sound.

use super::finding::{Code, Finding, Place};
use super::source::Source;

/// The one crate that forwards to an allocator.
const UNSAFE_PACKAGE: &str = "counting-alloc";

/// They measure allocators beside each other. A collection between the loop and
/// the allocator would be most of what is measured.
const MEASURING_PACKAGES: [&str; 2] = ["proof-peers", "allocator-lab"];

/// The unpublished one that has a C library call `malloc`.
const C_PACKAGE: &str = "proof-native";

/// Files of the crates that compare it with others: two allocators, and calls
/// that no collection makes.
const UNSAFE_FILES: &[&str] = &[
    "crates/proof/oracles/src/raw.rs",
    "crates/proof/oracles/src/recorder.rs",
    "crates/proof/shared/src/two_atomics.rs",
];

/// Findings for one file.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let package = source.package.as_str();
    if [UNSAFE_PACKAGE, C_PACKAGE].contains(&package)
        || MEASURING_PACKAGES.contains(&package)
        || UNSAFE_FILES.contains(&source.path.as_str())
    {
        return Vec::new();
    }
    source
        .everything()
        .iter()
        .filter(|token| token.is_word("unsafe"))
        .map(|token| Finding {
            code: Code::UnsafeOutsideCountingAlloc,
            place: Place::new(&source.path, token.first_line),
            what: format!("`unsafe` in {}", source.package),
            next: format!("use a safe interface, or give {UNSAFE_PACKAGE} one and call that"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(package: &str, path: &str, text: &str) -> Vec<usize> {
        check(&Source::new(package, path, path, text))
            .into_iter()
            .map(|finding| {
                assert_eq!(finding.code, Code::UnsafeOutsideCountingAlloc);
                finding.place.line
            })
            .collect()
    }

    #[test]
    fn the_keyword_is_found_wherever_it_stands() {
        assert_eq!(lines("alloc-gate", "src/a.rs", "\nunsafe fn a() {}"), [2]);
        let test = "#[cfg(test)]\nmod tests { fn a() { unsafe { b() } } }";
        assert_eq!(lines("alloc-gate", "src/a.rs", test), [2]);
        assert_eq!(
            lines("nmx-codec", "benches/a.rs", "unsafe impl A for B {}"),
            [1]
        );
    }

    #[test]
    fn a_word_in_a_comment_a_string_or_a_longer_name_is_not_the_keyword() {
        let text = "// unsafe\n#![deny(unsafe_code)]\nconst A: &str = \"unsafe\"; r#unsafe";
        assert_eq!(lines("alloc-gate", "src/a.rs", text), [0; 0]);
    }

    #[test]
    fn a_file_that_is_named_may_have_it_and_its_neighbour_not() {
        let found = |path| lines("proof-oracles", path, "unsafe fn a() {}");
        assert_eq!(found("crates/proof/oracles/src/recorder.rs"), [0; 0]);
        assert_eq!(found("crates/proof/oracles/src/program.rs"), [1]);
    }

    #[test]
    fn counting_alloc_and_the_crates_that_are_named_may_have_it() {
        for package in [
            "counting-alloc",
            "proof-peers",
            "allocator-lab",
            "proof-native",
        ] {
            assert_eq!(lines(package, "src/a.rs", "unsafe fn a() {}"), [0; 0]);
        }
    }
}
