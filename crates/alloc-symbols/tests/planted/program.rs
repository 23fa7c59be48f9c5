//! The planted program: three crates, compiled in a folder of the test, and run.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const APP: &str = include_str!("app/main.rs");
const OTHER: &str = include_str!("other/lib.rs");

pub(crate) const LINES: &str = "-Cdebuginfo=line-tables-only";

/// The target of the program, if it differs from the target of the test. `ALLOC_GATE_RUNNER` runs
/// the program then.
pub(crate) fn target() -> Option<String> {
    env::var("ALLOC_SYMBOLS_TARGET").ok()
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
    /// Builds it optimized, with these flags. The crate `dep` has no line tables, as one that is
    /// not in the workspace.
    pub(crate) fn build(name: &str, flags: &[&str]) -> Self {
        let optimized = "-Copt-level=3";
        let mut own = vec!["--crate-name=planted".to_owned(), optimized.to_owned()];
        for (library, unwanted) in [("other", &["lto"][..]), ("dep", &["lto", "debuginfo"])] {
            let is_wanted = |flag: &&&str| !unwanted.iter().any(|it| flag.contains(it));
            let crate_name = format!("--crate-name={library}");
            let mut of_library = vec!["--crate-type=rlib", optimized, &crate_name];
            of_library.extend(flags.iter().filter(is_wanted));
            let path = folder(name).join(format!("lib{library}.rlib"));
            compile(&format!("{library}/lib.rs"), &path, &of_library);
            own.push(format!("--extern={library}={}", path.display()));
        }
        let own = own.iter().map(String::as_str);
        let flags: Vec<&str> = own.chain(flags.iter().copied()).collect();
        Self {
            executable: compile("app/main.rs", &executable(name), &flags),
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

pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    folder.join(name)
}

fn executable(name: &str) -> PathBuf {
    let suffix = match target() {
        Some(target) if target.contains("windows") => "exe",
        Some(_) => "",
        None => env::consts::EXE_EXTENSION,
    };
    folder(name).join("main").with_extension(suffix)
}

/// Compiles a program that does nothing.
pub(crate) fn compile_empty(name: &str, flags: &[&str]) -> PathBuf {
    let source = folder(name).join("main.rs");
    fs::create_dir_all(folder(name)).unwrap();
    fs::write(&source, "fn main() {}\n").unwrap();
    compile(source.to_str().unwrap(), &executable(name), flags)
}

/// Compiles a crate of one file, which stands beside this one, for the target.
fn compile(source: &str, to: &Path, flags: &[&str]) -> PathBuf {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition=2024", source, "-o"]).arg(to);
    rustc.args(flags);
    if let Some(target) = target() {
        let variable = target.to_uppercase().replace('-', "_");
        if let Ok(linker) = env::var(format!("CARGO_TARGET_{variable}_LINKER")) {
            rustc.arg(format!("-Clinker={linker}"));
        }
        rustc.arg("--target").arg(target);
    }
    rustc.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted"));
    let output = rustc.output().expect("rustc starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    to.to_owned()
}

/// The lines of each site, as file and number.
pub(crate) type Lines = BTreeMap<String, BTreeSet<(String, u32)>>;

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
