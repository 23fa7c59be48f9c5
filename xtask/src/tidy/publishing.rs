//! What a registry needs of a published crate: its manifest and its license files.

use std::collections::BTreeMap;

use toml::de::DeValue;

use super::finding::{Code, Finding};
use super::workspace::Member;

/// The license files in the root, of which each published crate has a copy.
pub(crate) const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The most keywords and the most categories that crates.io takes.
const MOST: usize = 5;

/// The most characters of a keyword.
const LONGEST_KEYWORD: usize = 20;

/// The categories of crates.io that fit this project.
const CATEGORIES: [&str; 7] = [
    "command-line-utilities",
    "development-tools::cargo-plugins",
    "development-tools::profiling",
    "development-tools::testing",
    "memory-management",
    "no-std",
    "parser-implementations",
];

/// Checks the published members. `files` are the files of the workspace with their
/// texts.
pub(crate) fn check(members: &[Member], files: &BTreeMap<String, String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let path = member.manifest.path.as_str();
        // Another rule reports a manifest that is not TOML.
        let Ok(table) = member.manifest.table() else {
            continue;
        };
        let manifest = table.get_ref();
        let Some(package) = manifest.get("package").map(|package| package.get_ref()) else {
            continue;
        };
        if value(package, "publish").and_then(DeValue::as_bool) == Some(false) {
            continue;
        }
        let wrong = |(message, help): (String, String)| {
            Finding::new(Code::IncompletePackage, (path, 1), message, help)
        };
        findings.extend(missing(package).into_iter().map(wrong));
        if manifest.contains_key("features") && !documents_all_features(package) {
            findings.push(wrong((
                "docs.rs would document the default features only".into(),
                "add `[package.metadata.docs.rs]` with `all-features = true`".into(),
            )));
        }
        for license in LICENSES {
            let copy = path.replace("Cargo.toml", license);
            if files.get(&copy) != files.get(license) {
                findings.push(Finding::new(
                    Code::LicenseDiffers,
                    (&copy, 1),
                    format!("the archive of `{}` lacks this license text", member.name),
                    format!("run `cp {license} {copy}`"),
                ));
            }
        }
    }
    findings
}

/// The keys that are missing or that crates.io refuses: what is wrong, and what to do.
fn missing(package: &DeValue<'_>) -> Vec<(String, String)> {
    let mut findings = Vec::new();
    for key in ["repository", "include", "license"] {
        let inherits = value(package, key).and_then(|inherited| value(inherited, "workspace"));
        if inherits.and_then(DeValue::as_bool) != Some(true) {
            findings.push((
                format!("`{key}` does not come from the workspace"),
                format!("write `{key}.workspace = true`"),
            ));
        }
    }
    for key in ["description", "rust-version"] {
        if value(package, key).is_none() {
            findings.push((format!("`{key}` is missing"), format!("add `{key}`")));
        }
    }
    if value(package, "readme").and_then(DeValue::as_str) != Some("README.md") {
        findings.push((
            "`readme` is not the file beside the manifest".into(),
            "write `readme = \"README.md\"`: links in it are relative to the crate's folder".into(),
        ));
    }
    for (key, is_valid, rule) in [
        (
            "keywords",
            is_keyword as fn(&str) -> bool,
            "ASCII letters, digits, `-` and `_`, at most 20 characters each",
        ),
        (
            "categories",
            |word| CATEGORIES.contains(&word),
            "slugs from crates.io; a new one goes into the list in xtask/src/tidy/publishing.rs",
        ),
    ] {
        let words = value(package, key).and_then(DeValue::as_array);
        let words: Vec<&str> = words
            .into_iter()
            .flat_map(|words| words.iter())
            .filter_map(|word| word.get_ref().as_str())
            .collect();
        let invalid = words.iter().find(|word| !is_valid(word));
        if !(1..=MOST).contains(&words.len()) || invalid.is_some() {
            findings.push((
                invalid.map_or_else(
                    || format!("{} {key}", words.len()),
                    |word| format!("`{word}` is not one of the {key} of crates.io"),
                ),
                format!("write 1 to {MOST} {key}: {rule}"),
            ));
        }
    }
    findings
}

fn is_keyword(word: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_+".contains(c);
    word.len() <= LONGEST_KEYWORD
        && word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word.chars().all(is_allowed)
}

fn documents_all_features(package: &DeValue<'_>) -> bool {
    ["metadata", "docs", "rs", "all-features"]
        .iter()
        .try_fold(package, |table, key| value(table, key))
        .and_then(DeValue::as_bool)
        == Some(true)
}

fn value<'v, 'd>(table: &'v DeValue<'d>, key: &str) -> Option<&'v DeValue<'d>> {
    table.get(key).map(|value| value.get_ref())
}
