//! The format ELF.

use std::collections::HashMap;

use crate::former::image::{
    Format, Parts, Section, Symbol, first_text, texts_from, u16_at, u32_at, u64_at,
};
use crate::former::machine_code::Machine;

/// The sizes of a header of a section, a symbol and a relocation.
const HEADER: usize = 64;
const SYMBOL: usize = 24;
const RELOCATION: usize = 24;

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

/// The tables that only this format has.
#[derive(Debug)]
pub(super) struct Elf<'d>(Vec<Header<'d>>);

/// What only this format says of a section.
#[derive(Clone, Copy, Debug)]
struct Header<'d> {
    kind: u32,
    /// The number of another section, for a symbol table that of the names.
    link: u32,
    /// Empty if it is not in the file.
    data: &'d [u8],
}

impl<'d> Elf<'d> {
    /// Whether the file has a symbol table that is not for the dynamic linker.
    pub(super) fn has_symbols(&self) -> bool {
        self.symbol_table(SYMBOLS).is_some()
    }

    /// The functions in the symbol table, or else in that for the dynamic linker.
    pub(super) fn functions(&self) -> Vec<Symbol<'d>> {
        let functions_in = |kind| {
            let table = self.symbol_table(kind).map(|(_, table)| table);
            let entries = table.into_iter().flat_map(SymbolTable::entries);
            let functions = entries.filter(Entry::is_function);
            functions.map(|entry| entry.symbol).collect()
        };
        let functions: Vec<_> = functions_in(SYMBOLS);
        if functions.is_empty() {
            functions_in(DYNAMIC_SYMBOLS)
        } else {
            functions
        }
    }

    /// A symbol table with the number of its section.
    fn symbol_table(&self, kind: u32) -> Option<(usize, SymbolTable<'d>)> {
        let number = self.0.iter().position(|one| one.kind == kind)?;
        let section = self.0[number];
        let names = self.0.get(usize::try_from(section.link).ok()?)?;
        let table = SymbolTable {
            entries: section.data,
            names: names.data,
        };
        Some((number, table))
    }

    /// The pointers that the dynamic linker writes, with the addresses that it writes them to.
    pub(super) fn relocated_pointers(&self) -> HashMap<u64, u64> {
        let mut pointers = HashMap::new();
        let Some((number, symbols)) = self.symbol_table(DYNAMIC_SYMBOLS) else {
            return pointers;
        };
        let sections = self.0.iter();
        let sections = sections
            .filter(|one| one.kind == RELOCATIONS && usize::try_from(one.link) == Ok(number));
        let relocations = sections.flat_map(|one| one.data.chunks_exact(RELOCATION));
        for relocation in relocations {
            let word = |at| u64_at(relocation, at).unwrap_or_default();
            let symbol = usize::try_from(word(8) >> 32).unwrap_or(usize::MAX);
            let base = match symbol {
                0 => 0,
                _ => match symbols.get(symbol).filter(Entry::is_definition) {
                    Some(entry) => entry.symbol.address,
                    None => continue,
                },
            };
            pointers.insert(word(0), base.wrapping_add(word(16)));
        }
        pointers
    }
}

/// Symbols and their names.
#[derive(Clone, Copy, Debug)]
struct SymbolTable<'d> {
    entries: &'d [u8],
    names: &'d [u8],
}

impl<'d> SymbolTable<'d> {
    fn entries(self) -> impl Iterator<Item = Entry<'d>> {
        let entries = self.entries.chunks_exact(SYMBOL);
        entries.filter_map(move |entry| Entry::read(entry, self.names))
    }

    fn get(self, number: usize) -> Option<Entry<'d>> {
        Entry::read(self.entries.chunks_exact(SYMBOL).nth(number)?, self.names)
    }
}

/// An entry of a symbol table.
struct Entry<'d> {
    kind: u8,
    section: u16,
    symbol: Symbol<'d>,
}

impl<'d> Entry<'d> {
    fn read(entry: &[u8], names: &'d [u8]) -> Option<Self> {
        Some(Self {
            kind: entry.get(4)? & 0xf,
            section: u16_at(entry, 6)?,
            symbol: Symbol {
                text: texts_from(names, u32_at(entry, 0)?),
                address: u64_at(entry, 8)?,
                size: u64_at(entry, 16)?,
            },
        })
    }

    /// Whether it is a function that this file has.
    fn is_function(&self) -> bool {
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

/// Reads a file, or says why it can't be read.
pub(super) fn parse(bytes: &[u8]) -> Result<Parts<'_>, &'static str> {
    if bytes.get(4..6) != Some(&[2, 1]) {
        return Err("it is not for a processor of 64 bits with the lowest byte first");
    }
    parts(bytes).ok_or("its sections are damaged")
}

fn parts(bytes: &[u8]) -> Option<Parts<'_>> {
    let machine = match u16_at(bytes, 18)? {
        62 => Some(Machine::X86_64),
        183 => Some(Machine::Aarch64),
        _ => None,
    };
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
        let name = texts_from(names.unwrap_or_default(), u32_at(header, 0)?);
        let name = first_text(name);
        let (kind, flags) = (u32_at(header, 4)?, u64_at(header, 8)?);
        let is_loaded = kind == PROGRAM && flags & (LOADED | OF_THREADS) == LOADED;
        let address = u64_at(header, 16)?;
        let data = data(header).unwrap_or_default();
        let section = Section {
            name,
            address: is_loaded.then_some(address),
            is_compressed: flags & COMPRESSED != 0,
            data,
        };
        let link = u32_at(header, 40)?;
        Some((section, Header { kind, link, data }))
    });
    let (sections, headers) = sections.collect::<Option<(Vec<_>, Vec<_>)>>()?;
    Some((machine, sections, Format::Elf(Elf(headers))))
}

/// The build id in the note that linkers write.
pub(super) fn build_id(note: &[u8]) -> Option<&[u8]> {
    const NT_GNU_BUILD_ID: usize = 3;
    let word = |at| usize::try_from(u32_at(note, at)?).ok();
    let (name_size, size, kind) = (word(0)?, word(4)?, word(8)?);
    if (name_size, kind) != (4, NT_GNU_BUILD_ID) || note.get(12..16)? != b"GNU\0" {
        return None;
    }
    let id = note.get(16..)?.get(..size)?;
    (1..=64).contains(&id.len()).then_some(id)
}
