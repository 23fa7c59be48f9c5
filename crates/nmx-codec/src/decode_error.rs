//! [`DecodeError`]: why bytes are not a message, with the field, its offset and the
//! problem.

use std::error::Error;
use std::fmt;

/// Why bytes are not a message. It reads well after "failed to ...".
///
/// ```
/// use nmx_codec::{Field, write_message};
///
/// let error = write_message::decode(&[0x77]).unwrap_err();
/// assert_eq!((error.field(), error.offset()), (Field::Command, 0));
/// assert_eq!(
///     format!("failed to {error}"),
///     "failed to read the command at offset 0: found 0x77 instead of 0x21",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    field: Field,
    offset: usize,
    problem: Problem,
}

impl DecodeError {
    pub(crate) fn new(field: Field, offset: usize, problem: Problem) -> Self {
        Self {
            field,
            offset,
            problem,
        }
    }

    /// The field that couldn't be read.
    pub fn field(&self) -> Field {
        self.field
    }

    /// The offset of the field, in bytes from the start of the input. For a text with
    /// a wrong unit, the offset of that unit.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The problem with the field.
    pub fn problem(&self) -> Problem {
        self.problem
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            offset,
            problem,
        } = self;
        write!(f, "read {field} at offset {offset}: {problem}")
    }
}

impl Error for DecodeError {}

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The kind of the message.
    Command,
    /// The version of the layout.
    Version,
    /// The machine that serves an object.
    Node,
    /// The process that serves an object.
    Engine,
    /// The connection to that process.
    Lane,
    /// The signature of the object's name.
    ObjectSignature,
    /// The object's slot.
    ObjectSlot,
    /// The signature of the attribute's name.
    AttributeSignature,
    /// The attribute's slot.
    AttributeSlot,
    /// The property of the attribute.
    Property,
    /// The element of an array.
    Element,
    /// The kind of a value.
    Kind,
    /// A value other than a text.
    Value,
    /// The length of a text in bytes.
    TextLength,
    /// The units of a text.
    Text,
    /// The status in a write message's suffix.
    Status,
    /// The token that the answer carries back.
    ClientToken,
    /// The number of the write.
    WriteIndex,
    /// The discriminator in a write message's suffix.
    Discriminator,
    /// The last bytes of a write message.
    Padding,
    /// The number of records.
    RecordCount,
    /// The operation that a subscription message belongs to.
    OperationId,
    /// The quality of a record.
    Quality,
    /// The time stamp of a record.
    Timestamp,
    /// Not a field, but the offset at which the input should end.
    End,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Command => "the command",
            Self::Version => "the version",
            Self::Node => "the node",
            Self::Engine => "the engine",
            Self::Lane => "the lane",
            Self::ObjectSignature => "the object's signature",
            Self::ObjectSlot => "the object's slot",
            Self::AttributeSignature => "the attribute's signature",
            Self::AttributeSlot => "the attribute's slot",
            Self::Property => "the property",
            Self::Element => "the element",
            Self::Kind => "the kind of value",
            Self::Value => "the value",
            Self::TextLength => "the length of the text",
            Self::Text => "the text",
            Self::Status => "the status",
            Self::ClientToken => "the client token",
            Self::WriteIndex => "the write index",
            Self::Discriminator => "the discriminator",
            Self::Padding => "the padding",
            Self::RecordCount => "the record count",
            Self::OperationId => "the operation id",
            Self::Quality => "the quality",
            Self::Timestamp => "the time stamp",
            Self::End => "the end of the message",
        })
    }
}

/// The problem with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The input ends before the field does.
    Truncated {
        /// The field's length in bytes.
        needed: usize,
        /// The number of bytes that are left.
        left: usize,
    },
    /// Bytes follow the message.
    Trailing {
        /// The offset at which the input ends.
        end: usize,
    },
    /// The field has another value than its constant one.
    Unexpected {
        /// The constant.
        expected: u64,
        /// The value in the input.
        found: u64,
    },
    /// No kind of value has this code.
    UnknownKind {
        /// The code.
        found: u8,
    },
    /// A Boolean is neither 0 nor 1.
    NotABoolean {
        /// The value in the input.
        found: u8,
    },
    /// A count is negative.
    NegativeCount {
        /// The count.
        count: i32,
    },
    /// A count is larger than the number of records that can follow.
    CountTooLarge {
        /// The count.
        count: usize,
        /// The maximum: the number of records that fit into the rest of the input,
        /// and at most [`RECORD_LIMIT`](crate::RECORD_LIMIT).
        limit: usize,
    },
    /// A text ends in the middle of a UTF-16 unit.
    OddLength {
        /// The text's length in bytes.
        bytes: u32,
    },
    /// A text is longer than this message may carry.
    TooLong {
        /// The text's length in bytes, its terminator included.
        bytes: u32,
        /// The maximum.
        limit: u32,
    },
    /// A text's last unit isn't NUL, or there is none.
    MissingTerminator,
    /// A text is not valid UTF-16: it has an unpaired surrogate.
    UnpairedSurrogate {
        /// The surrogate.
        unit: u16,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { needed, left } => {
                write!(f, "it needs {needed} B, the input has {left} B left")
            }
            Self::Trailing { end } => write!(f, "the input goes on to offset {end}"),
            Self::Unexpected { expected, found } => {
                write!(f, "found {found:#x} instead of {expected:#x}")
            }
            Self::UnknownKind { found } => write!(f, "no kind has the code {found}"),
            Self::NotABoolean { found } => write!(f, "{found} is neither 0 nor 1"),
            Self::NegativeCount { count } => write!(f, "{count} is negative"),
            Self::CountTooLarge { count, limit } => {
                write!(f, "{count} is more than the {limit} that can follow")
            }
            Self::OddLength { bytes } => {
                write!(f, "{bytes} B are no whole number of UTF-16 units")
            }
            Self::TooLong { bytes, limit } => {
                write!(f, "{bytes} B are more than the {limit} B allowed here")
            }
            Self::MissingTerminator => f.write_str("its last unit isn't NUL"),
            Self::UnpairedSurrogate { unit } => {
                write!(f, "the surrogate {unit:#x} lacks its other half")
            }
        }
    }
}
