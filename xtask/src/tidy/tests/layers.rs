//! Layers, the facade, and rings of files.

use super::{Source, found, found_in, workspace};

/// The findings in files of the crate `engine`, each without the folder of the crate.
#[track_caller]
fn assert_found(files: &[(&str, &str)], expected: &[&str]) {
    let found = found_in(files);
    let found = found
        .iter()
        .map(|finding| finding.replace("crates/engine/", ""));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn an_upward_import_is_found() {
    let judge = "//! use crate::report::Page;\nuse crate::rules::Gate;\n\
                 use crate::{\n    report::{self, Page},\n    rules::Waiver,\n};\n";
    let inside = "fn a() { super::super::tables::b() }";
    assert_found(
        &[("src/judge.rs", judge), ("src/judge/inside.rs", inside)],
        &[
            "import-upward src/judge.rs:3",
            "import-upward src/judge.rs:3",
            "import-upward src/judge/inside.rs:1",
        ],
    );
    let inline = "fn a() -> crate::report::Page {}";
    assert_found(
        &[("src/judge.rs", inline)],
        &["import-upward src/judge.rs:1"],
    );
}

#[test]
fn modules_in_one_layer_import_each_other_only_as_the_page_allows() {
    for (file, text, expected) in [
        ("src/rules.rs", "use crate::results::Axis;", &[][..]),
        (
            "src/results.rs",
            "use crate::rules::Gate;",
            &["import-upward src/results.rs:1"],
        ),
        (
            "src/judge.rs",
            "use crate::figure::Exact;",
            &["import-forbidden src/judge.rs:1"],
        ),
    ] {
        assert_found(&[(file, text)], expected);
    }
}

#[test]
fn unit_tests_and_test_targets_may_import_from_every_layer() {
    let text = "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests {\n    use crate::report::Page;\n}\n\
                #[cfg(test)]\nuse crate::report::Page;\nuse crate::rules::Gate; // crate::report::Page\n";
    let tests = "use crate::report::Page;";
    assert_found(
        &[("src/judge.rs", text), ("src/judge/tests.rs", tests)],
        &[],
    );
}

#[test]
fn a_module_and_the_figure_have_to_agree() {
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
            "module-without-layer design/architecture.md:1",
            "module-without-layer design/architecture.md:28"
        ]
    );
}

#[test]
fn an_import_from_the_facade_is_found() {
    let lib = "mod rules;\npub use rules::{\n    Gate,\n};\npub struct Own;\n";
    let text = "use crate::{rules::Waiver, Gate as G};\nuse crate::Own;\nuse super::Gate;\n\
                pub mod inner {\n    use super::Gate;\n}\npub(in crate::rules) fn b() {}\n";
    assert_found(
        &[("src/lib.rs", lib), ("src/judge.rs", text)],
        &[
            "import-from-facade src/judge.rs:1",
            "import-from-facade src/judge.rs:3",
        ],
    );
}

#[test]
fn a_ring_of_three_files_is_found_and_one_of_two_is_not() {
    for (uses, expected) in [
        (["b", "c", "a", "a"], &["ring-of-files tests/x/a.rs:1"][..]),
        (["b", "a", "a", "a"], &[]),
    ] {
        let uses = uses.map(|other| format!("use crate::{other}::X;"));
        let [a, b, c, d] = uses.each_ref().map(String::as_str);
        assert_found(
            &[
                ("tests/x/main.rs", ""),
                ("tests/x/a.rs", a),
                ("tests/x/b.rs", b),
                ("tests/x/c.rs", c),
                ("tests/x/d.rs", d),
            ],
            expected,
        );
    }
    // A module and those inside it are one thing.
    assert_found(
        &[
            ("src/rules.rs", "use crate::rules::a::A;"),
            ("src/rules/a.rs", "use super::b::B;"),
            ("src/rules/b.rs", "use super::c::C;"),
            ("src/rules/c.rs", "use crate::rules::Rule;"),
        ],
        &[],
    );
}
