//! The options of cargo that give benches line tables, which tell the line of code that an
//! instruction belongs to.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{Document, Item};

use crate::cargo::Workspace;

/// The options for a build with this profile; none if the profile has settings of its own for
/// debug information, or if the target is not known to have call stacks.
///
/// Only members of the workspace get line tables: dependencies would be built once more.
pub(crate) fn options(workspace: &Workspace, profile: &str, target: Option<&str>) -> Vec<String> {
    let is_linux = target.map_or(cfg!(target_os = "linux"), |triple| triple.contains("linux"));
    if !is_linux || is_decided(&sources(workspace), profile) {
        return Vec::new();
    }
    // A name of a profile needs no quotes.
    [
        format!("profile.{profile}.debug=\"line-tables-only\""),
        format!("profile.{profile}.package.\"*\".debug=false"),
    ]
    .into_iter()
    .flat_map(|value| [String::from("--config"), value])
    .collect()
}

/// The places of profiles: the command line, the configurations of cargo, and the manifest of
/// the workspace.
fn sources(workspace: &Workspace) -> Vec<Document<String>> {
    let read = |path: PathBuf| fs::read_to_string(path).ok();
    let given = workspace.configurations();
    let given = given.filter_map(|value| match Path::new(value).is_file() {
        true => read(value.into()),
        false => Some(value.to_owned()),
    });
    let folder = workspace.folder();
    let folders = folder.ancestors().map(|folder| folder.join(".cargo"));
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let files = folders.chain(home);
    let files = files.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name)));
    let manifest = workspace.root().join("Cargo.toml");
    let texts = given.chain(files.chain([manifest]).filter_map(read));
    texts
        .filter_map(|text| Document::parse(text).ok())
        .collect()
}

/// Whether a profile, or one that it inherits from, sets its debug information or strips it.
fn is_decided(sources: &[Document<String>], profile: &str) -> bool {
    let mut name = profile.to_owned();
    let mut keeps_symbols = false;
    // Cargo refuses profiles that inherit from each other in a ring.
    for _ in 0..100 {
        let tables = sources
            .iter()
            .filter_map(|one| one.get("profile")?.get(&name));
        let variable = |key| {
            let name = name.to_uppercase().replace('-', "_");
            env::var(format!("CARGO_PROFILE_{name}_{key}")).ok()
        };
        let debug = tables.clone().flat_map(|table| {
            let dependencies = table.get("package").and_then(|all| all.get("*"));
            let dependencies = dependencies.and_then(|table| table.get("debug"));
            [table.get("debug"), dependencies]
        });
        if variable("DEBUG").is_some() || debug.flatten().next().is_some() {
            return true;
        }
        let strips = variable("STRIP").map(|value| value != "none" && value != "false");
        match strips.or_else(|| tables.clone().find_map(strips_symbols)) {
            Some(true) if !keeps_symbols => return true,
            Some(false) => keeps_symbols = true,
            _ => {}
        }
        let mut parents = tables.filter_map(|table| table.get("inherits").and_then(Item::as_str));
        name = match (&*name, parents.next()) {
            (_, Some(parent)) => parent.to_owned(),
            ("release", None) => return false,
            ("bench", None) => String::from("release"),
            // `dev` has debug information; cargo refuses others that inherit from none.
            (_, None) => return true,
        };
    }
    true
}

/// The `strip` of a profile.
fn strips_symbols(profile: &Item) -> Option<bool> {
    let strip = profile.get("strip")?;
    Some(strip.as_bool().unwrap_or(strip.as_str() != Some("none")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_with_settings_of_its_own_is_left_alone() {
        for (texts, profile, expected) in [
            (&[""][..], "bench", false),
            (&["[profile.bench]\nlto = true\n"], "bench", false),
            (&["[profile.dev]\ndebug = 1\n"], "bench", false),
            (&["[profile.bench]\ndebug = 1\n"], "bench", true),
            (&["[profile.bench]\ndebug = false\n"], "bench", true),
            (&["[profile.release]\ndebug = 1\n"], "bench", true),
            (&["[profile.release]\nstrip = true\n"], "bench", true),
            (&["[profile.bench]\nstrip = \"debuginfo\"\n"], "bench", true),
            (
                &["[profile.bench]\nstrip = false\n[profile.release]\nstrip = true\n"],
                "bench",
                false,
            ),
            (&["[profile.bench]\ndebug = 1\n"], "release", false),
            (
                &["[profile.bench.package.\"*\"]\ndebug = 1\n"],
                "bench",
                true,
            ),
            (&["[profile.bench.package.a]\ndebug = 1\n"], "bench", false),
            // The command line, or a configuration of cargo.
            (&["profile.bench.debug = 0", ""], "bench", true),
            (&["profile.fast.inherits = \"bench\""], "fast", false),
            (
                &[
                    "[profile.fast]\nlto = true\n",
                    "[profile.fast]\ninherits = \"release\"\n[profile.release]\nstrip = \"symbols\"\n",
                ],
                "fast",
                true,
            ),
            (&["[profile.slow]\ninherits = \"dev\"\n"], "slow", true),
            (&[""], "dev", true),
            (&[""], "unknown", true),
            (&["profile.a.inherits = \"a\""], "a", true),
            (&["profile = 5"], "bench", false),
        ] {
            let sources = texts.iter().map(|text| Document::parse((*text).to_owned()));
            let sources = sources
                .collect::<Result<Vec<_>, _>>()
                .expect("they are TOML");
            assert_eq!(
                is_decided(&sources, profile),
                expected,
                "{texts:?} {profile}"
            );
        }
    }
}
