//! Functions that are not on the stack because they ended with a jump to another one.
//!
//! The call before a return address names the function that was called. If the next frame is in
//! another function, the first one jumped there, directly or through others. Their jumps are in
//! the machine code.

use std::collections::HashMap;

use crate::former::functions::Functions;
use crate::former::image::Image;
use crate::former::machine_code::{Machine, Target};

/// How many functions in a row are found.
const MAX_DEPTH: usize = 4;

/// A search passes by no more functions.
const MAX_VISITED: usize = 1_000;

/// Functions are not searched beyond this many bytes.
const MAX_FUNCTION: u64 = 1 << 20;

/// A function that is not on the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub(crate) function: usize,
    /// Its jumps to the next function; empty if the way there is not known.
    pub(crate) jumps: Vec<u64>,
}

/// A jump from one function to the beginning of another.
#[derive(Clone, Copy, Debug)]
struct Jump {
    address: u64,
    target: usize,
}

/// An executable, as the search reads it.
#[derive(Clone, Copy)]
pub(crate) struct Code<'c> {
    pub(crate) machine: Machine,
    pub(crate) image: &'c Image<'c>,
    pub(crate) functions: &'c Functions<'c>,
}

/// The search, with what it found in functions before.
#[derive(Debug)]
pub(crate) struct TailCalls {
    jumps: HashMap<usize, Vec<Jump>>,
    pointers: Option<HashMap<u64, u64>>,
}

impl TailCalls {
    pub(crate) fn new() -> Self {
        Self {
            jumps: HashMap::new(),
            pointers: None,
        }
    }

    /// The functions between a frame and its caller, innermost first. `inner` is an address in
    /// the frame, and `return_address` the one to which it returns.
    pub(crate) fn between(&mut self, code: Code<'_>, inner: u64, return_address: u64) -> Vec<Lost> {
        let functions = code.functions;
        let called = self.called(code, return_address);
        let called = called.and_then(|called| functions.beginning_at(called));
        let ends = functions.at(inner).zip(called);
        match ends {
            Some((inner, called)) if inner != called => {
                if is_part_of(functions, inner, called) {
                    return Vec::new();
                }
                self.way(code, called, inner)
            }
            _ => Vec::new(),
        }
    }

    /// The function that the call before a return address calls, if the instruction says it.
    fn called(&mut self, code: Code<'_>, return_address: u64) -> Option<u64> {
        let len = code.machine.call_bytes();
        let before = return_address.checked_sub(len as u64)?;
        let bytes = code.image.bytes(before, len)?;
        let target = code.machine.called(bytes, return_address)?;
        self.address(code.image, target)
    }

    fn address(&mut self, image: &Image<'_>, target: Target) -> Option<u64> {
        match target {
            Target::At(address) => Some(address),
            Target::AtPointer(pointer) => self.pointer(image, pointer),
        }
    }

    /// The pointer at an address, as it is once the program runs.
    fn pointer(&mut self, image: &Image<'_>, address: u64) -> Option<u64> {
        let pointers = self
            .pointers
            .get_or_insert_with(|| image.relocated_pointers());
        pointers.get(&address).copied().or_else(|| {
            let bytes = image.bytes(address, 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        })
    }

    /// The functions on the shortest way of jumps from one function to another, innermost
    /// first, without the other. If there is none, or several, the first function alone.
    fn way(&mut self, code: Code<'_>, first: usize, last: usize) -> Vec<Lost> {
        let mut previous: HashMap<usize, Vec<usize>> = HashMap::from([(first, Vec::new())]);
        let mut level = vec![first];
        for _ in 0..MAX_DEPTH {
            let mut next = Vec::new();
            for &function in &level {
                for jump in self.jumps(code, function) {
                    if next.contains(&jump.target) || !previous.contains_key(&jump.target) {
                        let from = previous.entry(jump.target).or_default();
                        if from.is_empty() {
                            next.push(jump.target);
                        }
                        if !from.contains(&function) {
                            from.push(function);
                        }
                    }
                }
            }
            level = next;
            if previous.contains_key(&last) || previous.len() > MAX_VISITED {
                break;
            }
        }
        let mut way = Vec::new();
        let mut target = last;
        while target != first {
            let Some(&[function]) = previous.get(&target).map(Vec::as_slice) else {
                let jumps = Vec::new();
                return vec![Lost {
                    function: first,
                    jumps,
                }];
            };
            let jumps = self.jumps(code, function).iter();
            let jumps = jumps.filter(|jump| jump.target == target);
            let jumps = jumps.map(|jump| jump.address).collect();
            way.push(Lost { function, jumps });
            target = function;
        }
        way
    }

    fn jumps(&mut self, code: Code<'_>, number: usize) -> &[Jump] {
        if !self.jumps.contains_key(&number) {
            let jumps = self.search(code, number);
            self.jumps.insert(number, jumps);
        }
        &self.jumps[&number]
    }

    /// Tries each place of a function at which an instruction can begin as that of a jump. One that
    /// goes to the very beginning of a function is no accident.
    fn search(&mut self, code: Code<'_>, number: usize) -> Vec<Jump> {
        let Code {
            machine,
            image,
            functions,
        } = code;
        let function = functions.get(number);
        let len = (function.end - function.start).min(MAX_FUNCTION);
        let len = usize::try_from(len).unwrap_or_default();
        let bytes = image.bytes(function.start, len).unwrap_or_default();
        let mut jumps = Vec::new();
        for at in (0..bytes.len()).step_by(machine.step()) {
            let address = function.start.wrapping_add(at as u64);
            let target = machine.jump(&bytes[at..], address);
            let target = target.and_then(|target| self.address(image, target));
            let target = target.and_then(|target| functions.beginning_at(target));
            if let Some(target) = target.filter(|&target| target != number) {
                jumps.push(Jump { address, target });
            }
        }
        jumps
    }
}

/// Whether a function is the part of another that a compiler of C moved away, such as `f.cold`
/// of `f`.
fn is_part_of(functions: &Functions<'_>, part: usize, whole: usize) -> bool {
    let names = [part, whole].map(|number| functions.symbol_name(&functions.get(number)));
    let [part, whole] = names;
    part.strip_prefix(&*whole)
        .is_some_and(|rest| rest.starts_with('.'))
}
