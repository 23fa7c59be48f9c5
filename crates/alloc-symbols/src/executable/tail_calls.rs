//! Functions that are not on the stack because they ended with a jump to another one.
//!
//! The call before a return address names the function that was called. If the next frame is in
//! another function, the first one jumped there, directly or through others. Their jumps are in
//! the machine code.

use std::collections::HashMap;

use object::{Architecture, File, Object, ObjectSymbol, ObjectSymbolTable, RelocationTarget};

use crate::executable::functions::Functions;
use crate::executable::machine_code::{Machine, Target};

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

/// The search, with what it found in functions before.
#[derive(Debug)]
pub(crate) struct TailCalls {
    /// The processor, if its code is known.
    machine: Option<Machine>,
    /// The pointers that the dynamic linker writes, by the addresses that it writes them to.
    pointers: HashMap<u64, u64>,
    jumps: HashMap<usize, Vec<Jump>>,
    found: HashMap<(u64, u64), Vec<Lost>>,
}

impl TailCalls {
    pub(crate) fn new(file: &File<'_>) -> Self {
        let machine = match file.architecture() {
            Architecture::X86_64 => Some(Machine::X86_64),
            Architecture::Aarch64 => Some(Machine::Aarch64),
            _ => None,
        };
        let symbols = file.dynamic_symbol_table();
        let relocations = file.dynamic_relocations().into_iter().flatten();
        let pointers = relocations.filter_map(|(address, relocation)| {
            let base = match relocation.target() {
                RelocationTarget::Absolute => 0,
                RelocationTarget::Symbol(symbol) => {
                    let symbol = symbols.as_ref()?.symbol_by_index(symbol).ok()?;
                    (!symbol.is_undefined()).then(|| symbol.address())?
                }
                _ => return None,
            };
            Some((address, base.wrapping_add_signed(relocation.addend())))
        });
        Self {
            machine,
            pointers: pointers.collect(),
            jumps: HashMap::new(),
            found: HashMap::new(),
        }
    }

    /// The functions between a frame and its caller, innermost first. `inner` is an address in
    /// the frame, and `return_address` the one to which it returns.
    pub(crate) fn between(
        &mut self,
        functions: &Functions<'_>,
        inner: u64,
        return_address: u64,
    ) -> Vec<Lost> {
        let ends = (inner, return_address);
        if let Some(found) = self.found.get(&ends) {
            return found.clone();
        }
        let called = self.called(functions, return_address);
        let called = called.and_then(|called| functions.beginning_at(called));
        let found = match functions.at(inner).zip(called) {
            Some((inner, called)) if inner != called && !is_part_of(functions, inner, called) => {
                self.way(functions, called, inner)
            }
            _ => Vec::new(),
        };
        self.found.entry(ends).or_insert(found).clone()
    }

    /// The function that the call before a return address calls, if the instruction says it.
    fn called(&self, functions: &Functions<'_>, return_address: u64) -> Option<u64> {
        let machine = self.machine?;
        let len = machine.call_bytes();
        let before = return_address.checked_sub(len as u64)?;
        let bytes = functions.bytes(before, len)?;
        let target = machine.called(bytes, return_address)?;
        self.address(functions, target)
    }

    fn address(&self, functions: &Functions<'_>, target: Target) -> Option<u64> {
        match target {
            Target::At(address) => Some(address),
            // As it is once the program runs.
            Target::AtPointer(pointer) => self.pointers.get(&pointer).copied().or_else(|| {
                let bytes = functions.bytes(pointer, 8)?;
                Some(u64::from_le_bytes(bytes.try_into().ok()?))
            }),
        }
    }

    /// The functions on the shortest way of jumps from one function to another, innermost
    /// first, without the other. If there is none, or several, the first function alone.
    fn way(&mut self, functions: &Functions<'_>, first: usize, last: usize) -> Vec<Lost> {
        let mut previous: HashMap<usize, Vec<usize>> = HashMap::from([(first, Vec::new())]);
        let mut level = vec![first];
        for _ in 0..MAX_DEPTH {
            let mut next = Vec::new();
            for &function in &level {
                for jump in self.jumps(functions, function) {
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
            let jumps = self.jumps(functions, function).iter();
            let jumps = jumps.filter(|jump| jump.target == target);
            let jumps = jumps.map(|jump| jump.address).collect();
            way.push(Lost { function, jumps });
            target = function;
        }
        way
    }

    fn jumps(&mut self, functions: &Functions<'_>, number: usize) -> &[Jump] {
        if !self.jumps.contains_key(&number) {
            let jumps = self.search(functions, number);
            self.jumps.insert(number, jumps);
        }
        &self.jumps[&number]
    }

    /// Tries each place of a function at which an instruction can begin as that of a jump. One that
    /// goes to the very beginning of a function is no accident.
    fn search(&self, functions: &Functions<'_>, number: usize) -> Vec<Jump> {
        let Some(machine) = self.machine else {
            return Vec::new();
        };
        let function = functions.get(number);
        let len = (function.end - function.start).min(MAX_FUNCTION);
        let len = usize::try_from(len).unwrap_or_default();
        let bytes = functions.bytes(function.start, len).unwrap_or_default();
        let mut jumps = Vec::new();
        for at in (0..bytes.len()).step_by(machine.step()) {
            let address = function.start.wrapping_add(at as u64);
            let target = machine.jump(&bytes[at..], address);
            let target = target.and_then(|target| self.address(functions, target));
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
    let [part, whole] = [part, whole].map(|number| &*functions.get(number).symbol);
    part.strip_prefix(whole)
        .is_some_and(|rest| rest.starts_with('.'))
}
