//! The functions in the symbol table, by address and by name, and the machine code in sections.

use std::borrow::Cow;

use object::{BinaryFormat, File, Object, ObjectSection, ObjectSymbol, SymbolKind};

use crate::executable::Error;

/// A function of the symbol table.
#[derive(Clone, Debug)]
pub(crate) struct Function<'e> {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Its name in the symbol table.
    pub(crate) symbol: Cow<'e, str>,
}

impl Function<'_> {
    /// The path of the function, without mangling and hash.
    pub(crate) fn name(&self) -> String {
        demangled(&self.symbol)
    }
}

/// The functions of an executable. Those at one address, such as identical functions that the
/// linker merged, are one.
pub(crate) struct Functions<'e> {
    pub(crate) list: Vec<Function<'e>>,
    file: File<'e>,
}

impl<'e> Functions<'e> {
    /// Sorts the functions of a file, and finds the address of the anchor, if there is one.
    pub(crate) fn new(
        name: &str,
        file: File<'e>,
        mut list: Vec<Function<'e>>,
        anchor: Option<&str>,
    ) -> Result<(Self, u64), Error> {
        // Some functions stay in a stripped file of macOS, for other files.
        let has_symbols = if file.format() == BinaryFormat::MachO {
            file.symbols().any(|symbol| symbol.is_local())
        } else {
            !list.is_empty()
        };
        if !has_symbols {
            return Err(without_symbols(name, &file));
        }
        // Of several at an address, the one that covers most, and then the first, stays.
        list.sort_by_key(|function| (function.start, u64::MAX - function.end));
        let anchor = anchor.map_or(Ok(0), |anchor| address_of(&list, name, anchor))?;
        list.dedup_by_key(|function| function.start);
        let mut functions = Self { list, file };
        let mut next = u64::MAX;
        for at in (0..functions.list.len()).rev() {
            let Function { start, end, .. } = functions.list[at];
            // Not all symbols say where a function ends.
            if end == start {
                let rest = functions.bytes(start, usize::MAX).map_or(0, <[u8]>::len);
                functions.list[at].end = next.min(start + rest as u64);
            }
            next = start;
        }
        Ok((functions, anchor))
    }

    /// The number of the function that has the instruction at an address.
    pub(crate) fn at(&self, address: u64) -> Option<usize> {
        let after = self.list.partition_point(|one| one.start <= address);
        let at = after.checked_sub(1)?;
        (address < self.list[at].end).then_some(at)
    }

    /// The number of the function that begins at an address.
    pub(crate) fn beginning_at(&self, address: u64) -> Option<usize> {
        let found = self.list.binary_search_by_key(&address, |one| one.start);
        found.ok()
    }

    /// At most `len` bytes of the file at an address of a section that is loaded.
    pub(crate) fn bytes(&self, address: u64, len: usize) -> Option<&'e [u8]> {
        self.file.sections().find_map(|section| {
            let start = Some(section.address()).filter(|start| *start != 0)?;
            let inside = usize::try_from(address.checked_sub(start)?).ok()?;
            let data = section.data().ok()?.get(inside..)?;
            (!data.is_empty()).then(|| &data[..len.min(data.len())])
        })
    }
}

fn address_of(list: &[Function<'_>], name: &str, anchor: &str) -> Result<u64, Error> {
    let last_word = anchor.rsplit("::").next().unwrap_or(anchor);
    let named = list.iter().filter(|function| {
        let symbol = &*function.symbol;
        symbol == anchor || symbol.contains(last_word) && function.name() == anchor
    });
    let mut starts: Vec<u64> = named.map(|function| function.start).collect();
    starts.dedup();
    match starts[..] {
        [start] => Ok(start),
        [] => Err(Error(format!("`{name}` has no function `{anchor}`"))),
        _ => Err(Error(format!("`{name}` has several functions `{anchor}`"))),
    }
}

/// The functions that a file has, in the order of its symbols.
pub(crate) fn symbols<'e>(file: &File<'e>) -> impl Iterator<Item = Function<'e>> {
    let is_macho = file.format() == BinaryFormat::MachO;
    let functions = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.section_index().is_some());
    functions.filter_map(move |symbol| {
        let name = symbol.name_bytes().ok()?;
        // The names of C begin with an underscore there.
        let name = name.strip_prefix(b"_").filter(|_| is_macho).unwrap_or(name);
        Some(Function {
            start: symbol.address(),
            end: symbol.address().saturating_add(symbol.size()),
            symbol: String::from_utf8_lossy(name),
        })
    })
}

/// Says that there are no symbols.
fn without_symbols(name: &str, file: &File<'_>) -> Error {
    let why = if cfg!(feature = "pdb") {
        "is missing or of another build"
    } else {
        "is read on Windows alone"
    };
    Error(match file.pdb_info() {
        Ok(Some(pdb)) => {
            let file = String::from_utf8_lossy(pdb.path());
            format!("the symbols of `{name}` are in `{file}`, which {why}")
        }
        _ => format!("`{name}` has no symbols; build it with `strip = false`"),
    })
}

/// The path of a Rust function from its name in a symbol table; other names as they are.
pub(crate) fn demangled(name: &str) -> String {
    match rustc_demangle::try_demangle(name) {
        Ok(demangled) => format!("{demangled:#}"),
        Err(_) => name.to_owned(),
    }
}
