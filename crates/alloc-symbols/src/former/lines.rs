//! Files, lines and inlined functions of an address, from DWARF.

use std::collections::BTreeMap;
use std::sync::Arc;

use addr2line::Context;
use addr2line::gimli::{DW_LANG_Rust, Dwarf, EndianSlice, Error, LittleEndian, Unit, UnitRef};

use crate::former::error::Problem;
use crate::former::functions::demangled;
use crate::former::image::Image;
use crate::frame::{Frame, FrameKind, address_name};

/// The bytes of a section.
type Bytes<'d> = EndianSlice<'d, LittleEndian>;

/// The line tables of an executable.
pub(crate) struct Lines<'d> {
    context: Context<Bytes<'d>>,
    folders: Folders,
}

/// The folders in which Rust crates were compiled, by the file that each begins with.
pub(crate) type Folders = BTreeMap<String, String>;

impl<'d> Lines<'d> {
    /// Reads the line tables, and says what is wrong with them. There can be both: the tables
    /// of the standard library, and a problem because no other crate has some.
    pub(crate) fn read(image: &Image<'d>) -> (Option<Self>, Option<Problem>) {
        match Self::try_read(image) {
            Ok((lines, true)) => (Some(lines), None),
            Ok((lines, false)) => (Some(lines), Some(Problem::NoLineTables)),
            Err(problem) => (None, Some(problem)),
        }
    }

    /// What is wrong with the line tables, without reading more than their headers.
    pub(crate) fn problem(image: &Image<'d>) -> Option<Problem> {
        match Self::survey(image) {
            Ok((_, survey)) if survey.has_line_tables() => None,
            Ok(_) => Some(Problem::NoLineTables),
            Err(problem) => Some(problem),
        }
    }

    fn try_read(image: &Image<'d>) -> Result<(Self, bool), Problem> {
        let (dwarf, survey) = Self::survey(image)?;
        let context = Context::from_dwarf(dwarf).map_err(damaged)?;
        let has_line_tables = survey.has_line_tables();
        let folders = survey.folders;
        Ok((Self { context, folders }, has_line_tables))
    }

    /// The folder in which the crate was compiled that begins with a file.
    pub(crate) fn folder_of(&self, file: &str) -> Option<&str> {
        self.folders.get(file).map(String::as_str)
    }

    fn survey(image: &Image<'d>) -> Result<(Dwarf<Bytes<'d>>, Survey), Problem> {
        if image.section(".debug_info").is_none() || image.section(".debug_line").is_none() {
            return Err(Problem::NoLineTables);
        }
        let dwarf = Dwarf::load(|section| {
            let data = match image.section(section.name()) {
                Some(section) if section.is_compressed => {
                    return Err(Problem::CompressedLineTables);
                }
                Some(section) => section.data,
                None => &[],
            };
            Ok(Bytes::new(data, LittleEndian))
        })?;
        let survey = Survey::take(&dwarf).map_err(damaged)?;
        if survey.is_split {
            Err(Problem::SplitDebugInformation)
        } else {
            Ok((dwarf, survey))
        }
    }

    /// The functions at an address: the innermost inlined one first, the one that they were
    /// inlined into last. Each is marked as inlined.
    pub(crate) fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem> {
        // addr2line searches up to the next address.
        if address == u64::MAX {
            return Ok(Vec::new());
        }
        self.try_frames(address).map_err(damaged)
    }

    fn try_frames(&self, address: u64) -> Result<Vec<Frame>, Error> {
        let mut found = self.context.find_frames(address).skip_all_loads()?;
        let mut frames: Vec<Frame> = Vec::new();
        // A call that LLVM made from several has no line. At the beginning of a function, LLVM
        // gives it that of the outermost function.
        let mut is_guessed = false;
        while let Some(one) = found.next()? {
            let function = match &one.function {
                Some(function) => Some(demangled(&function.raw_name()?)),
                None => None,
            };
            let location = one.location.as_ref();
            let file = location.and_then(|location| location.file);
            let mut frame = Frame {
                function: function.map_or_else(|| address_name(address), Arc::from),
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

fn damaged(error: Error) -> Problem {
    Problem::DamagedLineTables(error.to_string())
}

/// What one pass over all entries finds.
#[derive(Default)]
struct Survey {
    has_rust: bool,
    /// Line tables of Rust crates, without those of the standard library, which come with it.
    has_rust_lines: bool,
    has_lines: bool,
    /// Whether a unit has its functions in another file.
    is_split: bool,
    folders: Folders,
}

impl Survey {
    fn take(dwarf: &Dwarf<Bytes<'_>>) -> Result<Self, Error> {
        let mut survey = Self::default();
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            survey.unit(dwarf, &unit)?;
        }
        Ok(survey)
    }

    fn unit(&mut self, dwarf: &Dwarf<Bytes<'_>>, unit: &Unit<Bytes<'_>>) -> Result<(), Error> {
        let unit = UnitRef::new(dwarf, unit);
        let folder = unit.comp_dir.as_ref();
        let folder = folder.map(|folder| folder.to_string_lossy());
        // The folders in which the standard library and its dependencies are built.
        let is_std = folder.as_ref().is_some_and(|folder| {
            folder.starts_with("/rustc/") || folder.starts_with("/rust/deps")
        });
        let has_lines = unit.line_program.is_some() && !is_std;
        self.has_lines |= has_lines;
        // The standard library for windows-gnu is split: functions that are inlined in it, and the
        // languages of its units, are in other files.
        self.is_split |= unit.dwo_name()?.is_some() && !is_std;
        let is_rust = is_rust(&unit)?;
        self.has_rust |= is_rust || is_std;
        self.has_rust_lines |= is_rust && has_lines;
        // `benches/counts.rs/@/counts.0123-cgu.0`.
        let name = unit.name.as_ref().map(|name| name.to_string_lossy());
        if let (Some(folder), Some((file, _))) = (
            folder,
            name.as_deref().and_then(|name| name.split_once("/@/")),
        ) {
            self.folders
                .insert(file.replace('\\', "/"), folder.into_owned());
        }
        Ok(())
    }

    fn has_line_tables(&self) -> bool {
        if self.has_rust {
            self.has_rust_lines
        } else {
            self.has_lines
        }
    }
}

fn is_rust(unit: &UnitRef<'_, Bytes<'_>>) -> Result<bool, Error> {
    use addr2line::gimli::{AttributeValue, DW_AT_language};
    let mut entries = unit.entries();
    let root = entries.next_dfs()?;
    let language = root.and_then(|root| root.attr_value(DW_AT_language));
    Ok(matches!(language, Some(AttributeValue::Language(language)) if language == DW_LANG_Rust))
}
