//! The parts of an executable: sections by name, symbols, machine code, and pointers to functions.

use std::collections::HashMap;

use crate::error::Error;
use crate::machine_code::Machine;
use crate::meter::Meter;

/// More relocations are not read. A program of 100 MB has about a million.
const MAX_RELOCATIONS: usize = 1 << 23;

/// The sizes of a header of a section, a symbol and a relocation.
const HEADER: usize = 64;
const SYMBOL: usize = 24;
const RELOCATION: usize = 24;

/// A parsed executable, in the format ELF.
#[derive(Debug)]
pub(crate) struct Image<'d> {
    pub(crate) name: &'d str,
    pub(crate) meter: &'d Meter,
    /// The processor, if its code is known.
    pub(crate) machine: Option<Machine>,
    sections: Vec<Section<'d>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Section<'d> {
    name: &'d [u8],
    kind: u32,
    flags: u64,
    address: u64,
    /// The number of another section, for a symbol table that of the names.
    link: u32,
    /// Empty if it is not in the file.
    pub(crate) data: &'d [u8],
}

/// The kinds of sections.
const PROGRAM: u32 = 1;
const SYMBOLS: u32 = 2;
const RELOCATIONS: u32 = 4;
const NOT_IN_FILE: u32 = 8;
const DYNAMIC_SYMBOLS: u32 = 11;

/// The flags of sections.
const LOADED: u64 = 1 << 1;
const OF_THREADS: u64 = 1 << 10;
const COMPRESSED: u64 = 1 << 11;

impl Section<'_> {
    pub(crate) fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0
    }
}

/// Symbols and their names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SymbolTable<'d> {
    entries: &'d [u8],
    names: &'d [u8],
}

impl<'d> SymbolTable<'d> {
    pub(crate) fn symbols(self) -> impl Iterator<Item = Symbol> + 'd {
        self.entries.chunks_exact(SYMBOL).filter_map(Symbol::read)
    }

    fn get(self, number: usize) -> Option<Symbol> {
        Symbol::read(self.entries.chunks_exact(SYMBOL).nth(number)?)
    }

    pub(crate) fn name(self, symbol: &Symbol) -> &'d [u8] {
        text(self.names, symbol.name)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    name: u32,
    kind: u8,
    section: u16,
    pub(crate) address: u64,
    pub(crate) size: u64,
}

impl Symbol {
    fn read(entry: &[u8]) -> Option<Self> {
        Some(Self {
            name: u32_at(entry, 0)?,
            kind: entry.get(4)? & 0xf,
            section: u16_at(entry, 6)?,
            address: u64_at(entry, 8)?,
            size: u64_at(entry, 16)?,
        })
    }

    /// Whether it is a function that this file has.
    pub(crate) fn is_function(&self) -> bool {
        const FUNCTION: u8 = 2;
        const CHOSEN_AT_START: u8 = 10;
        self.is_definition() && matches!(self.kind, FUNCTION | CHOSEN_AT_START)
    }

    fn is_definition(&self) -> bool {
        const UNDEFINED: u16 = 0;
        const RESERVED: u16 = 0xff00;
        const ELSEWHERE: u16 = 0xffff;
        self.section != UNDEFINED && (self.section < RESERVED || self.section == ELSEWHERE)
    }
}

impl<'d> Image<'d> {
    pub(crate) fn parse(name: &'d str, bytes: &'d [u8], meter: &'d Meter) -> Result<Self, Error> {
        let not_readable = |reason: &str| Error::NotAnExecutable {
            name: name.to_owned(),
            reason: reason.to_owned(),
        };
        if !bytes.starts_with(b"\x7fELF") {
            return Err(not_readable("it is not in the format ELF"));
        }
        if bytes.get(4..6) != Some(&[2, 1]) {
            let reason = "it is not for a processor of 64 bits with the lowest byte first";
            return Err(not_readable(reason));
        }
        let (machine, sections) =
            sections(bytes, meter).ok_or_else(|| not_readable("its sections are damaged"))?;
        Ok(Self {
            name,
            meter,
            machine: Machine::of_elf(machine),
            sections,
        })
    }

    pub(crate) fn section(&self, name: &str) -> Option<Section<'d>> {
        let mut sections = self.sections.iter();
        let found = sections.find(|section| section.name == name.as_bytes());
        found.copied()
    }

    /// The symbol table, if the file has one.
    pub(crate) fn symbols(&self) -> Option<SymbolTable<'d>> {
        Some(self.symbol_table(SYMBOLS)?.1)
    }

    /// The symbols for the dynamic linker, if the file has some.
    pub(crate) fn dynamic_symbols(&self) -> Option<SymbolTable<'d>> {
        Some(self.symbol_table(DYNAMIC_SYMBOLS)?.1)
    }

    /// A symbol table with the number of its section.
    fn symbol_table(&self, kind: u32) -> Option<(usize, SymbolTable<'d>)> {
        let number = self.sections.iter().position(|one| one.kind == kind)?;
        let section = self.sections[number];
        let names = self.sections.get(usize::try_from(section.link).ok()?)?;
        let table = SymbolTable {
            entries: section.data,
            names: names.data,
        };
        Some((number, table))
    }

    /// At most `len` bytes at an address.
    pub(crate) fn bytes(&self, address: u64, len: usize) -> Option<&'d [u8]> {
        let (start, data) = self.section_at(address)?;
        let data = data.get(usize::try_from(address - start).ok()?..)?;
        Some(&data[..len.min(data.len())])
    }

    /// Where the section with this address ends.
    pub(crate) fn end_of_section(&self, address: u64) -> Option<u64> {
        let (start, data) = self.section_at(address)?;
        let end = start.saturating_add(u64::try_from(data.len()).ok()?);
        (address < end).then_some(end)
    }

    /// The last section that begins at the address or before it, and where it begins.
    fn section_at(&self, address: u64) -> Option<(u64, &'d [u8])> {
        let loaded = self.sections.iter().filter(|section| {
            section.kind == PROGRAM && section.flags & (LOADED | OF_THREADS) == LOADED
        });
        let before = loaded.filter(|section| section.address <= address);
        let last = before.max_by_key(|section| section.address)?;
        Some((last.address, last.data))
    }

    /// The pointers that the dynamic linker writes, with the addresses that it writes them to.
    pub(crate) fn relocated_pointers(&self) -> HashMap<u64, u64> {
        let mut pointers = HashMap::new();
        let Some((number, symbols)) = self.symbol_table(DYNAMIC_SYMBOLS) else {
            return pointers;
        };
        let sections = self.sections.iter();
        let sections = sections
            .filter(|one| one.kind == RELOCATIONS && usize::try_from(one.link) == Ok(number));
        let relocations = sections.flat_map(|one| one.data.chunks_exact(RELOCATION));
        for relocation in relocations.take(MAX_RELOCATIONS) {
            let word = |at| u64_at(relocation, at).unwrap_or_default();
            let symbol = usize::try_from(word(8) >> 32).unwrap_or(usize::MAX);
            let base = match symbol {
                0 => 0,
                _ => match symbols.get(symbol).filter(Symbol::is_definition) {
                    Some(symbol) => symbol.address,
                    None => continue,
                },
            };
            pointers.insert(word(0), base.wrapping_add(word(16)));
        }
        pointers
    }
}

/// The processor, and the sections with their numbers.
fn sections<'d>(bytes: &'d [u8], meter: &Meter) -> Option<(u16, Vec<Section<'d>>)> {
    let machine = u16_at(bytes, 18)?;
    let table = usize::try_from(u64_at(bytes, 40)?).ok()?;
    let (count, names) = (u16_at(bytes, 60)?, u16_at(bytes, 62)?);
    let headers = bytes.get(table..)?.chunks_exact(HEADER);
    let mut headers = headers.take(usize::from(count));
    if u16_at(bytes, 58)? != 64 || headers.len() < usize::from(count) {
        return None;
    }
    let data = |header: &[u8]| {
        let start = usize::try_from(u64_at(header, 24)?).ok()?;
        let size = usize::try_from(u64_at(header, 32)?).ok()?;
        let is_in_file = u32_at(header, 4)? != NOT_IN_FILE;
        is_in_file.then(|| bytes.get(start..start.checked_add(size)?))?
    };
    let names = headers.clone().nth(usize::from(names)).and_then(data);
    let sections = headers.by_ref().map(|header| {
        let name = text(names.unwrap_or_default(), u32_at(header, 0)?);
        // Names can overlap.
        meter.spend(name.len() + 1).then_some(())?;
        Some(Section {
            name,
            kind: u32_at(header, 4)?,
            flags: u64_at(header, 8)?,
            address: u64_at(header, 16)?,
            link: u32_at(header, 40)?,
            data: data(header).unwrap_or_default(),
        })
    });
    Some((machine, sections.collect::<Option<_>>()?))
}

/// A text of a table, which ends with a zero.
fn text(texts: &[u8], at: u32) -> &[u8] {
    let text = usize::try_from(at).ok().and_then(|at| texts.get(at..));
    let text = text.unwrap_or_default();
    let end = text.iter().position(|&byte| byte == 0);
    &text[..end.unwrap_or_default()]
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}
