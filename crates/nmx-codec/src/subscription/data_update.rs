//! [`DataUpdate`]: one record of a subscription message, with a value, its time and its
//! quality.

use std::num::NonZeroU16;

use crate::decode_error::{DecodeError, Field};
use crate::encode_error::EncodeError;
use crate::kind::ValueKind;
use crate::reader::Reader;
use crate::subscription::quality::{Quality, Status};
use crate::subscription::raw_value::{RawValue, SHORT_TEXT_LIMIT};
use crate::subscription::timestamp::Timestamp;
use crate::text::{self, WireText};

/// A value that has changed.
///
/// | bytes | field |
/// |---|---|
/// | 2 | [`Quality`] |
/// | 8 | [`Timestamp`] as a FILETIME |
/// | 1 | kind of the value |
/// | 1, 4, 8 or a text's | value |
///
/// In memory it takes 72 bytes on a 64-bit target, all of them inline, so that a message
/// of any number of records is one allocation. The parts are decoded once, when the record
/// is read. The value's bytes are kept for consumers that pass it on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataUpdate {
    timestamp: Timestamp,
    status: Status,
    detail: Option<NonZeroU16>,
    quality: Quality,
    kind: ValueKind,
    /// `None` for a text, which is decoded from `raw` on request.
    scalar: Option<Scalar>,
    /// The checked bytes of a value of `kind`, as on the wire.
    raw: RawValue,
}

/// A value other than a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// True or false.
    Boolean(bool),
    /// A signed integer of 32 bits.
    Int32(i32),
    /// An IEEE 754 number of 32 bits. A NaN keeps its bits.
    Float32(f32),
    /// An IEEE 754 number of 64 bits. A NaN keeps its bits.
    Float64(f64),
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<DataUpdate>() == 72,
    "one record is what one decoded update costs, which the documentation promises"
);

impl DataUpdate {
    /// The length of a record with a Boolean, in bytes.
    pub(super) const SMALLEST_WIRE_LEN: usize = Self::HEAD_LEN + 1;

    const HEAD_LEN: usize = size_of::<u16>() + size_of::<i64>() + size_of::<ValueKind>();

    /// An update with a value other than a text.
    pub fn from_scalar(timestamp: Timestamp, quality: Quality, scalar: Scalar) -> Self {
        let (kind, raw) = match scalar {
            Scalar::Boolean(value) => (ValueKind::Boolean, RawValue::new(&[u8::from(value)])),
            Scalar::Int32(value) => (ValueKind::Int32, RawValue::new(&value.to_le_bytes())),
            Scalar::Float32(value) => (ValueKind::Float32, RawValue::new(&value.to_le_bytes())),
            Scalar::Float64(value) => (ValueKind::Float64, RawValue::new(&value.to_le_bytes())),
        };
        Self::new(timestamp, quality, kind, Some(scalar), raw)
    }

    /// An update with a text of at most [`SHORT_TEXT_LIMIT`] units.
    ///
    /// It allocates the buffers in which the text is encoded; the update itself
    /// keeps none of them.
    pub fn from_text(
        timestamp: Timestamp,
        quality: Quality,
        text: &str,
    ) -> Result<Self, EncodeError> {
        let raw = RawValue::new(&text::encode(text, SHORT_TEXT_LIMIT)?);
        let kind = ValueKind::String;
        Ok(Self::new(timestamp, quality, kind, None, raw))
    }

    /// The time of the value.
    pub fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// How far the value can be trusted.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The reason for the quality, if the server sent one.
    pub fn detail(&self) -> Option<NonZeroU16> {
        self.detail
    }

    /// Status and detail as one number.
    pub fn quality(&self) -> Quality {
        self.quality
    }

    /// The kind of the value.
    pub fn kind(&self) -> ValueKind {
        self.kind
    }

    /// The value, unless it is a text.
    pub fn scalar(&self) -> Option<Scalar> {
        self.scalar
    }

    /// The value, if it is a text. It allocates the `String`.
    pub fn text(&self) -> Option<String> {
        if self.kind != ValueKind::String {
            return None;
        }
        let mut reader = Reader::new(self.raw.as_bytes());
        let text = WireText::read(&mut reader, SHORT_TEXT_LIMIT);
        debug_assert!(
            text.is_ok(),
            "the text was checked when the record was made"
        );
        text.ok().map(|text| text.decode())
    }

    /// The value as on the wire, without its kind.
    pub fn raw_value(&self) -> &[u8] {
        self.raw.as_bytes()
    }

    /// The length on the wire, in bytes.
    pub(super) fn wire_len(&self) -> usize {
        Self::HEAD_LEN + self.raw.as_bytes().len()
    }

    pub(super) fn write(&self, message: &mut Vec<u8>) {
        message.extend_from_slice(&self.quality.0.to_le_bytes());
        message.extend_from_slice(&self.timestamp.to_filetime().to_le_bytes());
        message.push(self.kind.code());
        message.extend_from_slice(self.raw.as_bytes());
    }

    /// Reads a record. It allocates nothing: a text is checked, but not decoded.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let quality = Quality(u16::from_le_bytes(reader.array(Field::Quality)?));
        let ticks = i64::from_le_bytes(reader.array(Field::Timestamp)?);
        let timestamp = Timestamp::from_filetime(ticks);
        let kind = ValueKind::read(reader)?;
        let start = reader.offset();
        let scalar = read_value(reader, kind)?;
        let raw = RawValue::new(reader.since(start));
        Ok(Self::new(timestamp, quality, kind, scalar, raw))
    }

    fn new(
        timestamp: Timestamp,
        quality: Quality,
        kind: ValueKind,
        scalar: Option<Scalar>,
        raw: RawValue,
    ) -> Self {
        Self {
            timestamp,
            status: quality.status(),
            detail: quality.detail(),
            quality,
            kind,
            scalar,
            raw,
        }
    }
}

/// Reads a value of the kind, or checks it if it is a text.
fn read_value(reader: &mut Reader<'_>, kind: ValueKind) -> Result<Option<Scalar>, DecodeError> {
    Ok(Some(match kind {
        ValueKind::Boolean => Scalar::Boolean(reader.boolean(Field::Value)?),
        ValueKind::Int32 => Scalar::Int32(i32::from_le_bytes(reader.array(Field::Value)?)),
        ValueKind::Float32 => Scalar::Float32(f32::from_le_bytes(reader.array(Field::Value)?)),
        ValueKind::Float64 => Scalar::Float64(f64::from_le_bytes(reader.array(Field::Value)?)),
        ValueKind::String => {
            WireText::read(reader, SHORT_TEXT_LIMIT)?;
            return Ok(None);
        }
    }))
}
