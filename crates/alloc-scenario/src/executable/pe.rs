//! The build id of the own executable on Windows: the number of the file with its debug information.

use std::io::{Read, Seek, SeekFrom};

/// The largest table that is read, in bytes.
const MAX_TABLE: usize = 1 << 20;

/// In hexadecimal digits.
pub(super) fn build_id(mut file: impl Read + Seek) -> Option<String> {
    /// The sizes of a header of a section and of an entry of the debug directory.
    const HEADER: usize = 40;
    const ENTRY: usize = 28;

    let mut bytes = |at: u32, length: usize| {
        file.seek(SeekFrom::Start(at.into())).ok()?;
        let mut bytes = vec![0; Some(length).filter(|length| *length < MAX_TABLE)?];
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    };
    let start = u32_at(&bytes(0x3c, 4)?, 0)?;
    let header = bytes(start, 24 + 240)?;
    if !header.starts_with(b"PE\0\0") {
        return None;
    }
    let (address, size) = (u32_at(&header, 24 + 160)?, u32_at(&header, 24 + 164)?);
    let (sections, optional) = (u16_at(&header, 6)?, u16_at(&header, 20)?);
    let table = start.checked_add(24)?.checked_add(optional.into())?;
    let table = bytes(table, HEADER * usize::from(sections))?;
    let mut sections = table.chunks_exact(HEADER);
    let place = sections.find_map(|section| {
        let inside = address.checked_sub(u32_at(section, 12)?)?;
        let is_here = inside < u32_at(section, 16)?;
        is_here.then(|| u32_at(section, 20)?.checked_add(inside))?
    });
    let directory = bytes(place?, usize::try_from(size).ok()?)?;
    directory.chunks_exact(ENTRY).find_map(|entry| {
        let id = bytes(u32_at(entry, 24)?, 20)?;
        let id = id.strip_prefix(b"RSDS")?;
        Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn the_number_is_found_by_the_debug_directory() {
        let mut file = vec![0; 1000];
        let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
        put(0x3c, &[100]);
        put(100, b"PE\0\0");
        // Two sections, behind an optional header of 240 bytes.
        put(106, &[2, 0]);
        put(120, &[240, 0]);
        // The directory is at 0x2010, in the second section, and has two entries.
        put(284, &[0x10, 0x20, 0, 0, 56]);
        let section = |address: u8, place: u32| {
            let numbers = [64, u32::from(address) << 8, 512, place];
            [&[0; 8], &numbers.map(u32::to_le_bytes).concat()[..]].concat()
        };
        put(364, &section(0x10, 0));
        put(404, &section(0x20, 500));
        put(516 + 28 + 24, &700_u32.to_le_bytes());
        put(700, b"RSDS");
        let number: Vec<u8> = (0xa0..0xb0).collect();
        put(704, &number);
        let id = |bytes: &[u8]| build_id(Cursor::new(bytes));
        assert_eq!(
            id(&file).as_deref(),
            Some("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")
        );
        for end in 0..720 {
            assert_eq!(id(&file[..end]), None, "{end}");
        }
    }
}
