//! Whose code allocates: that of the workspace, of a dependency, or of the standard library.

use alloc_symbols::names::crate_of;
use alloc_symbols::{Frame, measured_frames};
use indexmap::IndexMap;

use crate::sites::amounts::Amounts;

/// The crate that operations belong to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// A workspace member.
    Ours,
    /// A dependency, by its name.
    Dependency(String),
    /// The standard library, with no other code below it.
    Std,
}

/// The operations of each owner.
pub type Owners = IndexMap<Owner, Amounts>;

/// The owner of the innermost code of a stack that is not the standard library's. `owns` says
/// which frames are the workspace's own.
pub(super) fn owner(stack: &[Frame], owns: impl Fn(&Frame) -> bool) -> Owner {
    let frames = measured_frames(stack).iter();
    let mut owners = frames.filter_map(|frame| {
        if owns(frame) {
            return Some(Owner::Ours);
        }
        let name = crate_of_frame(frame)?;
        let is_std = matches!(&*name, "alloc" | "core" | "std" | "hashbrown");
        (!is_std).then_some(Owner::Dependency(name))
    });
    owners.next().unwrap_or(Owner::Std)
}

/// The function of the standard library that allocates: of the innermost functions of a stack that
/// are in `alloc`, `std` or `hashbrown`, the outermost one. `core` has the code in between, such as
/// iterators.
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
    measured_frames(stack).iter().take_while(is_it).last()
}

/// The crate of a function, by its path; or, as line tables name an inlined function without its
/// path, by the folder of its package: `serde_json-1.0.154`.
fn crate_of_frame(frame: &Frame) -> Option<String> {
    if let Some(name) = crate_of(&frame.function) {
        return Some(name.to_owned());
    }
    let (folder, _) = frame.file.as_deref()?.rsplit_once("/src/")?;
    let folder = folder.rsplit(['/', '\\']).next()?;
    let is_version =
        |&(at, _): &(usize, &str)| folder[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let version = folder.match_indices('-').find(is_version);
    let name = version.map_or(folder, |(at, _)| &folder[..at]);
    Some(name.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use alloc_symbols::FrameKind;

    use super::*;

    #[test]
    fn the_innermost_code_that_is_not_of_std_owns_an_operation() {
        let frame = |&(function, file): &(&str, &str)| Frame {
            function: function.into(),
            file: (!file.is_empty()).then(|| file.into()),
            line: None,
            column: None,
            kind: FrameKind::Called,
        };
        let registry = "/r/registry/src/index.crates.io-1949cf8c6b5b557f";
        let json = format!("{registry}/serde-json-1.0.154+spec-1.0/src/value/mod.rs");
        let vec = ("alloc::vec::Vec<T>::push", "");
        let ours = ("app::encode", "/ws/src/lib.rs");
        for (stack, expected) in [
            (&[vec, ours][..], Owner::Ours),
            (
                &[vec, ("serde_json::to_vec", ""), ours],
                Owner::Dependency(String::from("serde_json")),
            ),
            (
                &[vec, ("to_vec", &json), ours],
                Owner::Dependency(String::from("serde_json")),
            ),
            (&[vec], Owner::Std),
            (
                &[("new", "/rustc/5980/library/alloc/src/boxed.rs"), ours],
                Owner::Ours,
            ),
        ] {
            let stack: Vec<Frame> = stack.iter().map(frame).collect();
            let owns = |frame: &Frame| frame.file.as_deref() == Some("/ws/src/lib.rs");
            assert_eq!(owner(&stack, owns), expected);
        }
    }
}
