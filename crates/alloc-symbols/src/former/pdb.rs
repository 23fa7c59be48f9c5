//! The file with the debug information of a program for Windows, in the format PDB.

mod inlined;
mod lines;
mod streams;

use std::collections::HashMap;
use std::ops::Range;

use crate::former::image::{Symbol, first_text, texts_from, u16_at, u32_at};
use streams::{Streams, usize_at};

pub(crate) use lines::PdbLines;

/// Its parts that have functions and lines.
#[derive(Debug)]
pub(crate) struct Pdb {
    /// Records of symbols that modules share, such as the names that the linker used.
    shared: Vec<u8>,
    /// The names of files.
    names: Vec<u8>,
    /// Records of functions that are inlined, and where each begins.
    items: Vec<u8>,
    item_places: Vec<usize>,
    /// The number of the first.
    first_item: usize,
    modules: Vec<Module>,
}

/// What a compiler wrote into one object file.
#[derive(Debug)]
struct Module {
    content: Vec<u8>,
    symbols: Range<usize>,
    lines: Range<usize>,
    /// Whether it is of the standard library.
    is_std: bool,
}

/// The kinds of records, of symbols and of items.
const PUBLIC: u16 = 0x110e;
const LOCAL_FUNCTION: u16 = 0x110f;
const GLOBAL_FUNCTION: u16 = 0x1110;
const COMPILER: u16 = 0x113c;
const INLINED: u16 = 0x114d;
const INLINED_TWICE: u16 = 0x115d;
const ITEM_FUNCTION: u16 = 0x1601;
const ITEM_METHOD: u16 = 0x1602;
const ITEM_TEXT: u16 = 0x1605;

impl Pdb {
    /// Reads the file, if it is that of the executable with this build id.
    pub(crate) fn read(file: &[u8], id: &[u8]) -> Option<Self> {
        let mut streams = Streams::read(file)?;
        let information = streams.stream(1)?;
        if information.get(12..28)? != id {
            return None;
        }
        let directory = streams.stream(3)?;
        let shared = streams.stream(u16_at(&directory, 20)?.into())?;
        let names = match names_stream(&information) {
            Some(number) => streams.stream(number)?,
            None => Vec::new(),
        };
        let items = streams.stream(4)?;
        let places = records(&items, usize_at(&items, 4).unwrap_or_default());
        let item_places = places.map(|record| record.at).collect();
        let mut pdb = Self {
            shared,
            names,
            item_places,
            first_item: usize_at(&items, 8).unwrap_or_default(),
            items,
            modules: Vec::new(),
        };
        let end = 64 + usize_at(&directory, 24)?;
        let mut list = directory.get(64..end)?;
        while list.len() >= 64 {
            let (module, rest) = Module::read(list, &mut streams)?;
            pdb.modules.extend(module);
            list = rest;
        }
        Some(pdb)
    }

    /// The functions: those that the linker knew have names with paths, and are first. `segment`
    /// says where one begins.
    pub(crate) fn functions(&self, segment: &dyn Fn(u16) -> Option<u64>) -> Vec<Symbol<'_>> {
        const IS_FUNCTION: u32 = 2;
        let address = |record: Record<'_>, at: usize| {
            let start = segment(u16_at(record.data, at + 4)?)?;
            Some(start.wrapping_add(u32_at(record.data, at)?.into()))
        };
        let local = self.modules.iter().flat_map(Module::functions);
        let local = local.filter_map(|record| {
            let size = u32_at(record.data, 12)?.into();
            Some(Symbol::new(
                record.data.get(35..)?,
                address(record, 28)?,
                size,
            ))
        });
        let local: Vec<_> = local.collect();
        let sizes = local
            .iter()
            .map(|function| (function.address, function.size));
        let sizes: HashMap<_, _> = sizes.collect();
        let public = records(&self.shared, 0).filter_map(|record| {
            if record.kind != PUBLIC || u32_at(record.data, 0)? & IS_FUNCTION == 0 {
                return None;
            }
            let address = address(record, 4)?;
            let size = sizes.get(&address).copied().unwrap_or_default();
            Some(Symbol::new(record.data.get(10..)?, address, size))
        });
        public.chain(local.iter().copied()).collect()
    }

    /// The name of an inlined function, with its path if that is there.
    fn item(&self, number: u32) -> Option<String> {
        let record = self.item_record(number)?;
        let name = String::from_utf8_lossy(first_text(record.data.get(8..)?));
        let scope = match record.kind {
            ITEM_FUNCTION => self.item_record(u32_at(record.data, 0)?),
            ITEM_METHOD => None,
            _ => return None,
        };
        let scope = scope.filter(|scope| scope.kind == ITEM_TEXT);
        let scope = scope.and_then(|scope| Some(first_text(scope.data.get(4..)?)));
        Some(match scope {
            Some(scope) => format!("{}::{name}", String::from_utf8_lossy(scope)),
            None => name.into_owned(),
        })
    }

    fn item_record(&self, number: u32) -> Option<Record<'_>> {
        let number = usize::try_from(number).ok()?.checked_sub(self.first_item)?;
        records(&self.items, *self.item_places.get(number)?).next()
    }

    /// The path of a file, by its place in the table of files of a module.
    fn file(&self, files: &[u8], at: u32) -> Option<String> {
        const HEADER: usize = 12;
        let name = u32_at(files, usize::try_from(at).ok()?)?;
        let name = first_text(texts_from(self.names.get(HEADER..)?, name));
        (!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
    }
}

impl Module {
    /// Reads the first module of a list, and returns the rest of the list. A module without symbols
    /// is left out.
    fn read<'l>(list: &'l [u8], streams: &mut Streams<'_>) -> Option<(Option<Self>, &'l [u8])> {
        const HEADER: usize = 64;
        const NO_STREAM: u16 = u16::MAX;
        let name = first_text(list.get(HEADER..)?);
        let object = HEADER + name.len() + 1;
        let name = first_text(list.get(object..)?);
        let size = (object + name.len() + 1).next_multiple_of(4);
        let rest = list.get(size..).unwrap_or_default();
        let number = u16_at(list, 34)?;
        if number == NO_STREAM {
            return Some((None, rest));
        }
        let content = streams.stream(number.into())?;
        let symbols = usize_at(list, 36)?;
        let lines = symbols.checked_add(usize_at(list, 40)?)?;
        let end = lines.checked_add(usize_at(list, 44)?)?;
        content.get(symbols..end)?;
        let folder = String::from_utf8_lossy(name).replace('\\', "/");
        let module = Self {
            content,
            symbols: 4..symbols.max(4),
            lines: lines..end,
            is_std: folder.contains("/rustlib/"),
        };
        Some((Some(module), rest))
    }

    fn symbols(&self) -> &[u8] {
        &self.content[..self.symbols.end.min(self.content.len())]
    }

    fn functions(&self) -> impl Iterator<Item = Record<'_>> {
        let records = records(self.symbols(), self.symbols.start);
        records.filter(|record| matches!(record.kind, LOCAL_FUNCTION | GLOBAL_FUNCTION))
    }

    fn is_rust(&self) -> bool {
        const RUST: u8 = 0x15;
        let mut records = records(self.symbols(), self.symbols.start);
        let compiler = records.find(|record| record.kind == COMPILER);
        compiler.is_some_and(|record| record.data.first() == Some(&RUST))
    }
}

/// The number of the stream with the names of files, which has a name itself.
fn names_stream(information: &[u8]) -> Option<usize> {
    let length = usize_at(information, 28)?;
    let texts = information.get(32..)?.get(..length)?;
    let table = information.get(32 + length..)?;
    let count = usize_at(table, 0)?;
    // Two sets of bits, of the places that are in use and of those that were.
    let words = usize_at(table, 8)?;
    let table = table.get(12..)?.get(words.checked_mul(4)?..)?;
    let words = usize_at(table, 0)?;
    let table = table.get(4..)?.get(words.checked_mul(4)?..)?;
    let mut entries = table.chunks_exact(8).take(count);
    let entry = entries.find(|entry| {
        let name = u32_at(entry, 0).map(|at| first_text(texts_from(texts, at)));
        name == Some(b"/names")
    });
    usize_at(entry?, 4)
}

/// A record of a symbol or of an item.
#[derive(Clone, Copy, Debug)]
struct Record<'d> {
    at: usize,
    kind: u16,
    data: &'d [u8],
    /// Where the next one begins.
    end: usize,
}

/// The records from a place on.
fn records(bytes: &[u8], mut at: usize) -> impl Iterator<Item = Record<'_>> {
    std::iter::from_fn(move || {
        let length = u16_at(bytes, at)?;
        let end = at.checked_add(2)?.checked_add(length.into())?;
        let record = Record {
            at,
            kind: u16_at(bytes, at + 2)?,
            data: bytes.get(at + 4..end)?,
            end,
        };
        at = end;
        Some(record)
    })
}
