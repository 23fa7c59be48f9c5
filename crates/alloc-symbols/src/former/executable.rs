//! An executable in memory, and its build id.

use std::fs;
use std::path::Path;

use crate::former::debug_files::DebugFiles;
use crate::former::error::{Error, Problem};
use crate::former::image::Image;
use crate::former::line_tables::LineTables;
use crate::former::symbols::Symbols;

/// Larger files are not read into memory.
const MAX_SIZE: u64 = 4 << 30;

/// An executable, read into memory.
#[derive(Debug)]
pub struct Executable {
    name: String,
    bytes: Vec<u8>,
    build_id: Option<String>,
    debug_files: DebugFiles,
}

impl Executable {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// If the file can't be read, or is no executable of a supported format for a processor of 64
    /// bits.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let unreadable = |source| Error::Unreadable {
            name: path.display().to_string(),
            source,
        };
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if !metadata.is_file() || metadata.len() > MAX_SIZE {
            let reason = if metadata.is_file() {
                "it is larger than 4 GiB"
            } else {
                "it is not a file"
            };
            let reason = reason.to_owned();
            return Err(Error::NotAnExecutable { name, reason });
        }
        let bytes = fs::read(path).map_err(unreadable)?;
        Self::read(name, bytes, Some(path))
    }

    /// Takes the content of an executable, and reads no file: on macOS and Windows, line tables are in
    /// others.
    /// Messages call it `name`.
    ///
    /// # Errors
    ///
    /// If `bytes` are no executable of a supported format for a processor of 64 bits.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Error> {
        Self::read(name.into(), bytes, None)
    }

    fn read(name: String, bytes: Vec<u8>, path: Option<&Path>) -> Result<Self, Error> {
        let image = Image::parse(&name, &bytes)?;
        let build_id = image.build_id();
        let build_id = build_id.map(|id| id.iter().map(|byte| format!("{byte:02x}")).collect());
        let debug_files = DebugFiles::find(path, &image);
        Ok(Self {
            name,
            bytes,
            build_id,
            debug_files,
        })
    }

    /// The build id in lower-case hexadecimal, if the file has one. In the format PE, it is the
    /// number of the file with the debug information; on macOS, the UUID.
    pub fn build_id(&self) -> Option<&str> {
        self.build_id.as_deref()
    }

    /// Checks that the file is the build with this id.
    ///
    /// # Errors
    ///
    /// [`Error::AnotherBuild`] if its build id differs, or if it has none.
    pub fn require_build_id(&self, expected: &str) -> Result<(), Error> {
        match self.build_id() {
            Some(found) if found.eq_ignore_ascii_case(expected) => Ok(()),
            found => Err(Error::AnotherBuild {
                name: self.name.clone(),
                expected: expected.to_owned(),
                found: found.map(str::to_owned),
            }),
        }
    }

    /// Why frames would lack lines, as far as the headers of the line tables tell.
    ///
    /// # Errors
    ///
    /// If the file has no symbols, so that there are no frames.
    pub fn line_problem(&self) -> Result<Option<Problem>, Error> {
        let image = Image::parse(&self.name, &self.bytes)?;
        if image.has_symbols() || matches!(self.debug_files, DebugFiles::Pdb(_)) {
            Ok(LineTables::problem(&image, &self.debug_files))
        } else {
            Err(image.no_symbols())
        }
    }

    /// The symbols, for addresses relative to the function `anchor`: its name in the symbol
    /// table, or its path in Rust without the hash, such as `harness::anchor`.
    ///
    /// # Errors
    ///
    /// If the file has no symbols, or not exactly one function of this name. Missing or damaged
    /// line tables are no error; see [`Symbols::problem`].
    pub fn symbols(&self, anchor: &str) -> Result<Symbols<'_>, Error> {
        let image = Image::parse(&self.name, &self.bytes)?;
        Symbols::new(image, &self.debug_files, anchor)
    }
}
