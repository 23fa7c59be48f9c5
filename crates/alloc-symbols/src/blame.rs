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
    use crate::frame::stack;
    use crate::names::crate_of;

    /// The blamed frame, how, where it allocates and the caller, with the weight of the first.
    fn blamed(stack: &[Frame], weigh: impl FnMut(&Frame) -> Option<Weight>) -> String {
        let name = |frame: Option<&Frame>| frame.map_or("-", |one| &one.function).to_owned();
        match Blame::new(stack, weigh) {
            Blame::Ours {
                frame,
                weight,
                how,
                allocates_in,
                called_by,
            } => {
                let all = [Some(frame), how, allocates_in, called_by].map(name);
                format!("{weight:?} {}", all.join(" "))
            }
            Blame::Outside(frame) => format!("outside {}", frame.function),
            Blame::Harness(frame) => format!("harness {}", name(frame)),
            Blame::Untraced(frame) => format!("untraced {}", name(frame)),
        }
    }

    /// Code of members by its file, and without one by its crate.
    fn owns(frame: &Frame) -> Option<Weight> {
        match frame.file.as_deref() {
            Some(file) => (file == "app").then_some(Weight::Code),
            None => {
                let name = crate_of(&frame.function);
                let is_ours = name.is_some_and(|name| ["app", "my_lib"].contains(&name));
                is_ours.then_some(Weight::NoLine)
            }
        }
    }

    #[test]
    fn the_innermost_frame_of_a_member_is_blamed() {
        let inner = "grow<counting_alloc::Plain, std::alloc::System>
            <counting_alloc::CountingAlloc as core::alloc::GlobalAlloc>::alloc
            __rust_alloc
            alloc::alloc::alloc @ /library/alloc/src/alloc.rs
            alloc::vec::Vec::new @ /library/alloc/src/vec/mod.rs";
        let outer = "counting_alloc::window::measure @ app\nmain";
        for (middle, expected) in [
            (
                "app::read @ app\ndep::each @ dep\napp::all @ app",
                "Code app::read alloc::vec::Vec::new - app::all",
            ),
            // Recursion names the caller that is another function.
            (
                "app::walk @ app\napp::walk @ app\napp::all @ app",
                "Code app::walk alloc::vec::Vec::new - app::all",
            ),
            (
                "dep::each @ dep\napp::all @ app",
                "Code app::all dep::each - -",
            ),
            // Without line tables, the name of the crate tells.
            (
                "dep::each\nmy_lib::A::c",
                "NoLine my_lib::A::c dep::each - -",
            ),
            ("dep::inner @ dep\ndep::outer", "outside dep::outer"),
            // The measured code is inlined into the harness.
            ("", "harness alloc::vec::Vec::new"),
            // Frames without a name, of a shared library.
            ("dep::work @ dep\n0x7f12", "outside dep::work"),
        ] {
            let stack = stack(&format!("{inner}\n{middle}\n{outer}"));
            assert_eq!(blamed(&stack, owns), expected, "{middle}");
        }
    }

    #[test]
    fn of_the_heaviest_frames_the_innermost_one_is_blamed() {
        for (text, expected) in [
            ("a @ Code\nb @ Code\nc @ Code", "Code a - - b"),
            // The caller of a derive, the line that is known, and the line that was edited.
            ("fmt @ Glue\ndep\nb @ Code", "Code b dep fmt -"),
            ("a @ NoLine\nfmt @ Glue\nc", "Glue fmt a a -"),
            (
                "a @ Code\nb @ Edited\nc @ Edited\nd @ Code",
                "Edited b a a c",
            ),
        ] {
            let weigh = |frame: &Frame| {
                let all = [Weight::NoLine, Weight::Glue, Weight::Code, Weight::Edited];
                let mut all = all.into_iter();
                all.find(|weight| frame.file.as_deref() == Some(&format!("{weight:?}")))
            };
            assert_eq!(blamed(&stack(text), weigh), expected);
        }
    }

    #[test]
    fn the_line_that_makes_a_text_is_blamed_whoever_prints_it() {
        let weigh = |frame: &Frame| match &*frame.function {
            "fmt" | "derived" => Some(Weight::Glue),
            "show" => Some(Weight::Code),
            _ => None,
        };
        for (inner, expected) in [
            ("", "show"),
            // `write!(f, ..)` writes into the printer's text.
            ("write_fmt @ FMT", "show"),
            ("alloc::fmt::format @ /library/alloc/src/fmt.rs", "fmt"),
            (
                r"to_string<app::Range> @ /library\alloc\src\string.rs",
                "fmt",
            ),
            ("spec_write_fmt<alloc::string::String> @ FMT", "fmt"),
            (
                "std::io::Write::write_fmt @ /library/std/src/io/mod.rs",
                "fmt",
            ),
            ("format @ /library/alloc/src/fmt.rs\ndep::text @ dep", "fmt"),
            // A tail call took `write_fmt` off the stack.
            ("core::fmt::write @ FMT", "fmt"),
            ("core::fmt::write @ FMT\nwrite_fmt @ FMT", "show"),
            // The innermost one counts.
            ("derived @ app\nformat @ /library/alloc/src/fmt.rs", "fmt"),
            (
                "format @ /library/alloc/src/fmt.rs\nderived @ app",
                "derived",
            ),
            // A function with such a name elsewhere.
            ("app::to_string @ dep", "show"),
        ] {
            let write = "<alloc::string::String as core::fmt::Write>::write_str";
            let printer = "fmt @ app\nspec_write_fmt<alloc::string::String> @ FMT\nshow @ app";
            let text = format!("{write}\n{inner}\n{printer}");
            let stack = stack(&text.replace("FMT", "/library/core/src/fmt/mod.rs"));
            let shown = blamed(&stack, weigh);
            assert_eq!(shown.split(' ').nth(1), Some(expected), "{inner}");
        }
    }

    #[test]
    fn a_stack_that_ends_early_is_not_one_of_dependencies() {
        for (text, expected) in [
            ("__rust_alloc\njit", "untraced jit"),
            ("__rust_alloc", "untraced -"),
            ("__rust_alloc\nalloc_assert::once", "harness -"),
            (
                "alloc::vec::push\nalloc_assert::once",
                "harness alloc::vec::push",
            ),
            ("", "untraced -"),
            // A thread of a pool begins elsewhere.
            (
                "dep::pool::work @ dep\nstd::sys::thread::unix::Thread::new::thread_start",
                "outside dep::pool::work",
            ),
        ] {
            assert_eq!(blamed(&stack(text), owns), expected);
        }
    }
}
