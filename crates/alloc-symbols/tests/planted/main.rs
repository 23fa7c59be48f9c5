//! Builds programs with planted allocations, and finds the line of each from its stack.

#![cfg(any(all(target_os = "linux", target_arch = "x86_64"), target_os = "macos"))]
#![expect(clippy::unwrap_used, reason = "a test fails where it can't go on")]

mod macos;
mod msvc;
mod program;

use std::collections::{BTreeMap, BTreeSet};

use alloc_symbols::{Executable, Frame, FrameKind, Problem};
use program::{LINES, Lines, Marks, Program, Site};

/// The frames in the planted workspace, innermost first. The compiler gives its functions
/// between a program and its allocator the line of `#[global_allocator]`.
fn of_the_workspace(frames: &[Frame]) -> impl Iterator<Item = &Frame> {
    frames.iter().filter(|frame| {
        let function = &frame.function;
        let is_glue = function.contains("__rust_alloc") || function.contains("__rust_realloc");
        let file = frame.file.as_deref().unwrap_or_default();
        !is_glue && (file.ends_with("app/main.rs") || file.ends_with("other/lib.rs"))
    })
}

fn line(frame: &Frame) -> (String, u32) {
    let file = frame.file.as_deref().unwrap_or_default();
    let file = match file.ends_with("app/main.rs") {
        true => "app/main.rs",
        false => "other/lib.rs",
    };
    (file.to_owned(), frame.line.unwrap_or_default())
}

fn shown(frames: &[Frame]) -> String {
    let lines = frames.iter().map(|frame| {
        let (function, file) = (&frame.function, frame.file.as_deref().unwrap_or_default());
        let line = frame.line.unwrap_or_default();
        format!("  {function} ({:?}), {file}:{line}\n", frame.kind)
    });
    lines.collect()
}

/// The sites with an allocation whose call the compiler made of several. It has no line;
/// a PDB has the line of the code before it.
const MERGED: [&str; 4] = [
    "closure_in_chain",
    "generic_of_another_crate",
    "provided_method",
    "sort_by_cached_key",
];

/// Whether the program is linked as for Microsoft's compiler, and has a PDB. Tests of such files are
/// in msvc.rs.
fn has_pdb() -> bool {
    program::target().is_some_and(|target| target.contains("msvc"))
}

/// Every allocation of every site is on a marked line, and every marked line has one.
fn check_lines(program: &Program) {
    let executable = Executable::open(&program.executable).unwrap();
    let mut symbols = executable.symbols("planted::capture::anchor").unwrap();
    let mut found = BTreeMap::new();
    let mut mistakes = Vec::new();
    let mut expected = program.marks.inner.clone();
    for Site { name, stacks } in program.run() {
        if has_pdb() && MERGED.contains(&&*name) {
            expected.remove(&name);
            continue;
        }
        assert!(!stacks.is_empty(), "{name} allocates nothing");
        let mut lines = BTreeSet::new();
        for stack in stacks {
            let frames = symbols.frames(&stack);
            let blamed = of_the_workspace(&frames).next();
            if let Some(frame) = blamed {
                lines.insert(line(frame));
            }
            if !blamed.is_some_and(|frame| program.marks.inner[&name].contains(&line(frame))) {
                mistakes.push(format!("{name}:\n{}", shown(&frames)));
            }
        }
        found.insert(name, lines);
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert_eq!(found, expected);
    assert!(found.len() >= 50, "{} sites", found.len());
    assert_eq!(symbols.problem(), None);
}

#[test]
fn each_allocation_is_on_its_line_in_a_release_build() {
    let program = Program::build("release", &[LINES]);
    check_lines(&program);
    check_tail_calls(&program);
    check_columns_and_names(&program);
    check_address_ranges(&program);
}

#[test]
#[ignore = "long builds; the step `sites` of CI runs it"]
fn each_allocation_is_on_its_line_with_fat_lto_and_with_panic_abort() {
    check_lines(&Program::build(
        "fat-lto",
        &[LINES, "-Clto=fat", "-Ccodegen-units=1"],
    ));
    check_lines(&Program::build("panic-abort", &[LINES, "-Cpanic=abort"]));
}

/// The symbols of a program, and the first stack of each of its sites.
fn check_stacks(program: &Program, check: impl Fn(&mut dyn FnMut(&str) -> Vec<Frame>)) {
    let executable = Executable::open(&program.executable).unwrap();
    let mut symbols = executable.symbols("planted::capture::anchor").unwrap();
    let sites = program.run();
    check(&mut |name| {
        let site = sites.iter().find(|site| site.name == name).unwrap();
        symbols.frames(&site.stacks[0])
    });
}

/// Functions that are not on the stack are found, with the lines of their jumps.
fn check_tail_calls(program: &Program) {
    let Marks { inner, outer } = &program.marks;
    check_stacks(program, |stack_of| {
        let frames = stack_of("tail_call");
        let lost = of_the_workspace(&frames).next().unwrap();
        assert_eq!(lost.kind, FrameKind::TailCalled);
        assert_eq!(&*lost.function, "planted::tail_to_dependency");
        for (name, kind) in [
            ("two_tail_calls", FrameKind::TailCalled),
            ("tail_call_of_an_inlined_function", FrameKind::Inlined),
        ] {
            let frames = stack_of(name);
            let places = of_the_workspace(&frames).map(|frame| (line(frame), frame.kind));
            let places: Vec<_> = places.take(2).collect();
            let marked = |marks: &Lines| marks[name].first().unwrap().clone();
            let expected = [
                (marked(inner), kind),
                (marked(outer), FrameKind::TailCalled),
            ];
            assert_eq!(places, expected);
        }
    });
}

fn check_columns_and_names(program: &Program) {
    check_stacks(program, |stack_of| {
        let mut blamed = |name: &str| of_the_workspace(&stack_of(name)).next().unwrap().clone();
        // The column is where the call begins.
        for (site, call) in [
            ("with_capacity", "Vec::<u8>::with_capacity"),
            ("reserve_exact", "reserve_exact(length)"),
            ("generic_of_another_crate", "Vec::with_capacity"),
            ("tail_call", "dep::boxed"),
            ("operator", "push_str"),
        ] {
            let frame = blamed(site);
            // The compiler writes no columns into a PDB.
            if has_pdb() {
                assert_eq!(frame.column, None);
                continue;
            }
            let (file, number) = line(&frame);
            let text = program.marks.line(&file, number);
            let column = text.find(call).unwrap() + 1;
            assert_eq!(frame.column, u32::try_from(column).ok(), "{site}: {text}");
        }
        // Line tables have no paths of inlined functions; a PDB has.
        let inlined = ["inner_helper", "planted::inner_helper"][usize::from(has_pdb())];
        for (site, function) in [
            ("reserve_exact", "planted::not_inlined"),
            ("helpers_in_helpers", inlined),
            ("recursion", "planted::nested"),
        ] {
            assert_eq!(&*blamed(site).function, function);
        }
    });
}

/// Addresses that are in no function have frames that say so.
fn check_address_ranges(program: &Program) {
    let executable = Executable::open(&program.executable).unwrap();
    let mut symbols = executable.symbols("planted::capture::anchor").unwrap();
    let stack = [i64::MIN, -1 << 40, -1, 0, 1, 1 << 40, i64::MAX];
    let frames = symbols.frames(&stack);
    assert!(frames.len() >= stack.len());
    for frame in [&frames[0], &frames[frames.len() - 1]] {
        assert_eq!((frame.has_name(), frame.line), (false, None));
        assert!(frame.function.starts_with("0x"), "{frame:?}");
    }
    let at_anchor = symbols.frames(&[1]);
    let function = &at_anchor.last().unwrap().function;
    assert_eq!(&**function, "planted::capture::anchor");
}

#[test]
fn without_line_tables_there_are_functions() {
    if has_pdb() {
        return;
    }
    let program = Program::build("no-line-tables", &[]);
    check_stacks(&program, |stack_of| {
        let frames = stack_of("tail_call");
        let functions: Vec<&str> = frames.iter().map(|frame| &*frame.function).collect();
        let at = |name| functions.iter().position(|function| *function == name);
        let dependency = at("dep::boxed").map(|at| at + 1);
        assert_eq!(
            at("planted::tail_to_dependency"),
            dependency,
            "{functions:?}"
        );
        assert_eq!(of_the_workspace(&frames).count(), 0);
    });
    let executable = Executable::open(&program.executable).unwrap();
    let problem = executable.line_problem().unwrap();
    assert_eq!(problem, Some(Problem::NoLineTables));
    let name = program.executable.display();
    for (anchor, end) in [
        ("harness::anchor", "no function `harness::anchor`"),
        // It is generic, so there are many.
        (
            "planted::capture::site",
            "several functions `planted::capture::site`",
        ),
    ] {
        let error = executable.symbols(anchor).err().unwrap();
        assert_eq!(error.to_string(), format!("`{name}` has {end}"));
    }
}

#[test]
fn a_stripped_executable_is_refused() {
    if has_pdb() {
        return;
    }
    let path = program::compile_empty("stripped", &["-Cstrip=symbols"]);
    let executable = Executable::open(&path).unwrap();
    let error = executable.symbols("main").err().unwrap();
    let name = path.display();
    let expected = format!("`{name}` has no symbols; build it with `strip = false`");
    assert_eq!(error.to_string(), expected);
}

/// The problem of an executable, whose functions have names all the same.
#[cfg(target_os = "linux")]
fn problem_of(path: &std::path::Path) -> Problem {
    let executable = Executable::open(path).unwrap();
    let mut symbols = executable.symbols("main").unwrap();
    assert_eq!(&*symbols.frames(&[1])[0].function, "main");
    symbols.problem().unwrap().clone()
}

#[test]
#[cfg(target_os = "linux")]
fn line_tables_that_are_not_read_are_named() {
    use std::fs;

    use object::{File, Object, ObjectSection};

    // With linkers for other systems, there are none of these.
    if program::target().is_some() {
        return;
    }
    let compress = "-Clink-arg=-Wl,--compress-debug-sections=zlib";
    let compressed = program::compile_empty("compressed", &[LINES, compress]);
    assert_eq!(problem_of(&compressed), Problem::CompressedLineTables);
    let flags = ["-Cdebuginfo=full", "-Csplit-debuginfo=packed"];
    let split = program::compile_empty("packed", &flags);
    assert_eq!(problem_of(&split), Problem::SplitDebugInformation);
    let path = program::compile_empty("damaged", &[LINES]);
    let mut bytes = fs::read(&path).unwrap();
    let file = File::parse(&*bytes).unwrap();
    let section = file.section_by_name(".debug_info").unwrap();
    let (start, size) = section.file_range().unwrap();
    let range = usize::try_from(start).unwrap()..usize::try_from(start + size).unwrap();
    bytes[range].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let damaged = problem_of(&path);
    assert!(
        matches!(damaged, Problem::DamagedLineTables(_)),
        "{damaged:?}"
    );
}
