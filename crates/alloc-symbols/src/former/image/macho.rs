//! The format Mach-O, of macOS.

use std::env::consts::ARCH;
use std::ops::Range;

use crate::former::image::{
    Format, Parts, Section, Symbol, first_text, texts_from, u32_at, u64_at,
};
use crate::former::machine_code::Machine;

/// The sizes of a file's header, a header of a section, and a symbol.
const FILE_HEADER: usize = 32;
const SECTION: usize = 80;
const SYMBOL: usize = 16;

/// The first words of a file for one processor, and of one for several, whose header has the
/// highest byte first.
const ONE: [u8; 4] = 0xfeed_facf_u32.to_le_bytes();
const SEVERAL: [u8; 4] = 0xcafe_babe_u32.to_be_bytes();

/// The kinds of load commands.
const SYMBOLS: u32 = 0x2;
const SEGMENT: u32 = 0x19;
const UUID: u32 = 0x1b;

/// The flags of sections: those with machine code.
const CODE: u32 = 0x8000_0400;

/// The kinds of symbols: a definition, one for other files, and the entries of the debug map.
const KIND: u8 = 0xe;
const DEFINITION: u8 = 0xe;
const EXTERNAL: u8 = 1;
const OF_DEBUG_MAP: u8 = 0xe0;
const FUNCTION: u8 = 0x24;
const OBJECT_FILE: u8 = 0x66;

/// The tables that only this format has.
#[derive(Debug, Default)]
pub(super) struct MachO<'d> {
    uuid: Option<&'d [u8]>,
    entries: &'d [u8],
    names: &'d [u8],
    /// The addresses of the machine code in each section.
    code: Vec<Range<u64>>,
}

/// An object file of the debug map, with the functions that the linker took from it.
#[derive(Debug)]
pub(crate) struct Object<'d> {
    /// Begins with the path, as in [`first_text`].
    text: &'d [u8],
    /// When it was written, in seconds; 0 if the linker did not say it.
    pub(crate) modified: u64,
    pub(crate) functions: Vec<Symbol<'d>>,
}

impl<'d> Object<'d> {
    /// One without functions. `text` begins with its path.
    pub(crate) fn at(text: &'d [u8], modified: u64) -> Self {
        Self {
            text,
            modified,
            functions: Vec::new(),
        }
    }

    /// The path of the file, or of an archive and its member: `lib.rlib(member.o)`.
    pub(crate) fn path(&self) -> &'d [u8] {
        first_text(self.text)
    }
}

/// An entry of the symbol table.
#[derive(Clone, Copy)]
struct Entry<'d> {
    text: &'d [u8],
    kind: u8,
    section: u8,
    value: u64,
}

impl<'d> Entry<'d> {
    fn symbol(self, size: u64) -> Symbol<'d> {
        Symbol {
            // The names of C begin with an underscore.
            text: self.text.strip_prefix(b"_").unwrap_or(self.text),
            address: self.value,
            size,
        }
    }
}

impl<'d> MachO<'d> {
    pub(super) fn uuid(&self) -> Option<&'d [u8]> {
        self.uuid
    }

    /// Whether there are functions that only this file uses, which a stripped one has not.
    pub(super) fn has_symbols(&self) -> bool {
        let mut functions = self.defined_functions();
        functions.any(|entry| entry.kind & EXTERNAL == 0)
    }

    /// The functions in the symbol table.
    pub(super) fn functions(&self) -> Vec<Symbol<'d>> {
        let functions = self.defined_functions();
        functions.map(|entry| entry.symbol(0)).collect()
    }

    fn defined_functions(&self) -> impl Iterator<Item = Entry<'d>> {
        self.entries().filter(|entry| {
            let section = usize::from(entry.section).checked_sub(1);
            let code = section.and_then(|section| self.code.get(section));
            let is_code = code.is_some_and(|code| code.contains(&entry.value));
            is_code && entry.kind & (OF_DEBUG_MAP | KIND) == DEFINITION
        })
    }

    /// The object files of the debug map.
    pub(super) fn objects(&self) -> Vec<Object<'d>> {
        let mut objects: Vec<Object<'_>> = Vec::new();
        let mut begun = None;
        for entry in self.entries() {
            let is_named = entry.text.first().is_some_and(|&byte| byte != 0);
            match (entry.kind, objects.last_mut()) {
                (OBJECT_FILE, _) => objects.push(Object::at(entry.text, entry.value)),
                (FUNCTION, _) if is_named => begun = Some(entry),
                // A second entry, without a name, has the size.
                (FUNCTION, Some(object)) => {
                    let function = begun.take().map(|begun| begun.symbol(entry.value));
                    object.functions.extend(function);
                }
                _ => {}
            }
        }
        objects
    }

    fn entries(&self) -> impl Iterator<Item = Entry<'d>> {
        let names = self.names;
        self.entries.chunks_exact(SYMBOL).filter_map(move |entry| {
            Some(Entry {
                text: texts_from(names, u32_at(entry, 0)?),
                kind: *entry.get(4)?,
                section: *entry.get(5)?,
                value: u64_at(entry, 8)?,
            })
        })
    }
}

/// Whether a section has this name, which is that of ELF: `.debug_info` is `__debug_info`. Names
/// have at most 16 bytes.
pub(super) fn is_named(section: &[u8], name: &str) -> bool {
    let name = name.trim_start_matches('.').as_bytes();
    section.strip_prefix(b"__") == Some(&name[..name.len().min(14)])
}

/// Whether a file is in this format.
pub(super) fn is_macho(bytes: &[u8]) -> bool {
    bytes.starts_with(&ONE) || bytes.starts_with(&SEVERAL)
}

/// Reads a file, of one for several processors the part for this machine's, or else the first.
pub(super) fn parse(bytes: &[u8]) -> Result<Parts<'_>, &'static str> {
    let bytes = match bytes.strip_prefix(&SEVERAL) {
        Some(header) => part(bytes, header).ok_or("its header is damaged")?,
        None => bytes,
    };
    if !bytes.starts_with(&ONE) {
        return Err("it is not for a processor of 64 bits with the lowest byte first");
    }
    parts(bytes).ok_or("its load commands are damaged")
}

/// The part for one processor.
fn part<'d>(bytes: &'d [u8], header: &[u8]) -> Option<&'d [u8]> {
    let (count, entries) = header.split_first_chunk()?;
    let count = usize::try_from(u32::from_be_bytes(*count)).ok()?;
    let word = |entry: &[u8], at: usize| {
        let word = entry[at..].first_chunk()?;
        Some(u32::from_be_bytes(*word))
    };
    let entries = entries.chunks_exact(20).take(count);
    let own = |entry: &&[u8]| {
        let machine = word(entry, 0).and_then(machine);
        machine.is_some_and(|machine| match machine {
            Machine::X86_64 => ARCH == "x86_64",
            Machine::Aarch64 => ARCH == "aarch64",
        })
    };
    let mut known = entries.clone();
    let known = || known.find(|entry| word(entry, 0).and_then(machine).is_some());
    let entry = entries.clone().find(own).or_else(known)?;
    let at = |at| usize::try_from(word(entry, at)?).ok();
    let (start, size) = (at(8)?, at(12)?);
    bytes.get(start..start.checked_add(size)?)
}

fn machine(number: u32) -> Option<Machine> {
    match number {
        0x0100_0007 => Some(Machine::X86_64),
        0x0100_000c => Some(Machine::Aarch64),
        _ => None,
    }
}

fn parts(bytes: &[u8]) -> Option<Parts<'_>> {
    let mut sections = Vec::new();
    let mut macho = MachO::default();
    let size = usize::try_from(u32_at(bytes, 20)?).ok()?;
    let mut commands = bytes.get(FILE_HEADER..)?.get(..size)?;
    for _ in 0..u32_at(bytes, 16)? {
        let size = usize::try_from(u32_at(commands, 4)?).ok()?;
        let command = commands.get(..size)?;
        commands = commands.get(size.max(8)..)?;
        let range = |start, size| {
            let start = usize::try_from(u32_at(command, start)?).ok()?;
            bytes.get(start..)?.get(..size)
        };
        let word = |at| usize::try_from(u32_at(command, at)?).ok();
        match u32_at(command, 0)? {
            SEGMENT => {
                let headers = command.get(72..)?.chunks_exact(SECTION);
                for header in headers.take(word(64)?) {
                    let (section, code) = section(bytes, header)?;
                    sections.push(section);
                    macho.code.push(code);
                }
            }
            SYMBOLS => {
                macho.entries = range(8, word(12)?.checked_mul(SYMBOL)?)?;
                macho.names = range(16, word(20)?)?;
            }
            UUID => macho.uuid = Some(command.get(8..24)?),
            _ => {}
        }
    }
    Some((machine(u32_at(bytes, 4)?), sections, Format::MachO(macho)))
}

/// A section, and the addresses of its machine code.
fn section<'d>(bytes: &'d [u8], header: &'d [u8]) -> Option<(Section<'d>, Range<u64>)> {
    let name = |at: usize| Some(first_text(header.get(at..at + 16)?));
    let (address, size) = (u64_at(header, 32)?, u64_at(header, 40)?);
    let (start, flags) = (u32_at(header, 48)?, u32_at(header, 64)?);
    // The low byte is the kind: 1, 12 and 18 are zeros when the program starts.
    let is_in_file = start != 0 && !matches!(flags & 0xff, 1 | 12 | 18);
    let from_start = usize::try_from(start).ok().and_then(|at| bytes.get(at..));
    let data = from_start.and_then(|data| data.get(..usize::try_from(size).ok()?));
    let section = Section {
        name: name(0)?,
        address: (name(16)? != b"__DWARF").then_some(address),
        is_compressed: false,
        data: data.filter(|_| is_in_file).unwrap_or_default(),
    };
    let has_code = flags & CODE != 0;
    let size = if has_code { size } else { 0 };
    Some((section, address..address.saturating_add(size)))
}
