//! [`Members`]: which files are the workspace's own.

use std::cell::RefCell;
use std::collections::HashMap;

use alloc_symbols::names::crate_of;
use alloc_symbols::{Frame, measured_frames};

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
    /// `others` those of all other packages, and of build outputs, which can lie inside a
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
    use alloc_symbols::FrameKind;

    fn members() -> Members {
        let texts = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        Members::new(
            "/ws/",
            &texts(&["/ws", "/ws/crates/app", "/elsewhere/lib"]),
            &texts(&["/ws/vendor/dep", "/ws/target", "/home/registry/dep-1.0.0"]),
            &texts(&["app", "my-lib"]),
        )
    }

    #[test]
    fn files_of_members_are_ours() {
        let all = members();
        for (file, path) in [
            ("/ws/src/main.rs", Some("src/main.rs")),
            ("crates/app/src/lib.rs", Some("crates/app/src/lib.rs")),
            (
                "/ws/crates/app/./src/../benches/b.rs",
                Some("crates/app/benches/b.rs"),
            ),
            (
                "/elsewhere/lib/src/lib.rs",
                Some("/elsewhere/lib/src/lib.rs"),
            ),
            ("/elsewhere/library/src/lib.rs", None),
            // Vendored, generated, of the registry, and of the standard library.
            ("/ws/vendor/dep/src/lib.rs", None),
            ("/ws/target/release/build/app-1/out/generated.rs", None),
            ("/home/registry/dep-1.0.0/src/lib.rs", None),
            ("/rustc/0123abcd/library/alloc/src/vec/mod.rs", None),
            ("C:\\ws\\src\\main.rs", None),
            ("", None),
        ] {
            assert_eq!(all.path(file).as_deref(), path, "{file}");
        }
        let windows = [String::from(r"\\?\C:\ws")];
        let windows = Members::new(r"C:\ws", &windows, &[], &[]);
        assert_eq!(
            windows.path(r"C:\ws\src\main.rs").as_deref(),
            Some("src/main.rs")
        );
    }

    #[test]
    fn a_root_with_another_name_is_the_root() {
        let all = members();
        for (file, root, path) in [
            ("/ws/src/main.rs", None, "src/main.rs"),
            ("/ws/src/main.rs", Some("/ws"), "src/main.rs"),
            ("/src/crates/app/lib.rs", Some("/src"), "crates/app/lib.rs"),
            ("~/ws/src/main.rs", Some("~/ws/"), "src/main.rs"),
            ("src/main.rs", Some("."), "src/main.rs"),
            (
                "/r/dep-1.0.0/src/lib.rs",
                Some("."),
                "/r/dep-1.0.0/src/lib.rs",
            ),
            (
                "~/.cargo/dep-1.0.0/lib.rs",
                Some("~/ws"),
                "/~/.cargo/dep-1.0.0/lib.rs",
            ),
        ] {
            assert_eq!(all.relative(file, root), path);
        }
        let near = Members::new("/a/b/ws", &[String::from("/a/near")], &[], &[]);
        assert_eq!(near.relative("/a/near/lib.rs", None), "../../near/lib.rs");
        assert_eq!(
            near.path("../../near/lib.rs").as_deref(),
            Some("../../near/lib.rs")
        );
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
            let frame = Frame {
                function: function.into(),
                file: Some(file.into()),
                line: Some(1),
                column: None,
                kind: FrameKind::Called,
            };
            assert_eq!(all.owns(&frame), is_ours, "{function}");
        }
    }
}
