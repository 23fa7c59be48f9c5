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
    /// The load commands with their sizes, besides those of the code and the symbols.
    commands: Vec<Vec<u8>>,
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
            commands: Vec::new(),
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
        let others: usize = self.commands.iter().map(Vec::len).sum();
        let commands = 72 + 80 + 24 + others;
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
            words(&[2 + self.commands.len(), commands, 0, 0]),
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
            self.commands.concat(),
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
fn functions(bytes: Vec<u8>, stack: &[i64]) -> (Vec<String>, Option<Problem>) {
    let executable = Executable::from_bytes("made", bytes).unwrap();
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
        ("__mh_execute_header", FUNCTION, 1, 0xf00),
        ("_begun", BEGIN_OR_SIZE, 1, 0x1004),
    ]);
    // Return addresses are behind the calls.
    let (functions, problem) = functions(file.file(), &[1, 16, 17, 32, 33, -0xff]);
    let expected = ["anchor", "anchor", "second", "second", "0x1020", "0xf00"];
    assert_eq!(functions, expected);
    assert_eq!(problem, Some(Problem::NoLineTables));
    file.symbols.retain(|(name, ..)| name.starts_with("__mh"));
    let executable = Executable::from_bytes("made", file.file()).unwrap();
    let error = executable.symbols("anchor").unwrap_err().to_string();
    assert_eq!(
        error,
        "`made` has no symbols; build it with `strip = false`"
    );
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
        let (functions, _) = functions(file.file(), &[40, 8]);
        assert_eq!(functions, ["third", "second", "anchor"], "{machine:x}");
    }
}

#[test]
fn the_uuid_is_the_build_id() {
    let mut file = MachO::new(X86_64);
    let id: Vec<u8> = (0xf0..=0xff).collect();
    let command = [0x1b_u32, 24].map(u32::to_le_bytes).concat();
    file.commands.push([command, id].concat());
    let executable = Executable::from_bytes("made", file.file()).unwrap();
    let expected = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
    assert_eq!(executable.build_id(), Some(expected));
    file.commands.clear();
    let executable = Executable::from_bytes("made", file.file()).unwrap();
    assert_eq!(executable.build_id(), None);
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
    let (_, problem) = functions(file.file(), &[1]);
    let expected = Problem::MissingObjectFiles(String::from("/w/lib.rlib(a.o)"));
    assert_eq!(problem, Some(expected));
    // Those of the standard library, which has lines where its toolchain is.
    file.symbols = without;
    file.symbols.extend(debug_map(
        "/t/lib/rustlib/aarch64-apple-darwin/lib/libstd.rlib(s.o)",
    ));
    let (_, problem) = functions(file.file(), &[1]);
    assert_eq!(problem, Some(Problem::NoLineTables));
}

#[test]
fn of_a_universal_file_a_known_part_is_read() {
    let part = |name, machine| {
        let mut file = MachO::new(machine);
        file.symbols[1].0 = name;
        file.file()
    };
    let own = if cfg!(target_arch = "aarch64") { 1 } else { 0 };
    let names = ["_x86_64", "_aarch64"];
    let parts = [part(names[0], X86_64), part(names[1], AARCH64)];
    let file = |machines: [u32; 2]| {
        let sizes = parts.each_ref().map(|part| part.len() as u32);
        let entry = |number: usize, start: u32| {
            [machines[number], 0, start, sizes[number], 0]
                .map(u32::to_be_bytes)
                .concat()
        };
        let header = [0xcafe_babe_u32, 2].map(u32::to_be_bytes).concat();
        let entries = [entry(0, 48), entry(1, 48 + sizes[0])].concat();
        [header, entries, parts.concat()].concat()
    };
    let second = |machines| functions(file(machines), &[17]).0[0].clone();
    assert_eq!(second([X86_64, AARCH64]), names[own][1..]);
    // 18 is PowerPC.
    assert_eq!(second([18, AARCH64]), "aarch64");
    assert_eq!(second([X86_64, 18]), "x86_64");
    let unknown = Executable::from_bytes("made", file([18, 18])).unwrap_err();
    let expected = "`made` is not a readable executable: its header is damaged";
    assert_eq!(unknown.to_string(), expected);
}

#[test]
fn a_damaged_file_has_a_sentence() {
    let mut whole = MachO::new(AARCH64);
    whole.symbols.extend([
        ("/w/a.o", OBJECT_FILE, 0, 0),
        ("_anchor", BEGIN_OR_SIZE, 1, 0x1000),
        ("", BEGIN_OR_SIZE, 0, 16),
    ]);
    let whole = whole.file();
    let mut refused = 0;
    for end in 0..whole.len() {
        let mut changed = whole.clone();
        changed[end] ^= 0xff;
        for bytes in [whole[..end].to_vec(), changed] {
            match Executable::from_bytes("made", bytes) {
                Ok(executable) => {
                    if let Ok(mut symbols) = executable.symbols("anchor") {
                        assert!(symbols.frames(&[1, -1, 17, 1 << 40]).len() >= 4);
                    }
                }
                Err(error) => {
                    assert!(
                        error
                            .to_string()
                            .starts_with("`made` is not a readable executable: ")
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 200, "{refused}");
    let header = [0xfeed_facf_u32, AARCH64, 0, 2]
        .map(u32::to_le_bytes)
        .concat();
    // As many commands as can be, and one that is longer than all.
    let commands = [u32::MAX, 8, 0, 0, 0x19, u32::MAX]
        .map(u32::to_le_bytes)
        .concat();
    let error = Executable::from_bytes("made", [header, commands].concat()).unwrap_err();
    let expected = "`made` is not a readable executable: its load commands are damaged";
    assert_eq!(error.to_string(), expected);
}
