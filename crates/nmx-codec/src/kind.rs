//! [`ValueKind`]: the kinds of values and their codes on the wire.

use crate::decode_error::{DecodeError, Field, Problem};
use crate::reader::Reader;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ValueKind {
    /// One byte, 0 or 1.
    Boolean = 1,
    /// A signed integer of 32 bits.
    Int32 = 2,
    /// An IEEE 754 number of 32 bits.
    Float32 = 3,
    /// An IEEE 754 number of 64 bits.
    Float64 = 4,
    /// A text in UTF-16, after its length in bytes and with a final NUL.
    String = 5,
}

impl ValueKind {
    /// The code on the wire.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = reader.offset();
        match u8::from_le_bytes(reader.array(Field::Kind)?) {
            1 => Ok(Self::Boolean),
            2 => Ok(Self::Int32),
            3 => Ok(Self::Float32),
            4 => Ok(Self::Float64),
            5 => Ok(Self::String),
            found => Err(DecodeError::new(
                Field::Kind,
                offset,
                Problem::UnknownKind { found },
            )),
        }
    }
}
