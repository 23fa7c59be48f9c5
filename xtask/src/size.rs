//! `cargo xtask size`: how large each crate and its pages are, what changed since a ref, and
//! whether a ceiling of `xtask/size.toml` is exceeded.

mod ceilings;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::process::{Command, ExitCode};

use clap::Args;

use crate::console::say;
use crate::error::Error;
use crate::tidy::lines_of_code;

/// What was typed after `size`.
#[derive(Debug, PartialEq, Eq, Args)]
pub(crate) struct SizeArguments {
    /// Compare with this commit, branch or tag
    #[arg(value_name = "REF", conflicts_with_all = ["check", "lower"])]
    pub(crate) since: Option<String>,
    /// Fail if a part has more lines than its ceiling in xtask/size.toml
    #[arg(long)]
    pub(crate) check: bool,
    /// Lower each ceiling in xtask/size.toml to what there is now; raise none
    #[arg(long, conflicts_with = "check")]
    pub(crate) lower: bool,
}

/// What is counted, in lines but for the files. Comments and blank lines are in `rust` alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Size {
    files: i64,
    /// Code without tests.
    code: i64,
    /// Code of tests and benches.
    tests: i64,
    /// Lines of files that tests read: inputs and expected outputs.
    cases: i64,
    /// All lines of Rust files.
    rust: i64,
    pages: i64,
}

/// A tree by its name, or the working tree; the files that git tracks.
struct Tree<'r>(Option<&'r str>);

/// Prints a row for each crate, and the sums.
pub(crate) fn run(arguments: &SizeArguments) -> Result<ExitCode, Error> {
    let now = Tree(None).sizes()?;
    if arguments.check {
        return ceilings::check(&now);
    }
    if arguments.lower {
        return ceilings::lower(&now);
    }
    let before = match &arguments.since {
        Some(since) => Some(Tree(Some(since)).sizes()?),
        None => None,
    };
    say(&table(&now, before.as_ref()))?;
    Ok(ExitCode::SUCCESS)
}

impl Tree<'_> {
    fn sizes(&self) -> Result<BTreeMap<String, Size>, Error> {
        let list = match self.0 {
            None => git(&["ls-files"])?,
            Some(name) => git(&["ls-tree", "-r", "--name-only", name])?,
        };
        let paths: Vec<&str> = list.lines().collect();
        let folder = |path: &&str| path.strip_suffix("/Cargo.toml").map(str::to_owned);
        let crates: BTreeSet<String> = paths.iter().filter_map(folder).collect();
        let mut sizes: BTreeMap<String, Size> = BTreeMap::new();
        for path in paths {
            if is_counted(path) {
                let place = place(path, &crates);
                *sizes.entry(place).or_default() += size_of(path, &self.text(path)?);
            }
        }
        Ok(sizes)
    }

    fn text(&self, path: &str) -> Result<String, Error> {
        match self.0 {
            None => std::fs::read_to_string(path).map_err(Error::reading(path.as_ref())),
            Some(name) => git(&["cat-file", "blob", &format!("{name}:{path}")]),
        }
    }
}

fn git(arguments: &[&str]) -> Result<String, Error> {
    let command = || format!("git {}", arguments.join(" "));
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(|source| Error::Start {
        command: command(),
        source,
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let command = command();
        Err(Error::Git { command, said })
    }
}

/// The innermost crate around a file, or the top folder: `crates/alloc-gate`, `lab/design`.
fn place(path: &str, crates: &BTreeSet<String>) -> String {
    let around = crates.iter().filter(|folder| {
        let rest = path.strip_prefix(folder.as_str());
        rest.is_some_and(|rest| rest.starts_with('/'))
    });
    let innermost = around.max_by_key(|folder| folder.len());
    let top = || match path.rsplit_once('/') {
        Some((folder, _)) => folder.to_owned(),
        None => ".".to_owned(),
    };
    innermost
        .filter(|folder| *folder != "lab")
        .cloned()
        .unwrap_or_else(top)
}

fn is_of_tests(path: &str) -> bool {
    let of_tests = |part: &str| ["tests", "benches", "tests.rs"].contains(&part);
    path.split('/').any(of_tests)
}

fn is_counted(path: &str) -> bool {
    path.ends_with(".rs") || path.ends_with(".md") || is_of_tests(path)
}

fn size_of(path: &str, text: &str) -> Size {
    let lines = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let all = lines(text.lines().count());
    if path.ends_with(".md") {
        return Size {
            pages: all,
            ..Size::default()
        };
    }
    if !path.ends_with(".rs") {
        return Size {
            cases: all,
            ..Size::default()
        };
    }
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let written = lines(text.lines().filter(is_code).count());
    let code = if is_of_tests(path) {
        0
    } else {
        lines(lines_of_code(text).len())
    };
    Size {
        files: 1,
        code,
        tests: written - code,
        rust: all,
        ..Size::default()
    }
}

/// The group of a crate, with a sum of its own.
fn group(place: &str) -> &'static str {
    match place {
        place if place.contains("lab") => "the lab",
        "crates/nmx-codec" | "crates/own-process" | "crates/sample-results" | "xtask" => "the rest",
        place if place.starts_with("crates/proof") => "proofs",
        place if place.starts_with("crates/") => "product",
        _ => "the rest",
    }
}

fn table(now: &BTreeMap<String, Size>, before: Option<&BTreeMap<String, Size>>) -> String {
    let mut places: BTreeSet<&String> = now.keys().collect();
    places.extend(before.into_iter().flat_map(BTreeMap::keys));
    let mut text = format!(
        "{:28}{}",
        "",
        [
            "files",
            "code",
            "tests",
            "cases",
            "Rust lines",
            "page lines"
        ]
        .map(|title| format!("{title:>20}"))
        .concat()
    );
    let mut sum_of_all = [Size::default(); 2];
    for name in ["product", "proofs", "the rest", "the lab"] {
        let mut sums = [Size::default(); 2];
        for place in places.iter().filter(|place| group(place) == name) {
            let sizes = [Some(now), before].map(|sizes| {
                let size = sizes.and_then(|sizes| sizes.get(*place));
                size.copied().unwrap_or_default()
            });
            text += &row(place, sizes, before.is_some());
            sums[0] += sizes[0];
            sums[1] += sizes[1];
        }
        text += &row(&format!("= {name}"), sums, before.is_some());
        if name != "the lab" {
            sum_of_all[0] += sums[0];
            sum_of_all[1] += sums[1];
        }
    }
    text + &row("= all but the lab", sum_of_all, before.is_some())
}

/// `crates/alloc-gate    160 (-12)    18,012 (-3,690) ...`.
fn row(title: &str, [now, before]: [Size; 2], is_compared: bool) -> String {
    let values = [
        (now.files, before.files),
        (now.code, before.code),
        (now.tests, before.tests),
        (now.cases, before.cases),
        (now.rust, before.rust),
        (now.pages, before.pages),
    ];
    let values = values.map(|(now, before)| {
        let value = match (is_compared, now - before) {
            (true, 0) | (false, _) => now.to_string(),
            (true, change) => format!("{now} ({change:+})"),
        };
        format!("{value:>20}")
    });
    format!("\n{title:28}{}", values.concat())
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.code += other.code;
        self.tests += other.tests;
        self.cases += other.cases;
        self.rust += other.rust;
        self.pages += other.pages;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_tests_and_pages_are_told_apart() {
        let text = "//! Doc.\n\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        let size = |path| size_of(path, text);
        let source = Size {
            files: 1,
            code: 1,
            tests: 4,
            rust: 8,
            ..Size::default()
        };
        assert_eq!(size("crates/a/src/a.rs"), source);
        let test = Size {
            code: 0,
            tests: 5,
            ..source
        };
        assert_eq!(size("crates/a/tests/a.rs"), test);
        let page = Size {
            pages: 8,
            ..Size::default()
        };
        assert_eq!(size("design/a.md"), page);
        let case = Size {
            cases: 8,
            ..Size::default()
        };
        assert_eq!(size("crates/a/tests/cases/a.txt"), case);
        assert!(!is_counted("crates/a/Cargo.toml") && !is_counted("crates/a/src/a.json"));
    }

    #[test]
    fn a_file_is_of_the_innermost_crate() {
        let crates = ["crates/a", "crates/a/tests/b", "lab"].map(String::from);
        let crates = crates.into();
        for (path, expected) in [
            ("crates/a/src/lib.rs", "crates/a"),
            ("crates/a/tests/b/src/lib.rs", "crates/a/tests/b"),
            ("lab/design/page.md", "lab/design"),
            ("README.md", "."),
        ] {
            assert_eq!(place(path, &crates), expected);
        }
    }
}
