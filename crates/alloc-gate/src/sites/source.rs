//! What sources say beyond line tables. [`Nearby`]: an edit in a function on the way to what
//! allocates, where no call stack goes through an edited line: a buffer that was made with a
//! capacity, for example, grows elsewhere. And where a macro of the workspace is used: line tables
//! have the line in its definition. [`Members`]: which files are the workspace's own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use alloc_symbols::names::crate_of;
use alloc_symbols::{Frame, measured_frames};

use crate::sites::changes::{Changes, Hunk};
use crate::sites::site::{Amounts, Line};

/// An edit in a function that calls what allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearby {
    /// The first line of the edit; if lines were only removed, the one above them.
    pub line: Line,
    /// The lines around it, with their numbers.
    pub around: Vec<(u32, String)>,
    /// The first of the lines that were removed.
    pub removed: Option<String>,
    /// Whether no line came in place of the removed ones.
    pub is_removal: bool,
    /// The operations of the stacks through the function.
    pub amounts: Amounts,
    /// Whether the build has code of the edit.
    pub(super) has_code: bool,
}

/// The edit in the innermost function of a stack that has one, without its place in values. An edit
/// that the build has no code for counts where there is no other. `frames` are in members,
/// innermost first, with the paths that reports show; `texts` finds the text of such a file.
pub(super) fn nearby<'f>(
    frames: impl Iterator<Item = (&'f Frame, String)>,
    changes: &Changes,
    mut texts: impl FnMut(&str) -> Option<String>,
) -> Option<Nearby> {
    let mut without_code = None;
    for (frame, file) in frames {
        let Some(at) = frame.line else {
            continue;
        };
        if !changes.has_edits_in(&file) {
            continue;
        }
        let source = texts(&file)?;
        let lines: Vec<&str> = source.lines().collect();
        let around = function_around(&lines, at);
        // Code that is indented in another way can look as if it were in another function. The
        // names of closures and of async bodies have braces.
        let is_it = |name: &str| frame.function.contains(name) || frame.function.contains('{');
        let Some((name, body)) = around.filter(|(name, _)| is_it(name)) else {
            continue;
        };
        let is_code = |line: &u32| is_code(&lines, *line);
        let edits = changes.edits_in(&file, &body).map(|edit| {
            let mut removed = edit.removed.iter().map(String::as_str);
            let has_code = edit
                .new
                .lines()
                .any(|line| !edit.new.is_empty() && is_code(&line))
                || removed.any(may_be_code);
            (edit, has_code)
        });
        let distance = |edit: &Hunk| edit.new.lines().start().abs_diff(at);
        let Some((edit, has_code)) = edits.min_by_key(|&(edit, has)| (!has, distance(edit))) else {
            continue;
        };
        let mut new = edit.new.lines();
        let first = *new.start();
        let line = new.find(is_code).unwrap_or(first);
        let found = Nearby {
            line: Line {
                text: text(&lines, line).map(str::to_owned),
                file: file.clone(),
                line,
                column: None,
                function: name.to_owned(),
            },
            around: around_line(&source, line),
            removed: edit.removed.first().cloned(),
            is_removal: edit.new.is_empty(),
            amounts: Amounts::default(),
            has_code,
        };
        if has_code {
            return Some(found);
        }
        without_code.get_or_insert(found);
    }
    without_code
}

/// The two lines before a line and the two behind it, with their numbers.
pub(super) fn around_line(source: &str, number: u32) -> Vec<(u32, String)> {
    let lines = (1..).zip(source.lines());
    let lines = lines.skip_while(|(at, _)| at + 2 < number);
    let lines = lines.take_while(|(at, _)| at.saturating_sub(2) <= number);
    let around = lines.filter(|(at, _)| *at != number);
    around.map(|(at, line)| (at, line.to_owned())).collect()
}

fn text<'s>(lines: &[&'s str], number: u32) -> Option<&'s str> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    lines.get(index).copied()
}

/// Whether an optimized build can have code of a line.
fn is_code(lines: &[&str], number: u32) -> bool {
    let is_end = |line: &str| line.starts_with("//") || line.ends_with([';', '{', '}']);
    let above = (1..number)
        .rev()
        .map_while(|at| text(lines, at).map(str::trim));
    let statement = above
        .take_while(|line| !line.is_empty() && !is_end(line))
        .last();
    let line = text(lines, number).unwrap_or_default();
    may_be_code(line) && statement.is_none_or(may_be_code)
}

fn may_be_code(line: &str) -> bool {
    let line = line.trim();
    line.contains(char::is_alphanumeric)
        && !["//", "debug_assert"].iter().any(|it| line.starts_with(it))
}

/// The name and the lines of the function around a line, as rustfmt indents it.
fn function_around<'s>(lines: &[&'s str], at: u32) -> Option<(&'s str, RangeInclusive<u32>)> {
    let at = usize::try_from(at).ok()?.checked_sub(1)?;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indentation(lines.get(at)?) + 1;
    for (begin, line) in lines.get(..=at)?.iter().enumerate().rev() {
        let text = line.trim_start();
        if text.is_empty() || indentation(line) >= inside {
            continue;
        }
        if let Some(name) = function_name(text) {
            let depth = indentation(line);
            let rest = lines.get(at..)?.iter();
            let is_end =
                |line: &&str| line.trim_start().starts_with('}') && indentation(line) == depth;
            let end = at + rest.clone().position(is_end)?;
            let number = |index: usize| u32::try_from(index + 1).ok();
            return Some((name, number(begin)?..=number(end)?));
        }
        // The end of a header is not around the line.
        if text != "{" && !text.starts_with("where") && !text.starts_with(')') {
            inside = indentation(line);
        }
    }
    None
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_header = before.split_whitespace().all(|word| {
        word.starts_with("pub") || matches!(word, "const" | "async" | "unsafe" | "extern" | "\"C\"")
    });
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (is_header && end > 0).then(|| &after[..end])
}

/// The name of the macro whose definition is around a line, as rustfmt indents it.
pub(super) fn macro_around<'s>(lines: &[&'s str], at: u32) -> Option<&'s str> {
    let at = usize::try_from(at).ok()?.checked_sub(1)?;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indentation(lines.get(at)?);
    for line in lines.get(..at)?.iter().rev() {
        let text = line.trim_start();
        if text.is_empty() || indentation(line) >= inside {
            continue;
        }
        if let Some(name) = text.strip_prefix("macro_rules! ") {
            return name.split([' ', '{', '(']).next();
        }
        inside = indentation(line);
    }
    None
}

/// The lines and columns of a file where a function of this name uses the macro. The names of closures
/// and of async bodies have braces, and can be in any function.
pub(super) fn uses(source: &str, name: &str, function: &str) -> Vec<(u32, u32)> {
    let lines: Vec<&str> = source.lines().collect();
    let call = format!("{name}!");
    let mut uses = Vec::new();
    for (number, line) in (1_u32..).zip(&lines) {
        let begins = |&(at, _): &(usize, &str)| {
            let before = line[..at].chars().next_back();
            !before.is_some_and(|one| one.is_alphanumeric() || one == '_')
        };
        let found = line.match_indices(&call).filter(begins);
        for (at, _) in found.filter(|_| !line.trim_start().starts_with("//")) {
            let around = function_around(&lines, number);
            let is_it = |name: &str| function.contains(name) || function.contains('{');
            if around.is_some_and(|(name, _)| is_it(name)) {
                uses.push((number, u32::try_from(at + 1).unwrap_or(1)));
            }
        }
    }
    uses
}

pub(super) fn modules(file: &str, source: &str) -> Vec<String> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let folder = match name {
        "lib.rs" | "main.rs" | "mod.rs" => folder,
        _ => file.trim_end_matches(".rs"),
    };
    let names = source.lines().filter_map(|line| {
        let (before, name) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
        let is_item = before.is_empty() || before.starts_with("pub");
        is_item.then_some(name)
    });
    let files = names.flat_map(|name| {
        [
            format!("{folder}/{name}.rs"),
            format!("{folder}/{name}/mod.rs"),
        ]
    });
    files.collect()
}

/// The packages of a workspace. The innermost frame in a member is the one to blame.
#[derive(Debug)]
pub struct Members {
    root: String,
    /// The folders of packages, and whether each is a member's.
    folders: Vec<(String, bool)>,
    crates: Vec<String>,
    /// The paths of files that were asked for; `None` for files of others.
    known: RefCell<HashMap<String, Option<String>>>,
}

impl Members {
    /// The members of the workspace at `root`. `members` are the folders of their packages and
    /// `others` the folders of all other packages, and of build outputs, which can lie inside a
    /// member's. Paths are absolute. `crates` are the names of the members' crates, which tell
    /// what is ours in functions without line tables.
    #[must_use]
    pub fn new(root: &str, members: &[String], others: &[String], crates: &[String]) -> Self {
        let members = members.iter().map(|folder| (normal(folder), true));
        let others = others.iter().map(|folder| (normal(folder), false));
        Self {
            root: normal(root),
            folders: members.chain(others).collect(),
            crates: crates.iter().map(|name| name.replace('-', "_")).collect(),
            known: RefCell::default(),
        }
    }

    /// A path as it is the same on another machine, and on both sides of a comparison: relative to
    /// the root if the file is inside or a member's, with `/` between its parts. `root` is the name
    /// that line tables have for the root, if it is known: `--remap-path-prefix` changes it.
    #[must_use]
    pub fn relative(&self, file: &str, root: Option<&str>) -> String {
        let path = normal(file);
        if let Some(root) = root.map(normal).filter(|root| !root.is_empty()) {
            if let Some(rest) = inside(&path, &root) {
                return rest.to_owned();
            }
            // Another folder with another name, such as `~/.cargo`.
            if !is_absolute(&path) {
                return format!("/{path}");
            }
        }
        let own = self.path(&path);
        own.unwrap_or_else(|| inside(&path, &self.root).unwrap_or(&path).to_owned())
    }

    /// The path of a member's file as reports show it, relative to the root; `None` for files
    /// of others.
    pub(super) fn path(&self, file: &str) -> Option<String> {
        if let Some(known) = self.known.borrow().get(file) {
            return known.clone();
        }
        let path = self.member_path(file);
        let mut known = self.known.borrow_mut();
        known.insert(file.to_owned(), path.clone());
        path
    }

    fn member_path(&self, file: &str) -> Option<String> {
        let path = self.absolute(file);
        self.is_of_member(&path)?
            .then(|| relative_to(&path, &self.root))
    }

    fn absolute(&self, file: &str) -> String {
        let path = normal(file);
        if is_absolute(&path) {
            path
        } else {
            normal(&format!("{}/{path}", self.root))
        }
    }

    /// Whether a file is a member's or another package's; `None` if it is in no known folder.
    fn is_of_member(&self, path: &str) -> Option<bool> {
        let folders = self.folders.iter();
        let around = folders.filter(|(folder, _)| inside(path, folder).is_some());
        // Another package can lie inside a member's folder. Of the same folder, the build
        // output's word counts.
        let innermost = around.max_by_key(|(folder, is_member)| (folder.len(), !is_member));
        innermost.map(|(_, is_member)| *is_member)
    }

    /// Whether a frame is in a member's code.
    pub(super) fn owns(&self, frame: &Frame) -> bool {
        match &frame.file {
            Some(file) if self.path(file).is_some() => true,
            Some(_) => self.is_hidden(frame),
            None => self.has_crate_of(frame),
        }
    }

    /// Whether a frame is in a member's code by its function, in a file of no known folder.
    #[must_use]
    pub fn is_hidden(&self, frame: &Frame) -> bool {
        let file = frame.file.as_deref();
        let is_unknown = |file| self.is_of_member(&self.absolute(file)).is_none();
        file.is_some_and(is_unknown) && self.has_crate_of(frame)
    }

    fn has_crate_of(&self, frame: &Frame) -> bool {
        let name = crate_of(&frame.function);
        name.is_some_and(|name| self.crates.iter().any(|member| member == name))
    }
}

/// A path from a folder on, with `..` where they are in the same one.
pub(crate) fn relative_to(path: &str, folder: &str) -> String {
    let (path, folder) = (normal(path), normal(folder));
    if let Some(rest) = inside(&path, &folder) {
        return rest.to_owned();
    }
    let parts = path.split('/').zip(folder.split('/'));
    let shared = parts.take_while(|(one, other)| one == other).count();
    // The first part is empty, or a drive.
    if folder.is_empty() || (is_absolute(&path) && shared < 2) {
        return path;
    }
    let up = folder.split('/').skip(shared).map(|_| "..");
    let parts: Vec<&str> = up.chain(path.split('/').skip(shared)).collect();
    parts.join("/")
}

/// The rest of a `path` inside a `folder`.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1) == Some(&b':')
}

/// A path with `/` between its parts, without `.` and `..` and without a `/` at its end.
pub(crate) fn normal(path: &str) -> String {
    let path = path
        .strip_prefix(r"\\?\")
        .unwrap_or(path)
        .replace('\\', "/");
    let root = if path.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

/// The function that allocates. Of the innermost functions of a stack that are in `alloc`, `std` or
/// `hashbrown`, the outermost one: `core` has the code in between, such as iterators. Without such a
/// function, the innermost one.
pub(super) fn allocating_function(
    stack: &[Frame],
    owns: impl Fn(&Frame) -> bool,
) -> Option<&Frame> {
    let is_it = |frame: &&Frame| {
        let is_std = match frame.file.as_deref() {
            Some(file) => ["/library/alloc/", "/library/std/", "/hashbrown-"]
                .iter()
                .any(|folder| file.contains(folder)),
            None => matches!(
                crate_of(&frame.function),
                Some("alloc" | "std" | "hashbrown")
            ),
        };
        is_std && !owns(frame)
    };
    let frames = measured_frames(stack);
    frames.iter().take_while(is_it).last().or(frames.first())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::tests::frame;
    use crate::tests::rows;

    #[test]
    fn an_edit_without_code_is_named_if_there_is_no_other() {
        let source = "\
fn all() {
    // Each.
    trim();
}
fn trim() {
    let mut trimmed = Record::new();
    debug_assert!(
        fields.len() > 1,
    );
    // Then all.
    trimmed.push();
}
";
        let stack = [("app::trim", 11), ("app::all", 3)];
        let stack = stack.map(|(function, line)| frame(function, Some("a.rs"), line, 5));
        let edit = |hunks: &[&str]| {
            let diff = format!(
                "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n{}",
                hunks.concat()
            );
            let frames = stack.iter().map(|frame| (frame, String::from("a.rs")));
            let found = nearby(frames, &Changes::parse(&diff), |_| Some(source.to_owned()));
            found.map(|found| (found.line.line, found.removed))
        };
        let made = "@@ -6 +6 @@\n-let mut trimmed = Record::with_capacity(9);\n+x\n";
        let removed = Some(String::from("let mut trimmed = Record::with_capacity(9);"));
        let asserted = "@@ -6,0 +7,3 @@\n+x\n+x\n+x\n";
        let comment = "@@ -9,0 +10 @@\n+x\n";
        let outer = "@@ -3 +3 @@\n-trim(9);\n+x\n";
        for (hunks, expected) in [
            (&[made][..], Some((6, removed.clone()))),
            (&[made, asserted], Some((6, removed.clone()))),
            (&[made, comment], Some((6, removed))),
            (&[outer, comment], Some((3, Some(String::from("trim(9);"))))),
            (&[asserted, comment], Some((10, None))),
            (&[], None),
        ] {
            assert_eq!(edit(hunks), expected, "{hunks:?}");
        }
    }

    #[test]
    fn the_function_around_a_line_is_known_by_its_indentation() {
        let source = "\
impl Record {
    pub(crate) fn trim(
        &mut self,
        fields: &[&str],
    ) -> usize {
        let mut trimmed = Record::new();

        for field in fields {
            trimmed.push(
                field,
            );
        }
        trimmed.len()
    }

    fn other() {}
}

fn last() {
    call();
}
";
        let lines: Vec<&str> = source.lines().collect();
        for (line, expected) in [
            (6, Some(("trim", 2..=14))),
            (10, Some(("trim", 2..=14))),
            (13, Some(("trim", 2..=14))),
            (20, Some(("last", 19..=21))),
            (1, None),
            (99, None),
        ] {
            assert_eq!(function_around(&lines, line), expected, "{line}");
        }
    }

    const MACROS: &str = "\
macro_rules! boxed {
    ($value:expr) => {
        Box::new($value)
    };
}

fn once(x: u8) -> Box<u8> {
    // Not boxed!(x).
    crate::boxed!(x)
}

fn twice(x: u8) -> [Box<u8>; 2] {
    [boxed!(x), unboxed!(boxed!(x))]
}
";

    #[test]
    fn macros_are_found_where_functions_use_them() {
        let lines: Vec<&str> = MACROS.lines().collect();
        let names = [1, 3, 9, 99].map(|line| macro_around(&lines, line));
        assert_eq!(names, [None, Some("boxed"), None, None]);
        for (function, expected) in [
            ("app::once", &[(9, 12)][..]),
            ("twice", &[(13, 6), (13, 26)]),
            ("app::twice::{closure#0}", &[(9, 12), (13, 6), (13, 26)]),
            ("app::other", &[]),
        ] {
            assert_eq!(uses(MACROS, "boxed", function), expected, "{function}");
        }
        for (file, found) in [
            ("src/lib.rs", ["src/a.rs", "src/a/mod.rs"]),
            ("src/b.rs", ["src/b/a.rs", "src/b/a/mod.rs"]),
        ] {
            assert_eq!(modules(file, "pub(crate) mod a;\nmod c {}\n"), found);
        }
    }

    fn folders(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn members() -> Members {
        Members::new(
            "/ws/",
            &folders("/ws /ws/crates/app /elsewhere/lib"),
            &folders("/ws/vendor/dep /ws/target /home/registry/dep-1.0.0"),
            &folders("app my-lib"),
        )
    }

    #[test]
    fn files_of_members_are_ours() {
        let all = members();
        // The last are vendored, generated, of the registry, and of the standard library.
        let table = r"
            /ws/src/main.rs | src/main.rs
            crates/app/src/lib.rs | crates/app/src/lib.rs
            /ws/crates/app/./src/../benches/b.rs | crates/app/benches/b.rs
            /elsewhere/lib/src/lib.rs | /elsewhere/lib/src/lib.rs
            /elsewhere/library/src/lib.rs | not ours
            C:\ws\src\main.rs | not ours
            | not ours
            /ws/vendor/dep/src/lib.rs | not ours
            /ws/target/release/build/app-1/out/generated.rs | not ours
            /home/registry/dep-1.0.0/src/lib.rs | not ours
            /rustc/0123abcd/library/alloc/src/vec/mod.rs | not ours";
        for [file, path] in rows(table) {
            assert_eq!(
                all.path(file).as_deref().unwrap_or("not ours"),
                path,
                "{file}"
            );
        }
        let windows = Members::new(r"C:\ws", &folders(r"\\?\C:\ws"), &[], &[]);
        let path = windows.path(r"C:\ws\src\main.rs");
        assert_eq!(path.as_deref(), Some("src/main.rs"));
    }

    #[test]
    fn a_root_with_another_name_is_the_root() {
        let all = members();
        assert_eq!(all.relative("/ws/src/main.rs", None), "src/main.rs");
        let table = "
            /ws/src/main.rs | /ws | src/main.rs
            /src/crates/app/lib.rs | /src | crates/app/lib.rs
            ~/ws/src/main.rs | ~/ws/ | src/main.rs
            src/main.rs | . | src/main.rs
            /r/dep-1.0.0/src/lib.rs | . | /r/dep-1.0.0/src/lib.rs
            ~/.cargo/dep-1.0.0/lib.rs | ~/ws | /~/.cargo/dep-1.0.0/lib.rs";
        for [file, root, path] in rows(table) {
            assert_eq!(all.relative(file, Some(root)), path);
        }
        let near = Members::new("/a/b/ws", &folders("/a/near"), &[], &[]);
        let path = "../../near/lib.rs";
        assert_eq!(near.relative("/a/near/lib.rs", None), path);
        assert_eq!(near.path(path).as_deref(), Some(path));
    }

    #[test]
    fn code_in_unknown_folders_is_ours_by_the_names_of_its_functions() {
        let all = members();
        for (function, file, is_ours) in [
            ("my_lib::f", "/src/lib.rs", true),
            ("<app::A as dep::B>::c", "/src/lib.rs", true),
            ("dep::f", "/src/lib.rs", false),
            ("my_lib::f", "/ws/vendor/dep/src/lib.rs", false),
        ] {
            let frame = frame(function, Some(file), 1, 1);
            assert_eq!(all.owns(&frame), is_ours, "{function}");
        }
    }
}
