//! A frame of a call stack.

use std::sync::Arc;

/// A frame of a call stack, with what the executable says about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function's path without the compiler's hash, such as `codec::text::encode`. If no
    /// function of the file is there, the address of the instruction, such as `0x1f40`.
    pub function: Arc<str>,
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
pub enum FrameKind {
    /// Its return address was on the stack.
    Called,
    /// The compiler inlined it into the next frame.
    Inlined,
    /// It was not on the stack: its last action was a jump to the frame before it. The machine
    /// code of its caller names it.
    TailCalled,
}

impl Frame {
    /// Whether the function is known, and not only an address.
    #[must_use]
    pub fn has_name(&self) -> bool {
        !self.function.is_empty() && !self.function.starts_with("0x")
    }
}

/// What stands for the name of a function that is not known.
#[cfg(feature = "executables")]
pub(crate) fn address_name(address: u64) -> Arc<str> {
    format!("{address:#x}").into()
}

/// A frame for each line of a text: its function, and behind `@` its file.
#[cfg(test)]
pub(crate) fn stack(text: &str) -> Vec<Frame> {
    let lines = text.lines().filter(|line| !line.is_empty());
    let frames = lines.map(|line| {
        let (function, file) = line.split_once(" @ ").unzip();
        Frame {
            function: function.unwrap_or(line).trim().into(),
            file: file.map(Into::into),
            line: None,
            column: None,
            kind: FrameKind::Called,
        }
    });
    frames.collect()
}
