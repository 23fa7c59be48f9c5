//! Finds the locked instructions of an x86-64 program: instructions with a `lock` prefix,
//! and `xchg` with memory, which implies one. Reads the bytes of the ELF file at known
//! addresses of instructions.

use std::fs;
use std::path::Path;

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSegment};

use crate::error::Error;

/// The code of one ELF file.
#[derive(Debug)]
pub struct Code {
    /// The loaded parts of the file, with the address of each.
    segments: Vec<(u64, Vec<u8>)>,
}

impl Code {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// When it can't be read, or is not a 64-bit ELF file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = fs::read(path).map_err(Error::reading(path))?;
        let segments = segments(&bytes).map_err(|_| Error::Unreadable {
            what: path.display().to_string(),
            why: "it is not a 64-bit ELF file",
        })?;
        Ok(Self { segments })
    }

    /// Whether the instruction at `address` is locked; `None` if the file has no code
    /// there.
    #[must_use]
    pub fn is_locked(&self, address: u64) -> Option<bool> {
        self.segments.iter().find_map(|(start, bytes)| {
            let at = usize::try_from(address.checked_sub(*start)?).ok()?;
            let code = bytes.get(at..).filter(|code| !code.is_empty())?;
            Some(is_locked(code))
        })
    }
}

/// Whether the first instruction of `code` is locked.
fn is_locked(code: &[u8]) -> bool {
    const LOCK: u8 = 0xf0;
    const OTHER_PREFIXES: [u8; 10] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3];
    let mut rest = code;
    while let [prefix, after @ ..] = rest {
        if *prefix == LOCK {
            return true;
        }
        if !OTHER_PREFIXES.contains(prefix) {
            break;
        }
        rest = after;
    }
    // A REX prefix comes directly before the opcode.
    if let [0x40..=0x4f, after @ ..] = rest {
        rest = after;
    }
    // `xchg`. The two highest bits of the next byte are set if both operands are
    // registers.
    matches!(rest, [0x86 | 0x87, operands, ..] if *operands < 0xc0)
}

/// The loaded segments of a 64-bit ELF file, with the address of each.
fn segments(bytes: &[u8]) -> object::Result<Vec<(u64, Vec<u8>)>> {
    let file = ElfFile64::<Endianness>::parse(bytes)?;
    file.segments()
        .map(|segment| Ok((segment.address(), segment.data()?.to_vec())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_prefix_and_an_exchange_with_memory_are_locked() {
        for (code, name) in [
            (&[0xf0, 0x48, 0x0f, 0xc1, 0x07][..], "lock xadd [rdi], rax"),
            (&[0xf0, 0x48, 0xff, 0x07], "lock inc qword [rdi]"),
            (&[0x64, 0xf0, 0xff, 0x04, 0x25], "fs lock inc"),
            (&[0x66, 0xf0, 0x0f, 0xb1, 0x0f], "lock cmpxchg [rdi], cx"),
            (&[0x48, 0x87, 0x07], "xchg [rdi], rax"),
            (&[0x86, 0x07], "xchg [rdi], al"),
        ] {
            assert!(is_locked(code), "{name}");
        }
    }

    #[test]
    fn other_instructions_with_these_bytes_are_not_locked() {
        for (code, name) in [
            (&[0x48, 0x87, 0xc7][..], "xchg rdi, rax"),
            (&[0x48, 0x89, 0x07], "mov [rdi], rax"),
            (&[0x0f, 0x87, 0x07, 0x00, 0x00, 0x00], "ja"),
            (&[0xb8, 0xf0, 0x00, 0x00, 0x00], "mov eax, 0xf0"),
            (&[0x48, 0xff, 0x07], "inc qword [rdi]"),
            (&[0x90], "nop"),
            (&[], "nothing"),
        ] {
            assert!(!is_locked(code), "{name}");
        }
    }

    #[test]
    fn an_address_leads_to_its_bytes_in_the_file() {
        // One loaded segment: 16 bytes at offset 120, at address 0x1000.
        let mut bytes = vec![0; 136];
        bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        (bytes[32], bytes[54], bytes[56]) = (64, 56, 1);
        (bytes[64], bytes[72], bytes[81], bytes[96]) = (1, 120, 0x10, 16);
        bytes[124..127].copy_from_slice(&[0xf0, 0xff, 0x07]);
        let segments = segments(&bytes).unwrap();
        let code = Code { segments };
        assert_eq!(code.is_locked(0x1003), Some(false));
        assert_eq!(code.is_locked(0x1004), Some(true));
        assert_eq!(code.is_locked(0x1010), None);
        assert_eq!(code.is_locked(0xfff), None);
    }

    #[test]
    fn another_file_is_refused() {
        assert!(segments(b"#!/bin/sh\n").is_err());
        assert!(segments(b"\x7fELF\x02\x01").is_err());
    }
}
