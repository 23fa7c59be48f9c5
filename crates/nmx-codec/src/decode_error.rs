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

/// Makes the fields, each with its name in an error.
macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident = $name:literal,)*) => {
        /// A field of a message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Field {
            $($(#[$doc])* $field,)*
        }

        impl fmt::Display for Field {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$field => $name,)*
                })
            }
        }
    };
}

fields! {
    /// The kind of the message.
    Command = "the command",
    /// The version of the layout.
    Version = "the version",
    /// The machine that serves an object.
    Node = "the node",
    /// The process that serves an object.
    Engine = "the engine",
    /// The connection to that process.
    Lane = "the lane",
    /// The signature of the object's name.
    ObjectSignature = "the object's signature",
    /// The object's slot.
    ObjectSlot = "the object's slot",
    /// The signature of the attribute's name.
    AttributeSignature = "the attribute's signature",
    /// The attribute's slot.
    AttributeSlot = "the attribute's slot",
    /// The property of the attribute.
    Property = "the property",
    /// The element of an array.
    Element = "the element",
    /// The kind of a value.
    Kind = "the kind of value",
    /// A value other than a text.
    Value = "the value",
    /// The length of a text in bytes.
    TextLength = "the length of the text",
    /// The units of a text.
    Text = "the text",
    /// The status in a write message's suffix.
    Status = "the status",
    /// The token that the answer carries back.
    ClientToken = "the client token",
    /// The number of the write.
    WriteIndex = "the write index",
    /// The discriminator in a write message's suffix.
    Discriminator = "the discriminator",
    /// The last bytes of a write message.
    Padding = "the padding",
    /// The number of records.
    RecordCount = "the record count",
    /// The operation that a subscription message belongs to.
    OperationId = "the operation id",
    /// The quality of a record.
    Quality = "the quality",
    /// The time stamp of a record.
    Timestamp = "the time stamp",
    /// Not a field, but the offset at which the input should end.
    End = "the end of the message",
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
