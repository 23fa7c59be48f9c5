//! Executables with debug information that no compiler writes.

use alloc_symbols::{Executable, Frame, Problem};

use crate::program::compile;

/// A program with a function `hostile`, and the debug information of a unit for it. Entry 1 is
/// the unit, 2 a function, 3 an inlined function whose name is that of the first entry 3, and
/// 4 has `attributes` attributes without bytes.
fn program(name: &str, entries: &str, attributes: usize) -> Executable {
    let range = "0x11, 0x01, 0x12, 0x06";
    let attributes = "0x20, 0x19, ".repeat(attributes);
    let text = format!(
        r#"
        #[unsafe(no_mangle)]
        extern "C" fn hostile(value: u32) -> u32 {{ value.rotate_left(3) ^ 0x5eed }}
        fn main() {{ assert_ne!(hostile(std::hint::black_box(1)), 0) }}
        std::arch::global_asm!("
            .pushsection .debug_abbrev,\"\",@progbits
            .Labbreviations:
            .byte 1, 0x11, 1, {range}, 0, 0
            .byte 2, 0x2e, 1, {range}, 0, 0
            .byte 3, 0x1d, 1, 0x31, 0x13, {range}, 0, 0
            .byte 4, 0x34, 0, {attributes} 0, 0
            .byte 0
            .popsection
            .pushsection .debug_info,\"\",@progbits
            .Lunit:
            .long .Lend - .Lversion
            .Lversion:
            .short 4
            .long .Labbreviations
            .byte 8
            .macro place; .quad hostile; .long 64; .endm
            .byte 1; place
            .byte 2; place
            .Lfirst:
            {entries}
            .byte 0, 0
            .Lend:
            .popsection
        ");
        "#
    );
    Executable::open(compile(name, &text, &["-Cdebuginfo=0"])).unwrap()
}

fn frames(executable: &Executable) -> (Vec<Frame>, Option<Problem>) {
    let mut symbols = executable.symbols("hostile").unwrap();
    let frames = symbols.frames(&[2]);
    (frames, symbols.problem().cloned())
}

fn nested(depth: usize) -> String {
    format!(
        ".rept {depth}; .byte 3; .long .Lfirst - .Lunit; place; .endr; .rept {depth}; .byte 0; .endr"
    )
}

#[test]
fn a_loop_of_names_ends() {
    let (frames, problem) = frames(&program("loop", &nested(5), 1));
    let functions: Vec<_> = frames
        .iter()
        .map(|frame| frame.function.as_deref())
        .collect();
    assert_eq!(functions, [None, None, None, None, None, Some("hostile")]);
    // The unit has no lines, and is in no language.
    assert_eq!(problem, Some(Problem::NoLineTables));
}

#[test]
fn endless_nesting_is_refused() {
    let (frames, problem) = frames(&program("nested", &nested(200_000), 1));
    assert_eq!(frames[0].function.as_deref(), Some("hostile"));
    assert_eq!(problem, Some(Problem::TooMuchWork));
}

#[test]
fn attributes_without_bytes_are_refused() {
    let entries = ".rept 1000000; .byte 4; .endr";
    let (frames, problem) = frames(&program("attributes", entries, 4_000));
    assert_eq!(frames[0].function.as_deref(), Some("hostile"));
    let problem = problem.unwrap();
    assert_eq!(problem, Problem::TooMuchWork);
    let expected = "the line tables of the executable are damaged: \
                    reading them takes too much work";
    assert_eq!(problem.to_string(), expected);
}
