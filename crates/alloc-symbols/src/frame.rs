//! A frame of a call stack.

use std::sync::Arc;

use crate::blame::Named;

/// A frame of a call stack, with what the executable says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// Where the instruction is that made the call, as an address in the file.
    pub address: u64,
    /// The function's path without the compiler's hash, such as `codec::text::encode`. `None`
    /// if no function of the file is at the address.
    pub function: Option<Arc<str>>,
    /// The source file, as the compiler was given it.
    pub file: Option<Arc<str>>,
    /// The line of the call. `None` where several calls are possible, or the file has no line
    /// tables for this function.
    pub line: Option<u32>,
    /// The column at which the call begins, counted from 1 in bytes.
    pub column: Option<u32>,
    /// How the frame was found.
    pub kind: FrameKind,
}

/// How a frame was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrameKind {
    /// Its return address was on the stack.
    Called,
    /// The compiler inlined it into the next frame.
    Inlined,
    /// It was not on the stack: its last action was a jump to the frame before it. The machine
    /// code of its caller names it.
    TailCalled,
}

impl Named for Frame {
    fn function(&self) -> &str {
        self.function.as_deref().unwrap_or_default()
    }

    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }
}
