//! [`Lines`]: files, lines and inlined functions of an address, from DWARF.

use std::sync::Arc;

use addr2line::Context;
use addr2line::gimli::{self, DW_LANG_Rust, Dwarf, EndianSlice, LittleEndian};
use object::{CompressionFormat, File, Object, ObjectSection};

use crate::executable::Problem;
use crate::executable::functions::demangled;
use crate::frame::{Frame, FrameKind, address_name};

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
        // gives it that of the outermost function.
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
