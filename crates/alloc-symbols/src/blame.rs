//! [`Blame`]: the frame of a stack that is blamed for an operation.

use std::sync::Arc;

use crate::names::{crate_of, crate_of_frame, implemented_trait, segments, trait_of_impl};

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

/// The frames of a stack that the harness called, without the frames of the allocator.
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

/// Whether the frame is a part of the allocator, which is called by the line that allocates.
///
/// Line tables name an inlined function without its path, so its file counts too.
pub(crate) fn is_allocator(frame: &Frame) -> bool {
    const FILE: [&str; 4] = ["alloc.rs", "src", "alloc", "library"];
    let file = frame.file.as_deref().unwrap_or_default();
    // Standard libraries for Windows have both separators.
    let parts = file.rsplit(['/', '\\']).take(FILE.len());
    let function = &*frame.function;
    crate_of(function) == Some("counting_alloc")
        || is_entry(function)
        || function.starts_with("alloc::alloc::")
        || function.starts_with("<alloc::alloc::")
        || parts.eq(FILE)
}

/// Whether the function is one through which code calls the global allocator.
pub(crate) fn is_entry(function: &str) -> bool {
    const NAMES: [&str; 5] = [
        "__rust_alloc",
        "__rust_dealloc",
        "__rust_realloc",
        "__rg_",
        "__rdl_",
    ];
    // `__rustc::__rust_alloc`, or `__rustc[7]::__rust_alloc`; in a PDB `app::_::__rust_alloc`.
    let name = match function.rsplit_once("::") {
        Some((path, name)) if path.starts_with("__rustc") || path.ends_with("::_") => name,
        _ => function,
    };
    NAMES.iter().any(|entry| name.starts_with(entry)) || name.contains("::GlobalAlloc>::")
}

/// Whether the frame is a function of the standard library that formats into a text or writer of
/// its caller. `Formatter::write_fmt` writes into the text of whoever prints. Unlike the `write_fmt` of
/// writers, it does not call `spec_write_fmt`.
pub(crate) fn makes_text(frame: &Frame) -> bool {
    const MAKERS: [(&str, &str); 4] = [
        ("format", "library/alloc/src/fmt.rs"),
        ("to_string", "library/alloc/src/string.rs"),
        ("spec_write_fmt", "library/core/src/fmt/mod.rs"),
        ("write_fmt", "library/std/src/io/mod.rs"),
    ];
    let file = frame.file.as_deref().unwrap_or_default().replace('\\', "/");
    let path = segments(&frame.function);
    let is_it = |(maker, of): &(&str, &str)| {
        file.ends_with(of) && path.last().is_some_and(|name| name == maker)
    };
    MAKERS.iter().any(is_it)
}

/// Whether the frame is a part of the harness, which calls the measured code.
#[must_use]
pub(crate) fn is_harness(frame: &Frame) -> bool {
    const CRATES: [&str; 3] = ["counting_alloc", "alloc_scenario", "alloc_assert"];
    crate_of_frame(frame).is_some_and(|name| CRATES.contains(&&*name))
}

/// Whether a stack is whole that ends here: at the beginning of a thread or of the program.
pub(crate) fn is_root(function: &str) -> bool {
    matches!(
        function,
        "main" | "_start" | "start_thread" | "__clone" | "clone3" | "__clone3" | "thread_start"
    ) || function.contains("__rust_begin_short_backtrace")
        || function.contains("thread_start")
        || function.starts_with("std::rt::lang_start")
}

/// Whether the function is one of the standard library.
#[must_use]
pub fn is_std(function: &str) -> bool {
    matches!(crate_of(function), Some("alloc" | "core" | "std"))
}

/// The traits whose methods are passed over. The line that formats, writes, copies, converts or
/// drops a value is the one that somebody wrote for it.
const TRAITS: [&str; 7] = [
    "Clone",
    "Debug",
    "Display",
    "Drop",
    "From",
    "Serialize",
    "Write",
];

impl Weight {
    /// The weight of a frame in code of one's own, unless its line was edited. `source` is the
    /// text of its file, if it is at hand: line tables name inlined functions without their
    /// traits.
    #[must_use]
    pub fn of(frame: &Frame, source: Option<&str>) -> Self {
        let Some(line) = frame.line else {
            return Self::NoLine;
        };
        let is_glue = if frame.function.contains("::") {
            implemented_trait(&frame.function).is_some_and(|name| TRAITS.contains(&name))
        } else {
            source.is_some_and(|source| is_in_glue(source, line))
        };
        if is_glue { Self::Glue } else { Self::Code }
    }
}

/// Whether a line is a `#[derive]`, or inside of an `impl` of one of the traits, as rustfmt
/// indents it.
fn is_in_glue(source: &str, line: u32) -> bool {
    let number = usize::try_from(line).unwrap_or(usize::MAX);
    let lines: Vec<&str> = source.lines().take(number).collect();
    let Some((last, above)) = lines.split_last().filter(|_| lines.len() == number) else {
        return false;
    };
    if last.trim_start().starts_with("#[derive(") {
        return true;
    }
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indentation(last);
    for (at, line) in above.iter().enumerate().rev() {
        let text = line.trim_start();
        if text.is_empty() || indentation(line) >= inside {
            continue;
        }
        if text.starts_with("impl") || text.starts_with("unsafe impl") {
            return header_trait(&lines[at..]).is_some_and(|name| TRAITS.contains(&name));
        }
        // A header can end in lines of its own.
        if text != "{" && !text.starts_with("where") {
            inside = indentation(line);
        }
    }
    false
}

/// The trait of the `impl` that begins in the first of these lines.
fn header_trait<'s>(lines: &[&'s str]) -> Option<&'s str> {
    let line = lines.iter().find(|line| line.contains(" for "))?;
    let (_, header) = line.split_once("impl").unwrap_or(("", line));
    trait_of_impl(header)
}

/// A frame of a call stack, with what the executable says about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function's path without the compiler's hash, such as `codec::text::encode`. If no
    /// function of the file is there, the address of the instruction, such as `0x1f40`.
    pub function: Arc<str>,
    /// The source file, as the compiler was given it.
    pub file: Option<Arc<str>>,
    /// The line of the call. `None` where several calls are possible, or the file has no line
    /// tables for this function.
    pub line: Option<u32>,
    /// The column at which the call begins, counted from 1 in bytes.
    pub column: Option<u32>,
    /// How the frame was found.
    pub kind: FrameKind,
}

/// How a frame was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameKind {
    /// Its return address was on the stack.
    Called,
    /// The compiler inlined it into the next frame.
    Inlined,
    /// It was not on the stack: its last action was a jump to the frame before it. The machine
    /// code of its caller names it.
    TailCalled,
}

impl Frame {
    /// Whether the function is known, and not only an address.
    #[must_use]
    pub fn has_name(&self) -> bool {
        !self.function.is_empty() && !self.function.starts_with("0x")
    }
}

/// What stands for the name of a function that is not known.
#[cfg(feature = "executables")]
pub(crate) fn address_name(address: u64) -> Arc<str> {
    format!("{address:#x}").into()
}

/// A frame for each line of a text: its function, and behind `@` its file.
#[cfg(test)]
pub(crate) fn stack(text: &str) -> Vec<Frame> {
    let lines = text.lines().filter(|line| !line.is_empty());
    let frames = lines.map(|line| {
        let (function, file) = line.split_once(" @ ").unzip();
        Frame {
            function: function.unwrap_or(line).trim().into(),
            file: file.map(Into::into),
            line: None,
            column: None,
            kind: FrameKind::Called,
        }
    });
    frames.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{crate_of, rows};

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
        // Recursion names the caller that is another function. Without line tables, the name of the
        // crate decides. The measured code can be inlined into the harness, and frames of a shared
        // library have no names.
        let table =
            "app::read @ app / dep::each @ dep / app::all @ app => Code app::read alloc::vec::Vec::new - app::all
            app::walk @ app / app::walk @ app / app::all @ app => Code app::walk alloc::vec::Vec::new - app::all
            dep::each @ dep / app::all @ app => Code app::all dep::each - -
            dep::each / my_lib::A::c => NoLine my_lib::A::c dep::each - -
            dep::inner @ dep / dep::outer => outside dep::outer
            => harness alloc::vec::Vec::new
            dep::work @ dep / 0x7f12 => outside dep::work";
        for (middle, expected) in rows(table) {
            let middle = middle.replace(" / ", "\n");
            let stack = stack(&format!("{inner}\n{middle}\n{outer}"));
            assert_eq!(blamed(&stack, owns), expected, "{middle}");
        }
    }

    #[test]
    fn of_the_heaviest_frames_the_innermost_one_is_blamed() {
        // The caller of a derive, the line that is known, and the line that was edited.
        let table = "a @ Code / b @ Code / c @ Code => Code a - - b
            fmt @ Glue / dep / b @ Code => Code b dep fmt -
            a @ NoLine / fmt @ Glue / c => Glue fmt a a -
            a @ Code / b @ Edited / c @ Edited / d @ Code => Edited b a a c";
        for (text, expected) in rows(table) {
            let weigh = |frame: &Frame| {
                let all = [Weight::NoLine, Weight::Glue, Weight::Code, Weight::Edited];
                let mut all = all.into_iter();
                all.find(|weight| frame.file.as_deref() == Some(&format!("{weight:?}")))
            };
            assert_eq!(blamed(&stack(&text.replace(" / ", "\n")), weigh), expected);
        }
    }

    #[test]
    fn the_line_that_makes_a_text_is_blamed_whoever_prints_it() {
        let weigh = |frame: &Frame| match &*frame.function {
            "fmt" | "derived" => Some(Weight::Glue),
            "show" => Some(Weight::Code),
            _ => None,
        };
        // Code that calls other code is behind a slash.
        let table = "=> show
            write_fmt @ FMT => show
            alloc::fmt::format @ TEXT => fmt
            to_string<app::Range> @ /library\\alloc\\src\\string.rs => fmt
            spec_write_fmt<alloc::string::String> @ FMT => fmt
            std::io::Write::write_fmt @ /library/std/src/io/mod.rs => fmt
            format @ TEXT / dep::text @ dep => fmt
            core::fmt::write @ FMT => fmt
            core::fmt::write @ FMT / write_fmt @ FMT => show
            derived @ app / format @ TEXT => fmt
            format @ TEXT / derived @ app => derived
            app::to_string @ dep => show";
        for (inner, expected) in rows(table) {
            let inner = inner
                .replace(" / ", "\n")
                .replace("TEXT", "/library/alloc/src/fmt.rs");
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
        // A thread of a pool begins elsewhere.
        let table = "__rust_alloc / jit => untraced jit
            __rust_alloc => untraced -
            __rust_alloc / alloc_assert::once => harness -
            alloc::vec::push / alloc_assert::once => harness alloc::vec::push
            => untraced -
            dep::work @ dep / std::sys::thread::unix::Thread::new::thread_start => outside dep::work";
        for (text, expected) in rows(table) {
            assert_eq!(blamed(&stack(&text.replace(" / ", "\n")), owns), expected);
        }
    }

    #[test]
    fn layers_are_known_by_their_names() {
        let allocators = "__rust_alloc
            __rustc::__rust_alloc
            __rustc[7]::__rust_realloc
            app::_::__rust_realloc
            <counting_alloc::CountingAlloc<A> as core::alloc::global::GlobalAlloc>::alloc
            alloc::alloc::alloc
            alloc::alloc::exchange_malloc
            <alloc::alloc::Global as core::alloc::Allocator>::allocate
            alloc @ /rustc/0123/library/alloc/src/alloc.rs
            alloc @ /rustc/0123/library\\alloc\\src\\alloc.rs";
        let others = "alloc::vec::Vec<T>::with_capacity
            app::alloc::alloc
            alloc @ src/alloc.rs";
        // Line tables name inlined functions without their paths.
        let harness = "alloc_scenario::runner::measure::{{closure}}
            {closure#1} @ crates/alloc-scenario/src/measure.rs
            {closure#1} @ /r/alloc-scenario-0.1.0/src/body.rs
            {closure#1} @ C:\\r\\counting-alloc\\src\\window.rs";
        let outside = "{closure#1} @ crates/alloc-scenario/benches/a.rs
            {closure#1} @ crates/alloc-scenario-extras/src/lib.rs
            {closure#1} @ src/lib.rs
            alloc_impl @ /rustc/0123/library/alloc/src/alloc.rs";
        for (text, is_it) in [(allocators, true), (others, false)] {
            assert!(stack(text).iter().all(|frame| is_allocator(frame) == is_it));
        }
        for (text, is_it) in [(harness, true), (outside, false)] {
            assert!(stack(text).iter().all(|frame| is_harness(frame) == is_it));
        }
        assert!(is_root("std::sys::thread::unix::Thread::new::thread_start"));
        assert!(is_std("<core::iter::Map<I, F> as Iterator>::next"));
    }

    const SOURCE: &str = "
    #[derive(Debug)]
    struct Point {
        x: u32,
    }

    impl<T: Copy> fmt::Display for Pair<T>
    where
        T: fmt::Display,
    {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            if true {
                out.write_str(&self.x.to_string())
            }
        }
    }

    impl From<Vec<u8>> for Pair<u8> {
        fn from(bytes: Vec<u8>) -> Self {
            Self::new(bytes.clone())
        }
    }

    impl Pair<u8> {
        fn new(bytes: Vec<u8>) -> Self {
            Self(bytes.to_vec())
        }
    }

    impl<T> Iterator for Pair<T> {
        fn next(&mut self) -> Option<T> {
            Some(self.0.to_vec())
        }
    }

    fn free() -> Vec<u8> {
        vec![1]
    }
";

    #[test]
    fn lines_of_derives_and_of_glue_are_found() {
        for line in [2, 13, 20] {
            assert!(is_in_glue(SOURCE, line), "{line}");
        }
        for line in [4, 26, 32, 37, 99, 0] {
            assert!(!is_in_glue(SOURCE, line), "{line}");
        }
    }

    #[test]
    fn names_with_paths_need_no_source() {
        let weight = |function: &str, line| {
            let frame = Frame {
                line,
                ..stack(function).remove(0)
            };
            Weight::of(&frame, Some(SOURCE))
        };
        for glue in [
            "<app::Point as core::fmt::Debug>::fmt",
            "<app::A as core::convert::From<app::B>>::from",
            "app::text::<impl core::clone::Clone for app::A>::clone",
            // Without a path, the source decides.
            "fmt",
        ] {
            assert_eq!(weight(glue, Some(13)), Weight::Glue, "{glue}");
        }
        for code in ["<app::A as app::Encode>::encode", "app::fmt"] {
            assert_eq!(weight(code, Some(13)), Weight::Code, "{code}");
        }
        assert_eq!(weight("app::fmt", None), Weight::NoLine);
    }
}
