//! [`Reading`]: the numbers of one iteration, from which metrics are computed.

/// The operations of one reading of a counter, with the requested sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub struct Counts {
    /// Calls of `alloc`, `alloc_zeroed` and `realloc`.
    pub allocs: u64,
    /// How many of them were calls of `realloc`.
    pub reallocs: u64,
    /// Calls of `dealloc`.
    pub deallocs: u64,
    /// The sizes of new blocks, and the bytes that reallocations added.
    pub bytes: u64,
    /// The sizes of freed blocks, and the bytes that reallocations removed.
    pub freed_bytes: u64,
}

/// The numbers of one iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub struct Reading {
    /// The operations.
    pub counts: Counts,
    /// The most bytes live at once above the level at the beginning; `null`
    /// where it was not measured.
    pub peak_bytes: Option<u64>,
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
            reallocs,
            deallocs,
            bytes,
            freed_bytes,
        } = *self;
        let operations = allocs.max(reallocs).max(deallocs);
        operations.max(bytes).max(freed_bytes)
    }
}
