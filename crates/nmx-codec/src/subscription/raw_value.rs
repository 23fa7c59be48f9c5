//! The bytes of a value as they came, kept inline. It knows nothing of what
//! they mean.

use crate::text::{PREFIX_LEN, wire_len};

/// The most UTF-16 units that the text of a [`DataUpdate`](super::DataUpdate)
/// may have, its terminator not counted: a subscriber that needs longer ones
/// reads them. It is what lets a record be kept inline.
pub const SHORT_TEXT_LIMIT: usize = 13;

/// The room for the longest value, a text with its length and terminator.
const CAPACITY: usize = PREFIX_LEN + wire_len(SHORT_TEXT_LIMIT);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawValue {
    /// Zero from `len` on, so that equal values are equal throughout.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_out_as_they_went_in() {
        let most: Vec<u8> = (1..=32).collect();
        for len in 0..=most.len() {
            assert_eq!(RawValue::new(&most[..len]).as_bytes(), &most[..len]);
        }
        assert_eq!(most.len(), CAPACITY);
    }
}
