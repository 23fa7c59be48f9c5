//! [`Elf`]: the segments of the own executable, as far as its build id and its addresses need
//! them.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The segments of an executable of this platform.
pub(super) struct Elf(Vec<Segment>);

/// An entry of the program header table.
struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    /// In the file.
    size: u64,
    alignment: u64,
}

/// The size of an entry.
const ENTRY: u16 = 56;

// Kinds of segments.
const LOAD: u32 = 1;
const NOTE: u32 = 4;

/// The type of the note with a build id, which has the name `GNU`.
const BUILD_ID: u32 = 3;

/// The largest segment of notes that is read, in bytes.
const MAX_NOTES: u64 = 1 << 20;

impl Elf {
    pub(super) fn read(file: &File) -> Option<Self> {
        let header = bytes(file, 0, 64)?;
        const MAGIC_AND_64_BITS: &[u8] = b"\x7fELF\x02";
        if !header.starts_with(MAGIC_AND_64_BITS) {
            return None;
        }
        if u16_at(&header, 54)? != ENTRY {
            return None;
        }
        let entries = u16_at(&header, 56)?;
        let size = usize::from(ENTRY) * usize::from(entries);
        let table = bytes(file, u64_at(&header, 32)?, size)?;
        let segment = |entry: &[u8]| {
            Some(Segment {
                kind: u32_at(entry, 0)?,
                offset: u64_at(entry, 8)?,
                address: u64_at(entry, 16)?,
                size: u64_at(entry, 32)?,
                alignment: u64_at(entry, 48)?,
            })
        };
        let segments: Option<_> = table.chunks_exact(ENTRY.into()).map(segment).collect();
        segments.map(Self)
    }

    /// The build id in hexadecimal digits.
    pub(super) fn build_id(&self, file: &File) -> Option<String> {
        let segments = self.0.iter();
        let mut notes = segments.filter(|segment| segment.kind == NOTE && segment.size < MAX_NOTES);
        let id = notes.find_map(|segment| {
            let notes = bytes(file, segment.offset, segment.size as usize)?;
            build_id(&notes, segment.alignment)
        })?;
        Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The address of a place in the file.
    pub(super) fn address(&self, place: u64) -> Option<u64> {
        let mut loaded = self.0.iter().filter(|segment| segment.kind == LOAD);
        loaded.find_map(|segment| {
            let inside = place.checked_sub(segment.offset)?;
            let is_here = inside < segment.size;
            is_here.then(|| segment.address.wrapping_add(inside))
        })
    }
}

/// The build id in a segment of notes.
fn build_id(mut notes: &[u8], alignment: u64) -> Option<Vec<u8>> {
    let alignment = if alignment == 8 { 8 } else { 4 };
    loop {
        let size = |at| u32_at(notes, at).map(|size| size as usize);
        let (name_size, size, kind) = (size(0)?, size(4)?, u32_at(notes, 8)?);
        let padded = |end: usize| end.next_multiple_of(alignment);
        let value = padded(name_size.checked_add(12)?);
        let end = value.checked_add(size)?;
        if kind == BUILD_ID && notes.get(12..)?.starts_with(b"GNU\0") {
            return notes.get(value..end).map(<[u8]>::to_vec);
        }
        notes = notes.get(padded(end)..)?;
    }
}

/// The place in its file of what is mapped at an address, by the lines of `/proc/self/maps`:
/// `7f31e000-7f320000 r-xp 00001000 08:01 1234 /program`.
pub(super) fn place(maps: &str, address: u64) -> Option<u64> {
    maps.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let hex = |word: &str| u64::from_str_radix(word, 16).ok();
        let (begin, end) = words.next()?.split_once('-')?;
        let (begin, end) = (hex(begin)?, hex(end)?);
        let offset = hex(words.nth(1)?)?;
        // Memory that is no part of a file has the inode 0.
        let is_file = words.nth(1)? != "0";
        let is_here = is_file && (begin..end).contains(&address);
        is_here.then(|| address - begin + offset)
    })
}

fn bytes(file: &File, offset: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, offset).ok()?;
    Some(bytes)
}

/// Makes functions that read an integer in the byte order of this machine.
macro_rules! integers {
    ($($name:ident $type:ident),+) => {
        $(fn $name(bytes: &[u8], at: usize) -> Option<$type> {
            let bytes = bytes.get(at..)?.first_chunk()?;
            Some($type::from_ne_bytes(*bytes))
        })+
    };
}

integers!(u16_at u16, u32_at u32, u64_at u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_in_a_file_is_that_of_its_mapping() {
        let maps = "\
            55d0aa000000-55d0aa001000 r--p 00000000 fd:01 77 /w/a program\n\
            55d0aa001000-55d0aa009000 r-xp 00002000 fd:01 77 /w/a program\n\
            55d0ab000000-55d0ab001000 rw-p 00000000 00:00 0 [heap]\n\
            no line\n\
            ffff-zzzz r-xp 0 0 1\n";
        for (address, expected) in [
            (0x55d0_aa00_0010, Some(0x10)),
            (0x55d0_aa00_1000, Some(0x2000)),
            (0x55d0_aa00_8fff, Some(0x9fff)),
            (0x55d0_aa00_9000, None),
            (0x55d0_ab00_0000, None),
        ] {
            assert_eq!(place(maps, address), expected, "{address:x}");
        }
    }

    #[test]
    fn an_address_is_that_of_the_segment_that_has_the_place() {
        let load = |offset, address, size| Segment {
            kind: LOAD,
            offset,
            address,
            size,
            alignment: 4096,
        };
        let note = Segment {
            kind: NOTE,
            ..load(0x40, 0, 0x100)
        };
        let elf = Elf(vec![
            note,
            load(0, 0, 0x800),
            load(0x800, 0x1_800, 0x900),
            load(u64::MAX, u64::MAX, 1),
        ]);
        for (place, address) in [
            (0x50, Some(0x50)),
            (0x800, Some(0x1_800)),
            (0x10ff, Some(0x2_0ff)),
            (0x1100, None),
        ] {
            assert_eq!(elf.address(place), address, "{place:x}");
        }
    }

    /// A note with its padding to 4 bytes.
    fn note(name: &[u8], kind: u32, value: &[u8]) -> Vec<u8> {
        let sizes = [name.len() as u32, value.len() as u32, kind];
        let mut note: Vec<_> = sizes.into_iter().flat_map(u32::to_ne_bytes).collect();
        for part in [name, value] {
            note.extend_from_slice(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn a_build_id_is_found_behind_other_notes() {
        let id = [0xab, 0, 7];
        let notes = [
            note(b"stapsdt\0", BUILD_ID, &[1, 2, 3, 4, 5]),
            note(b"GNU\0", 1, &[9; 16]),
            note(b"GNU\0", BUILD_ID, &id),
        ]
        .concat();
        assert_eq!(build_id(&notes, 4).as_deref(), Some(&id[..]));
        // No part of the notes is read past its end.
        for end in 0..notes.len() - 1 {
            assert_eq!(build_id(&notes[..end], 4), None, "{end}");
        }
        let endless = note(b"GNU\0", 1, &[]);
        let mut huge = endless.clone();
        huge[4..8].fill(0xff);
        assert_eq!(build_id(&[endless, huge].concat(), 4), None);
    }
}
