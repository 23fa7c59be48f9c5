//! The codec of the worked example: no bytes make decoding them panic, or allocate more than a
//! small multiple of their length. What is accepted encodes to the same bytes.

use alloc_assert::assert_allocs;
use nmx_codec::write_message;
use nmx_codec::{MxReferenceHandle, NmxSubscriptionMessage, Route};

/// The shortest record takes 12 bytes, and 72 in memory.
const MOST_MEMORY_A_BYTE: usize = 6;

/// Checks one message.
pub fn check(bytes: &[u8]) {
    let most = MOST_MEMORY_A_BYTE * bytes.len();
    let decoded = assert_allocs!(write_message::decode(bytes), "bytes <= {most}");
    if let Ok(decoded) = decoded {
        let handle = MxReferenceHandle {
            route: Route::default(),
            target: decoded.target,
        };
        let (index, token) = (decoded.write_index, decoded.client_token);
        let again = write_message::encode(&handle, &decoded.value, index, token);
        assert_eq!(again.as_deref(), Ok(bytes));
    }
    let parsed = assert_allocs!(
        NmxSubscriptionMessage::parse_inner(bytes),
        "bytes <= {most}"
    );
    if let Ok(parsed) = parsed {
        assert_eq!(parsed.encode().as_deref(), Ok(bytes));
    }
}
