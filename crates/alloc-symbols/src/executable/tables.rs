//! What the tables of an executable say: its functions by address and by name, and files, lines and
//! inlined functions of an address, from DWARF.

use std::borrow::Cow;
use std::sync::Arc;

use addr2line::Context;
use addr2line::gimli::{self, DW_LANG_Rust, Dwarf, EndianSlice, LittleEndian};
use object::{
    BinaryFormat, CompressionFormat, File, Object, ObjectSection, ObjectSymbol, SymbolKind,
};

use crate::blame::{Frame, FrameKind, address_name};
use crate::executable::{Error, Problem};

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

/// The bytes of a section.
type Bytes<'e> = EndianSlice<'e, LittleEndian>;

/// Line tables, by addresses of the executable.
pub(crate) trait LineTables {
    /// The functions at an address: the innermost inlined one first, the one that they were
    /// inlined into last. Each is marked as inlined.
    fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem>;
}

/// The line tables of a file.
pub(crate) struct Lines<'e> {
    context: Context<Bytes<'e>>,
}

impl LineTables for Lines<'_> {
    fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem> {
        // addr2line searches up to the next address.
        if address == u64::MAX {
            return Ok(Vec::new());
        }
        self.try_frames(address).map_err(damaged)
    }
}

impl<'e> Lines<'e> {
    /// Reads the line tables, if there are some.
    pub(crate) fn read(file: &File<'e>) -> Result<Option<Self>, Problem> {
        if file.section_by_name(".debug_info").is_none() {
            return Ok(None);
        }
        let dwarf = Dwarf::load(|section| {
            let data = match file.section_by_name(section.name()) {
                Some(section) => match section.compressed_file_range() {
                    Ok(range) if range.format != CompressionFormat::None => {
                        return Err(Problem::CompressedLineTables);
                    }
                    _ => section.data().map_err(damaged)?,
                },
                None => &[],
            };
            Ok(Bytes::new(data, LittleEndian))
        })?;
        if is_split(&dwarf).map_err(damaged)? {
            return Err(Problem::SplitDebugInformation);
        }
        let context = Context::from_dwarf(dwarf).map_err(damaged)?;
        Ok(Some(Self { context }))
    }

    fn try_frames(&self, address: u64) -> Result<Vec<Frame>, gimli::Error> {
        let mut found = self.context.find_frames(address).skip_all_loads()?;
        let mut frames: Vec<Frame> = Vec::new();
        // A call that LLVM made from several has no line. At the beginning of a function, LLVM
        // gives it the line of the outermost function.
        let mut is_guessed = false;
        while let Some(one) = found.next()? {
            let function = match &one.function {
                Some(function) => demangled(&function.raw_name()?).into(),
                None => address_name(address),
            };
            let location = one.location.as_ref();
            let file = location.and_then(|location| location.file);
            let mut frame = Frame {
                function,
                file: file.map(Arc::from),
                line: location.and_then(|location| location.line),
                column: location.and_then(|location| location.column),
                kind: FrameKind::Inlined,
            };
            // Zero is the left edge of a line, where no call is.
            let is_at_edge = frame.column == Some(0);
            frame.column = frame.column.filter(|_| !is_at_edge);
            let language = one.function.and_then(|function| function.language);
            if is_at_edge && frames.is_empty() && language == Some(DW_LANG_Rust) {
                is_guessed = true;
                frame.line = None;
            }
            frames.push(frame);
        }
        if let (true, [innermost, _, ..]) = (is_guessed, frames.as_mut_slice()) {
            innermost.file = None;
        }
        Ok(frames)
    }
}

/// Whether a unit has its functions in another file.
fn is_split(dwarf: &Dwarf<Bytes<'_>>) -> Result<bool, gimli::Error> {
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let unit = dwarf.unit(header)?;
        let folder = unit.comp_dir.as_ref();
        // The standard library for windows-gnu is split, but has its lines.
        let is_std = folder.is_some_and(|it| is_built_with_std(&it.to_string_lossy()));
        if unit.dwo_name()?.is_some() && !is_std {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn damaged(error: impl ToString) -> Problem {
    Problem::DamagedLineTables(error.to_string())
}

/// Whether a path is one of those at which the standard library and its dependencies are built.
pub(crate) fn is_built_with_std(path: &str) -> bool {
    path.starts_with("/rustc/") || path.starts_with("/rust/deps")
}
