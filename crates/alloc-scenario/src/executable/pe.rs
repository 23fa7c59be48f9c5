//! The build id of the own executable in the format PE.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The largest table that is read, in bytes.
const MAX_TABLE: usize = 1 << 20;

/// The number of the file with the debug information, in hexadecimal digits.
pub(super) fn build_id(mut file: &File) -> Option<String> {
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
