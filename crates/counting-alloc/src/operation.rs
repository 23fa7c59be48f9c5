//! [`Operation`]: one call of the inner allocator, with the sizes in it.

use core::fmt;

/// One thing that the inner allocator did, or refused, with the requested sizes
/// in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `alloc`.
    Alloc {
        /// What was asked for.
        size: usize,
    },
    /// `alloc_zeroed`.
    AllocZeroed {
        /// What was asked for.
        size: usize,
    },
    /// `realloc` to a larger size.
    Grow {
        /// The size before.
        from: usize,
        /// The size now.
        to: usize,
    },
    /// `realloc` to a smaller or an equal size.
    Shrink {
        /// The size before.
        from: usize,
        /// The size now.
        to: usize,
    },
    /// `dealloc`.
    Dealloc {
        /// What was given back.
        size: usize,
    },
    /// Any of the first four, for which the inner allocator returned null.
    Failed {
        /// What was asked for.
        size: usize,
    },
}

/// A method of `GlobalAlloc` that may fail. With the sizes before and after it says what was
/// asked for, in three registers: an [`Operation`] would be built on the stack
/// by every call, for the rare ones that need it whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Alloc,
    AllocZeroed,
    Realloc,
}

impl Method {
    /// What became of a call for `from` bytes that were live and `to` bytes that
    /// are to be, when it returned `block`.
    pub(crate) fn outcome(self, from: usize, to: usize, block: *mut u8) -> Operation {
        if block.is_null() {
            return Operation::Failed { size: to };
        }
        match self {
            Self::Alloc => Operation::Alloc { size: to },
            Self::AllocZeroed => Operation::AllocZeroed { size: to },
            Self::Realloc if to > from => Operation::Grow { from, to },
            Self::Realloc => Operation::Shrink { from, to },
        }
    }
}

impl Operation {
    /// The bytes that are live after it and were not before. A layout's size is
    /// at most `isize::MAX`, so the difference of two is a number.
    pub(crate) const fn net_bytes(self) -> isize {
        match self {
            Self::Alloc { size } | Self::AllocZeroed { size } => size as isize,
            Self::Dealloc { size } => -(size as isize),
            Self::Grow { from, to } | Self::Shrink { from, to } => to as isize - from as isize,
            Self::Failed { .. } => 0,
        }
    }
}

/// `alloc 24`, `alloc_zeroed 64`, `grow 24 -> 48`, `shrink 48 -> 16`,
/// `dealloc 16`, `refused 4096`.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alloc { size } => write!(f, "alloc {size}"),
            Self::AllocZeroed { size } => write!(f, "alloc_zeroed {size}"),
            Self::Grow { from, to } => write!(f, "grow {from} -> {to}"),
            Self::Shrink { from, to } => write!(f, "shrink {from} -> {to}"),
            Self::Dealloc { size } => write!(f, "dealloc {size}"),
            Self::Failed { size } => write!(f, "refused {size}"),
        }
    }
}
