//! Call stacks as frames.

use std::collections::HashMap;
use std::fmt;

use crate::former::debug_files::DebugFiles;
use crate::former::error::{Error, Problem};
use crate::former::functions::Functions;
use crate::former::image::Image;
use crate::former::line_tables::LineTables;
use crate::former::tail_calls::{Code, Lost, TailCalls};
use crate::frame::{Frame, FrameKind, address_name};

/// The symbols of an [`Executable`](crate::Executable), for addresses relative to its anchor.
pub struct Symbols<'e> {
    image: Image<'e>,
    functions: Functions<'e>,
    lines: Option<LineTables<'e>>,
    anchor: u64,
    has_line_tables: bool,
    problem: Option<Problem>,
    found: HashMap<u64, Vec<Frame>>,
    lost: HashMap<(u64, u64), Vec<Lost>>,
    tail_calls: TailCalls,
}

impl<'e> Symbols<'e> {
    pub(crate) fn new(
        image: Image<'e>,
        files: &'e DebugFiles,
        anchor: &str,
    ) -> Result<Self, Error> {
        let (functions, anchor) = Functions::read(&image, files, anchor)?;
        let (lines, problem) = LineTables::read(&image, files);
        Ok(Self {
            image,
            functions,
            lines,
            anchor,
            has_line_tables: problem.is_none(),
            problem,
            found: HashMap::new(),
            lost: HashMap::new(),
            tail_calls: TailCalls::new(),
        })
    }

    /// The address of the anchor in the file.
    pub fn anchor(&self) -> u64 {
        self.anchor
    }

    /// Whether a crate besides the standard library has line tables.
    pub fn has_line_tables(&self) -> bool {
        self.has_line_tables
    }

    /// Why frames may lack files and lines: the first reason that was found. Lookups find
    /// damage, so ask after the last one.
    pub fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// The folder in which the crate was compiled that begins with a file, as line tables call
    /// both: `--remap-path-prefix` gives it another name.
    pub fn folder_of(&self, file: &str) -> Option<&str> {
        self.lines.as_ref()?.folder_of(file)
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
                for lost in self.lost_between(call, outer) {
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
        let mut frames = match self.lines.as_ref().map(|lines| lines.frames(address)) {
            Some(Ok(frames)) => frames,
            Some(Err(problem)) => {
                self.problem.get_or_insert(problem);
                Vec::new()
            }
            None => Vec::new(),
        };
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
                let function = self.functions.get(symbol);
                let name = self.functions.name(&function);
                if !name.is_empty() {
                    outermost.function = name.into();
                }
            }
        }
        frames
    }

    fn lost_between(&mut self, inner: u64, return_address: u64) -> Vec<Lost> {
        let Some(machine) = self.image.machine else {
            return Vec::new();
        };
        let code = Code {
            machine,
            image: &self.image,
            functions: &self.functions,
        };
        let search = || self.tail_calls.between(code, inner, return_address);
        let ends = (inner, return_address);
        self.lost.entry(ends).or_insert_with(search).clone()
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
            .field("executable", &self.image.name)
            .field("anchor", &self.anchor)
            .field("problem", &self.problem)
            .finish_non_exhaustive()
    }
}
