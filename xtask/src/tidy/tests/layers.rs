//! Planted imports across layers.

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
fn a_module_and_the_value_have_to_agree() {
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
