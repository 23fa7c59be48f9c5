//! [`EncodeError`]: why a value can't be encoded. Encoding keeps to the limits of
//! decoding, so that every encoded message can be decoded.

use std::error::Error;
use std::fmt;

/// Why a value can't be encoded. It reads well after "failed to ...".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// A text is too long for its message.
    TextTooLong {
        /// Its length in UTF-16 units.
        units: usize,
        /// The maximum.
        limit: usize,
    },
    /// A subscription message has too many records.
    TooManyRecords {
        /// The number of records.
        records: usize,
        /// The maximum.
        limit: usize,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TextTooLong { units, limit } => write!(
                f,
                "encode a text of {units} UTF-16 units: the limit is {limit}"
            ),
            Self::TooManyRecords { records, limit } => {
                write!(f, "encode {records} records: the limit is {limit}")
            }
        }
    }
}

impl Error for EncodeError {}
