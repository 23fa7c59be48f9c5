//! Executables with symbols and debug information that no compiler writes.

use alloc_symbols::{Error, Executable, Frame, Problem, Symbols};

use crate::elf::{Elf, Symbol};
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

/// The function of a frame, if it is known.
fn name(frame: &Frame) -> Option<&str> {
    frame.has_name().then_some(&*frame.function)
}

fn nested(depth: usize) -> String {
    format!(
        ".rept {depth}; .byte 3; .long .Lfirst - .Lunit; place; .endr; .rept {depth}; .byte 0; .endr"
    )
}

#[test]
fn a_loop_of_names_ends() {
    let (frames, problem) = frames(&program("loop", &nested(5), 1));
    let functions: Vec<_> = frames.iter().map(name).collect();
    assert_eq!(functions, [None, None, None, None, None, Some("hostile")]);
    // The unit has no lines, and is in no language.
    assert_eq!(problem, Some(Problem::NoLineTables));
}

#[test]
fn endless_nesting_is_refused() {
    let (frames, problem) = frames(&program("nested", &nested(200_000), 1));
    assert_eq!(name(&frames[0]), Some("hostile"));
    assert_eq!(problem, Some(Problem::TooMuchWork));
}

#[test]
fn attributes_without_bytes_are_refused() {
    let entries = ".rept 1000000; .byte 4; .endr";
    let (frames, problem) = frames(&program("attributes", entries, 4_000));
    assert_eq!(name(&frames[0]), Some("hostile"));
    let problem = problem.unwrap();
    assert_eq!(problem, Problem::TooMuchWork);
    let expected = "the line tables of the executable are damaged: \
                    reading them takes too much work";
    assert_eq!(problem.to_string(), expected);
}

/// A file with functions, each `size` bytes long from its address on, of which the first one is
/// called `anchor`.
fn functions(functions: &[(&str, u64, u64)], address: u64) -> Elf {
    let mut elf = Elf {
        code: vec![0xcc; 64],
        address,
        ..Elf::default()
    };
    for &(name, address, size) in functions {
        let name = elf.name(name);
        elf.symbols.push(Symbol {
            name,
            address,
            size,
        });
    }
    elf
}

fn executable(elf: &Elf) -> Executable {
    Executable::from_bytes("made", elf.file()).unwrap()
}

/// The function of the only frame of an address.
fn function_at(symbols: &mut Symbols<'_>, address: u64) -> Option<String> {
    let at = address.wrapping_sub(symbols.anchor()).cast_signed();
    let frames = symbols.frames(&[at.wrapping_add(1)]);
    assert_eq!(frames.len(), 1);
    name(&frames[0]).map(str::to_owned)
}

#[test]
fn functions_at_the_end_of_the_address_space_are_found() {
    let end = u64::MAX;
    // The code goes on behind the last address, and so do functions.
    let elf = functions(
        &[
            ("anchor", end - 40, 0),
            ("inner", end - 30, 10),
            ("around", end - 30, 5),
            ("last", end - 10, end),
            ("nowhere", 16, 0),
        ],
        end - 40,
    );
    let executable = executable(&elf);
    let mut symbols = executable.symbols("anchor").unwrap();
    for (address, expected) in [
        (end - 40, Some("anchor")),
        (end - 25, Some("inner")),
        (end - 20, None),
        (end - 1, Some("last")),
        (16, None),
        (0, None),
    ] {
        let function = function_at(&mut symbols, address);
        assert_eq!(function.as_deref(), expected, "{address:#x}");
    }
    assert_eq!(symbols.problem(), Some(&Problem::NoLineTables));
}

#[test]
fn a_file_of_another_kind_is_refused() {
    for (bytes, reason) in [
        (
            &b"#!/bin/sh"[..],
            "it is not in the format ELF, PE or Mach-O",
        ),
        (b"MZ\x90", "it has no header of the format PE"),
        (
            b"\x7fELF\x01\x01",
            "it is not for a processor of 64 bits with the lowest byte first",
        ),
        (b"\x7fELF\x02\x01", "its sections are damaged"),
    ] {
        let error = Executable::from_bytes("made", bytes.to_vec()).unwrap_err();
        let expected = format!("`made` is not a readable executable: {reason}");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_symbol_table_with_shared_names_is_refused() {
    let mut elf = functions(&[("anchor", 64, 8)], 64);
    let name = elf.name(&"x".repeat(1 << 16));
    let symbol = |number: u64| Symbol {
        name,
        address: 100 + number,
        size: 1,
    };
    elf.symbols.extend((0..1 << 16).map(symbol));
    let error = executable(&elf).symbols("anchor").unwrap_err();
    assert!(matches!(error, Error::TooMuchWork { .. }), "{error}");
    let expected = "the symbols of `made` are damaged: reading them takes too much work";
    assert_eq!(error.to_string(), expected);
}

/// A mangled name with a type of 2^`depth` parts, each of which refers to the one before.
fn doubling_name(depth: usize) -> String {
    let prefix = "INvC1a1f";
    let mut name = format!("_R{prefix}{}ppE", "T".repeat(depth + 1));
    for level in (1..=depth).rev() {
        let at = prefix.len() + level;
        // Numbers are of base 62, and one less than themselves.
        let digit = |digit: usize| {
            let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
            char::from(digits[digit])
        };
        name.push_str(&format!("B{}_E", digit(at - 1)));
    }
    name + "E"
}

#[test]
fn a_name_that_doubles_stays_as_it_is() {
    let [short, long] = [3, 40].map(doubling_name);
    let elf = functions(&[("anchor", 64, 8), (&short, 72, 8), (&long, 80, 48)], 64);
    let executable = executable(&elf);
    let mut symbols = executable.symbols("anchor").unwrap();
    let expected =
        "a::f::<((((_, _), (_, _)), ((_, _), (_, _))), (((_, _), (_, _)), ((_, _), (_, _))))>";
    assert_eq!(function_at(&mut symbols, 72).as_deref(), Some(expected));
    let stack: Vec<_> = (17..60).cycle().take(10_000).collect();
    for frame in symbols.frames(&stack) {
        assert!(*frame.function == *long, "it is longer");
    }
}

#[test]
fn a_build_id_that_does_not_fit_its_note_is_none() {
    let note = |name_size: u32, size: u32, kind: u32| {
        let words = [name_size, size, kind].map(u32::to_le_bytes).concat();
        [&words, &b"GNU\0\xab\xcd"[..]].concat()
    };
    for (note, expected) in [
        (note(4, 2, 3), Some("abcd")),
        (note(4, 1, 3), Some("ab")),
        (note(4, 3, 3), None),
        (note(4, u32::MAX, 3), None),
        (note(4, 0, 3), None),
        (note(u32::MAX, 2, 3), None),
        (note(4, 2, 1), None),
        (Vec::new(), None),
    ] {
        let elf = Elf {
            sections: vec![(".note.gnu.build-id", note)],
            ..functions(&[("anchor", 64, 8)], 64)
        };
        let executable = executable(&elf);
        assert_eq!(executable.build_id(), expected);
        assert_eq!(
            executable.require_build_id("abcd").is_ok(),
            expected == Some("abcd")
        );
    }
}

#[test]
fn debug_information_that_is_cut_off_is_named() {
    let word = |word: u32| word.to_le_bytes().to_vec();
    // A unit of 2^32 bytes, one of no bytes, and one of an unknown version.
    for unit in [
        word(0xffff_0000),
        word(0),
        [word(8), vec![99, 0, 0, 0, 0, 0, 0, 0]].concat(),
        [word(u32::MAX), vec![0xff; 8]].concat(),
    ] {
        let elf = Elf {
            sections: vec![
                (".debug_info", unit),
                (".debug_line", vec![0xff; 16]),
                (".debug_abbrev", vec![0xff; 16]),
            ],
            ..functions(&[("anchor", 64, 8)], 64)
        };
        let executable = executable(&elf);
        let mut symbols = executable.symbols("anchor").unwrap();
        assert_eq!(function_at(&mut symbols, 65).as_deref(), Some("anchor"));
        let problem = symbols.problem().unwrap().to_string();
        let sentence = "the line tables of the executable are damaged: ";
        assert!(problem.starts_with(sentence), "{problem}");
    }
}

#[test]
fn endless_searches_for_tail_calls_are_refused() {
    const SIZE: u64 = 20_000;
    const JUMPS: u64 = 3_900;
    let start = |number: u64| 4096 + number * SIZE;
    let names: Vec<_> = (0..50).map(|number| format!("f{number}")).collect();
    let (first, last) = (1, 49);
    let list: Vec<_> = (0..)
        .zip(&names)
        .map(|(number, name)| (name.as_str(), start(number), SIZE))
        .collect();
    let mut elf = functions(&list, start(0));
    elf.code = vec![0x90; usize::try_from(50 * SIZE).unwrap()];
    let mut instruction = |at: u64, code: u8, target: u64| {
        let distance = i32::try_from(target.cast_signed() - at.cast_signed() - 5).unwrap();
        let at = usize::try_from(at - start(0)).unwrap();
        elf.code[at] = code;
        elf.code[at + 1..at + 5].copy_from_slice(&distance.to_le_bytes());
    };
    // The anchor calls the first one, and all jump to each other, but not to the last one.
    instruction(start(0) + 1, 0xe8, start(first));
    for number in first..last {
        for jump in 0..JUMPS {
            let target = first + (number + jump) % (last - first);
            instruction(start(number) + 5 * jump, 0xe9, start(target));
        }
    }
    let executable = executable(&elf);
    let mut symbols = executable.symbols("f0").unwrap();
    let in_last = (start(last) - start(0)).cast_signed();
    let mut functions = |at: i64| {
        let frames = symbols.frames(&[in_last + at, 6]);
        let functions = frames.iter().filter_map(name);
        (
            functions.collect::<Vec<_>>().join(" "),
            symbols.problem().cloned(),
        )
    };
    // How it came from one to the other is not known.
    let expected = (String::from("f49 f1 f0"), Some(Problem::NoLineTables));
    assert_eq!(functions(1), expected);
    let stopped = (2..3_000).find(|at| functions(*at).0 == "f49 f0");
    assert!(stopped.is_some_and(|at| at > 10), "{stopped:?}");
}
