//! [`Symbols`]: call stacks as frames.

use std::collections::HashMap;
use std::fmt;

use object::File;

use crate::executable::error::{Error, Problem};
use crate::executable::functions::{self, Functions};
use crate::executable::lines::Lines;
use crate::executable::macho::{ObjectFile, OfObjects};
#[cfg(feature = "pdb")]
use crate::executable::pdb::{Pdb, PdbLines};
use crate::executable::tail_calls::{Lost, TailCalls};
use crate::frame::{Frame, FrameKind, address_name};

/// The symbols of an [`Executable`](crate::Executable), for addresses relative to its anchor.
pub struct Symbols<'e> {
    functions: Functions<'e>,
    lines: LineTables<'e>,
    anchor: u64,
    problem: Option<Problem>,
    found: HashMap<u64, Vec<Frame>>,
    tail_calls: TailCalls,
}

/// The files beside an executable that have its line tables.
pub(crate) enum Beside {
    /// None: the executable has them itself.
    None,
    /// That of a `.dSYM`, with the addresses of the executable.
    Bundle(Vec<u8>),
    /// The object files that were linked, on macOS.
    Objects(Vec<ObjectFile>),
    /// That of Windows, with the symbols as well.
    #[cfg(feature = "pdb")]
    Pdb(Box<Pdb>),
}

/// The line tables, by addresses of the executable.
enum LineTables<'e> {
    None,
    Whole(Lines<'e>),
    OfObjects(OfObjects<'e>),
    #[cfg(feature = "pdb")]
    Pdb(PdbLines<'e>),
}

impl<'e> Symbols<'e> {
    /// Reads the symbols and the line tables. Without an `anchor`, addresses are those of the file.
    pub(crate) fn read(
        name: &str,
        file: &File<'e>,
        beside: &'e Beside,
        anchor: Option<&str>,
    ) -> Result<Self, Error> {
        let list = match beside {
            #[cfg(feature = "pdb")]
            Beside::Pdb(pdb) => pdb.functions(file),
            _ => functions::symbols(file).collect(),
        };
        let (functions, anchor) = Functions::new(name, file, list, anchor)?;
        let whole = |(lines, problem): (Option<_>, _)| {
            (lines.map_or(LineTables::None, LineTables::Whole), problem)
        };
        let (lines, problem) = match beside {
            Beside::None => whole(Lines::read(file)),
            Beside::Bundle(bytes) => match File::parse(&**bytes) {
                Ok(bundle) => whole(Lines::read(&bundle)),
                Err(error) => {
                    let problem = Problem::DamagedLineTables(error.to_string());
                    (LineTables::None, Some(problem))
                }
            },
            Beside::Objects(objects) => {
                let (lines, problem) = OfObjects::read(file, objects);
                (LineTables::OfObjects(lines), problem)
            }
            #[cfg(feature = "pdb")]
            Beside::Pdb(pdb) => {
                let (lines, problem) = pdb.lines(file);
                (lines.map_or(LineTables::None, LineTables::Pdb), problem)
            }
        };
        Ok(Self {
            functions,
            lines,
            anchor,
            problem,
            found: HashMap::new(),
            tail_calls: TailCalls::new(file),
        })
    }

    /// Why frames may lack files and lines: the first reason that was found. Lookups find
    /// damage, so ask after the last one.
    pub fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// The folder in which the crate was compiled that begins with a file, as line tables call
    /// both: `--remap-path-prefix` gives it another name.
    pub fn folder_of(&self, file: &str) -> Option<&str> {
        match &self.lines {
            LineTables::Whole(lines) => lines.folder_of(file),
            LineTables::OfObjects(lines) => lines.folder_of(file),
            // A PDB doesn't tell.
            _ => None,
        }
    }

    /// The frames of a call stack, innermost first. `stack` has its return addresses, innermost
    /// first, each as the difference to the address of the anchor.
    ///
    /// Each address has at least one frame. One that is in no function has a frame with the
    /// address alone.
    pub fn frames(&mut self, stack: &[i64]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let addresses = stack.iter().map(|&at| self.anchor.wrapping_add_signed(at));
        let addresses: Vec<_> = addresses.collect();
        for (at, &address) in addresses.iter().enumerate() {
            // The call is before the address to which it returns.
            let call = address.wrapping_sub(1);
            frames.extend_from_slice(self.frames_at(call));
            if let Some(&outer) = addresses.get(at + 1) {
                for lost in self.tail_calls.between(&self.functions, call, outer) {
                    self.add_lost(&lost, &mut frames);
                }
            }
        }
        frames
    }

    /// The frames of the instruction at an address.
    fn frames_at(&mut self, address: u64) -> &[Frame] {
        if !self.found.contains_key(&address) {
            let frames = self.look_up(address);
            self.found.insert(address, frames);
        }
        &self.found[&address]
    }

    fn look_up(&mut self, address: u64) -> Vec<Frame> {
        let found = match &self.lines {
            LineTables::None => Ok(Vec::new()),
            LineTables::Whole(lines) => lines.frames(address),
            LineTables::OfObjects(lines) => lines.frames(address),
            #[cfg(feature = "pdb")]
            LineTables::Pdb(lines) => lines.frames(address),
        };
        let mut frames = found.unwrap_or_else(|problem| {
            self.problem.get_or_insert(problem);
            Vec::new()
        });
        if frames.is_empty() {
            frames.push(Frame {
                function: address_name(address),
                file: None,
                line: None,
                column: None,
                kind: FrameKind::Called,
            });
        }
        if let Some(outermost) = frames.last_mut() {
            outermost.kind = FrameKind::Called;
            if !has_path(&outermost.function)
                && let Some(symbol) = self.functions.at(address)
            {
                let name = self.functions.get(symbol).name();
                if !name.is_empty() {
                    outermost.function = name.into();
                }
            }
        }
        frames
    }

    fn add_lost(&mut self, lost: &Lost, frames: &mut Vec<Frame>) {
        let start = self.functions.get(lost.function).start;
        let mut ways = lost.jumps.iter();
        let mut found = match ways.next() {
            Some(&jump) => self.frames_at(jump).to_vec(),
            None => self.without_line(start),
        };
        for &jump in ways {
            if self.frames_at(jump) != found {
                found = self.without_line(start);
                break;
            }
        }
        if let Some(outermost) = found.last_mut() {
            outermost.kind = FrameKind::TailCalled;
        }
        frames.append(&mut found);
    }

    /// The function that begins at an address.
    fn without_line(&mut self, start: u64) -> Vec<Frame> {
        let mut function = self.frames_at(start).last().cloned();
        if let Some(frame) = &mut function {
            (frame.line, frame.column) = (None, None);
        }
        function.into_iter().collect()
    }
}

/// Whether the name of a function has its path: `codec::encode` and `<Text as Encode>::encode`,
/// but not `encode<codec::Text>`. Line tables without further debug information have no paths.
fn has_path(function: &str) -> bool {
    let before_generics = function.split('<').next().unwrap_or_default();
    before_generics.is_empty() || before_generics.contains("::")
}

impl fmt::Debug for Symbols<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Symbols")
            .field("anchor", &self.anchor)
            .field("problem", &self.problem)
            .finish_non_exhaustive()
    }
}
