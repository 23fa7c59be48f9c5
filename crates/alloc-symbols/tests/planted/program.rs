//! The planted program: built by cargo in a folder of the test, and run.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const APP: &str = include_str!("app/main.rs");
const OTHER: &str = include_str!("other/lib.rs");

/// The target of the program, where it is another one than that of the test; the program runs by
/// `ALLOC_GATE_RUNNER` then.
pub(crate) fn target() -> Option<String> {
    env::var("ALLOC_SYMBOLS_TARGET").ok()
}

/// The end of the name of a program for it.
fn suffix() -> &'static str {
    match target() {
        Some(target) if target.contains("windows") => ".exe",
        Some(_) => "",
        None => env::consts::EXE_SUFFIX,
    }
}

pub(crate) struct Program {
    pub(crate) executable: PathBuf,
    pub(crate) marks: Marks,
}

/// A site that ran, with the stacks of its allocations.
pub(crate) struct Site {
    pub(crate) name: String,
    pub(crate) stacks: Vec<Vec<i64>>,
}

impl Program {
    /// Builds it in release mode. `profile` has further lines of that profile.
    pub(crate) fn build(name: &str, profile: &str) -> Self {
        let folder = folder(name);
        let workspace = folder.join("workspace");
        let rules = "edition = \"2024\"\n";
        let root = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"app\", \"other\"]\n\
             [profile.release]\nopt-level = 3\n{profile}\n\
             [profile.release.package.\"*\"]\ndebug = false\n"
        );
        let app = format!(
            "[package]\nname = \"planted\"\n{rules}\
             [[bin]]\nname = \"planted\"\npath = \"main.rs\"\n\
             [dependencies]\nother = {{ path = \"../other\" }}\n\
             dep = {{ path = \"../../dep\" }}\n"
        );
        let library =
            |name| format!("[package]\nname = \"{name}\"\n{rules}[lib]\npath = \"lib.rs\"\n");
        for (path, text) in [
            ("workspace/Cargo.toml", root.as_str()),
            ("workspace/app/Cargo.toml", &app),
            ("workspace/app/main.rs", APP),
            ("workspace/app/capture.rs", include_str!("app/capture.rs")),
            ("workspace/other/Cargo.toml", &library("other")),
            ("workspace/other/lib.rs", OTHER),
            ("dep/Cargo.toml", &library("dep")),
            ("dep/lib.rs", include_str!("dep/lib.rs")),
        ] {
            write(&folder.join(path), text);
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--release", "--offline", "--quiet"]);
        cargo.arg("--target-dir").arg(folder.join("target"));
        cargo.current_dir(&workspace);
        // Flags of the caller's, such as those for coverage, would be another program.
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
            cargo.env_remove(variable);
        }
        let mut built = folder.join("target");
        if let Some(target) = target() {
            cargo.arg("--target").arg(&target);
            built.push(target);
        }
        let output = cargo.output().expect("cargo starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let file = format!("planted{}", suffix());
        Self {
            executable: built.join("release").join(file),
            marks: Marks::read(),
        }
    }

    pub(crate) fn run(&self) -> Vec<Site> {
        let mut command = own_process::started(&self.executable);
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let mut sites: Vec<Site> = Vec::new();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            if let Some(name) = line.strip_prefix("site ") {
                let (name, stacks) = (name.to_owned(), Vec::new());
                sites.push(Site { name, stacks });
            } else if let Some(words) = line.strip_prefix("stack ") {
                let words = words.split(' ').map(|word| word.parse().unwrap());
                sites.last_mut().unwrap().stacks.push(words.collect());
            }
        }
        sites
    }
}

/// The folder of a program.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    folder.join(name)
}

/// A program that does nothing.
pub(crate) const EMPTY: &str = "fn main() {}\n";

/// Compiles a program of one file for the target of the planted program.
pub(crate) fn compile_for_target(name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let target = target();
    let linker = target.as_deref().and_then(|target| {
        let name = target.to_uppercase().replace('-', "_");
        env::var(format!("CARGO_TARGET_{name}_LINKER")).ok()
    });
    let linker = linker.map(|linker| format!("-Clinker={linker}"));
    let target = target.map(|target| format!("--target={target}"));
    let others = [target.as_deref(), linker.as_deref()];
    let others = others.into_iter().flatten();
    let flags: Vec<&str> = flags.iter().copied().chain(others).collect();
    compile(name, text, &flags)
}

/// Compiles a program of one file.
pub(crate) fn compile(name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let folder = folder(name);
    write(&folder.join("main.rs"), text);
    let path = folder.join(format!("main{}", suffix()));
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc
        .args(["--edition=2024", "main.rs"])
        .arg("-o")
        .arg(&path)
        .args(flags);
    let output = rustc.current_dir(&folder).output().expect("rustc starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    path
}

/// Writes a file whose text differs; cargo builds again what is newer.
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text).unwrap();
}

/// The lines of each site, as file and number.
pub(crate) type Lines = BTreeMap<String, BTreeSet<(String, u32)>>;

/// The marked lines.
pub(crate) struct Marks {
    /// Marked with `//=`: the innermost lines of the workspace.
    pub(crate) inner: Lines,
    /// Marked with `//~`: their callers.
    pub(crate) outer: Lines,
}

impl Marks {
    fn read() -> Self {
        let mut marks = Self {
            inner: BTreeMap::new(),
            outer: BTreeMap::new(),
        };
        for (file, text) in [("app/main.rs", APP), ("other/lib.rs", OTHER)] {
            for (number, line) in (1..).zip(text.lines()).skip(3) {
                for (mark, map) in [("//= ", &mut marks.inner), ("//~ ", &mut marks.outer)] {
                    if let Some((_, name)) = line.split_once(mark) {
                        let lines: &mut BTreeSet<_> = map.entry(name.to_owned()).or_default();
                        lines.insert((file.to_owned(), number));
                    }
                }
            }
        }
        marks
    }

    pub(crate) fn line(&self, file: &str, number: u32) -> &'static str {
        let text = match file {
            "app/main.rs" => APP,
            _ => OTHER,
        };
        let line = usize::try_from(number).unwrap() - 1;
        text.lines().nth(line).unwrap()
    }
}
