//! Mach-O files that no linker writes.

use alloc_symbols::{Executable, Problem};

/// The kinds of symbols.
const FUNCTION: u8 = 0xe;
const BEGIN_OR_SIZE: u8 = 0x24;
const OBJECT_FILE: u8 = 0x66;

/// The flags of a section with machine code.
const CODE: u32 = 0x8000_0400;

/// The parts of a file.
#[derive(Clone)]
struct MachO {
    machine: u32,
    /// The machine code, and its address.
    code: Vec<u8>,
    address: u64,
    /// The name, the kind, the section and the value.
    symbols: Vec<(&'static str, u8, u8, u64)>,
}

impl MachO {
    /// With a function of 16 bytes at 0x1000, and one of 16 bytes behind it.
    fn new(machine: u32) -> Self {
        Self {
            machine,
            code: vec![0; 32],
            address: 0x1000,
            symbols: vec![
                ("_anchor", FUNCTION, 1, 0x1000),
                ("_second", FUNCTION | 1, 1, 0x1010),
            ],
        }
    }

    fn file(&self) -> Vec<u8> {
        let mut names = vec![0];
        let mut symbols = Vec::new();
        for &(name, kind, section, value) in &self.symbols {
            symbols.extend((names.len() as u32).to_le_bytes());
            symbols.extend([kind, section, 0, 0]);
            symbols.extend(value.to_le_bytes());
            names.extend(name.bytes().chain([0]));
        }
        let commands = 72 + 80 + 24;
        let code_at = 32 + commands;
        let symbols_at = code_at + self.code.len();
        let words = |words: &[usize]| {
            let words = words.iter().map(|&word| u32::try_from(word).unwrap());
            words.flat_map(u32::to_le_bytes).collect::<Vec<_>>()
        };
        let padded = |name: &[u8]| [name, &vec![0; 16 - name.len()]].concat();
        [
            // A file of 64 bits, an executable.
            words(&[0xfeed_facf, self.machine as usize, 0, 2]),
            words(&[2, commands, 0, 0]),
            // The segment with one section.
            words(&[0x19, 152]),
            padded(b"__TEXT"),
            vec![0; 32],
            words(&[7, 5, 1, 0]),
            padded(b"__text"),
            padded(b"__TEXT"),
            self.address.to_le_bytes().to_vec(),
            (self.code.len() as u64).to_le_bytes().to_vec(),
            words(&[code_at, 0, 0, 0, CODE as usize, 0, 0, 0]),
            words(&[2, 24, symbols_at, self.symbols.len()]),
            words(&[symbols_at + symbols.len(), names.len()]),
            self.code.clone(),
            symbols,
            names,
        ]
        .concat()
    }
}

const X86_64: u32 = 0x0100_0007;
const AARCH64: u32 = 0x0100_000c;

/// The functions of a stack.
fn functions(file: &MachO, stack: &[i64]) -> (Vec<String>, Option<Problem>) {
    let name = format!("macho-{}", file.symbols.len() * 10 + file.code.len());
    let executable = Executable::open(crate::written(&name, &file.file())).unwrap();
    let mut symbols = executable.symbols("anchor").unwrap();
    let frames = symbols.frames(stack);
    let functions = frames.iter().map(|frame| frame.function.to_string());
    (functions.collect(), symbols.problem().cloned())
}

#[test]
fn functions_are_the_symbols_in_machine_code() {
    let mut file = MachO::new(AARCH64);
    file.symbols.extend([
        // Not defined here, of no section, of one that is not there, before the code, and of the
        // debug map.
        ("_undefined", 1, 0, 0x1004),
        ("_absolute", 2, 0, 0x1004),
        ("_elsewhere", FUNCTION, 9, 0x1004),
        ("__mh_execute_header", FUNCTION | 1, 1, 0xf00),
        ("_begun", BEGIN_OR_SIZE, 1, 0x1004),
    ]);
    // Return addresses are behind the calls.
    let (functions, problem) = functions(&file, &[1, 16, 17, 32, 33, -0xff]);
    let expected = ["anchor", "anchor", "second", "second", "0x1020", "0xf00"];
    assert_eq!(functions, expected);
    assert_eq!(problem, Some(Problem::NoLineTables));
    file.symbols.retain(|(name, ..)| name.starts_with("__mh"));
    let executable = Executable::open(crate::written("macho", &file.file())).unwrap();
    let error = executable.symbols("anchor").unwrap_err().to_string();
    let end = "` has no symbols; build it with `strip = false`";
    assert!(error.ends_with(end), "{error}");
}

#[test]
fn tail_calls_are_found_on_both_processors() {
    // `second` begins 16 bytes behind `anchor`, and `third` 32 bytes. One instruction calls
    // `second`, and returns to 8; one jumps from `second` to `third`.
    let x86_64 = (8 - 5, vec![0xe8, 8, 0, 0, 0], vec![0xe9, 11, 0, 0, 0]);
    let aarch64 = (4, vec![3, 0, 0, 0x94], vec![4, 0, 0, 0x14]);
    for (machine, (at, call, jump)) in [(X86_64, x86_64), (AARCH64, aarch64)] {
        let mut file = MachO::new(machine);
        file.symbols.push(("_third", FUNCTION, 1, 0x1020));
        file.code = vec![0x90; 48];
        file.code[at..8].copy_from_slice(&call);
        file.code[16..16 + jump.len()].copy_from_slice(&jump);
        let (functions, _) = functions(&file, &[40, 8]);
        assert_eq!(functions, ["third", "second", "anchor"], "{machine:x}");
    }
}

#[test]
fn object_files_are_named_that_were_not_given() {
    let mut file = MachO::new(X86_64);
    let debug_map = |path| {
        [
            (path, OBJECT_FILE, 0, 0),
            ("_anchor", BEGIN_OR_SIZE, 1, 0x1000),
            ("", BEGIN_OR_SIZE, 0, 16),
        ]
    };
    // Sizes without a function, and a function without a file, are passed by.
    file.symbols.extend([
        ("", BEGIN_OR_SIZE, 0, 16),
        ("_none", BEGIN_OR_SIZE, 1, 0x1000),
    ]);
    let without = file.symbols.clone();
    file.symbols.extend(debug_map("/w/lib.rlib(a.o)"));
    let (_, problem) = functions(&file, &[1]);
    let expected = Problem::MissingObjectFiles(String::from("/w/lib.rlib(a.o)"));
    assert_eq!(problem, Some(expected));
    // Those of the standard library, which has lines where its toolchain is.
    file.symbols = without;
    file.symbols.extend(debug_map(
        "/t/lib/rustlib/aarch64-apple-darwin/lib/libstd.rlib(s.o)",
    ));
    let (_, problem) = functions(&file, &[1]);
    assert_eq!(problem, Some(Problem::NoLineTables));
}
