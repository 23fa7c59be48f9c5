//! The functions in the symbol table, by address and by name.

use std::borrow::Cow;

use crate::former::debug_files::DebugFiles;
use crate::former::error::Error;
use crate::former::image::{Image, Symbol};

/// A function of the symbol table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function<'d> {
    pub(crate) start: u64,
    pub(crate) end: u64,
    symbol: Symbol<'d>,
}

/// The functions of an executable. Those at one address, such as identical functions that the
/// linker merged, are one.
#[derive(Debug)]
pub(crate) struct Functions<'d> {
    list: Vec<Function<'d>>,
}

impl<'d> Functions<'d> {
    /// Reads the symbol table, and finds the address of the anchor.
    pub(crate) fn read(
        image: &Image<'d>,
        files: &'d DebugFiles,
        anchor: &str,
    ) -> Result<(Self, u64), Error> {
        let mut functions = Self::listed(image, files);
        let anchor = functions.address_of(image, anchor)?;
        let list = &mut functions.list;
        list.dedup_by_key(|function| function.start);
        for at in 0..list.len() {
            let next = list.get(at + 1).map_or(u64::MAX, |next| next.start);
            let function = &mut list[at];
            // Not all symbols say where a function ends.
            if function.end == function.start {
                let section_end = image.end_of_section(function.start);
                function.end = next.min(section_end.unwrap_or(function.start));
            }
        }
        Ok((functions, anchor))
    }

    fn address_of(&self, image: &Image<'_>, anchor: &str) -> Result<u64, Error> {
        let name = || image.name.to_owned();
        if self.list.is_empty() {
            return Err(image.no_symbols());
        }
        let last_word = anchor.rsplit("::").next().unwrap_or(anchor);
        let mut found = None;
        for function in &self.list {
            let symbol = self.symbol_name(function);
            let is_anchor =
                symbol == anchor || symbol.contains(last_word) && self.name(function) == anchor;
            if is_anchor && found.is_some_and(|found| found != function.start) {
                let anchor = anchor.to_owned();
                return Err(Error::AmbiguousAnchor {
                    name: name(),
                    anchor,
                });
            }
            if is_anchor {
                found = Some(function.start);
            }
        }
        found.ok_or_else(|| match image.has_symbols() || image.pdb_path().is_some() {
            true => Error::NoAnchor {
                name: name(),
                anchor: anchor.to_owned(),
            },
            // Some functions stay, for other files.
            false => Error::Stripped { name: name() },
        })
    }

    /// The number of the function that has the instruction at an address.
    pub(crate) fn at(&self, address: u64) -> Option<usize> {
        let after = self
            .list
            .partition_point(|function| function.start <= address);
        let at = after.checked_sub(1)?;
        (address < self.list[at].end).then_some(at)
    }

    /// The number of the function that begins at an address.
    pub(crate) fn beginning_at(&self, address: u64) -> Option<usize> {
        self.list
            .binary_search_by_key(&address, |function| function.start)
            .ok()
    }

    pub(crate) fn get(&self, number: usize) -> Function<'d> {
        self.list[number]
    }

    /// The path of a function, without mangling and hash.
    pub(crate) fn name(&self, function: &Function<'_>) -> String {
        demangled(&self.symbol_name(function))
    }

    /// The name of a function in the symbol table.
    pub(crate) fn symbol_name(&self, function: &Function<'d>) -> Cow<'d, str> {
        String::from_utf8_lossy(function.symbol.name())
    }

    fn listed(image: &Image<'d>, files: &'d DebugFiles) -> Self {
        let symbols = match files {
            DebugFiles::None | DebugFiles::Bundle(_) | DebugFiles::Objects(_) => image.functions(),
            DebugFiles::Pdb(pdb) => {
                let mut symbols = pdb.functions(&|number| image.segment(number));
                image.complete(&mut symbols);
                symbols
            }
        };
        let functions = symbols.into_iter().map(|symbol| Function {
            start: symbol.address,
            end: symbol.address.saturating_add(symbol.size),
            symbol,
        });
        let mut list: Vec<_> = functions.collect();
        // Of several at an address, the one that covers most, and then the first, stays.
        list.sort_by_key(|function| (function.start, u64::MAX - function.end));
        Self { list }
    }
}

/// The path of a Rust function from its name in a symbol table; other names as they are.
pub(crate) fn demangled(name: &str) -> String {
    match rustc_demangle::try_demangle(name) {
        Ok(demangled) => format!("{demangled:#}"),
        Err(_) => name.to_owned(),
    }
}
