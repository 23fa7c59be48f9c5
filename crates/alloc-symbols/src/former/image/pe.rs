//! The format PE, of Windows.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::former::image::{
    Format, Parts, Section, Symbol, first_text, texts_from, u16_at, u32_at, u64_at,
};
use crate::former::machine_code::Machine;

/// The sizes of a header of a section, of a symbol, of a function's entry in the table of
/// unwinding, and of an entry of the debug directory.
const HEADER: usize = 40;
const SYMBOL: usize = 18;
const FUNCTION: usize = 12;
const DEBUG: usize = 28;

/// The tables that only this format has.
#[derive(Debug)]
pub(super) struct Pe<'d> {
    /// The address to which others are relative.
    base: u64,
    /// Where each section begins.
    sections: Vec<u64>,
    symbols: &'d [u8],
    /// The names of symbols and sections that are longer than 8 bytes.
    names: &'d [u8],
    functions: &'d [u8],
    /// Names the file with the debug information.
    code_view: Option<&'d [u8]>,
}

impl<'d> Pe<'d> {
    pub(super) fn has_symbols(&self) -> bool {
        !self.symbols.is_empty()
    }

    /// The functions in the symbol table, with their sizes from the table of unwinding.
    pub(super) fn functions(&self) -> Vec<Symbol<'d>> {
        let mut symbols = self.symbols.chunks_exact(SYMBOL);
        let mut functions = Vec::new();
        while let Some(symbol) = symbols.next() {
            functions.extend(self.function(symbol));
            // Some symbols have further entries.
            let further = usize::from(symbol[17]);
            if further > 0 {
                symbols.nth(further - 1);
            }
        }
        self.complete(&mut functions);
        functions
    }

    /// Adds what the table of unwinding says: the sizes of functions, and functions without names.
    pub(super) fn complete(&self, functions: &mut Vec<Symbol<'d>>) {
        if functions.is_empty() {
            return;
        }
        let entries = self.functions.chunks_exact(FUNCTION).filter_map(|entry| {
            let (start, end) = (u32_at(entry, 0)?, u32_at(entry, 4)?);
            let address = self.base.checked_add(start.into())?;
            Some((address, u64::from(end.checked_sub(start)?)))
        });
        let mut unnamed: HashMap<u64, u64> = entries.collect();
        for function in functions.iter_mut() {
            let size = unnamed.get(&function.address).copied();
            if function.size == 0 {
                function.size = size.unwrap_or_default();
            }
        }
        for function in functions.iter() {
            unnamed.remove(&function.address);
        }
        let unnamed = unnamed.into_iter();
        functions.extend(unnamed.map(|(address, size)| Symbol::new(b"", address, size)));
    }

    /// A function that this file has, without its size.
    fn function(&self, symbol: &'d [u8]) -> Option<Symbol<'d>> {
        const KIND: u16 = 0x30;
        const OF_A_FUNCTION: u16 = 0x20;
        if u16_at(symbol, 14)? & KIND != OF_A_FUNCTION {
            return None;
        }
        let section = self.section(u16_at(symbol, 12)?)?;
        let text = match u32_at(symbol, 0)? {
            0 => texts_from(self.names, u32_at(symbol, 4)?),
            _ => &symbol[..8],
        };
        Some(Symbol {
            text,
            address: section.wrapping_add(u32_at(symbol, 8)?.into()),
            size: 0,
        })
    }

    /// Where a section begins. They count from 1; other numbers are of symbols without a place.
    pub(super) fn section(&self, number: u16) -> Option<u64> {
        let before = usize::from(number).checked_sub(1)?;
        self.sections.get(before).copied()
    }

    /// The path of the file with the debug information, if it is another one.
    pub(super) fn pdb_path(&self) -> Option<Cow<'d, str>> {
        let path = first_text(self.code_view?.get(24..)?);
        (!path.is_empty()).then(|| String::from_utf8_lossy(path))
    }

    /// The number of the file with the debug information, which is that of the build.
    pub(super) fn build_id(&self) -> Option<&'d [u8]> {
        self.code_view?.get(4..20)
    }
}

/// Reads a file, or says why it can't be read.
pub(super) fn parse(bytes: &[u8]) -> Result<Parts<'_>, &'static str> {
    const OF_64_BITS: u16 = 0x20b;
    let header = header(bytes).ok_or("it has no header of the format PE")?;
    if u16_at(header, 24) != Some(OF_64_BITS) {
        return Err("it is not for a processor of 64 bits");
    }
    parts(bytes, header).ok_or("its sections are damaged")
}

/// The header, with what is behind it.
fn header(bytes: &[u8]) -> Option<&[u8]> {
    let at = usize::try_from(u32_at(bytes, 0x3c)?).ok()?;
    let header = bytes.get(at..)?;
    header.starts_with(b"PE\0\0").then_some(header)
}

fn parts<'d>(bytes: &'d [u8], header: &'d [u8]) -> Option<Parts<'d>> {
    let machine = match u16_at(header, 4)? {
        0x8664 => Some(Machine::X86_64),
        0xaa64 => Some(Machine::Aarch64),
        _ => None,
    };
    let part = |start: u32, size: usize| {
        let start = usize::try_from(start).ok()?;
        bytes.get(start..start.checked_add(size)?)
    };
    let table = u32_at(header, 12)?;
    let size = usize::try_from(u32_at(header, 16)?).ok()?;
    let symbols = part(table, size.checked_mul(SYMBOL)?)?;
    let names_at = table.checked_add(symbols.len().try_into().ok()?)?;
    let names = match symbols {
        [] => &[],
        _ => bytes.get(usize::try_from(names_at).ok()?..)?,
    };

    let base = u64_at(header, 48)?;
    let sections_at = 24 + usize::from(u16_at(header, 20)?);
    let headers = header.get(sections_at..)?.chunks_exact(HEADER);
    let count = u16_at(header, 6)?.into();
    let headers = headers.take(count);
    if headers.len() < count {
        return None;
    }
    let sections = headers.map(|header| {
        let name = section_name(&header[..8], names);
        // In the file, a section is rounded up. In memory, it may go on with zeros.
        let (size, size_in_file) = (u32_at(header, 8)?, u32_at(header, 16)?);
        let size = usize::try_from(size.min(size_in_file)).ok()?;
        Some(Section {
            name,
            address: Some(base.wrapping_add(u32_at(header, 12)?.into())),
            is_compressed: false,
            data: part(u32_at(header, 20)?, size).unwrap_or_default(),
        })
    });
    let sections = sections.collect::<Option<Vec<_>>>()?;
    // A directory says where a table is in memory, and its size.
    let directory = |number: usize| {
        let at = 24 + 112 + 8 * number;
        let is_there = at < sections_at;
        let place = is_there.then(|| Some((u32_at(header, at)?, u32_at(header, at + 4)?)));
        let (start, size) = place??;
        let address = base.checked_add(start.into())?;
        let mut sections = sections.iter().filter_map(|one| {
            let inside = address.checked_sub(one.address?)?;
            one.data.get(usize::try_from(inside).ok()?..)
        });
        sections.find_map(|data| data.get(..usize::try_from(size).ok()?))
    };
    const EXCEPTIONS: usize = 3;
    const DEBUG_INFORMATION: usize = 6;
    let debug = directory(DEBUG_INFORMATION).unwrap_or_default();
    let mut code_view = debug.chunks_exact(DEBUG).filter_map(|entry| {
        let size = usize::try_from(u32_at(entry, 16)?).ok()?;
        let data = part(u32_at(entry, 24)?, size)?;
        data.starts_with(b"RSDS").then_some(data)
    });
    let pe = Pe {
        base,
        sections: sections.iter().filter_map(|one| one.address).collect(),
        symbols,
        names,
        functions: directory(EXCEPTIONS).unwrap_or_default(),
        code_view: code_view.next(),
    };
    Some((machine, sections, Format::Pe(pe)))
}

/// The name of a section, which refers to the table of names by `/` and a number if it is long.
fn section_name<'d>(name: &'d [u8], names: &'d [u8]) -> &'d [u8] {
    let name = first_text(name);
    let number = name.strip_prefix(b"/");
    let number = number.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    number.map_or(name, |at| first_text(texts_from(names, at)))
}
