//! [`Executable`]: an executable in memory, with the files beside it that have its line tables.

mod macho;
#[cfg(feature = "pdb")]
mod pdb;
mod symbols;
mod tables;
mod tail_calls;

use std::error;
use std::fmt;
use std::fs;
use std::path::Path;

use object::{BinaryFormat, File, Object};

use macho::Objects;
#[cfg(feature = "pdb")]
use pdb::Pdb;
pub use symbols::Symbols;

/// An executable, read into memory.
pub struct Executable {
    name: String,
    bytes: Vec<u8>,
    beside: Beside,
}

/// The files beside an executable that have its line tables.
pub(crate) enum Beside {
    /// None: the executable has them itself.
    None,
    /// That of a `.dSYM`, with the addresses of the executable.
    Bundle(Vec<u8>),
    /// The object files that were linked, on macOS.
    Objects(Objects),
    /// That of Windows, with the symbols as well.
    #[cfg(feature = "pdb")]
    Pdb(Box<Pdb>),
}

impl Executable {
    /// Reads the file at `path`, and those beside it that have its line tables.
    ///
    /// # Errors
    ///
    /// If the file can't be read, or is no executable of a supported format.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = fs::read(path);
        let bytes = bytes.map_err(|error| Error(format!("can't read `{name}`: {error}")))?;
        let file = parse(&name, &bytes)?;
        let beside = match file.format() {
            BinaryFormat::MachO if file.section_by_name(".debug_info").is_none() => {
                match macho::bundle(path, &file) {
                    Some(bundle) => Beside::Bundle(bundle),
                    None => Beside::Objects(macho::objects(path, &file)),
                }
            }
            #[cfg(feature = "pdb")]
            BinaryFormat::Pe if file.symbols().next().is_none() => {
                let pdb = Pdb::find(path, &file).map(Box::new);
                pdb.map_or(Beside::None, Beside::Pdb)
            }
            _ => Beside::None,
        };
        Ok(Self {
            name,
            bytes,
            beside,
        })
    }

    /// Why frames would lack lines.
    ///
    /// # Errors
    ///
    /// If the file has no symbols, so that there are no frames.
    pub fn line_problem(&self) -> Result<Option<Problem>, Error> {
        let mut symbols = self.read(None)?;
        symbols.look_for_lines();
        Ok(symbols.problem().cloned())
    }

    /// The symbols, for addresses relative to the function `anchor`: its name in the symbol
    /// table, or its path in Rust without the hash, such as `harness::anchor`.
    ///
    /// # Errors
    ///
    /// If the file has no symbols, or not exactly one function of this name. Missing or damaged
    /// line tables are no error; see [`Symbols::problem`].
    pub fn symbols(&self, anchor: &str) -> Result<Symbols<'_>, Error> {
        self.read(Some(anchor))
    }

    fn read(&self, anchor: Option<&str>) -> Result<Symbols<'_>, Error> {
        let file = parse(&self.name, &self.bytes)?;
        Symbols::read(&self.name, file, &self.beside, anchor)
    }
}

fn parse<'e>(name: &str, bytes: &'e [u8]) -> Result<File<'e>, Error> {
    let unreadable = |error| Error(format!("`{name}` is not a readable executable: {error}"));
    File::parse(bytes).map_err(unreadable)
}

/// Why an executable, or a function in it, can't be used: a sentence that names the file.
#[derive(Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for Error {}

/// Why frames may lack files and lines, or frames themselves. Those that were found are right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// No crate but the standard library has line tables.
    NoLineTables,
    /// The line tables are compressed, which this crate doesn't read.
    CompressedLineTables,
    /// The debug information is in files beside the executable, which this crate doesn't read.
    SplitDebugInformation,
    /// On macOS, object files that have the line tables are missing, or are not those that were
    /// linked. The first of them.
    MissingObjectFiles(String),
    /// The line tables are damaged, at least in part.
    DamagedLineTables(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLineTables => f.write_str(
                "the executable has no line tables; build it with `debug = \"line-tables-only\"`",
            ),
            Self::CompressedLineTables => f.write_str(
                "the line tables of the executable are compressed; \
                 link it without `--compress-debug-sections`",
            ),
            Self::SplitDebugInformation => f.write_str(
                "the debug information is in files beside the executable; \
                 build it with `split-debuginfo = \"off\"`",
            ),
            Self::MissingObjectFiles(path) => write!(
                f,
                "the line tables are in object files that are missing or were written again, \
                 such as `{path}`; build the executable again, or with `split-debuginfo = \"packed\"`"
            ),
            Self::DamagedLineTables(reason) => {
                write!(f, "the line tables of the executable are damaged: {reason}")
            }
        }
    }
}
