//! [`Frame`]: a function of a call stack, with its place in the sources.

use alloc_symbols::Named;

/// A function of a call stack. A stack has them innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The demangled name, without a hash; an address where there is no name.
    pub function: String,
    /// The file, absolute or relative to the root of the workspace; `None` without line tables.
    pub file: Option<String>,
    /// The line of the call, or of the inlined function's call, from 1.
    pub line: Option<u32>,
    /// Its column in bytes, from 1.
    pub column: Option<u32>,
    /// How the frame came to be in the stack.
    pub kind: FrameKind,
}

/// How a frame came to be in a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrameKind {
    /// By a call: the stack has its return address.
    #[default]
    Called,
    /// By inlining, which the line tables tell.
    Inlined,
    /// By a tail call, which leaves no return address; it was found in the machine code.
    TailCalled,
}

impl Named for Frame {
    fn function(&self) -> &str {
        &self.function
    }

    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }
}
