//! The options of cargo that give benches line tables, which tell the line of code that an
//! instruction belongs to.

use std::env;
use std::fs;

use toml_edit::{Document, Item};

use crate::bench::cargo::Workspace;

/// The options for a build with this profile; none if the profile asks for no debug
/// information, or if the target is not known to have call stacks.
///
/// Only the user's own packages get line tables: dependencies would be built once more.
pub(crate) fn options(workspace: &Workspace, profile: &str, target: Option<&str>) -> Vec<String> {
    const HERE: bool = cfg!(any(target_os = "linux", target_os = "macos", windows));
    let has_stacks = target.map_or(HERE, |triple| {
        ["linux", "windows", "apple-darwin"]
            .iter()
            .any(|system| triple.contains(system))
    });
    if !has_stacks {
        return Vec::new();
    }
    // The configurations of cargo come before the manifest of the workspace.
    let manifest = fs::read_to_string(workspace.root().join("Cargo.toml")).ok();
    let manifest = manifest.and_then(|text| Document::parse(text).ok());
    let configurations = workspace.configurations().iter().map(|one| &one.values);
    let sources: Vec<&Document<String>> = configurations.chain(&manifest).collect();
    let own = workspace.packages().iter().map(|package| &package.id);
    let own: Vec<&str> = own
        .filter(|id| !workspace.is_member(id))
        .map(|id| &*id.repr)
        .collect();
    let changes = changes(&Settings::new(&sources, profile), &own);
    // A name of a profile needs no quotes.
    let values = changes
        .into_iter()
        .map(|(key, value)| format!("profile.{profile}.{key}={value}"));
    values
        .flat_map(|value| [String::from("--config"), value])
        .collect()
}

/// The keys of the profile that differ in a build with line tables, with their values. `own` are
/// packages that are not members. Other dependencies keep their values.
fn changes(settings: &Settings, own: &[&str]) -> Vec<(String, String)> {
    let mut changes = Vec::new();
    let mut add = |key: &str, value: &str| changes.push((key.to_owned(), value.to_owned()));
    match settings.debug {
        Some(false) => return changes,
        Some(true) => {}
        None => {
            add("debug", LINE_TABLES);
            add("package.\"*\".debug", "false");
            for package in own {
                add(&format!("package.{package:?}.debug"), LINE_TABLES);
            }
        }
    }
    if let Some(strip) = &settings.strip {
        add("strip", "false");
        let strip = match strip.as_str() {
            "true" => strip.clone(),
            word => format!("{word:?}"),
        };
        add("package.\"*\".strip", &strip);
    }
    changes
}

/// The value of `debug` for line tables.
const LINE_TABLES: &str = "\"line-tables-only\"";

/// What a profile, or the profiles that it inherits from, say about debug information.
#[derive(Debug, Default, PartialEq, Eq)]
struct Settings {
    /// Whether there is some; `None` if nothing sets it.
    debug: Option<bool>,
    /// The `strip` that removes some.
    strip: Option<String>,
}

impl Settings {
    fn new(sources: &[&Document<String>], profile: &str) -> Self {
        let mut settings = Self::default();
        let mut strip = None;
        let mut name = profile.to_owned();
        // Cargo refuses profiles that inherit from each other in a ring.
        for _ in 0..100 {
            let tables = sources
                .iter()
                .filter_map(|one| one.get("profile")?.get(&name));
            let variable = |key: &str| {
                let name = name.to_uppercase().replace('-', "_");
                env::var(format!("CARGO_PROFILE_{name}_{}", key.to_uppercase())).ok()
            };
            let set = |key: &str| {
                let written = tables.clone().find_map(|table| word(table.get(key)?));
                variable(key).or(written)
            };
            let dependencies = || {
                let mut tables = tables.clone();
                tables.find_map(|table| word(table.get("package")?.get("*")?.get("debug")?))
            };
            let debug = set("debug").or_else(dependencies);
            // `false` is what a profile has without the key, so another one decides nothing by it.
            let debug = debug.as_deref().map(is_on);
            let debug = debug.filter(|is_on| *is_on || name == profile);
            settings.debug = settings.debug.or(debug);
            strip = strip.or_else(|| set("strip"));
            let mut parents =
                tables.filter_map(|table| table.get("inherits").and_then(Item::as_str));
            name = match (&*name, parents.next()) {
                (_, Some(parent)) => parent.to_owned(),
                ("release", None) => break,
                ("bench", None) => String::from("release"),
                // `dev` has debug information; cargo refuses others that inherit from none.
                (_, None) => {
                    settings.debug = settings.debug.or(Some(true));
                    break;
                }
            };
        }
        settings.strip = strip.filter(|strip| is_on(strip));
        settings
    }
}

/// The value of a `debug` or a `strip`, as a variable would give it.
fn word(value: &Item) -> Option<String> {
    let flag = value.as_bool().map(|flag| flag.to_string());
    let number = value.as_integer().map(|number| number.to_string());
    flag.or(number)
        .or_else(|| value.as_str().map(str::to_owned))
}

/// Whether a `debug` or a `strip` is neither `false` nor another word for it.
fn is_on(word: &str) -> bool {
    !["0", "false", "none"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lacks_in_a_profile_is_changed() {
        const DEBUG: &str = "debug=\"line-tables-only\" package.\"*\".debug=false";
        for (texts, profile, expected) in [
            (&[""][..], "bench", DEBUG),
            (&["[profile.bench]\nlto = true\n"], "bench", DEBUG),
            (&["[profile.dev]\ndebug = 1\n"], "bench", DEBUG),
            (&["[profile.bench]\ndebug = 1\n"], "bench", ""),
            (&["[profile.bench]\ndebug = false\n"], "bench", ""),
            (&["[profile.bench]\ndebug = 0\nstrip = true\n"], "bench", ""),
            (&["[profile.release]\ndebug = 1\n"], "bench", ""),
            (&["[profile.release]\ndebug = false\n"], "bench", DEBUG),
            (
                &["[profile.bench]\nstrip = false\n[profile.release]\nstrip = true\n"],
                "bench",
                DEBUG,
            ),
            (&["[profile.bench]\ndebug = 1\n"], "release", DEBUG),
            (&["[profile.bench.package.\"*\"]\ndebug = 1\n"], "bench", ""),
            (&["[profile.bench.package.a]\ndebug = 1\n"], "bench", DEBUG),
            // The command line, or a configuration of cargo.
            (&["profile.bench.debug = 0", ""], "bench", ""),
            (&["profile.fast.inherits = \"bench\""], "fast", DEBUG),
            (&["[profile.slow]\ninherits = \"dev\"\n"], "slow", ""),
            (&[""], "dev", ""),
            (&[""], "unknown", ""),
            (&["profile.a.inherits = \"a\""], "a", DEBUG),
            (&["profile = 5"], "bench", DEBUG),
        ] {
            assert_eq!(changed(texts, profile), expected, "{texts:?} {profile}");
        }
    }

    #[test]
    fn members_are_not_stripped_and_dependencies_as_before() {
        for (text, profile, strip) in [
            ("release.strip = true", "bench", "true"),
            (
                "bench.strip = \"debuginfo\" # small",
                "bench",
                "\"debuginfo\"",
            ),
            (
                "release.strip = 'symbols'\nfast.inherits = \"release\"",
                "fast",
                "\"symbols\"",
            ),
            ("release.strip = true\nrelease.debug = 1", "bench", "true"),
            ("dev.strip = true", "dev", "true"),
            (
                "release.strip = true\nrelease.debug = false",
                "bench",
                "true",
            ),
        ] {
            let changed = changed(&[&format!("[profile]\n{text}\n")], profile);
            let expected = format!("strip=false package.\"*\".strip={strip}");
            assert!(changed.ends_with(&expected), "{text:?}: {changed}");
        }
    }

    fn changed(texts: &[&str], profile: &str) -> String {
        let sources = texts.iter().map(|text| Document::parse((*text).to_owned()));
        let sources = sources.collect::<Result<Vec<_>, _>>();
        let sources = sources.expect("they are TOML");
        let settings = Settings::new(&sources.iter().collect::<Vec<_>>(), profile);
        let changes = changes(&settings, &[]).into_iter();
        let changes: Vec<String> = changes
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        changes.join(" ")
    }
}
