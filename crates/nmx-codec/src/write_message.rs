//! The write message: a client's request to set an attribute.
//!
//! | bytes | field |
//! |---|---|
//! | 1 | command, `0x21` |
//! | 2 | version, 1 |
//! | 14 | [`Target`], the handle without its route |
//! | 1 | kind of the value, so at offset 17 |
//! | 1, 4, 8 or a text's | value |
//! | 2 | status, 0: the answer fills it |
//! | 8 | client token |
//! | 4 | write index |
//! | 2 | discriminator, -1 |
//! | 2 | padding, 0 |
//!
//! All integers are little-endian.

mod value;

pub use value::WriteValue;

use crate::decode_error::{DecodeError, Field};
use crate::encode_error::EncodeError;
use crate::kind::ValueKind;
use crate::reader::Reader;
use crate::reference_handle::{MxReferenceHandle, Target};
use value::Body;

const COMMAND: u8 = 0x21;
const VERSION: u16 = 1;
const STATUS: u16 = 0;
const DISCRIMINATOR: i16 = -1;
const PADDING: u16 = 0;

const HEAD_LEN: usize =
    size_of_val(&COMMAND) + size_of_val(&VERSION) + Target::WIRE_LEN + size_of::<ValueKind>();
const SUFFIX_LEN: usize = size_of_val(&STATUS)
    + size_of::<u64>()
    + size_of::<u32>()
    + size_of_val(&DISCRIMINATOR)
    + size_of_val(&PADDING);

/// The content of a write message.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteMessage {
    /// The attribute to set.
    pub target: Target,
    /// The new value.
    pub value: WriteValue,
    /// The number of the write, counted by the client.
    pub write_index: u32,
    /// The answer carries it back.
    pub client_token: u64,
}

/// Encodes the message that sets the handle's attribute to the value, in a buffer of
/// exactly its length.
///
/// It allocates that buffer, and the buffers of [`encode_into`].
pub fn encode(
    handle: &MxReferenceHandle,
    value: &WriteValue,
    write_index: u32,
    client_token: u64,
) -> Result<Vec<u8>, EncodeError> {
    let mut message = Vec::new();
    encode_into(&mut message, handle, value, write_index, client_token)?;
    Ok(message)
}

/// Replaces the content of `message` by the message that sets the handle's attribute
/// to the value. On an error, `message` is unchanged.
///
/// A caller that keeps a large enough buffer allocates only the scratch buffers of the
/// value, and nothing for a Boolean.
///
/// ```
/// use nmx_codec::MxReferenceHandle;
/// use nmx_codec::write_message::{self, WriteValue};
///
/// let handle = MxReferenceHandle::from_names("Reactor.Cooling", "Setting");
/// let mut message = Vec::new();
/// for (index, on) in [true, false].into_iter().enumerate() {
///     let value = WriteValue::Boolean(on);
///     write_message::encode_into(&mut message, &handle, &value, index as u32, 99)?;
///     assert_eq!(message.len(), 37);
/// }
/// # Ok::<(), nmx_codec::EncodeError>(())
/// ```
pub fn encode_into(
    message: &mut Vec<u8>,
    handle: &MxReferenceHandle,
    value: &WriteValue,
    write_index: u32,
    client_token: u64,
) -> Result<(), EncodeError> {
    let body = Body::new(value)?;
    let body = body.as_bytes();
    let len = HEAD_LEN + body.len() + SUFFIX_LEN;
    message.clear();
    // `reserve` would round the capacity up.
    message.reserve_exact(len);

    message.extend_from_slice(&COMMAND.to_le_bytes());
    message.extend_from_slice(&VERSION.to_le_bytes());
    message.extend_from_slice(&handle.target.to_wire());
    message.push(value.kind().code());
    message.extend_from_slice(body);
    message.extend_from_slice(&STATUS.to_le_bytes());
    message.extend_from_slice(&client_token.to_le_bytes());
    message.extend_from_slice(&write_index.to_le_bytes());
    message.extend_from_slice(&DISCRIMINATOR.to_le_bytes());
    message.extend_from_slice(&PADDING.to_le_bytes());
    debug_assert_eq!(
        message.len(),
        len,
        "the length that was reserved is the one that was written"
    );
    Ok(())
}

/// Decodes a message that fills the whole input.
///
/// It allocates the text of a [`WriteValue::String`], and nothing for other kinds.
pub fn decode(message: &[u8]) -> Result<WriteMessage, DecodeError> {
    let mut reader = Reader::new(message);
    reader.constant(Field::Command, COMMAND.to_le_bytes())?;
    reader.constant(Field::Version, VERSION.to_le_bytes())?;
    let target = Target::read(&mut reader)?;
    let value = WriteValue::read(&mut reader)?;
    reader.constant(Field::Status, STATUS.to_le_bytes())?;
    let client_token = u64::from_le_bytes(reader.array(Field::ClientToken)?);
    let write_index = u32::from_le_bytes(reader.array(Field::WriteIndex)?);
    reader.constant(Field::Discriminator, DISCRIMINATOR.to_le_bytes())?;
    reader.constant(Field::Padding, PADDING.to_le_bytes())?;
    reader.end()?;
    Ok(WriteMessage {
        target,
        value,
        write_index,
        client_token,
    })
}

#[cfg(test)]
mod tests;
