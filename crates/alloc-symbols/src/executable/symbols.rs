//! [`Symbols`]: call stacks as frames.

use std::collections::HashMap;

use object::File;

use crate::blame::{Frame, FrameKind, address_name, is_std};
use crate::executable::macho::OfObjects;
use crate::executable::tables::{self, Functions, LineTables, Lines, damaged, is_built_with_std};
use crate::executable::tail_calls::{Lost, TailCalls};
use crate::executable::{Beside, Error, Problem};
use crate::names::crate_of;

/// The symbols of an [`Executable`](crate::Executable), for addresses relative to its anchor.
pub struct Symbols<'e> {
    functions: Functions<'e>,
    lines: Option<Box<dyn LineTables + 'e>>,
    /// Whether a frame that is not of the standard library had a line, which comes with its own.
    has_lines: bool,
    anchor: u64,
    problem: Option<Problem>,
    found: HashMap<u64, Vec<Frame>>,
    tail_calls: TailCalls,
}

impl<'e> Symbols<'e> {
    /// Reads the symbols and the line tables. Without an `anchor`, addresses are as in the file.
    pub(crate) fn read(
        name: &str,
        file: File<'e>,
        beside: &'e Beside,
        anchor: Option<&str>,
    ) -> Result<Self, Error> {
        let list = match beside {
            #[cfg(feature = "pdb")]
            Beside::Pdb(pdb) => pdb.functions(&file),
            _ => tables::symbols(&file).collect(),
        };
        let whole = |file: &File<'e>| Ok(Lines::read(file)?.map(boxed));
        let lines = match beside {
            Beside::None => whole(&file),
            Beside::Bundle(bytes) => File::parse(&**bytes)
                .map_err(damaged)
                .and_then(|it| whole(&it)),
            Beside::Objects(objects) => Ok(Some(boxed(OfObjects::read(&file, objects)))),
            #[cfg(feature = "pdb")]
            Beside::Pdb(pdb) => Ok(pdb.lines(&file).map(boxed)),
        };
        let (lines, problem) = match lines {
            Ok(lines) => (lines, None),
            Err(problem) => (None, Some(problem)),
        };
        let tail_calls = TailCalls::new(&file);
        let (functions, anchor) = Functions::new(name, file, list, anchor)?;
        Ok(Self {
            functions,
            lines,
            has_lines: false,
            anchor,
            problem,
            found: HashMap::new(),
            tail_calls,
        })
    }

    /// Why the frames that were looked up lack files and lines: the first reason that was found,
    /// or that no frame outside the standard library has a line.
    pub fn problem(&self) -> Option<&Problem> {
        let problem = self.problem.as_ref();
        problem.or((!self.has_lines).then_some(&Problem::NoLineTables))
    }

    /// Looks functions up until one has a line.
    pub(crate) fn look_for_lines(&mut self) {
        for number in 0..self.functions.list.len() {
            let function = &self.functions.list[number];
            let (name, start) = (function.name(), function.start);
            if !self.has_lines && crate_of(&name).is_some() && !is_std(&name) {
                self.frames_at(start);
            }
        }
    }

    /// The folder that a source file with a function `main` is relative to, as line tables call
    /// it: `--remap-path-prefix` gives it another name.
    pub fn folder_of(&mut self, file: &str) -> Option<String> {
        let functions = self.functions.list.iter();
        let mains =
            functions.filter(|it| it.symbol.contains("main") && it.name().ends_with("::main"));
        let mains: Vec<u64> = mains.map(|function| function.start).collect();
        mains.into_iter().find_map(|start| {
            let frame = self.frames_at(start).last()?;
            let path = frame.file.as_deref()?.replace('\\', "/");
            let folder = path.strip_suffix(file)?.strip_suffix('/')?;
            Some(folder.to_owned())
        })
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
        let found = self.lines.as_ref().map(|lines| lines.frames(address));
        let mut frames = found.unwrap_or(Ok(Vec::new())).unwrap_or_else(|problem| {
            self.problem.get_or_insert(problem);
            Vec::new()
        });
        self.has_lines |= frames.iter().any(|frame| {
            let file = frame.file.as_deref().filter(|_| frame.line.is_some());
            file.is_some_and(|file| !is_built_with_std(file))
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
                let name = self.functions.list[symbol].name();
                if !name.is_empty() {
                    outermost.function = name.into();
                }
            }
        }
        frames
    }

    fn add_lost(&mut self, lost: &Lost, frames: &mut Vec<Frame>) {
        let start = self.functions.list[lost.function].start;
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

fn boxed<'e>(lines: impl LineTables + 'e) -> Box<dyn LineTables + 'e> {
    Box::new(lines)
}
