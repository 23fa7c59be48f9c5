//! [`Executable`]: an executable in memory, with the files beside it that have its line tables.

mod error;
mod functions;
mod lines;
mod machine_code;
mod macho;
#[cfg(feature = "pdb")]
mod pdb;
mod symbols;
mod tail_calls;

use std::fmt;
use std::fs;
use std::path::Path;

use object::{BinaryFormat, File, Object};

pub use error::{Error, Problem};
#[cfg(feature = "pdb")]
use pdb::Pdb;
use symbols::Beside;
pub use symbols::Symbols;

/// An executable, read into memory.
pub struct Executable {
    name: String,
    bytes: Vec<u8>,
    beside: Beside,
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
        Ok(self.read(None)?.problem().cloned())
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
        Symbols::read(&self.name, &file, &self.beside, anchor)
    }
}

fn parse<'e>(name: &str, bytes: &'e [u8]) -> Result<File<'e>, Error> {
    let unreadable = |error| Error(format!("`{name}` is not a readable executable: {error}"));
    File::parse(bytes).map_err(unreadable)
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Executable");
        shown.field("name", &self.name).finish_non_exhaustive()
    }
}
