//! Call stacks, and what the operations on each of them add up to: [`Frame`] and [`SiteRow`].

use alloc_results::Counts;

/// A function on a call stack, and the place in it that the stack goes through.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The demangled name, without a hash.
    pub function: String,
    /// The source file.
    pub file: Option<String>,
    /// The line in it, from 1.
    pub line: Option<u32>,
    /// The column in the line, from 1.
    pub column: Option<u32>,
    /// How the function was entered.
    pub kind: FrameKind,
}

/// How a function was entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrameKind {
    /// By a call.
    #[default]
    Called,
    /// The compiler inlined it into its caller.
    Inlined,
    /// By a jump at the end of another function.
    TailCalled,
}

/// What the operations on one stack add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteRow {
    /// The index of the stack. `None`: all stacks that did not fit into the bench's table.
    pub stack: Option<usize>,
    /// The operations, summed over the iterations.
    pub counts: Counts,
    /// The blocks that were allocated here and are live at the end of an iteration, summed.
    pub kept: Kept,
    /// The bytes that were allocated here and are live at the peak of an iteration, summed.
    pub peak_bytes: u64,
}

/// Blocks, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The number of blocks.
    pub blocks: i64,
    /// Their bytes.
    pub bytes: i64,
}

/// The change of the blocks from before an iteration: negative if it freed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeforeRow {
    /// The change until its end.
    pub kept: Kept,
    /// The change of their bytes until its peak.
    pub peak_bytes: i64,
}
