//! [`Changes`]: what `git diff -U0` says about lines: which ones of the old side are on the new
//! one, and where.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::measure::counted;
use crate::sites::source::relative_to;

/// The side of a diff that lines are on.
#[derive(Clone, Copy, Debug)]
pub enum Side<'c> {
    /// There is no diff.
    Unknown,
    /// The one that the diff begins with.
    Old(&'c Changes),
    /// The one that it ends with.
    New(&'c Changes),
}

impl Side<'_> {
    /// Whether the line is not on the other side as it is here.
    pub(super) fn is_edited(self, file: &str, line: u32) -> bool {
        match self {
            Self::Unknown => false,
            Self::Old(changes) => changes.line_now(file, line).is_none(),
            Self::New(changes) => changes.is_new(file, line),
        }
    }
}

/// The changed files and lines between two sides. By default there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    files: Vec<ChangedFile>,
    /// The packages of the lock file: `serde 1.0.1 -> 1.0.2`.
    packages: Vec<String>,
}

/// The packages of a lock file that are named at most.
const MOST_PACKAGES: usize = 5;

/// The lock file of a workspace, by its path.
const LOCK: &str = "Cargo.lock";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ChangedFile {
    /// `None` for a file that is new.
    old: Option<String>,
    /// `None` for a file that was deleted.
    new: Option<String>,
    /// In the order of lines.
    hunks: Vec<Hunk>,
}

/// Some lines of the old side that others replace on the new side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    old: Span,
    pub(super) new: Span,
    /// The lines of the old side that are not blank, without the spaces around them.
    pub(super) removed: Vec<String>,
}

/// Lines from `first` on; no line before which text was inserted if `count` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    first: u64,
    count: u64,
}

impl Changes {
    /// Reads the output of `git diff -U0`. Lines that are not understood are skipped: the worst
    /// that follows is that a moved line is shown as another one.
    #[must_use]
    pub fn parse(diff: &str) -> Self {
        let mut files: Vec<ChangedFile> = Vec::new();
        // The lines of the hunk that are still to come. They can look like headers.
        let mut content = 0;
        for line in diff.lines() {
            if content > 0 && line.starts_with(['-', '+']) {
                content -= 1;
                let hunk = files.last_mut().and_then(|file| file.hunks.last_mut());
                if let (Some(hunk), Some(text)) = (hunk, line.strip_prefix('-'))
                    && !text.trim().is_empty()
                {
                    hunk.removed.push(text.trim().to_owned());
                }
                continue;
            }
            if line.starts_with("diff --git ") {
                files.push(ChangedFile::default());
                continue;
            }
            let Some(file) = files.last_mut() else {
                continue;
            };
            if let Some(name) = line.strip_prefix("rename from ") {
                file.old = Some(unquoted(name));
            } else if let Some(name) = line.strip_prefix("rename to ") {
                file.new = Some(unquoted(name));
            } else if let Some(name) = line.strip_prefix("--- ") {
                file.old = side(name);
            } else if let Some(name) = line.strip_prefix("+++ ") {
                file.new = side(name);
            } else if let Some(hunk) = hunk(line) {
                content = hunk.old.count.saturating_add(hunk.new.count);
                file.hunks.push(hunk);
            }
        }
        Self {
            files,
            ..Self::default()
        }
    }

    /// Adds files that are on the new side alone, such as those that git does not track.
    #[must_use]
    pub fn with_new_files(mut self, files: impl IntoIterator<Item = String>) -> Self {
        let files = files.into_iter().map(|file| ChangedFile {
            new: Some(file),
            ..ChangedFile::default()
        });
        self.files.extend(files);
        self
    }

    /// Files by their paths from a folder on, which is where the workspace is in the repository.
    #[must_use]
    pub fn relative_to(mut self, folder: &str) -> Self {
        for file in &mut self.files {
            for path in [&mut file.old, &mut file.new].into_iter().flatten() {
                *path = relative_to(path, folder);
            }
        }
        self
    }

    /// Whether the lock file of the workspace differs.
    #[must_use]
    pub fn has_lock(&self) -> bool {
        self.has_edits_in(LOCK)
    }

    /// Adds the packages that differ between two texts of the lock file.
    #[must_use]
    pub fn with_locks(mut self, old: &str, new: &str) -> Self {
        let [old, new] = [old, new].map(packages);
        let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
        let differing = names.into_iter().filter_map(|name| {
            let none = BTreeSet::new();
            let [old, new] = [&old, &new].map(|side| side.get(name).unwrap_or(&none));
            let versions = |one: &BTreeSet<&str>, other| {
                let versions: Vec<&str> = one.difference(other).copied().collect();
                versions.join(", ")
            };
            match (&*versions(old, new), &*versions(new, old)) {
                ("", "") => None,
                ("", now) => Some(format!("{name} {now} added")),
                (before, "") => Some(format!("{name} {before} removed")),
                (before, now) => Some(format!("{name} {before} -> {now}")),
            }
        });
        self.packages = differing.collect();
        self
    }

    /// The edited places of code, and of what decides how it is built: `src/lib.rs:1`. `is_own`
    /// says which files are the user's own.
    pub(super) fn places(&self, is_own: impl Fn(&str) -> bool) -> Vec<String> {
        let mut places: Vec<(bool, String)> = Vec::new();
        for file in &self.files {
            let Some(path) = file.new.as_deref().or(file.old.as_deref()) else {
                continue;
            };
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let is_in_root = matches!(folder, "" | ".cargo");
            let is_setting = match name {
                "Cargo.toml" | LOCK | "rust-toolchain" | "rust-toolchain.toml" => true,
                "config.toml" => folder.ends_with(".cargo"),
                _ => false,
            };
            let is_code = is_setting || name.ends_with(".rs");
            if !is_code || !(is_own(path) || (is_in_root && is_setting)) {
                continue;
            }
            if path == LOCK && !self.packages.is_empty() {
                let shown = &self.packages[..self.packages.len().min(MOST_PACKAGES)];
                let more = match self.packages.len() - shown.len() {
                    0 => String::new(),
                    more => format!(" and {}", counted(more, "other package")),
                };
                places.push((false, format!("{path} ({}{more})", shown.join(", "))));
            } else if file.old.is_none() || file.new.is_none() {
                places.push((!is_setting, path.to_owned()));
            } else {
                let lines = file.hunks.iter().map(|hunk| hunk.new.first.max(1));
                places.extend(lines.map(|line| (!is_setting, format!("{path}:{line}"))));
            }
        }
        // Settings first.
        places.sort_by_key(|(is_source, _)| *is_source);
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// Where a line of the old side is on the new one; `None` if it was changed or deleted.
    pub(super) fn line_now<'f>(&'f self, file: &'f str, line: u32) -> Option<(&'f str, u32)> {
        let Some(changed) = self.changed(file) else {
            return Some((file, line));
        };
        let mut now = i128::from(line);
        for hunk in &changed.hunks {
            if hunk.old.has(line) {
                return None;
            }
            if hunk.old.is_before(line) {
                now += i128::from(hunk.new.count) - i128::from(hunk.old.count);
            }
        }
        Some((changed.new.as_deref()?, u32::try_from(now).ok()?))
    }

    /// The name of an old file on the new side; `None` if it was deleted.
    pub(super) fn file_now<'f>(&'f self, file: &'f str) -> Option<&'f str> {
        match self.changed(file) {
            Some(changed) => changed.new.as_deref(),
            None => Some(file),
        }
    }

    /// Whether a line of the new side was not on the old one.
    pub(super) fn is_new(&self, file: &str, line: u32) -> bool {
        let changed = self.files.iter();
        let mut changed = changed.filter(|one| one.new.as_deref() == Some(file));
        changed.any(|one| one.old.is_none() || one.hunks.iter().any(|hunk| hunk.new.has(line)))
    }

    /// Whether a file of the new side differs from its old one.
    pub(super) fn has_edits_in(&self, file: &str) -> bool {
        self.hunks_of(file).next().is_some()
    }

    /// The edits in these lines of the new side.
    pub(super) fn edits_in<'c>(
        &'c self,
        file: &'c str,
        lines: &'c RangeInclusive<u32>,
    ) -> impl Iterator<Item = &'c Hunk> {
        self.hunks_of(file).filter(|hunk| {
            let new = hunk.new.lines();
            new.start() >= lines.start() && new.end() < lines.end()
        })
    }

    /// The lines that are only on the old side of a file of the new one.
    pub(super) fn removed_in(&self, file: &str) -> impl Iterator<Item = &str> {
        let removed = self.hunks_of(file).flat_map(|hunk| &hunk.removed);
        removed.map(String::as_str)
    }

    fn hunks_of(&self, new: &str) -> impl Iterator<Item = &Hunk> {
        let changed = self.files.iter();
        let changed = changed.filter(move |one| one.new.as_deref() == Some(new));
        changed.flat_map(|one| &one.hunks)
    }

    /// Whether one hunk replaces the old line with the new one.
    pub(super) fn replaces(&self, (old, line): (&str, u32), (new, now): (&str, u32)) -> bool {
        let is_of =
            |one: &&ChangedFile| (one.old.as_deref(), one.new.as_deref()) == (Some(old), Some(new));
        let mut hunks = self.files.iter().filter(is_of).flat_map(|one| &one.hunks);
        hunks.any(|hunk| hunk.old.has(line) && hunk.new.has(now))
    }

    fn changed(&self, file: &str) -> Option<&ChangedFile> {
        let mut files = self.files.iter();
        files.find(|one| one.old.as_deref() == Some(file))
    }
}

impl Span {
    /// The lines; the one above them if there are none.
    pub(super) fn lines(self) -> RangeInclusive<u32> {
        let last = self.first.saturating_add(self.count.saturating_sub(1));
        let [first, last] = [self.first, last].map(|line| u32::try_from(line).unwrap_or(u32::MAX));
        first..=last
    }

    pub(super) fn is_empty(self) -> bool {
        self.count == 0
    }

    fn has(self, line: u32) -> bool {
        let line = u64::from(line);
        line >= self.first && line - self.first < self.count
    }

    /// Whether the lines are above `line`. Git names the line above an insertion.
    fn is_before(self, line: u32) -> bool {
        self.first.saturating_add(self.count.max(1)) <= u64::from(line)
    }
}

/// The versions of each package in a lock file.
fn packages(lock: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut packages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut name = "";
    for line in lock.lines() {
        let value = |key| line.strip_prefix(key)?.strip_suffix('"');
        if let Some(found) = value("name = \"") {
            name = found;
        } else if let Some(version) = value("version = \"") {
            packages.entry(name).or_default().insert(version);
        }
    }
    packages
}

/// `@@ -7,2 +8 @@ fn name`.
fn hunk(line: &str) -> Option<Hunk> {
    let (spans, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = spans.split_once(" +")?;
    let span = |text: &str| {
        let (first, count) = text.split_once(',').unwrap_or((text, "1"));
        let [first, count] = [first, count].map(|number| number.parse().ok());
        Some(Span {
            first: first?,
            count: count?,
        })
    };
    Some(Hunk {
        old: span(old)?,
        new: span(new)?,
        removed: Vec::new(),
    })
}

/// The file of a side, without `a/` or `b/`; `None` if the side lacks it.
fn side(name: &str) -> Option<String> {
    // Git ends a name that has spaces with a tab.
    let name = unquoted(name.strip_suffix('\t').unwrap_or(name));
    if name == "/dev/null" {
        return None;
    }
    let path = ["a/", "b/"].iter().find_map(|side| name.strip_prefix(side));
    Some(path.unwrap_or(&name).to_owned())
}

/// A name as git quotes it, if it has to: `"caf\303\251.rs"`.
fn unquoted(name: &str) -> String {
    let inner = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'));
    let Some(inner) = inner else {
        return name.to_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(digit) = rest.next_if(|byte| matches!(byte, b'0'..=b'7')) {
                        value = value * 8 + u32::from(digit - b'0');
                    }
                }
                bytes.extend(u8::try_from(value).ok());
            }
            Some(b't') => bytes.push(b'\t'),
            Some(b'n') => bytes.push(b'\n'),
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = include_str!("tests/git.diff");

    #[test]
    fn lines_are_where_git_says() {
        let changes = Changes::parse(DIFF);
        for (file, line, now) in [
            ("src/lib.rs", 2, Some(("src/lib.rs", 2))),
            ("src/lib.rs", 3, Some(("src/lib.rs", 5))),
            ("src/lib.rs", 9, Some(("src/lib.rs", 11))),
            ("src/lib.rs", 10, None),
            ("src/lib.rs", 11, None),
            ("src/lib.rs", 12, Some(("src/lib.rs", 13))),
            ("src/lib.rs", 19, Some(("src/lib.rs", 20))),
            ("src/lib.rs", 20, None),
            ("src/lib.rs", 21, Some(("src/lib.rs", 21))),
            ("src/old.rs", 7, Some(("src/new.rs", 7))),
            ("src/café \"x\".rs", 1, None),
            ("src/café \"x\".rs", 2, None),
            ("src/other.rs", 9, Some(("src/other.rs", 9))),
        ] {
            assert_eq!(changes.line_now(file, line), now, "{file}:{line}");
        }
        for (file, line, is_new) in [
            ("src/lib.rs", 2, false),
            ("src/lib.rs", 3, true),
            ("src/lib.rs", 4, true),
            ("src/lib.rs", 5, false),
            ("src/lib.rs", 12, true),
            ("src/lib.rs", 13, false),
            ("src/a b.rs", 1, true),
            ("src/new.rs", 1, false),
            ("src/other.rs", 1, false),
        ] {
            assert_eq!(changes.is_new(file, line), is_new, "{file}:{line}");
        }
        for (side, edited) in [
            (Side::Old(&changes), [false, true, false]),
            (Side::New(&changes), [true, false, true]),
            (Side::Unknown, [false; 3]),
        ] {
            let lines = [3, 11, 12].map(|line| side.is_edited("src/lib.rs", line));
            assert_eq!(lines, edited, "{side:?}");
        }
        let edits = |lines: RangeInclusive<u32>| {
            let edits = changes.edits_in("src/lib.rs", &lines);
            let edits = edits.map(|Hunk { new, removed, .. }| (new.lines(), removed.join("\n")));
            edits.collect::<Vec<_>>()
        };
        let (added, gone) = ((3..=4, String::new()), (20..=20, String::from("gone();")));
        assert_eq!(edits(2..=11), [added]);
        assert_eq!(edits(13..=30), [gone]);
        assert_eq!(edits(13..=19), []);
        let changes = changes.with_new_files([String::from("src/untracked.rs")]);
        assert!(changes.is_new("src/untracked.rs", 7));
        assert_eq!(changes.file_now("src/café \"x\".rs"), None);
        let from_src = changes.clone().relative_to("src/");
        assert!(from_src.is_new("lib.rs", 3));
        let from_bench = changes.clone().relative_to("crates/bench");
        assert!(from_bench.is_new("../../src/lib.rs", 3));
        assert!(changes.replaces(("src/lib.rs", 11), ("src/lib.rs", 12)));
        assert!(!changes.replaces(("src/lib.rs", 9), ("src/lib.rs", 12)));
    }

    #[test]
    fn edits_of_code_and_of_its_settings_are_named() {
        let edit = |name, line| {
            format!(
                "diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n\
                 @@ -{line} +{line} @@\n-a\n+b\n"
            )
        };
        let edited = [
            ("src/lib.rs", 1),
            ("README.md", 1),
            ("gates.toml", 1),
            ("../other/src/lib.rs", 1),
            ("../other/Cargo.toml", 1),
            ("Cargo.lock", 5),
            (".cargo/config.toml", 2),
        ];
        let changes =
            Changes::parse(&(edited.map(|(name, line)| edit(name, line)).concat() + DIFF));
        let is_own = |path: &str| !path.starts_with("..");
        assert!(changes.has_lock());
        let places = changes.places(is_own).join(" ");
        let expected = "Cargo.lock:5 .cargo/config.toml:2 src/lib.rs:1 src/lib.rs:3 src/lib.rs:12 \
                        src/lib.rs:20 src/café \"x\".rs src/a b.rs";
        assert_eq!(places, expected);
        let lock = |packages: &str| {
            let packages = packages.split(' ').map(|package| {
                let (name, version) = package.split_once('@').unwrap();
                format!("[[package]]\nname = {name:?}\nversion = {version:?}\n")
            });
            packages.collect::<String>()
        };
        let old = format!(
            "version = 4\n{}",
            lock("a@1.0.0 b@1.0.0 b@2.0.0 gone@0.1.0")
        );
        let place = |new: &str| {
            let changes = changes.clone().with_locks(&old, &lock(new));
            changes.places(is_own)[0].clone()
        };
        let new = "a@1.0.0 b@1.0.0 b@2.0.1";
        let expected = "Cargo.lock (b 2.0.0 -> 2.0.1, gone 0.1.0 removed)";
        assert_eq!(place(new), expected);
        let many = place(&format!("{new} d@1.0.0 e@1.0.0 f@1.0.0 g@1.0.0 h@1.0.0"));
        let end = ", g 1.0.0 added and 2 other packages)";
        assert!(many.ends_with(end), "{many}");
    }

    #[test]
    fn what_is_no_diff_is_skipped() {
        for text in [
            "",
            "fatal: not a git repository",
            "@@ -1 +1 @@",
            "diff --git a/x b/x\n@@ -a +b @@\n@@ -1,99999999999999999999 +1 @@\n@@ -1",
            "diff --git \"a/\\\n--- \"\n+++ \"\\",
        ] {
            let changes = Changes::parse(text);
            assert_eq!(changes.line_now("a.rs", 5), Some(("a.rs", 5)), "{text}");
        }
        let huge = format!(
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -{0},{0} +{0},{0} @@\n@@ -0,0 +1,{0} @@",
            u64::MAX
        );
        assert_eq!(Changes::parse(&huge).line_now("x", 5), None);
    }
}
