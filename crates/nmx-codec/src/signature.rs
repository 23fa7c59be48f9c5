//! Signatures of names: checksums that identify names on the wire.

/// The polynomial of CRC-16/ARC, reflected.
const POLYNOMIAL: u16 = 0xa001;
const INITIAL: u16 = 0;

/// The checksum of the lower-cased name in UTF-16LE: names that differ only in
/// case are the same name.
///
/// The lower-cased `String` is the only allocation. Lower-casing one character at a
/// time would need none, but would be wrong: a capital sigma becomes `ς` at the end of
/// a word and `σ` elsewhere. The UTF-16 units go into the checksum one by one.
pub(crate) fn of_name(name: &str) -> u16 {
    let lower_cased = name.to_lowercase();
    crc16(lower_cased.encode_utf16().flat_map(u16::to_le_bytes))
}

/// CRC-16/ARC.
fn crc16(bytes: impl Iterator<Item = u8>) -> u16 {
    bytes.fold(INITIAL, |crc, byte| {
        (0..8).fold(crc ^ u16::from(byte), |crc, _| match crc & 1 {
            0 => crc >> 1,
            _ => crc >> 1 ^ POLYNOMIAL,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_has_the_catalogued_check_value() {
        assert_eq!(crc16(b"123456789".iter().copied()), 0xbb3d);
        assert_eq!(crc16([].into_iter()), 0);
    }

    #[test]
    fn a_name_is_signed_as_utf_16_little_endian() {
        let units = [0x76, 0, 0xfc, 0, 0x3d, 0xd8, 0x00, 0xde];
        assert_eq!(of_name("vü😀"), crc16(units.into_iter()));
    }

    #[test]
    fn a_final_sigma_is_lower_cased_as_part_of_its_word() {
        assert_eq!(of_name("ΟΔΟΣ"), of_name("οδος"));
        assert_ne!(of_name("ΟΔΟΣ"), of_name("οδοσ"));
    }
}
