//! [`Configuration`]: a configuration of cargo, such as `.cargo/config.toml`, and what
//! configurations say about the start of benches.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use cargo_platform::{Cfg, Platform};
use toml_edit::{Document, Item, TableLike, Value};

use super::Workspace;

/// A file, or a value of `--config`.
pub(crate) struct Configuration {
    /// Where its relative paths begin.
    folder: PathBuf,
    pub(crate) values: Document<String>,
}

impl Workspace {
    /// The configurations for cargo: options of the user, then files of its folder and of the
    /// user. The first one with a key counts.
    pub(super) fn read_configurations(&self) -> Vec<Configuration> {
        let mut all = Vec::new();
        let folder = self.folder();
        let given = self.options.windows(2).rev();
        for value in given.filter(|pair| pair[0] == "--config") {
            let path = folder.join(&value[1]);
            if path.is_file() {
                read(&path, &mut all);
            } else if let Ok(values) = Document::parse(value[1].clone()) {
                let folder = folder.clone();
                all.push(Configuration { folder, values });
            }
        }
        let folders = folder.ancestors().map(|folder| folder.join(".cargo"));
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
        for folder in folders.chain(home) {
            for name in ["config.toml", "config"] {
                read(&folder.join(name), &mut all);
            }
        }
        all
    }
}

/// Reads a file, and the files that it includes.
fn read(path: &Path, all: &mut Vec<Configuration>) {
    let text = fs::read_to_string(path).ok();
    let Some(values) = text.and_then(|text| Document::parse(text).ok()) else {
        return;
    };
    let parent = path.parent().unwrap_or(path);
    let included = |value: &Value| {
        let table = value.as_inline_table();
        let path = table.map_or(Some(value), |table| table.get("path"));
        Some(parent.join(path?.as_str()?))
    };
    let include = values.get("include").and_then(Item::as_value);
    let include: Vec<PathBuf> = match include {
        Some(Value::Array(paths)) => paths.iter().filter_map(included).collect(),
        one => one.and_then(included).into_iter().collect(),
    };
    let folder = parent.parent().unwrap_or(parent).to_path_buf();
    all.push(Configuration { folder, values });
    for path in include.iter().rev() {
        read(path, all);
    }
}

pub(super) fn target(all: &[Configuration]) -> Option<String> {
    let variable = env::var("CARGO_BUILD_TARGET").ok();
    let mut builds = all.iter().filter_map(|one| one.values.get("build"));
    variable.or_else(|| builds.find_map(|build| Some(build.get("target")?.as_str()?.to_owned())))
}

/// The variables of `[env]`, each with whether it replaces one of the environment.
pub(super) fn variables(all: &[Configuration]) -> Vec<(String, OsString, bool)> {
    let mut variables: Vec<(String, OsString, bool)> = Vec::new();
    for one in all {
        let table = one.values.get("env").and_then(Item::as_table_like);
        for (name, item) in table.into_iter().flat_map(TableLike::iter) {
            let has = |key| item.get(key).and_then(Item::as_bool) == Some(true);
            let value = item.as_str().or_else(|| item.get("value")?.as_str());
            let is_new = variables.iter().all(|(other, ..)| other != name);
            if let Some(value) = value.filter(|_| is_new) {
                let value = if has("relative") {
                    one.folder.join(value).into()
                } else {
                    value.into()
                };
                variables.push((name.to_owned(), value, has("force")));
            }
        }
    }
    variables
}

/// The program that starts programs of the target, with its arguments; empty without one.
pub(super) fn runner(
    all: &[Configuration],
    triple: &str,
    cfgs: impl FnOnce() -> Vec<Cfg>,
) -> Vec<OsString> {
    let name = triple.to_uppercase().replace(['-', '.'], "_");
    if let Ok(text) = env::var(format!("CARGO_TARGET_{name}_RUNNER")) {
        let words = text.split_whitespace().map(str::to_owned);
        return started_from(&env::current_dir().unwrap_or_default(), words.collect());
    }
    let tables = all.iter().filter_map(|one| {
        let targets = one.values.get("target")?.as_table_like()?;
        Some((one, targets))
    });
    let runners = tables.flat_map(|(one, targets)| {
        targets
            .iter()
            .filter_map(move |(key, target)| Some((one, key, target.get("runner")?)))
    });
    let runners: Vec<_> = runners.collect();
    let exact = runners.iter().find(|(_, key, _)| *key == triple);
    let found = exact.or_else(|| {
        if runners.is_empty() {
            return None;
        }
        let cfgs = cfgs();
        runners.iter().find(|(_, key, _)| {
            let platform = key.parse::<Platform>();
            platform.is_ok_and(|platform| platform.matches(triple, &cfgs))
        })
    });
    let Some((one, _, runner)) = found else {
        return Vec::new();
    };
    let words = match (runner.as_str(), runner.as_array()) {
        (Some(text), _) => text.split_whitespace().map(str::to_owned).collect(),
        (None, array) => {
            let words = array.into_iter().flatten();
            words
                .filter_map(|word| Some(word.as_str()?.to_owned()))
                .collect()
        }
    };
    started_from(&one.folder, words)
}

/// The words of a command whose program may be a path that is relative to the folder.
fn started_from(folder: &Path, words: Vec<String>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    if let Some(program) = words.first_mut()
        && Path::new(program).components().count() > 1
    {
        *program = folder.join(&*program).into();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configurations(texts: &[(&str, &str)]) -> Vec<Configuration> {
        let all = texts.iter().map(|(folder, text)| Configuration {
            folder: PathBuf::from(folder),
            values: Document::parse((*text).to_owned()).expect("it is TOML"),
        });
        all.collect()
    }

    #[test]
    fn the_runner_is_that_of_the_triple_or_of_a_cfg() {
        let cfgs = || vec!["unix".parse().expect("it is a cfg")];
        for (text, expected) in [
            ("", &[][..]),
            ("target.x.runner = 'qemu -L /lib'", &["qemu", "-L", "/lib"]),
            (
                "target.x.runner = ['a/qemu', 'b c']",
                &["/far/a/qemu", "b c"],
            ),
            ("target.y.runner = 'qemu'", &[]),
            ("target.'cfg(unix)'.runner = 'env'", &["env"]),
            ("target.'cfg(windows)'.runner = 'env'", &[]),
            (
                "target.'cfg(unix)'.runner = 'env'\ntarget.x.runner = 'qemu'",
                &["qemu"],
            ),
        ] {
            let all = configurations(&[("/near", "target.x.linker = 'l'"), ("/far", text)]);
            let words = runner(&all, "x", cfgs).into_iter().map(PathBuf::from);
            assert!(words.eq(expected.iter().map(PathBuf::from)), "{text}");
        }
    }
}
