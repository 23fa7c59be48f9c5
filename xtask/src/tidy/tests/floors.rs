//! Floors, the facade, and rings of files.

use super::{Source, found, found_in, workspace};

#[test]
fn an_upward_import_is_found() {
    let judge = "//! use crate::report::Page;\nuse crate::rules::Gate;\n\
                 use crate::{\n    report::{self, Page},\n    rules::Waiver,\n};\n";
    assert_eq!(
        found_in(&[
            ("src/judge.rs", judge),
            (
                "src/judge/inside.rs",
                "fn a() { super::super::tables::b() }"
            )
        ]),
        [
            "import-upward crates/engine/src/judge.rs:3",
            "import-upward crates/engine/src/judge.rs:3",
            "import-upward crates/engine/src/judge/inside.rs:1"
        ]
    );
    assert_eq!(
        found_in(&[("src/judge.rs", "fn a() -> crate::report::Page {}")]),
        ["import-upward crates/engine/src/judge.rs:1"]
    );
}

#[test]
fn rooms_on_one_floor_import_each_other_only_as_the_page_allows() {
    assert_eq!(
        found_in(&[("src/rules.rs", "use crate::results::Axis;")]),
        [""; 0]
    );
    assert_eq!(
        found_in(&[("src/results.rs", "use crate::rules::Gate;")]),
        ["import-upward crates/engine/src/results.rs:1"]
    );
    assert_eq!(
        found_in(&[("src/judge.rs", "use crate::figure::Exact;")]),
        ["import-forbidden crates/engine/src/judge.rs:1"]
    );
}

#[test]
fn unit_tests_and_test_targets_may_import_from_every_floor() {
    let text = "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests {\n    use crate::report::Page;\n}\n\
                #[cfg(test)]\nuse crate::report::Page;\nuse crate::rules::Gate; // crate::report::Page\n";
    assert_eq!(
        found_in(&[
            ("src/judge.rs", text),
            ("src/judge/tests.rs", "use crate::report::Page;")
        ]),
        [""; 0]
    );
}

#[test]
fn a_room_and_the_figure_have_to_agree() {
    let mut workspace = workspace();
    workspace
        .sources
        .retain(|source| !source.path.contains("tables"));
    workspace
        .sources
        .push(Source::new("engine", "crates/engine/src/tales.rs", ""));
    assert_eq!(
        found(&workspace),
        [
            "room-without-floor design/architecture.md:1",
            "room-without-floor design/architecture.md:28"
        ]
    );
}

#[test]
fn an_import_from_the_facade_is_found() {
    let lib = "mod rules;\npub use rules::{\n    Gate,\n};\npub struct Own;\n";
    let text = "use crate::{rules::Waiver, Gate as G};\nuse crate::Own;\nuse super::Gate;\n\
                pub mod inner {\n    use super::Gate;\n}\npub(in crate::rules) fn b() {}\n";
    assert_eq!(
        found_in(&[("src/lib.rs", lib), ("src/judge.rs", text)]),
        [
            "import-from-facade crates/engine/src/judge.rs:1",
            "import-from-facade crates/engine/src/judge.rs:3"
        ]
    );
}

#[test]
fn a_ring_of_four_files_is_found_and_one_of_three_is_not() {
    let ring = |others: &[&str]| {
        let names = ["a", "b", "c", "d"];
        let mut files: Vec<(String, String)> = vec![("tests/x/main.rs".into(), String::new())];
        for (nth, name) in names.iter().enumerate() {
            let next = others
                .get(nth)
                .map(|other| format!("use crate::{other}::X;"));
            files.push((format!("tests/x/{name}.rs"), next.unwrap_or_default()));
        }
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        found_in(&files)
    };
    assert_eq!(
        ring(&["b", "c", "d", "a"]),
        ["ring-of-files crates/engine/tests/x/a.rs:1"]
    );
    assert_eq!(ring(&["b", "c", "a", "a"]), [""; 0]);
    // A module and those inside it are one thing.
    assert_eq!(
        found_in(&[
            ("src/rules.rs", "use crate::rules::a::A;"),
            ("src/rules/a.rs", "use super::b::B;"),
            ("src/rules/b.rs", "use super::c::C;"),
            ("src/rules/c.rs", "use crate::rules::Rule;"),
        ]),
        [""; 0]
    );
}
