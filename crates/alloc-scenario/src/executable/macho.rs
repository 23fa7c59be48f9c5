//! The UUID of the own executable on macOS, which is its build id.

use std::io::Read;

/// The first word of an executable for one processor.
const MAGIC: u32 = 0xfeed_facf;

/// The kind of the load command with the UUID.
const UUID: u32 = 0x1b;

/// In hexadecimal digits. An executable for several processors has none here.
pub(super) fn build_id(mut file: impl Read) -> Option<String> {
    let mut header = [0; 32];
    file.read_exact(&mut header).ok()?;
    if word(&header, 0)? != MAGIC {
        return None;
    }
    let mut commands = Vec::new();
    let size = word(&header, 20)?;
    file.take(size.into()).read_to_end(&mut commands).ok()?;
    let mut commands = &commands[..];
    loop {
        let size = word(commands, 4)?.max(8) as usize;
        let command = commands.get(..size)?;
        if word(command, 0)? == UUID {
            let id = command.get(8..24)?;
            return Some(id.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        commands = &commands[size..];
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uuid_is_found_behind_other_commands() {
        let other = [1_u32, 16, 7, 7].map(u32::to_le_bytes).concat();
        let uuid = [UUID, 24].map(u32::to_le_bytes).concat();
        let id: Vec<u8> = (0xa0..0xb0).collect();
        let commands = [other, uuid, id].concat();
        let file = |size: usize, commands: &[u8]| {
            let header = [MAGIC, 0, 0, 2, 2, size as u32, 0, 0];
            [&header.map(u32::to_le_bytes).concat(), commands].concat()
        };
        let found = |size, commands| build_id(&*file(size, commands));
        let expected = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf";
        let size = commands.len();
        assert_eq!(found(size, &commands).as_deref(), Some(expected));
        for end in 0..size {
            assert_eq!(found(size, &commands[..end]), None, "{end}");
            assert_eq!(found(end, &commands), None, "{end}");
        }
        // A command of no bytes, and the header of one for several processors.
        assert_eq!(found(8, &[0; 8]), None);
        assert_eq!(build_id(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2][..]), None);
    }
}
