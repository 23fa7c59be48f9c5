//! A small binary codec with known allocations: the worked example of a gate on
//! allocation counts.
//!
//! The messages are modelled on an industrial data service: one message writes a
//! value to an attribute of an object, another reports that values have changed.
//! They are a *model* with its own layout and names, which allocates like a real
//! codec. No product uses this protocol.
//!
//! ```
//! use nmx_codec::MxReferenceHandle;
//! use nmx_codec::write_message::{self, WriteValue};
//!
//! let handle = MxReferenceHandle::from_names("Reactor.Cooling", "Setting");
//! let message = write_message::encode(&handle, &WriteValue::Int32(21), 1, 99)?;
//! assert_eq!(message.len(), 40);
//!
//! let decoded = write_message::decode(&message)?;
//! assert_eq!(decoded.target, handle.target);
//! assert_eq!(decoded.value, WriteValue::Int32(21));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Allocations
//!
//! Each buffer is made once, with its exact capacity, so nothing is reallocated, except
//! for names that aren't ASCII (see [`MxReferenceHandle::from_names`]). The code explains
//! each allocation, and the crate's README lists all of them.
//!
//! # What it refuses
//!
//! Decoding is strict: a decoded message encodes to the same bytes again. Any other
//! input is a [`DecodeError`], which names the field and its offset. No input makes a
//! decoder panic, or allocate more than a small multiple of the input's length.
//!
//! The crate depends only on `std`.

#![forbid(unsafe_code)]

mod decode_error;
mod encode_error;
mod kind;
mod reader;
mod reference_handle;
mod signature;
mod subscription;
mod text;
pub mod write_message;

pub use decode_error::{DecodeError, Field, Problem};
pub use encode_error::EncodeError;
pub use kind::ValueKind;
pub use reference_handle::{MxReferenceHandle, Route, Target};
pub use subscription::{
    DataUpdate, NmxSubscriptionMessage, Quality, RECORD_LIMIT, SHORT_TEXT_LIMIT, Scalar, Status,
    Timestamp,
};
pub use text::TEXT_LIMIT;
