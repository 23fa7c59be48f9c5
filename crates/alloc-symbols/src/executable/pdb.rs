//! [`Pdb`]: the file with the symbols and the line tables of a program for Windows.

use std::borrow::Cow;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::{File, Object};
use pdb_addr2line::pdb::{FallibleIterator, PDB, Result, SourceLanguage, SymbolData};
use pdb_addr2line::{Context, ContextPdbData, TypeFormatterFlags};

use crate::executable::error::Problem;
use crate::executable::functions::{Function, demangled};
use crate::frame::{Frame, FrameKind, address_name};

type Bytes = Cursor<Vec<u8>>;

/// Its parts that have functions and lines.
pub(crate) struct Pdb {
    data: ContextPdbData<'static, 'static, Bytes>,
    /// Whether a Rust crate besides the standard library has line tables.
    has_lines: bool,
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
        let has_lines = has_lines(&mut pdb)?;
        let data = ContextPdbData::try_from_pdb(pdb).ok();
        Ok(data.map(|data| Self { data, has_lines }))
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
                symbol: Cow::Owned(path(&one.name.unwrap_or_default())),
            }
        });
        functions.collect()
    }

    /// The line tables, and what is wrong with them.
    pub(crate) fn lines(&self, file: &File<'_>) -> (Option<PdbLines<'_>>, Option<Problem>) {
        let base = file.relative_address_base();
        let lines = self.context().map(|context| PdbLines { context, base });
        (lines, (!self.has_lines).then_some(Problem::NoLineTables))
    }
}

fn has_lines(pdb: &mut PDB<'static, Bytes>) -> Result<bool> {
    let information = pdb.debug_information()?;
    let mut modules = information.modules()?;
    while let Some(module) = modules.next()? {
        let object = module.object_file_name();
        let Some(content) = pdb
            .module_info(&module)?
            .filter(|_| !object.replace('\\', "/").contains("/rustlib/"))
        else {
            continue;
        };
        let mut symbols = content.symbols()?;
        let is_rust = symbols.any(|symbol| {
            let compiler = symbol.parse();
            Ok(matches!(compiler, Ok(SymbolData::CompileFlags(flags)) if flags.language == SourceLanguage::Rust))
        })?;
        if is_rust && content.line_program()?.lines().next()?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl PdbLines<'_> {
    /// The functions at an address: the innermost inlined one first, the one that they were
    /// inlined into last. Each is marked as inlined.
    pub(crate) fn frames(&self, address: u64) -> std::result::Result<Vec<Frame>, Problem> {
        let inside = address.checked_sub(self.base);
        let Some(inside) = inside.and_then(|inside| u32::try_from(inside).ok()) else {
            return Ok(Vec::new());
        };
        let found = self.context.find_frames(inside);
        let found = found.map_err(|error| Problem::DamagedLineTables(error.to_string()))?;
        let frames = found.into_iter().flat_map(|found| found.frames);
        let frames = frames.map(|one| Frame {
            function: match one.function {
                Some(name) => path(&name).into(),
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

/// The path of a function, of which a PDB can have the name that the linker used.
fn path(name: &str) -> String {
    let demangled = demangled(name);
    if demangled == name {
        rust_name(name)
    } else {
        demangled
    }
}

/// The name as it is on other platforms: `closure$0` is `{closure#0}` there.
fn rust_name(name: &str) -> String {
    let mut renamed = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('$') {
        let path = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        let word = &before[path.len()..];
        let digits = after.find(|c: char| !c.is_ascii_digit());
        let (number, behind) = after.split_at(digits.unwrap_or(after.len()));
        if number.is_empty() {
            renamed.push_str(before);
            renamed.push('$');
        } else {
            renamed.push_str(&format!("{path}{{{word}#{number}}}"));
        }
        rest = behind;
    }
    renamed + rest
}
#[cfg(test)]
mod tests {
    use super::rust_name;

    #[test]
    fn names_are_as_on_other_platforms() {
        for (name, expected) in [
            ("main", "main"),
            ("app::main::closure$0", "app::main::{closure#0}"),
            (
                "call<app::main::closure_env$12>",
                "call<app::main::{closure_env#12}>",
            ),
            ("get<ref$<str$> >", "get<ref$<str$> >"),
            ("\u{fffd}a$1", "\u{fffd}{a#1}"),
        ] {
            assert_eq!(rust_name(name), expected);
        }
    }
}
