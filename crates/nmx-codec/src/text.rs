//! Texts on the wire: a length in bytes, then UTF-16LE units, the last of them NUL. The
//! message sets the maximum length of a text.

use crate::decode_error::{DecodeError, Field, Problem};
use crate::encode_error::EncodeError;
use crate::reader::Reader;

/// The maximum length of the text in a write message, in UTF-16 units without the
/// terminator. A NUL inside a text is an ordinary unit.
pub const TEXT_LIMIT: usize = 65_535;

/// The size of the length field, in bytes.
pub(crate) const PREFIX_LEN: usize = size_of::<u32>();

/// The length in bytes of a text with that many units, with its terminator.
pub(crate) const fn wire_len(units: usize) -> usize {
    (units + 1) * UNIT_LEN
}

const UNIT_LEN: usize = size_of::<u16>();

/// Encodes the text for the wire.
///
/// It makes three buffers, one per step: the units with the terminator, their bytes,
/// and the length with the bytes. A single pass would need only the last buffer, but
/// with separate steps a test can check each result.
pub(crate) fn encode(text: &str, limit: usize) -> Result<Vec<u8>, EncodeError> {
    let units = terminated_units(text, limit)?;
    let bytes = little_endian(&units);
    Ok(length_prefixed(&bytes))
}

/// The text's UTF-16 units and the terminator. They are counted first, because the
/// length in UTF-8 does not tell their number, and a text that is too long should
/// allocate nothing.
fn terminated_units(text: &str, limit: usize) -> Result<Vec<u16>, EncodeError> {
    let count = text.encode_utf16().count();
    if count > limit {
        return Err(EncodeError::TextTooLong {
            units: count,
            limit,
        });
    }
    let mut units = Vec::with_capacity(count + 1);
    units.extend(text.encode_utf16());
    units.push(0);
    Ok(units)
}

fn little_endian(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len() * UNIT_LEN);
    for unit in units {
        bytes.extend_from_slice(&unit.to_le_bytes());
    }
    bytes
}

fn length_prefixed(bytes: &[u8]) -> Vec<u8> {
    let len = length_field(bytes.len());
    let mut prefixed = Vec::with_capacity(PREFIX_LEN + bytes.len());
    prefixed.extend_from_slice(&len.to_le_bytes());
    prefixed.extend_from_slice(bytes);
    prefixed
}

/// The length as its field has it.
fn length_field(bytes: usize) -> u32 {
    debug_assert!(
        bytes <= wire_len(TEXT_LIMIT),
        "every limit is at most the longest text's, so {bytes} B should have been refused"
    );
    bytes as u32
}

/// A text that was read and checked.
pub(crate) struct WireText<'a> {
    /// The units without the terminator. Every surrogate is paired.
    bytes: &'a [u8],
    /// The length in UTF-8, so that decoding allocates once.
    utf8_len: usize,
}

impl<'a> WireText<'a> {
    /// Reads a text of at most `limit` units.
    pub(crate) fn read(reader: &mut Reader<'a>, limit: usize) -> Result<Self, DecodeError> {
        let len = read_length(reader, limit)?;
        let offset = reader.offset();
        let bytes = reader.take(Field::Text, len)?;
        let Some((bytes, [0, 0])) = bytes.split_last_chunk() else {
            let last = offset + len.saturating_sub(UNIT_LEN);
            let problem = Problem::MissingTerminator;
            return Err(DecodeError::new(Field::Text, last, problem));
        };
        let utf8_len = utf8_len(bytes, offset)?;
        Ok(Self { bytes, utf8_len })
    }

    pub(crate) fn decode(&self) -> String {
        let mut text = String::with_capacity(self.utf8_len);
        // Nothing is replaced, since all surrogates are paired.
        let chars = char::decode_utf16(units(self.bytes));
        text.extend(chars.map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
        text
    }
}

fn read_length(reader: &mut Reader<'_>, limit: usize) -> Result<usize, DecodeError> {
    let offset = reader.offset();
    let bytes = u32::from_le_bytes(reader.array(Field::TextLength)?);
    let limit = length_field(wire_len(limit));
    let len = bytes as usize;
    let problem = if bytes > limit {
        Problem::TooLong { bytes, limit }
    } else if !len.is_multiple_of(UNIT_LEN) {
        Problem::OddLength { bytes }
    } else {
        return Ok(len);
    };
    Err(DecodeError::new(Field::TextLength, offset, problem))
}

/// The text's length in UTF-8. `offset` is that of its first unit.
fn utf8_len(bytes: &[u8], offset: usize) -> Result<usize, DecodeError> {
    let mut at = offset;
    let mut len = 0;
    for decoded in char::decode_utf16(units(bytes)) {
        let character = decoded.map_err(|error| {
            let unit = error.unpaired_surrogate();
            DecodeError::new(Field::Text, at, Problem::UnpairedSurrogate { unit })
        })?;
        at += character.len_utf16() * UNIT_LEN;
        len += character.len_utf8();
    }
    Ok(len)
}

fn units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    let (units, _) = bytes.as_chunks();
    units.iter().copied().map(u16::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_fills_its_buffer() {
        let units = terminated_units("ä😀", 3).unwrap();
        assert_eq!(units, [0xe4, 0xd83d, 0xde00, 0]);
        let bytes = little_endian(&units);
        assert_eq!(bytes, [0xe4, 0, 0x3d, 0xd8, 0x00, 0xde, 0, 0]);
        let prefixed = length_prefixed(&bytes);
        assert_eq!(
            prefixed,
            [8, 0, 0, 0, 0xe4, 0, 0x3d, 0xd8, 0x00, 0xde, 0, 0]
        );
        assert_eq!(units.capacity(), units.len());
        assert_eq!(bytes.capacity(), bytes.len());
        assert_eq!(prefixed.capacity(), prefixed.len());
    }

    #[test]
    fn texts_survive_the_wire() {
        let longest = "x".repeat(TEXT_LIMIT);
        for text in ["", "hello", "größer", "😀 \u{10ffff}", "a\0b\0", &longest] {
            let wire = encode(text, TEXT_LIMIT).unwrap();
            let mut reader = Reader::new(&wire);
            let decoded = WireText::read(&mut reader, TEXT_LIMIT).unwrap().decode();
            assert_eq!(decoded, text);
            assert_eq!(decoded.capacity(), text.len());
            assert_eq!(reader.end(), Ok(()));
        }
    }

    #[test]
    fn a_text_past_the_limit_is_refused_in_both_directions() {
        assert_eq!(
            encode("a😀", 2),
            Err(EncodeError::TextTooLong { units: 3, limit: 2 })
        );
        let wire = encode("a😀", 3).unwrap();
        check(
            &wire,
            2,
            "read the length of the text at offset 0: 8 B are more than the 6 B allowed here",
        );
    }

    #[test]
    fn a_wrong_text_is_refused_where_it_is_wrong() {
        check(
            &[3, 0, 0, 0, b'a', 0, 0],
            9,
            "read the length of the text at offset 0: 3 B are no whole number of UTF-16 units",
        );
        check(
            &[6, 0, 0, 0, b'a', 0, b'b', 0],
            9,
            "read the text at offset 4: it needs 6 B, the input has 4 B left",
        );
        check(
            &[4, 0, 0, 0, b'a', 0, b'b', 0],
            9,
            "read the text at offset 6: its last unit isn't NUL",
        );
        check(
            &[0, 0, 0, 0],
            9,
            "read the text at offset 4: its last unit isn't NUL",
        );
    }

    #[test]
    fn a_surrogate_alone_is_refused_where_it_stands() {
        let high_then_a = [8, 0, 0, 0, b'a', 0, 0x3d, 0xd8, b'a', 0, 0, 0];
        check(
            &high_then_a,
            9,
            "read the text at offset 6: the surrogate 0xd83d lacks its other half",
        );
        let low_after_a_pair = [8, 0, 0, 0, 0x3d, 0xd8, 0x00, 0xde, 0x00, 0xdc, 0, 0];
        check(
            &low_after_a_pair,
            9,
            "read the text at offset 8: the surrogate 0xdc00 lacks its other half",
        );
        let high_at_the_end = [4, 0, 0, 0, 0x3d, 0xd8, 0, 0];
        check(
            &high_at_the_end,
            9,
            "read the text at offset 4: the surrogate 0xd83d lacks its other half",
        );
    }

    #[track_caller]
    fn check(wire: &[u8], limit: usize, expected: &str) {
        let read = WireText::read(&mut Reader::new(wire), limit);
        let error = read.err().expect("the text is wrong");
        assert_eq!(error.to_string(), expected);
    }
}
