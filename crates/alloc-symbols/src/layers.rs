//! The layers of a call stack, which the names of functions and their files tell: the allocator,
//! the harness, the standard library, and the beginning of a thread.

use crate::frame::Frame;
use crate::names::{crate_of, crate_of_frame, segments};

/// Whether the frame is a part of the allocator: it stands inside the line that allocates.
///
/// Line tables name an inlined function without its path, so its file tells as well.
pub(crate) fn is_allocator(frame: &Frame) -> bool {
    const FILE: [&str; 4] = ["alloc.rs", "src", "alloc", "library"];
    let file = frame.file.as_deref().unwrap_or_default();
    // Standard libraries for Windows have both separators.
    let parts = file.rsplit(['/', '\\']).take(FILE.len());
    is_allocator_function(&frame.function) || parts.eq(FILE)
}

fn is_allocator_function(function: &str) -> bool {
    crate_of(function) == Some("counting_alloc")
        || is_entry(function)
        || function.starts_with("alloc::alloc::")
        || function.starts_with("<alloc::alloc::")
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
/// its caller. `Formatter::write_fmt` writes into that of whoever prints; unlike those of writers, it
/// does not call `spec_write_fmt`.
pub(crate) fn makes_text(frame: &Frame) -> bool {
    const MAKERS: [(&str, &str); 4] = [
        ("format", "library/alloc/src/fmt.rs"),
        ("to_string", "library/alloc/src/string.rs"),
        ("spec_write_fmt", "library/core/src/fmt/mod.rs"),
        ("write_fmt", "library/std/src/io/mod.rs"),
    ];
    let file = frame.file.as_deref().unwrap_or_default().replace('\\', "/");
    let is_it = |(maker, of): &(&str, &str)| {
        file.ends_with(of)
            && segments(&frame.function)
                .last()
                .is_some_and(|it| it == maker)
    };
    MAKERS.iter().any(is_it)
}

/// Whether the frame is a part of the harness, which calls the measured code.
#[must_use]
pub fn is_harness(frame: &Frame) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::stack;

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
}
