//! Functions that are not on the stack because they ended with a jump to another one.
//!
//! The call before a return address names the function that was called. If the next frame is in
//! another function, the first one jumped there, directly or through others. Their jumps are in
//! the machine code.

use std::collections::HashMap;

use object::{Architecture, File, Object, ObjectSymbol, ObjectSymbolTable, RelocationTarget};

use crate::executable::tables::Functions;

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
        let machines = [
            (Architecture::X86_64, Machine::X86_64),
            (Architecture::Aarch64, Machine::Aarch64),
        ];
        let machine = machines
            .into_iter()
            .find_map(|(name, machine)| (name == file.architecture()).then_some(machine));
        let symbols = file.dynamic_symbol_table();
        let relocations = file.dynamic_relocations().into_iter().flatten();
        let pointers = relocations.filter_map(|(address, relocation)| {
            let base = match relocation.target() {
                RelocationTarget::Absolute => 0,
                RelocationTarget::Symbol(symbol) => {
                    let symbol = symbols.as_ref()?.symbol_by_index(symbol).ok()?;
                    (!symbol.is_undefined()).then(|| symbol.address())?
                }
                RelocationTarget::Section(_) | _ => return None,
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
            Some((inner, called)) if inner != called => self.way(functions, called, inner),
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
        machine.called(bytes, return_address, &|at| self.pointer(functions, at))
    }

    /// The pointer at an address, as it is once the program runs.
    fn pointer(&self, functions: &Functions<'_>, at: u64) -> Option<u64> {
        self.pointers.get(&at).copied().or_else(|| {
            let bytes = functions.bytes(at, 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        })
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

    /// Reads each place of a function at which an instruction can begin as a jump. A jump to the
    /// very beginning of a function is no accident.
    fn search(&self, functions: &Functions<'_>, number: usize) -> Vec<Jump> {
        let Some(machine) = self.machine else {
            return Vec::new();
        };
        let function = &functions.list[number];
        let len = (function.end - function.start).min(MAX_FUNCTION);
        let len = usize::try_from(len).unwrap_or_default();
        let bytes = functions.bytes(function.start, len).unwrap_or_default();
        let mut jumps = Vec::new();
        for at in (0..bytes.len()).step_by(machine.step()) {
            let address = function.start.wrapping_add(at as u64);
            let target = machine.jump(&bytes[at..], address, &|at| self.pointer(functions, at));
            let target = target.and_then(|target| functions.beginning_at(target));
            if let Some(target) = target.filter(|&target| target != number) {
                jumps.push(Jump { address, target });
            }
        }
        jumps
    }
}

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    X86_64,
    Aarch64,
}

/// The pointers at addresses.
type Pointers<'p> = &'p dyn Fn(u64) -> Option<u64>;

impl Machine {
    /// The bytes before a return address that say what was called.
    const fn call_bytes(self) -> usize {
        match self {
            Self::X86_64 => 6,
            Self::Aarch64 => 4,
        }
    }

    /// What was called by the instruction that ends at an address, if it says so.
    fn called(self, bytes: &[u8], end: u64, pointer: Pointers<'_>) -> Option<u64> {
        match (self, bytes) {
            (Self::X86_64, &[0xff, 0x15, a, b, c, d]) => pointer(offset(end, [a, b, c, d])),
            (Self::X86_64, &[_, 0xe8, a, b, c, d]) => Some(offset(end, [a, b, c, d])),
            (Self::Aarch64, &[a, b, c, d]) => {
                const CALL: u32 = 0x9400_0000;
                let instruction = u32::from_le_bytes([a, b, c, d]);
                (instruction & !WORDS == CALL).then(|| words(end.wrapping_sub(4), instruction))
            }
            _ => None,
        }
    }

    /// The bytes between places where an instruction can begin.
    const fn step(self) -> usize {
        match self {
            Self::X86_64 => 1,
            Self::Aarch64 => 4,
        }
    }

    /// Where the jump at an address goes, if the code begins with one.
    fn jump(self, code: &[u8], address: u64, pointer: Pointers<'_>) -> Option<u64> {
        let after = |length| address.wrapping_add(length);
        match (self, code) {
            (Self::X86_64, &[0xeb, near, ..]) => {
                let near = i64::from(near.cast_signed());
                Some(after(2).wrapping_add_signed(near))
            }
            (Self::X86_64, &[0xe9, a, b, c, d, ..]) => Some(offset(after(5), [a, b, c, d])),
            (Self::X86_64, &[0x0f, 0x80..=0x8f, a, b, c, d, ..]) => {
                Some(offset(after(6), [a, b, c, d]))
            }
            (Self::X86_64, &[0xff, 0x25, a, b, c, d, ..]) => {
                pointer(offset(after(6), [a, b, c, d]))
            }
            (Self::Aarch64, &[a, b, c, d, ..]) => {
                const JUMP: u32 = 0x1400_0000;
                let instruction = u32::from_le_bytes([a, b, c, d]);
                (instruction & !WORDS == JUMP).then(|| words(address, instruction))
            }
            _ => None,
        }
    }
}

fn offset(end: u64, bytes: [u8; 4]) -> u64 {
    end.wrapping_add_signed(i64::from(i32::from_le_bytes(bytes)))
}

/// The bits of an instruction of aarch64 that say how many words it jumps.
const WORDS: u32 = 0x03ff_ffff;

fn words(address: u64, instruction: u32) -> u64 {
    // Signed, with 26 bits; a word has four bytes.
    let bytes = (instruction << 6).cast_signed() >> 4;
    address.wrapping_add_signed(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_jumps_of_both_processors_have_their_targets() {
        // The pointer at an address is 0x6000 further on.
        let pointer: Pointers<'_> = &|at| Some(at + 0x6000);
        let x86 = Machine::X86_64;
        let called = |bytes: [u8; 6]| x86.called(&bytes, 0x1006, pointer);
        assert_eq!(called([0, 0xe8, 0x10, 0, 0, 0]), Some(0x1016));
        assert_eq!(called([0xff, 0x15, 0x10, 0, 0, 0]), Some(0x7016));
        assert_eq!(called([0x90; 6]), None);
        assert_eq!(x86.jump(&[0xeb, 0xfe], 0x1000, pointer), Some(0x1000));
        let near = x86.jump(&[0xe9, 0xfb, 0xff, 0xff, 0xff], 0x1000, pointer);
        assert_eq!(near, Some(0x1000));

        // As an assembler writes `bl .+8`, `bl .-4`, `b .+0x7fffffc`, `blr x8` and `ret`.
        let aarch64 = Machine::Aarch64;
        let called = |word: u32| aarch64.called(&word.to_le_bytes(), 0x1004, pointer);
        assert_eq!(called(0x9400_0002), Some(0x1008));
        assert_eq!(called(0x97ff_ffff), Some(0xffc));
        assert_eq!(called(0xd63f_0100), None);
        let jump = |word: u32| aarch64.jump(&word.to_le_bytes(), 0x1000, pointer);
        assert_eq!(jump(0x15ff_ffff), Some(0x800_0ffc));
        assert_eq!(jump(0x9400_0002), None, "a call");
        assert_eq!(jump(0xd65f_03c0), None);
        assert_eq!(aarch64.jump(&[0, 0], 0x1000, pointer), None);
    }
}
