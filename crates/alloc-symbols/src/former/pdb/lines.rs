//! [`PdbLines`]: files, lines and inlined functions of an address, from a PDB.

use std::collections::HashMap;
use std::sync::Arc;

use super::inlined::{InlinedLine, line_at};
use super::streams::usize_at;
use super::{INLINED, INLINED_TWICE, Module, Pdb, records};
use crate::former::error::Problem;
use crate::former::image::{first_text, u16_at, u32_at};
use crate::frame::{Frame, FrameKind, address_name};

/// The line tables of a PDB.
pub(crate) struct PdbLines<'e> {
    pdb: &'e Pdb,
    /// By their addresses.
    functions: Vec<Function<'e>>,
    /// By their addresses, each up to the next.
    lines: Vec<Line>,
    tables: Vec<Tables<'e>>,
}

struct Function<'e> {
    start: u64,
    end: u64,
    name: &'e [u8],
    module: usize,
    /// The range of the records of functions that are inlined into it.
    first: usize,
    last: usize,
}

struct Line {
    address: u64,
    module: usize,
    /// Its place in the table of files.
    file: u32,
    /// 0 if no line begins here.
    number: u32,
}

/// The tables of a module.
#[derive(Default)]
struct Tables<'e> {
    files: &'e [u8],
    /// Where inlined functions begin, by their numbers.
    inlined: HashMap<u32, InlinedLine>,
}

impl<'e> PdbLines<'e> {
    /// Reads the line tables. `segment` says where one begins. There is a problem if no Rust crate
    /// but the standard library has some.
    pub(crate) fn read(
        pdb: &'e Pdb,
        segment: &dyn Fn(u16) -> Option<u64>,
    ) -> (Self, Option<Problem>) {
        let mut read = Self {
            pdb,
            functions: Vec::new(),
            lines: Vec::new(),
            tables: Vec::new(),
        };
        for (number, module) in pdb.modules.iter().enumerate() {
            read.add_functions(number, module, segment);
            read.add_lines(number, module, segment);
        }
        read.functions.sort_by_key(|function| function.start);
        let order = |line: &Line| (line.address, line.number != 0);
        read.lines.sort_by_key(order);
        let problem = Self::problem(pdb);
        (read, problem)
    }

    /// What is wrong with the line tables.
    pub(crate) fn problem(pdb: &Pdb) -> Option<Problem> {
        let mut own = pdb.modules.iter().filter(|module| !module.is_std);
        let has_lines = own
            .any(|module| subsections(module).any(|(kind, _)| kind == LINES) && module.is_rust());
        (!has_lines).then_some(Problem::NoLineTables)
    }

    fn add_functions(
        &mut self,
        number: usize,
        module: &'e Module,
        segment: &dyn Fn(u16) -> Option<u64>,
    ) {
        let functions = module.functions().filter_map(|record| {
            let start = segment(u16_at(record.data, 32)?)?;
            let start = start.wrapping_add(u32_at(record.data, 28)?.into());
            Some(Function {
                start,
                end: start.saturating_add(u32_at(record.data, 12)?.into()),
                name: first_text(record.data.get(35..)?),
                module: number,
                first: record.end,
                last: usize_at(record.data, 4)?,
            })
        });
        self.functions.extend(functions);
    }

    fn add_lines(
        &mut self,
        number: usize,
        module: &'e Module,
        segment: &dyn Fn(u16) -> Option<u64>,
    ) {
        let mut tables = Tables::default();
        for (kind, data) in subsections(module) {
            match kind {
                FILES => tables.files = data,
                INLINED_FUNCTIONS => {
                    // Each may have further files.
                    let has_more = u32_at(data, 0) == Some(1);
                    let mut rest = data.get(4..).unwrap_or_default();
                    while let [Some(function), Some(file), Some(line)] =
                        [0, 4, 8].map(|at| u32_at(rest, at))
                    {
                        tables.inlined.insert(function, InlinedLine { file, line });
                        let more = usize_at(rest, 12).filter(|_| has_more);
                        let more = more.map_or(0, |more| more.saturating_mul(4).saturating_add(4));
                        rest = rest.get(more.saturating_add(12)..).unwrap_or_default();
                    }
                }
                LINES => {
                    self.add_block(number, data, segment);
                }
                _ => {}
            }
        }
        self.tables.push(tables);
    }

    /// The lines of a function.
    fn add_block(
        &mut self,
        module: usize,
        data: &[u8],
        segment: &dyn Fn(u16) -> Option<u64>,
    ) -> Option<()> {
        const NUMBER: u32 = 0x00ff_ffff;
        /// Stand for code that has no line.
        const NONE: [u32; 2] = [0x00fe_efee, 0x00f0_0f00];
        let start = segment(u16_at(data, 4)?)?.wrapping_add(u32_at(data, 0)?.into());
        let mut line = |address: u32, file, number| {
            self.lines.push(Line {
                address: start.wrapping_add(address.into()),
                module,
                file,
                number: if NONE.contains(&number) { 0 } else { number },
            });
        };
        line(u32_at(data, 8)?, 0, 0);
        let mut blocks = data.get(12..)?;
        while blocks.len() >= 12 {
            let (file, count) = (u32_at(blocks, 0)?, usize_at(blocks, 4)?);
            let end = usize_at(blocks, 8)?;
            for entry in blocks.get(12..end)?.chunks_exact(8).take(count) {
                line(u32_at(entry, 0)?, file, u32_at(entry, 4)? & NUMBER);
            }
            blocks = blocks.get(end..)?;
        }
        Some(())
    }

    /// The functions at an address: the innermost inlined one first, the one that they were
    /// inlined into last. Each is marked as inlined.
    pub(crate) fn frames(&self, address: u64) -> Result<Vec<Frame>, Problem> {
        let after = self.functions.partition_point(|one| one.start <= address);
        let before = after.checked_sub(1).map(|at| &self.functions[at]);
        let Some(function) = before.filter(|one| address < one.end) else {
            return Ok(Vec::new());
        };
        let tables = &self.tables[function.module];
        let after = self.lines.partition_point(|line| line.address <= address);
        let line = after.checked_sub(1).map(|at| &self.lines[at]);
        let line = line.filter(|line| line.module == function.module && line.number != 0);
        let line = line.map(|line| InlinedLine {
            file: line.file,
            line: line.number,
        });
        let name = String::from_utf8_lossy(function.name).into_owned();
        let mut frames = vec![self.frame(address, Some(name), tables, line)];
        let module = &self.pdb.modules[function.module];
        let offset = u32::try_from(address - function.start).unwrap_or(u32::MAX);
        let (mut at, mut end) = (function.first, function.last);
        while at < end {
            let Some(record) = records(module.symbols(), at).next() else {
                break;
            };
            at = record.end;
            let changes = match record.kind {
                INLINED => record.data.get(12..),
                INLINED_TWICE => record.data.get(16..),
                _ => continue,
            };
            let numbers = u32_at(record.data, 8).zip(usize_at(record.data, 4));
            let Some(((item, inner_end), changes)) = numbers.zip(changes) else {
                break;
            };
            let first = tables.inlined.get(&item);
            match first.and_then(|first| line_at(changes, *first, offset)) {
                Some(line) => {
                    frames.push(self.frame(address, self.pdb.item(item), tables, Some(line)));
                    end = inner_end.min(end);
                }
                // What is inlined into it is not here either.
                None => at = inner_end.max(at),
            }
        }
        frames.reverse();
        Ok(frames)
    }

    fn frame(
        &self,
        address: u64,
        name: Option<String>,
        tables: &Tables<'_>,
        line: Option<InlinedLine>,
    ) -> Frame {
        let file = line.and_then(|line| self.pdb.file(tables.files, line.file));
        Frame {
            function: name.map_or_else(|| address_name(address), |name| rust_name(&name).into()),
            file: file.map(Arc::from),
            line: line.map(|line| line.line).filter(|line| *line != 0),
            column: None,
            kind: FrameKind::Inlined,
        }
    }
}

/// The kinds of tables of a module.
const LINES: u32 = 0xf2;
const FILES: u32 = 0xf4;
const INLINED_FUNCTIONS: u32 = 0xf6;

/// The tables of a module, each with its kind.
fn subsections(module: &Module) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = &module.content[module.lines.clone()];
    std::iter::from_fn(move || {
        let (kind, size) = (u32_at(rest, 0)?, usize_at(rest, 4)?);
        let data = rest.get(8..)?.get(..size)?;
        rest = rest.get(8 + size.next_multiple_of(4)..).unwrap_or_default();
        Some((kind, data))
    })
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
