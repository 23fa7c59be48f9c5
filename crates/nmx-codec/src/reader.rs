//! [`Reader`]: takes fields from an input one after the other, with their offsets. It
//! never allocates.

use crate::decode_error::{DecodeError, Field, Problem};

pub(crate) struct Reader<'a> {
    input: &'a [u8],
    /// At most `input.len()`: only [`take`](Self::take) moves it, by bytes that are
    /// there.
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Self { input, offset: 0 }
    }

    /// Bytes from the start of the input to the next field.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// Bytes from the next field to the end of the input.
    pub(crate) fn left(&self) -> usize {
        self.input.len() - self.offset
    }

    /// The bytes taken since the reader stood at `start`.
    pub(crate) fn since(&self, start: usize) -> &'a [u8] {
        &self.input[start..self.offset]
    }

    /// The next `len` bytes.
    pub(crate) fn take(&mut self, field: Field, len: usize) -> Result<&'a [u8], DecodeError> {
        let Some((taken, _)) = self.input[self.offset..].split_at_checked(len) else {
            return Err(self.truncated(field, len));
        };
        self.offset += len;
        Ok(taken)
    }

    /// The next `N` bytes, for a `from_le_bytes`.
    pub(crate) fn array<const N: usize>(&mut self, field: Field) -> Result<[u8; N], DecodeError> {
        let Some(taken) = self.input[self.offset..].first_chunk() else {
            return Err(self.truncated(field, N));
        };
        self.offset += N;
        Ok(*taken)
    }

    /// Reads a field that always has the same value.
    pub(crate) fn constant<const N: usize>(
        &mut self,
        field: Field,
        expected: [u8; N],
    ) -> Result<(), DecodeError> {
        let offset = self.offset;
        let found = self.array(field)?;
        if found == expected {
            return Ok(());
        }
        let problem = Problem::Unexpected {
            expected: unsigned(expected),
            found: unsigned(found),
        };
        Err(DecodeError::new(field, offset, problem))
    }

    /// Reads a byte that is 0 or 1. Other values are refused, because they would not be
    /// encoded to the same byte again.
    pub(crate) fn boolean(&mut self, field: Field) -> Result<bool, DecodeError> {
        let offset = self.offset;
        match u8::from_le_bytes(self.array(field)?) {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(DecodeError::new(
                field,
                offset,
                Problem::NotABoolean { found },
            )),
        }
    }

    /// Checks that nothing is left.
    pub(crate) fn end(self) -> Result<(), DecodeError> {
        match self.left() {
            0 => Ok(()),
            _ => {
                let end = self.input.len();
                let problem = Problem::Trailing { end };
                Err(DecodeError::new(Field::End, self.offset, problem))
            }
        }
    }

    fn truncated(&self, field: Field, needed: usize) -> DecodeError {
        let left = self.left();
        DecodeError::new(field, self.offset, Problem::Truncated { needed, left })
    }
}

/// The unsigned number that a field of at most 8 bytes holds.
fn unsigned<const N: usize>(field: [u8; N]) -> u64 {
    const { assert!(N <= 8, "the field's bytes fit into a u64") };
    field
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}
