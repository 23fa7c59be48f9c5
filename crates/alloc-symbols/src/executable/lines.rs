//! [`Lines`]: files, lines and inlined functions of an address, from DWARF.

use std::collections::BTreeMap;
use std::sync::Arc;

use addr2line::Context;
use addr2line::gimli::{self, AttributeValue, DW_AT_language, DW_LANG_Rust, Dwarf};
use addr2line::gimli::{EndianSlice, LittleEndian};
use object::{CompressionFormat, File, Object, ObjectSection};

use crate::executable::error::Problem;
use crate::executable::functions::demangled;
use crate::frame::{Frame, FrameKind, address_name};

/// The bytes of a section.
type Bytes<'e> = EndianSlice<'e, LittleEndian>;

/// The line tables of a file.
pub(crate) struct Lines<'e> {
    context: Context<Bytes<'e>>,
    /// The folders in which Rust crates were compiled, by the file that each begins with.
    folders: BTreeMap<String, String>,
}

impl<'e> Lines<'e> {
    /// Reads the line tables, and says what is wrong with them. There can be both: the tables
    /// of the standard library, and a problem because no other crate has some.
    pub(crate) fn read(file: &File<'e>) -> (Option<Self>, Option<Problem>) {
        match Self::try_read(file) {
            Ok((lines, true)) => (Some(lines), None),
            Ok((lines, false)) => (Some(lines), Some(Problem::NoLineTables)),
            Err(problem) => (None, Some(problem)),
        }
    }

    fn try_read(file: &File<'e>) -> Result<(Self, bool), Problem> {
        if file.section_by_name(".debug_info").is_none() {
            return Err(Problem::NoLineTables);
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
        let survey = Survey::take(&dwarf).map_err(damaged)?;
        if survey.is_split {
            return Err(Problem::SplitDebugInformation);
        }
        let lines = Self {
            context: Context::from_dwarf(dwarf).map_err(damaged)?,
            folders: survey.folders,
        };
        Ok((lines, survey.has_lines))
    }

    /// The folder in which the crate was compiled that begins with a file.
    pub(crate) fn folder_of(&self, file: &str) -> Option<&str> {
        self.folders.get(file).map(String::as_str)
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

fn damaged(error: impl ToString) -> Problem {
    Problem::DamagedLineTables(error.to_string())
}

/// What one pass over all units finds.
#[derive(Default)]
struct Survey {
    /// Whether a Rust crate besides the standard library, which comes with them, has line tables.
    has_lines: bool,
    /// Whether a unit has its functions in another file.
    is_split: bool,
    folders: BTreeMap<String, String>,
}

impl Survey {
    fn take(dwarf: &Dwarf<Bytes<'_>>) -> Result<Self, gimli::Error> {
        let mut survey = Self::default();
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            let folder = unit.comp_dir.as_ref();
            let folder = folder.map(|folder| folder.to_string_lossy());
            // The folders in which the standard library and its dependencies are built.
            let is_std = folder.as_ref().is_some_and(|folder| {
                folder.starts_with("/rustc/") || folder.starts_with("/rust/deps")
            });
            let mut entries = unit.entries();
            let root = entries.next_dfs()?;
            let language = root.and_then(|root| root.attr_value(DW_AT_language));
            let is_rust = language == Some(AttributeValue::Language(DW_LANG_Rust));
            survey.has_lines |= unit.line_program.is_some() && is_rust && !is_std;
            // That for windows-gnu is split: functions that are inlined in it, and the languages
            // of its units, are in other files.
            survey.is_split |= unit.dwo_name()?.is_some() && !is_std;
            // `benches/counts.rs/@/counts.0123-cgu.0`.
            let name = unit.name.as_ref().map(|name| name.to_string_lossy());
            let file = name.as_deref().and_then(|name| name.split_once("/@/"));
            if let (Some(folder), Some((file, _))) = (folder, file) {
                let file = file.replace('\\', "/");
                survey.folders.insert(file, folder.into_owned());
            }
        }
        Ok(survey)
    }
}
