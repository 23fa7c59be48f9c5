//! [`WriteValue`]: the value in a write message, and its bytes.

use std::slice;

use crate::decode_error::{DecodeError, Field};
use crate::encode_error::EncodeError;
use crate::kind::ValueKind;
use crate::reader::Reader;
use crate::text::{self, TEXT_LIMIT, WireText};

/// A value to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteValue {
    /// True or false.
    Boolean(bool),
    /// A signed integer of 32 bits.
    Int32(i32),
    /// An IEEE 754 number of 32 bits. A NaN keeps its bits.
    Float32(f32),
    /// An IEEE 754 number of 64 bits. A NaN keeps its bits.
    Float64(f64),
    /// A text of at most [`TEXT_LIMIT`] UTF-16 units.
    String(String),
}

impl WriteValue {
    /// The kind of the value.
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::Boolean(_) => ValueKind::Boolean,
            Self::Int32(_) => ValueKind::Int32,
            Self::Float32(_) => ValueKind::Float32,
            Self::Float64(_) => ValueKind::Float64,
            Self::String(_) => ValueKind::String,
        }
    }

    /// Reads a kind and a value of that kind.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match ValueKind::read(reader)? {
            ValueKind::Boolean => Self::Boolean(reader.boolean(Field::Value)?),
            ValueKind::Int32 => Self::Int32(i32::from_le_bytes(reader.array(Field::Value)?)),
            ValueKind::Float32 => Self::Float32(f32::from_le_bytes(reader.array(Field::Value)?)),
            ValueKind::Float64 => Self::Float64(f64::from_le_bytes(reader.array(Field::Value)?)),
            ValueKind::String => Self::String(WireText::read(reader, TEXT_LIMIT)?.decode()),
        })
    }
}

/// The bytes of a value. They are made before the rest of the message, because they
/// decide its length.
pub(super) enum Body {
    /// A Boolean, which needs no scratch buffer.
    Byte(u8),
    /// Any other kind, encoded into a scratch buffer, so that one path handles fixed
    /// lengths and the length of an encoded text. For a number this is the first of
    /// the two allocations of [`encode`](super::encode), which an array would save.
    Scratch(Vec<u8>),
}

impl Body {
    pub(super) fn new(value: &WriteValue) -> Result<Self, EncodeError> {
        Ok(match value {
            WriteValue::Boolean(value) => Self::Byte(u8::from(*value)),
            WriteValue::Int32(value) => Self::Scratch(value.to_le_bytes().to_vec()),
            WriteValue::Float32(value) => Self::Scratch(value.to_le_bytes().to_vec()),
            WriteValue::Float64(value) => Self::Scratch(value.to_le_bytes().to_vec()),
            WriteValue::String(value) => Self::Scratch(text::encode(value, TEXT_LIMIT)?),
        })
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Byte(byte) => slice::from_ref(byte),
            Self::Scratch(bytes) => bytes,
        }
    }
}
