//! [`RawValue`]: the bytes of a value as they were received, kept inline.

use crate::text::{PREFIX_LEN, wire_len};

/// The maximum length of the text in a [`DataUpdate`](super::DataUpdate), in UTF-16
/// units without the terminator. It allows a record to be kept inline. A subscriber that
/// needs longer texts reads them separately.
pub const SHORT_TEXT_LIMIT: usize = 13;

/// The size of the longest value, a text with its length and terminator.
const CAPACITY: usize = PREFIX_LEN + wire_len(SHORT_TEXT_LIMIT);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawValue {
    /// The bytes, zero from `len` on, so that equal values have equal arrays.
    bytes: [u8; CAPACITY],
    /// At most `CAPACITY`.
    len: u8,
}

impl RawValue {
    pub(super) fn new(value: &[u8]) -> Self {
        debug_assert!(
            value.len() <= CAPACITY,
            "no value has more than {CAPACITY} B, this one has {} B",
            value.len()
        );
        let mut bytes = [0; CAPACITY];
        bytes[..value.len()].copy_from_slice(value);
        Self {
            bytes,
            len: value.len() as u8,
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}
