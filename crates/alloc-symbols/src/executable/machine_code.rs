//! The calls and jumps in machine code, of the processors that are known.

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    X86_64,
    Aarch64,
}

/// Where a call or a jump goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// To an address.
    At(u64),
    /// To the address in the pointer at this address.
    AtPointer(u64),
}

impl Machine {
    /// The bytes before a return address that say what was called.
    pub(crate) const fn call_bytes(self) -> usize {
        match self {
            Self::X86_64 => 6,
            Self::Aarch64 => 4,
        }
    }

    /// What was called by the instruction that ends at an address, if it says so.
    pub(crate) fn called(self, bytes: &[u8], end: u64) -> Option<Target> {
        match (self, bytes) {
            (Self::X86_64, &[0xff, 0x15, a, b, c, d]) => {
                Some(Target::AtPointer(offset(end, [a, b, c, d])))
            }
            (Self::X86_64, &[_, 0xe8, a, b, c, d]) => Some(Target::At(offset(end, [a, b, c, d]))),
            (Self::Aarch64, &[a, b, c, d]) => {
                const CALL: u32 = 0x9400_0000;
                let instruction = u32::from_le_bytes([a, b, c, d]);
                (instruction & !WORDS == CALL).then(|| words(end.wrapping_sub(4), instruction))
            }
            _ => None,
        }
    }

    /// The bytes between places where an instruction can begin.
    pub(crate) const fn step(self) -> usize {
        match self {
            Self::X86_64 => 1,
            Self::Aarch64 => 4,
        }
    }

    /// Where the jump at an address goes, if the code begins with one.
    pub(crate) fn jump(self, code: &[u8], address: u64) -> Option<Target> {
        let after = |length| address.wrapping_add(length);
        match (self, code) {
            (Self::X86_64, &[0xeb, near, ..]) => {
                let near = i64::from(near.cast_signed());
                Some(Target::At(after(2).wrapping_add_signed(near)))
            }
            (Self::X86_64, &[0xe9, a, b, c, d, ..]) => {
                Some(Target::At(offset(after(5), [a, b, c, d])))
            }
            (Self::X86_64, &[0x0f, 0x80..=0x8f, a, b, c, d, ..]) => {
                Some(Target::At(offset(after(6), [a, b, c, d])))
            }
            (Self::X86_64, &[0xff, 0x25, a, b, c, d, ..]) => {
                Some(Target::AtPointer(offset(after(6), [a, b, c, d])))
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

fn words(address: u64, instruction: u32) -> Target {
    // Signed, with 26 bits; a word has four bytes.
    let bytes = (instruction << 6).cast_signed() >> 4;
    Target::At(address.wrapping_add_signed(bytes.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_jumps_of_both_processors_have_their_targets() {
        let x86 = Machine::X86_64;
        let called = |bytes: [u8; 6]| x86.called(&bytes, 0x1006);
        assert_eq!(called([0, 0xe8, 0x10, 0, 0, 0]), Some(Target::At(0x1016)));
        let pointer = Some(Target::AtPointer(0x1016));
        assert_eq!(called([0xff, 0x15, 0x10, 0, 0, 0]), pointer);
        assert_eq!(called([0x90; 6]), None);
        assert_eq!(x86.jump(&[0xeb, 0xfe], 0x1000), Some(Target::At(0x1000)));
        let near = x86.jump(&[0xe9, 0xfb, 0xff, 0xff, 0xff], 0x1000);
        assert_eq!(near, Some(Target::At(0x1000)));

        // As an assembler writes `bl .+8`, `bl .-4`, `b .+0x7fffffc`, `blr x8` and `ret`.
        let aarch64 = Machine::Aarch64;
        let called = |word: u32| aarch64.called(&word.to_le_bytes(), 0x1004);
        assert_eq!(called(0x9400_0002), Some(Target::At(0x1008)));
        assert_eq!(called(0x97ff_ffff), Some(Target::At(0xffc)));
        assert_eq!(called(0xd63f_0100), None);
        let jump = |word: u32| aarch64.jump(&word.to_le_bytes(), 0x1000);
        assert_eq!(jump(0x15ff_ffff), Some(Target::At(0x800_0ffc)));
        assert_eq!(jump(0x9400_0002), None, "a call");
        assert_eq!(jump(0xd65f_03c0), None);
        assert_eq!(aarch64.jump(&[0, 0], 0x1000), None);
    }
}
