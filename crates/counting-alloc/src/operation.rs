//! [`Operation`]: one call of the inner allocator, with the sizes in it.

use std::fmt;

/// One call that the inner allocator served or refused, with the requested sizes in
/// bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// `alloc`.
    Alloc {
        /// The requested size.
        size: usize,
    },
    /// `alloc_zeroed`.
    AllocZeroed {
        /// The requested size.
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
        /// The size of the block.
        size: usize,
    },
    /// Any of the first four, for which the inner allocator returned null.
    Failed {
        /// The requested size.
        size: usize,
    },
}

/// A method of `GlobalAlloc` that may fail. A method and the sizes before and after
/// it fit in three registers. An [`Operation`] would be built on the stack by every
/// call, although few need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Alloc,
    AllocZeroed,
    Realloc,
}

impl Method {
    /// The operation of a call that was to resize `from` live bytes to `to` bytes,
    /// and returned `block`.
    pub(crate) fn operation(self, from: usize, to: usize, block: *mut u8) -> Operation {
        if block.is_null() {
            return Operation::Failed { size: to };
        }
        match self {
            Self::Alloc => Operation::Alloc { size: to },
            Self::AllocZeroed => Operation::AllocZeroed { size: to },
            Self::Realloc => Operation::resize(from, to),
        }
    }
}

impl Operation {
    /// A `realloc` from one size to another.
    #[inline(always)]
    pub(crate) const fn resize(from: usize, to: usize) -> Self {
        if to > from {
            Self::Grow { from, to }
        } else {
            Self::Shrink { from, to }
        }
    }

    /// The size that a call that was served requested, if it requested one.
    #[cfg(feature = "sites")]
    pub(crate) const fn requested(self) -> Option<u64> {
        match self {
            Self::Alloc { size } | Self::AllocZeroed { size } => Some(size as u64),
            Self::Grow { to, .. } | Self::Shrink { to, .. } => Some(to as u64),
            Self::Dealloc { .. } | Self::Failed { .. } => None,
        }
    }

    /// The change of live bytes. The size of a layout is at most `isize::MAX`, so the
    /// difference of two sizes does not overflow.
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
