//! [`Counters`]: the requests of a cache and its memory, as exact counts.

/// The counts of a cache since it was made. Sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Requests that got memory of the cache.
    pub hits: u64,
    /// Requests that got memory from the driver.
    pub misses: u64,
    /// Requests that ended with an error.
    pub refused: u64,
    /// Cached blocks that were freed with the driver.
    pub released: u64,
    /// Memory obtained from the driver and not freed, whether in use or cached.
    pub reserved: u64,
    /// The highest value of `reserved`.
    pub reserved_peak: u64,
    /// The part of `reserved` that is handed out: whole blocks, in the sizes of their
    /// classes.
    pub in_use: u64,
    /// The highest value of `in_use`.
    pub in_use_peak: u64,
    /// The sizes that were asked for, of the blocks in use. The difference to `in_use` is
    /// the waste of size classes.
    pub requested: u64,
}

impl Counters {
    /// All requests. The hit rate is `hits` of these.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.hits + self.misses + self.refused
    }

    pub(crate) fn reserve(&mut self, class: u64) {
        self.reserved += class;
        self.reserved_peak = self.reserved_peak.max(self.reserved);
    }

    pub(crate) fn release(&mut self, class: u64) {
        self.released += 1;
        self.reserved -= class;
    }

    pub(crate) fn hand_out(&mut self, class: u64, requested: u64) {
        self.in_use += class;
        self.in_use_peak = self.in_use_peak.max(self.in_use);
        self.requested += requested;
    }

    pub(crate) fn take_back(&mut self, class: u64, requested: u64) {
        self.in_use -= class;
        self.requested -= requested;
    }
}
