//! [`Members`]: which files are the workspace's own; and the frame of a stack that is blamed.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::rules::Pattern;
use crate::sites::frame::{Frame, is_allocator, is_entry, is_harness, is_root, is_std};
use crate::sites::function::crate_of;

/// The packages of a workspace. The innermost frame in a member is the one to blame.
#[derive(Debug)]
pub struct Members {
    root: String,
    /// The folders of packages, and whether each is a member's.
    folders: Vec<(String, bool)>,
    crates: Vec<String>,
    blame: Vec<Pattern>,
    /// The paths of files that were asked for; `None` for files of others.
    known: RefCell<HashMap<String, Option<String>>>,
}

impl Members {
    /// The members of the workspace at `root`. `members` are the folders of their packages and
    /// `others` those of all other packages, and of build outputs, which can lie inside a
    /// member's. Paths are absolute. `crates` are the names of the members' crates, which tell
    /// what is ours in functions without line tables. If there are patterns in `blame`, only
    /// files of members that one of them matches are ours.
    #[must_use]
    pub fn new(
        root: &str,
        members: &[String],
        others: &[String],
        crates: &[String],
        blame: &[Pattern],
    ) -> Self {
        let members = members.iter().map(|folder| (normal(folder), true));
        let others = others.iter().map(|folder| (normal(folder), false));
        Self {
            root: normal(root),
            folders: members.chain(others).collect(),
            crates: crates.iter().map(|name| name.replace('-', "_")).collect(),
            blame: blame.to_vec(),
            known: RefCell::default(),
        }
    }

    /// The path of a member's file as reports show it, relative to the root; `None` for files
    /// of others.
    pub(super) fn path(&self, file: &str) -> Option<String> {
        if let Some(known) = self.known.borrow().get(file) {
            return known.clone();
        }
        let path = self.find(file);
        let mut known = self.known.borrow_mut();
        known.insert(file.to_owned(), path.clone());
        path
    }

    fn find(&self, file: &str) -> Option<String> {
        let path = self.shown_path(file)?;
        let is_blamed =
            self.blame.is_empty() || self.blame.iter().any(|pattern| pattern.matches(&path));
        is_blamed.then_some(path)
    }

    /// The same, also of files that no pattern of `blame` matches.
    pub(super) fn shown_path(&self, file: &str) -> Option<String> {
        let mut path = normal(file);
        if !is_absolute(&path) {
            path = normal(&format!("{}/{path}", self.root));
        }
        let folders = self.folders.iter();
        let around = folders.filter(|(folder, _)| inside(&path, folder).is_some());
        // Another package can lie inside a member's folder. Of the same folder, the build
        // output's word counts.
        let (_, is_member) = around.max_by_key(|(folder, is_member)| (folder.len(), !is_member))?;
        if !is_member {
            return None;
        }
        Some(inside(&path, &self.root).unwrap_or(&path).to_owned())
    }

    /// Whether a frame is in a member's code.
    fn owns(&self, frame: &Frame) -> bool {
        match &frame.file {
            Some(file) => self.path(file).is_some(),
            None => {
                let name = crate_of(&frame.function);
                name.is_some_and(|name| self.crates.iter().any(|member| member == name))
            }
        }
    }
}

/// What a stack says about the operation at its inner end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blame<'s> {
    /// The innermost frame in a member.
    Ours {
        frame: &'s Frame,
        /// The frame that it called.
        how: Option<&'s Frame>,
        /// The next frame outwards that is ours, in another function.
        called_by: Option<&'s Frame>,
    },
    /// No frame is in a member: the outermost one in a dependency.
    Outside(&'s Frame),
    /// The stack ends early: its last frame.
    Untraced(Option<&'s Frame>),
}

impl<'s> Blame<'s> {
    /// The blame for an operation with this stack.
    pub(super) fn new(stack: &'s [Frame], members: &Members) -> Self {
        let (called, has_harness) = called_by_harness(stack);
        if let Some(at) = called.iter().position(|frame| members.owns(frame)) {
            let (inside, outside) = (&called[..at], &called[at + 1..]);
            let frame = &called[at];
            let is_caller = |one: &&Frame| one.function != frame.function && members.owns(one);
            return Self::Ours {
                frame,
                how: inside.last(),
                called_by: outside.iter().find(is_caller),
            };
        }
        let is_whole = has_harness || called.iter().any(|frame| is_root(&frame.function));
        let mut outermost = called.iter().rev();
        let entry = outermost.find(|frame| !is_std(&frame.function) && !is_root(&frame.function));
        match entry.or(called.first()) {
            Some(frame) if is_whole => Self::Outside(frame),
            _ => Self::Untraced(called.last()),
        }
    }
}

/// The frames of a stack that the harness called, without those of the allocator.
#[must_use]
pub fn measured_frames(stack: &[Frame]) -> &[Frame] {
    called_by_harness(stack).0
}

/// The same, and whether the stack has the harness.
fn called_by_harness(stack: &[Frame]) -> (&[Frame], bool) {
    // What is inlined into an entry has a name without its path, so it is not recognized.
    let mut frames = stack.iter();
    let entry = frames.rposition(|frame| is_entry(&frame.function));
    let stack = &stack[entry.map_or(0, |entry| entry + 1)..];
    let mut frames = stack.iter();
    let inner = frames.position(|frame| !is_allocator(frame));
    let stack = &stack[inner.unwrap_or(stack.len())..];
    let mut frames = stack.iter();
    let harness = frames.position(is_harness);
    (&stack[..harness.unwrap_or(stack.len())], harness.is_some())
}

/// The rest of a `path` inside a `folder`.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1) == Some(&b':')
}

/// A path with `/` between its parts, without `.` and `..` and without a `/` at its end.
fn normal(path: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Place;
    use crate::sites::frame::FrameKind;

    fn members(blame: &[&str]) -> Members {
        let texts = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        let place = Place { line: 1, column: 1 };
        let blame = blame.iter().map(|text| Pattern::new(text, place).unwrap());
        Members::new(
            "/ws/",
            &texts(&["/ws", "/ws/crates/app", "/elsewhere/lib"]),
            &texts(&["/ws/vendor/dep", "/ws/target", "/home/registry/dep-1.0.0"]),
            &texts(&["app", "my-lib"]),
            &blame.collect::<Vec<_>>(),
        )
    }

    #[test]
    fn files_of_members_are_ours() {
        let all = members(&[]);
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
        let windows = Members::new(r"C:\ws", &windows, &[], &[], &[]);
        assert_eq!(
            windows.path(r"C:\ws\src\main.rs").as_deref(),
            Some("src/main.rs")
        );
    }

    #[test]
    fn patterns_narrow_what_is_ours() {
        let app = members(&["crates/app/*", "src/*"]);
        assert!(app.path("/ws/crates/app/src/lib.rs").is_some());
        assert!(app.path("/elsewhere/lib/src/lib.rs").is_none());
    }

    fn stack(frames: &[(&str, Option<&str>)]) -> Vec<Frame> {
        let frame = |&(function, file): &(&str, Option<&str>)| Frame {
            function: function.to_owned(),
            file: file.map(str::to_owned),
            line: file.map(|_| 7),
            column: None,
            kind: FrameKind::Called,
        };
        frames.iter().map(frame).collect()
    }

    const STD: Option<&str> = Some("/rustc/0123/library/alloc/src/vec/mod.rs");
    const APP: Option<&str> = Some("/ws/crates/app/src/lib.rs");
    const DEP: Option<&str> = Some("/ws/vendor/dep/src/lib.rs");

    /// The functions of the blamed frame, of how, and of the caller.
    fn ours(stack: &[Frame]) -> [String; 3] {
        let name = |frame: Option<&Frame>| frame.map_or(String::new(), |one| one.function.clone());
        match Blame::new(stack, &members(&[])) {
            Blame::Ours {
                frame,
                how,
                called_by,
            } => [name(Some(frame)), name(how), name(called_by)],
            Blame::Outside(frame) => [String::from("outside"), name(Some(frame)), String::new()],
            Blame::Untraced(frame) => [String::from("untraced"), name(frame), String::new()],
        }
    }

    #[test]
    fn the_innermost_frame_of_a_member_is_blamed() {
        let inner = [
            ("grow<counting_alloc::Plain, std::alloc::System>", None),
            (
                "<counting_alloc::CountingAlloc as core::alloc::GlobalAlloc>::alloc",
                None,
            ),
            ("__rust_alloc", None),
            ("alloc::alloc::alloc", STD),
            ("alloc::vec::Vec<T>::with_capacity", STD),
        ];
        let outer = [("counting_alloc::window::measure", APP), ("main", None)];
        for (middle, expected) in [
            (
                &[("app::read", APP), ("dep::each", DEP), ("app::all", APP)][..],
                ["app::read", "alloc::vec::Vec<T>::with_capacity", "app::all"],
            ),
            // Recursion names the caller that is another function.
            (
                &[("app::walk", APP), ("app::walk", APP), ("app::all", APP)],
                ["app::walk", "alloc::vec::Vec<T>::with_capacity", "app::all"],
            ),
            (
                &[("dep::each", DEP), ("app::all", APP)],
                ["app::all", "dep::each", ""],
            ),
            // Without line tables, the name of the crate tells.
            (
                &[("dep::each", None), ("<my_lib::A as dep::B>::c", None)],
                ["<my_lib::A as dep::B>::c", "dep::each", ""],
            ),
            (
                &[("dep::inner", DEP), ("dep::outer", None)],
                ["outside", "dep::outer", ""],
            ),
            (&[], ["outside", "alloc::vec::Vec<T>::with_capacity", ""]),
        ] {
            let frames = [&inner[..], middle, &outer].concat();
            assert_eq!(ours(&stack(&frames)), expected);
        }
    }

    #[test]
    fn a_stack_that_ends_early_is_not_one_of_dependencies() {
        for (frames, expected) in [
            (
                &[("__rust_alloc", None), ("jit", None)][..],
                ["untraced", "jit", ""],
            ),
            (&[("__rust_alloc", None)], ["untraced", "", ""]),
            (&[], ["untraced", "", ""]),
            // A thread of a pool begins elsewhere.
            (
                &[
                    ("dep::pool::work", DEP),
                    ("std::sys::thread::unix::Thread::new::thread_start", STD),
                ],
                ["outside", "dep::pool::work", ""],
            ),
        ] {
            assert_eq!(ours(&stack(frames)), expected);
        }
    }
}
