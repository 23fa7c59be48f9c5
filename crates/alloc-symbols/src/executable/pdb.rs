//! [`Pdb`]: the file with the symbols and the line tables of a program for Windows.

use std::borrow::Cow;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::{File, Object};
use pdb_addr2line::pdb::{PDB, Result};
use pdb_addr2line::{Context, ContextPdbData, TypeFormatterFlags};

use crate::blame::{Frame, FrameKind, address_name};
use crate::executable::Problem;
use crate::executable::tables::{Function, LineTables, damaged, demangled};

type Bytes = Cursor<Vec<u8>>;

/// Its parts that have functions and lines.
pub(crate) struct Pdb {
    data: ContextPdbData<'static, 'static, Bytes>,
}

/// The line tables of a PDB.
pub(crate) struct PdbLines<'e> {
    context: Context<'e, 'static>,
    /// The address to which others are relative.
    base: u64,
}

impl Pdb {
    /// Reads the file beside the executable, or at the path where the linker wrote it, if it
    /// belongs to this executable.
    pub(crate) fn find(executable: &Path, file: &File<'_>) -> Option<Self> {
        let information = file.pdb_info().ok()??;
        let written = str::from_utf8(information.path()).ok()?;
        let name = written.rsplit(['/', '\\']).next()?;
        let mut paths = [executable.with_file_name(name), PathBuf::from(written)].into_iter();
        paths.find_map(|path| Self::read(fs::read(path).ok()?, information.guid()).ok()?)
    }

    /// Reads a file, if it is the one with this number.
    fn read(bytes: Vec<u8>, guid: [u8; 16]) -> Result<Option<Self>> {
        let mut pdb = PDB::open(Cursor::new(bytes))?;
        if pdb.pdb_information()?.guid.to_bytes_le() != guid {
            return Ok(None);
        }
        let data = ContextPdbData::try_from_pdb(pdb).ok();
        Ok(data.map(|data| Self { data }))
    }

    fn context(&self) -> Option<Context<'_, 'static>> {
        // `codec::encode` of `void codec::encode(u8)`.
        let flags = TypeFormatterFlags::NO_FUNCTION_RETURN | TypeFormatterFlags::NO_ARGUMENTS;
        self.data.make_context_with_formatter_flags(flags).ok()
    }

    /// The functions, by addresses of the executable.
    pub(crate) fn functions<'e>(&self, file: &File<'_>) -> Vec<Function<'e>> {
        let Some(context) = self.context() else {
            return Vec::new();
        };
        let base = file.relative_address_base();
        let functions = context.functions().map(|one| {
            let start = base + u64::from(one.start_rva);
            Function {
                start,
                end: one.end_rva.map_or(start, |end| base + u64::from(end)),
                symbol: Cow::Owned(demangled(&one.name.unwrap_or_default())),
            }
        });
        functions.collect()
    }

    /// The line tables.
    pub(crate) fn lines(&self, file: &File<'_>) -> Option<PdbLines<'_>> {
        let base = file.relative_address_base();
        self.context().map(|context| PdbLines { context, base })
    }
}

impl LineTables for PdbLines<'_> {
    fn frames(&self, address: u64) -> std::result::Result<Vec<Frame>, Problem> {
        let inside = address.checked_sub(self.base);
        let Some(inside) = inside.and_then(|inside| u32::try_from(inside).ok()) else {
            return Ok(Vec::new());
        };
        let found = self.context.find_frames(inside).map_err(damaged)?;
        let frames = found.into_iter().flat_map(|found| found.frames);
        let frames = frames.map(|one| Frame {
            function: match one.function {
                Some(name) => demangled(&name).into(),
                None => address_name(address),
            },
            file: one.file.map(|file| Arc::from(&*file)),
            line: one.line.filter(|line| *line != 0),
            // The compiler writes no columns into a PDB.
            column: None,
            kind: FrameKind::Inlined,
        });
        Ok(frames.collect())
    }
}
