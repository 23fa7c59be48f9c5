//! Where a package takes alloc-scenario from: the sources that the command was built from, or
//! those that `--dependency` names.

use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::Document;

use super::manifest::{InlineTable, quoted};
use crate::failure::Failure;

/// The crate that a new bench depends on.
pub(super) const CRATE: &str = "alloc-scenario";

/// Whether crates.io has the crate. Until then, anybody could register its name there and run
/// code in the builds of those who depend on it by version. Set by the checklist of a release.
const IS_PUBLISHED: bool = false;

/// The version of the crate `name` in quotes, or an inline table, for a manifest in the folder
/// `member`. The path in `keys`, the value of `--dependency`, is relative to the folder `here`.
pub(super) fn source(
    name: &str,
    keys: Option<&str>,
    here: &Path,
    member: &Path,
) -> Result<String, Failure> {
    match keys {
        Some(keys) => named(name, keys, here, member),
        None => of_the_command(name, Path::new(env!("CARGO_MANIFEST_DIR")), member),
    }
}

/// The source that `keys` name.
fn named(name: &str, keys: &str, here: &Path, member: &Path) -> Result<String, Failure> {
    let table = InlineTable::parse(keys).ok_or_else(|| {
        Failure::usage(format!("`{keys}` is not a dependency")).help(format!(
            "write it as in Cargo.toml: `path = \"../alloc-gate/crates/{name}\"`"
        ))
    })?;
    let Some(path) = table.path() else {
        return Ok(table.text);
    };
    let folder = here.join(path);
    if !holds_the_crate(name, &folder) {
        let help = if holds_the_crate(name, &folder.join("crates").join(name)) {
            format!(
                "did you mean `{}/crates/{name}`?",
                path.trim_end_matches('/')
            )
        } else {
            String::from("the path is relative to the current folder")
        };
        let what = format!("--dependency: `{path}` does not hold the crate `{name}`");
        return Err(Failure::usage(what).help(help));
    }
    let path = path_from(member, &folder)?;
    Ok(table.with_path(&path))
}

/// The source beside that of the command, whose package was built in the folder `command`.
fn of_the_command(name: &str, command: &Path, member: &Path) -> Result<String, Failure> {
    let folder = command.with_file_name(name);
    if holds_the_crate(name, &folder) {
        let path = path_from(member, &folder)?;
        return Ok(format!("{{ path = {} }}", quoted(&path)));
    }
    if IS_PUBLISHED {
        // All crates have one version.
        return Ok(format!("\"{}\"", env!("CARGO_PKG_VERSION")));
    }
    Err(Failure::usage(format!(
        "{name} is not published, and {}, from which this command was built, is gone",
        folder.display()
    ))
    .help(format!(
        "say where it is, such as `--dependency 'path = \"../alloc-gate/crates/{name}\"'` with a \
         clone beside your crate",
    )))
}

/// Whether the folder holds the sources of the crate.
fn holds_the_crate(name: &str, folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) else {
        return false;
    };
    let manifest = Document::parse(text);
    manifest.is_ok_and(|manifest| {
        let own = manifest
            .get("package")
            .and_then(|package| package.get("name"));
        own.and_then(|own| own.as_str()) == Some(name)
    })
}

/// The path of the folder `to` as a manifest in the folder `from` writes it: relative, with
/// slashes, and absolute only to another drive of Windows.
fn path_from(from: &Path, to: &Path) -> Result<String, Failure> {
    let real = |path: &Path| {
        path.canonicalize().map_err(|error| {
            Failure::metadata_failed(format!("failed to find {}: {error}", path.display()))
        })
    };
    let (from, real_to) = (real(from)?, real(to)?);
    let pairs = from.components().zip(real_to.components());
    let common = pairs.take_while(|(one, other)| one == other).count();
    let path: PathBuf = if common == 0 {
        std::path::absolute(to).unwrap_or(real_to)
    } else {
        let up = from.components().skip(common).map(|_| "..".as_ref());
        let down = real_to
            .components()
            .skip(common)
            .map(|part| part.as_os_str());
        up.chain(down).collect()
    };
    let text = path.to_str().map(|text| {
        if cfg!(windows) {
            text.replace('\\', "/")
        } else {
            text.to_owned()
        }
    });
    text.ok_or_else(|| {
        Failure::usage(format!(
            "the path {} is not UTF-8, as Cargo.toml is",
            path.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_takes_its_own_sources_and_asks_where_they_are_gone() {
        let temporary = tempfile::tempdir().unwrap();
        let member = temporary.path().join("code/a crate");
        let command = temporary.path().join("tools/crates/cargo-alloc-gate");
        for folder in [&member, &command] {
            fs::create_dir_all(folder).unwrap();
        }
        let gone = of_the_command(CRATE, &command, &member).unwrap_err();
        assert!(
            gone.summary()
                .starts_with("alloc-scenario is not published, and "),
            "{}",
            gone.summary()
        );

        let crates = command.with_file_name(CRATE);
        fs::create_dir(&crates).unwrap();
        let manifest = |name: &str| format!("[package]\nname = \"{name}\"\n");
        fs::write(crates.join("Cargo.toml"), manifest("another")).unwrap();
        assert!(of_the_command(CRATE, &command, &member).is_err());
        fs::write(crates.join("Cargo.toml"), manifest(CRATE)).unwrap();
        assert_eq!(
            of_the_command(CRATE, &command, &member).ok().as_deref(),
            Some("{ path = \"../../tools/crates/alloc-scenario\" }")
        );
    }
}
