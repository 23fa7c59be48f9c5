//! [`Reading`]: the numbers of one iteration, from which metrics are computed.

/// The operations of one reading of a counter, with the requested sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts {
    /// Calls of `alloc` and `alloc_zeroed`.
    pub allocs: u64,
    /// The sum of their sizes.
    pub alloc_bytes: u64,
    /// Calls of `dealloc`.
    pub deallocs: u64,
    /// The sum of their sizes.
    pub dealloc_bytes: u64,
    /// Calls of `realloc` to a larger size.
    pub grows: u64,
    /// The sum of new size minus old size.
    pub grow_bytes: u64,
    /// Calls of `realloc` to a smaller or an equal size.
    pub shrinks: u64,
    /// The sum of old size minus new size.
    pub shrink_bytes: u64,
    /// Calls for which the inner allocator returned null.
    pub failed: u64,
}

/// The calls of `malloc` that C code made by itself, with the requested sizes in
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NativeCounts {
    /// Calls that returned a new block.
    pub allocs: u64,
    /// The sum of their sizes.
    pub bytes: u64,
    /// Calls of `realloc` that resized a live block.
    pub reallocs: u64,
    /// The sum of the whole new sizes that they requested.
    pub realloc_bytes: u64,
    /// Calls that freed a block.
    pub frees: u64,
    /// Calls that returned no memory.
    pub failed: u64,
}

/// The numbers of one iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reading {
    /// The operations.
    pub counts: Counts,
    /// The most bytes live at once above the level at the beginning; `null`
    /// where it was not measured.
    pub peak_bytes: Option<u64>,
    /// The calls of C code; absent where they were not measured, which is the
    /// usual case.
    pub native: Option<Box<NativeCounts>>,
}

impl Counts {
    /// Whether nothing was done.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// The largest of all fields.
    #[must_use]
    pub fn largest(&self) -> u64 {
        let Self {
            allocs,
            alloc_bytes,
            deallocs,
            dealloc_bytes,
            grows,
            grow_bytes,
            shrinks,
            shrink_bytes,
            failed,
        } = *self;
        let operations = allocs.max(deallocs).max(grows).max(shrinks).max(failed);
        let bytes = alloc_bytes
            .max(dealloc_bytes)
            .max(grow_bytes)
            .max(shrink_bytes);
        operations.max(bytes)
    }
}

impl NativeCounts {
    /// The largest of all fields.
    #[must_use]
    pub fn largest(&self) -> u64 {
        let Self {
            allocs,
            bytes,
            reallocs,
            realloc_bytes,
            frees,
            failed,
        } = *self;
        let operations = allocs.max(reallocs).max(frees).max(failed);
        operations.max(bytes).max(realloc_bytes)
    }
}
