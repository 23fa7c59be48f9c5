//! The subscription message: a server's report that values have changed.

mod data_update;
mod quality;
mod raw_value;
mod timestamp;

pub use data_update::{DataUpdate, Scalar};
pub use quality::{Quality, Status};
pub use raw_value::SHORT_TEXT_LIMIT;
pub use timestamp::Timestamp;

use crate::decode_error::{DecodeError, Field, Problem};
use crate::encode_error::EncodeError;
use crate::reader::Reader;

/// The maximum number of records in a subscription message.
pub const RECORD_LIMIT: usize = 65_536;

const COMMAND: u8 = 0x32;
const VERSION: u16 = 1;

const PREAMBLE_LEN: usize =
    size_of_val(&COMMAND) + size_of_val(&VERSION) + size_of::<i32>() + size_of::<[u8; 16]>();

/// A report that values have changed.
///
/// | bytes | field |
/// |---|---|
/// | 1 | command, `0x32` |
/// | 2 | version, 1 |
/// | 4 | number of records, signed |
/// | 16 | operation id |
/// | | the records, see [`DataUpdate`] |
///
/// All integers are little-endian.
#[derive(Clone, Debug, PartialEq)]
pub struct NmxSubscriptionMessage {
    /// The operation by which the client subscribed.
    pub operation_id: [u8; 16],
    /// The changed values, at most [`RECORD_LIMIT`] records.
    pub records: Vec<DataUpdate>,
}

impl NmxSubscriptionMessage {
    /// Decodes a message that fills the whole input. It is the inner message, without
    /// the envelope of the transport.
    ///
    /// It allocates the vector of records once, in the right size, because their number
    /// comes first. Nothing else is allocated, since a record is kept inline.
    ///
    /// ```
    /// use nmx_codec::{DataUpdate, NmxSubscriptionMessage, Quality, Scalar, Timestamp};
    ///
    /// let update = DataUpdate::from_scalar(
    ///     Timestamp::from_filetime(133_500_000_000_000_000),
    ///     Quality::GOOD,
    ///     Scalar::Int32(21),
    /// );
    /// let message = NmxSubscriptionMessage {
    ///     operation_id: [7; 16],
    ///     records: vec![update],
    /// };
    /// let bytes = message.encode()?;
    /// assert_eq!(NmxSubscriptionMessage::parse_inner(&bytes)?, message);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_inner(message: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(message);
        reader.constant(Field::Command, COMMAND.to_le_bytes())?;
        reader.constant(Field::Version, VERSION.to_le_bytes())?;
        let count_offset = reader.offset();
        let count = i32::from_le_bytes(reader.array(Field::RecordCount)?);
        let operation_id = reader.array(Field::OperationId)?;
        let count = plausible(count, reader.left())
            .map_err(|problem| DecodeError::new(Field::RecordCount, count_offset, problem))?;

        let mut records = Vec::with_capacity(count);
        for _ in 0..count {
            records.push(DataUpdate::read(&mut reader)?);
        }
        reader.end()?;
        Ok(Self {
            operation_id,
            records,
        })
    }

    /// Encodes the message in a buffer of exactly its length, the only allocation.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let count = self.records.len();
        if count > RECORD_LIMIT {
            return Err(EncodeError::TooManyRecords {
                records: count,
                limit: RECORD_LIMIT,
            });
        }
        let records_len: usize = self.records.iter().map(DataUpdate::wire_len).sum();
        let len = PREAMBLE_LEN + records_len;
        let mut message = Vec::with_capacity(len);
        message.extend_from_slice(&COMMAND.to_le_bytes());
        message.extend_from_slice(&VERSION.to_le_bytes());
        message.extend_from_slice(&(count as i32).to_le_bytes());
        message.extend_from_slice(&self.operation_id);
        for record in &self.records {
            record.write(&mut message);
        }
        debug_assert_eq!(
            message.len(),
            len,
            "the length that was reserved is the one that was written"
        );
        Ok(message)
    }
}

/// The count as a capacity, if that many records fit into `left` bytes. It is checked
/// before anything is allocated, because the sender chooses it.
fn plausible(count: i32, left: usize) -> Result<usize, Problem> {
    let Ok(count) = usize::try_from(count) else {
        return Err(Problem::NegativeCount { count });
    };
    let limit = RECORD_LIMIT.min(left / DataUpdate::SMALLEST_WIRE_LEN);
    if count > limit {
        return Err(Problem::CountTooLarge { count, limit });
    }
    Ok(count)
}

#[cfg(test)]
mod tests;
