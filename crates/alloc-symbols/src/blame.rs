//! [`Blame`]: the frame of a stack that is blamed for an operation.

use crate::frame::Frame;
use crate::layers::{is_allocator, is_entry, is_harness, is_root, is_std, makes_text};

/// How much a frame in code of one's own is to blame. Of the frames of a stack, the innermost one
/// of the greatest weight is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A function whose line is not known.
    NoLine,
    /// A derive, or an implementation of a trait whose methods are called by generic code, such
    /// as `Display` or `Clone`: its caller decides that it runs. The line that calls the innermost
    /// `format!`, `to_string` or `write_fmt` of a stack has the weight of code: the text is made
    /// there, whoever prints it.
    Glue,
    /// Any other line.
    Code,
    /// A line that was edited.
    Edited,
}

/// What a stack says about the operation at its inner end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame<'s> {
    /// A frame is in code of one's own.
    Ours {
        /// The innermost one of the greatest weight.
        frame: &'s Frame,
        /// Its weight.
        weight: Weight,
        /// The frame that it called.
        how: Option<&'s Frame>,
        /// The innermost frame that is ours, if that is another one.
        allocates_in: Option<&'s Frame>,
        /// The next frame outwards that is ours, in another function.
        called_by: Option<&'s Frame>,
    },
    /// No frame is in code of one's own: the outermost one in a dependency.
    Outside(&'s Frame),
    /// The measured code is inlined into the harness, and has no frame: the frame of the
    /// standard library that it called, unless that is inlined too.
    Harness(Option<&'s Frame>),
    /// The stack ends early: its last frame.
    Untraced(Option<&'s Frame>),
}

impl<'s> Blame<'s> {
    /// The blame for an operation with this stack, innermost frame first. `weigh` gives the
    /// weight of a frame in code of one's own.
    #[must_use]
    pub fn new(stack: &'s [Frame], mut weigh: impl FnMut(&Frame) -> Option<Weight>) -> Self {
        let (called, has_harness) = called_by_harness(stack);
        let frames = called.iter().enumerate();
        let ours = frames.filter_map(|(at, frame)| Some((at, weigh(frame)?)));
        let mut ours: Vec<(usize, Weight)> = ours.collect();
        // `write_fmt` of the standard library's own writers is lost to a tail call.
        let is_writer = |at: usize| {
            let is_ours = |outer| ours.iter().any(|&(at, _)| at == outer);
            &*called[at].function == "core::fmt::write" && is_ours(at + 1)
        };
        let maker = (0..called.len()).find(|&at| makes_text(&called[at]) || is_writer(at));
        if let Some(maker) = maker
            && let Some((_, weight)) = ours.iter_mut().find(|(at, _)| *at > maker)
            && *weight == Weight::Glue
        {
            *weight = Weight::Code;
        }
        // Of equal ones, the last in this order.
        if let Some(&(at, weight)) = ours.iter().rev().max_by_key(|(_, weight)| *weight) {
            let frame = &called[at];
            let mut others = ours.iter().map(|&(at, _)| at);
            let innermost = others.next().filter(|&inner| inner < at);
            let is_caller = |&outer: &usize| outer > at && called[outer].function != frame.function;
            return Self::Ours {
                frame,
                weight,
                how: called[..at].last(),
                allocates_in: innermost.map(|inner| &called[inner]),
                called_by: others.find(is_caller).map(|outer| &called[outer]),
            };
        }
        if has_harness && called.iter().all(|frame| is_std(&frame.function)) {
            return Self::Harness(called.last());
        }
        let is_whole = has_harness || called.iter().any(|frame| is_root(&frame.function));
        let mut outermost = called.iter().rev();
        let entry = outermost.find(|frame| {
            frame.has_name() && !is_std(&frame.function) && !is_root(&frame.function)
        });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::crate_of;

    /// A function and its file.
    type Pair = (&'static str, Option<&'static str>);

    const STD: Option<&str> = Some("/rustc/0123/library/alloc/src/vec/mod.rs");
    const APP: Option<&str> = Some("/ws/crates/app/src/lib.rs");
    const DEP: Option<&str> = Some("/ws/vendor/dep/src/lib.rs");

    /// The functions of the blamed frame, of how, and of the caller.
    fn ours(stack: &[Pair]) -> [String; 3] {
        let owns = |frame: &Frame| match &frame.file {
            Some(file) => (Some(&**file) == APP).then_some(Weight::Code),
            None => {
                let name = crate_of(&frame.function);
                let is_ours = name.is_some_and(|name| ["app", "my_lib"].contains(&name));
                is_ours.then_some(Weight::NoLine)
            }
        };
        let name = |frame: Option<&Frame>| frame.map_or("", |one| &one.function).to_owned();
        let none = String::new();
        let stack: Vec<Frame> = stack.iter().map(|&pair| pair.into()).collect();
        match Blame::new(&stack, owns) {
            Blame::Ours {
                frame,
                how,
                called_by,
                ..
            } => [name(Some(frame)), name(how), name(called_by)],
            Blame::Outside(frame) => [String::from("outside"), name(Some(frame)), none],
            Blame::Harness(frame) => [String::from("harness"), name(frame), none],
            Blame::Untraced(frame) => [String::from("untraced"), name(frame), none],
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
            // The measured code is inlined into the harness.
            (&[], ["harness", "alloc::vec::Vec<T>::with_capacity", ""]),
            // Frames without a name, of a shared library.
            (
                &[("dep::work", DEP), ("0x7f12", None), ("", None)],
                ["outside", "dep::work", ""],
            ),
        ] {
            let frames = [&inner[..], middle, &outer].concat();
            assert_eq!(ours(&frames), expected);
        }
    }

    #[test]
    fn of_the_heaviest_frames_the_innermost_one_is_blamed() {
        use Weight::{Code, Edited, Glue, NoLine};
        let blamed = |weights: &[(&'static str, Option<Weight>)]| {
            let stack: Vec<Frame> = weights.iter().map(|one| (one.0, APP).into()).collect();
            let weigh = |frame: &Frame| {
                let mut found = weights.iter().filter(|one| one.0 == &*frame.function);
                found.next()?.1
            };
            let Blame::Ours {
                frame,
                weight,
                how,
                allocates_in,
                called_by,
            } = Blame::new(&stack, weigh)
            else {
                panic!("{stack:?}");
            };
            let name = |frame: Option<&Frame>| frame.map_or("", |one| &one.function).to_owned();
            let others = [how, allocates_in, called_by].map(name);
            (name(Some(frame)), weight, others.join(" "))
        };
        for (stack, function, weight, others) in [
            (
                &[("a", Some(Code)), ("b", Some(Code)), ("c", Some(Code))][..],
                "a",
                Code,
                "  b",
            ),
            // The caller of a derive, the line that is known, and the line that was edited.
            (
                &[("fmt", Some(Glue)), ("dep", None), ("b", Some(Code))],
                "b",
                Code,
                "dep fmt ",
            ),
            (
                &[("a", Some(NoLine)), ("fmt", Some(Glue)), ("c", None)],
                "fmt",
                Glue,
                "a a ",
            ),
            (
                &[
                    ("a", Some(Code)),
                    ("b", Some(Edited)),
                    ("c", Some(Edited)),
                    ("d", Some(Code)),
                ],
                "b",
                Edited,
                "a a c",
            ),
        ] {
            let (blamed, of, rest) = blamed(stack);
            assert_eq!((&*blamed, of, &*rest), (function, weight, others));
        }
    }

    #[test]
    fn the_line_that_makes_a_text_is_blamed_whoever_prints_it() {
        const TEXT: Option<&str> = Some("/rustc/0123/library/alloc/src/fmt.rs");
        const STRING: Option<&str> = Some("/rustc/0123/library\\alloc\\src\\string.rs");
        const FMT: Option<&str> = Some("/rustc/0123/library/core/src/fmt/mod.rs");
        const IO: Option<&str> = Some("/rustc/0123/library/std/src/io/mod.rs");
        let write = (
            "<alloc::string::String as core::fmt::Write>::write_str",
            STRING,
        );
        let printer = [
            ("spec_write_fmt<alloc::string::String>", FMT),
            ("show", APP),
        ];
        for (inner, blamed) in [
            (&[write][..], "show"),
            // `write!(f, ..)` writes into the printer's text.
            (&[write, ("write_fmt", FMT)], "show"),
            (&[write, ("alloc::fmt::format", TEXT)], "fmt"),
            (&[write, ("to_string<app::Range>", STRING)], "fmt"),
            (
                &[write, ("spec_write_fmt<alloc::string::String>", FMT)],
                "fmt",
            ),
            (&[write, ("std::io::Write::write_fmt", IO)], "fmt"),
            (&[write, ("format", TEXT), ("dep::text", DEP)], "fmt"),
            // A tail call took `write_fmt` off the stack.
            (&[write, ("core::fmt::write", FMT)], "fmt"),
            (
                &[write, ("core::fmt::write", FMT), ("write_fmt", FMT)],
                "show",
            ),
            // The innermost one counts.
            (&[write, ("derived", APP), ("format", TEXT)], "fmt"),
            (&[write, ("format", TEXT), ("derived", APP)], "derived"),
            // A function with such a name elsewhere.
            (&[write, ("app::to_string", DEP)], "show"),
        ] {
            let stack = [inner, &[("fmt", APP)], &printer].concat();
            let stack: Vec<Frame> = stack.into_iter().map(Frame::from).collect();
            let weigh = |frame: &Frame| match &*frame.function {
                "fmt" | "derived" => Some(Weight::Glue),
                "show" => Some(Weight::Code),
                _ => None,
            };
            let Blame::Ours { frame, .. } = Blame::new(&stack, weigh) else {
                panic!("{stack:?}");
            };
            assert_eq!(&*frame.function, blamed, "{inner:?}");
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
            (
                &[("__rust_alloc", None), ("alloc_assert::once", None)],
                ["harness", "", ""],
            ),
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
            assert_eq!(ours(frames), expected);
        }
    }
}
