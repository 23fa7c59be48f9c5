//! [`Sizes`]: the largest request of a window, and how many requests are over each of
//! its limits.

use core::ptr;
// Not those of `sync`: they only sum, and are read after the threads that write them are
// synchronised with, so models have nothing to check here.
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize};

use crate::operation::Operation;

/// The maximum number of limits of a window.
const MOST: usize = 16;

/// Sizes in bytes. A window counts the requests that are larger than each; see
/// [`Window::with_sizes`](crate::Window::with_sizes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeLimits {
    limits: [u64; MOST],
    len: usize,
}

/// The sizes of a window's requests: of the calls of `alloc` and `alloc_zeroed`, and of
/// `realloc` with its new size, where the inner allocator succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The largest requested size in bytes; 0 if there was no request.
    pub largest: u64,
    over: [u64; MOST],
    len: usize,
}

impl SizeLimits {
    /// The maximum number of limits.
    pub const CAPACITY: usize = MOST;

    /// No limits, for windows that only keep the largest size.
    pub const NONE: Self = Self {
        limits: [0; MOST],
        len: 0,
    };

    /// These limits, in bytes; `None` if there are more than [`CAPACITY`](Self::CAPACITY).
    #[must_use]
    pub fn new(bytes: &[u64]) -> Option<Self> {
        let mut limits = Self::NONE;
        limits.limits.get_mut(..bytes.len())?.copy_from_slice(bytes);
        limits.len = bytes.len();
        Some(limits)
    }

    /// The limits in bytes, in order.
    #[must_use]
    pub fn bytes(&self) -> &[u64] {
        &self.limits[..self.len]
    }

    /// The sizes of no requests.
    pub(crate) const fn nothing(&self) -> Sizes {
        Sizes {
            largest: 0,
            over: [0; MOST],
            len: self.len,
        }
    }
}

impl Sizes {
    /// The number of requests that are larger than each limit, in the order of the limits.
    #[must_use]
    pub fn over(&self) -> &[u64] {
        &self.over[..self.len]
    }

    /// Adds a request.
    #[cfg(feature = "sites")]
    #[inline(always)]
    pub(crate) fn add(&mut self, size: u64, limits: &SizeLimits) {
        self.largest = self.largest.max(size);
        self.len = limits.len;
        for (limit, over) in limits.bytes().iter().zip(&mut self.over) {
            *over += u64::from(size > *limit);
        }
    }

    /// The sizes of the requests of two windows with the same limits.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.largest = self.largest.max(other.largest);
        self.len = self.len.max(other.len);
        for (sum, over) in self.over.iter_mut().zip(&other.over) {
            *sum += over;
        }
        self
    }
}

/// The sizes of an open window. Threads write it with locked instructions.
#[derive(Debug)]
pub(crate) struct SizeCounts {
    is_open: AtomicBool,
    limits: [AtomicU64; MOST],
    len: AtomicUsize,
    largest: AtomicU64,
    over: [AtomicU64; MOST],
    /// Those of the outer window of the thread, or null.
    outer: AtomicPtr<SizeCounts>,
}

impl SizeCounts {
    /// Sizes that nothing is added to until they are opened.
    pub(crate) const fn new() -> Self {
        Self {
            is_open: AtomicBool::new(false),
            limits: [const { AtomicU64::new(0) }; MOST],
            len: AtomicUsize::new(0),
            largest: AtomicU64::new(0),
            over: [const { AtomicU64::new(0) }; MOST],
            outer: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Begins at zero. No thread adds a request at the same time.
    pub(crate) fn open(&self, limits: &SizeLimits) {
        for (own, &limit) in self.limits.iter().zip(&limits.limits) {
            own.store(limit, Relaxed);
        }
        for over in &self.over {
            over.store(0, Relaxed);
        }
        self.len.store(limits.len, Relaxed);
        self.largest.store(0, Relaxed);
        self.is_open.store(true, Relaxed);
    }

    /// Ends, and returns the sizes; `None` if they were not opened.
    pub(crate) fn close(&self) -> Option<Sizes> {
        if !self.is_open.swap(false, Relaxed) {
            return None;
        }
        let mut sizes = Sizes {
            largest: self.largest.load(Relaxed),
            over: [0; MOST],
            len: self.len.load(Relaxed),
        };
        for (sum, over) in sizes.over.iter_mut().zip(&self.over) {
            *sum = over.load(Relaxed);
        }
        Some(sizes)
    }

    /// Adds a request, if the sizes are open.
    pub(crate) fn add(&self, size: u64) {
        if !self.is_open.load(Relaxed) {
            return;
        }
        self.largest.fetch_max(size, Relaxed);
        let limits = self.limits.iter().take(self.len.load(Relaxed));
        for (limit, over) in limits.zip(&self.over) {
            if size > limit.load(Relaxed) {
                over.fetch_add(1, Relaxed);
            }
        }
    }

    /// Those of the outer window of the thread, or null.
    #[cfg(feature = "std")]
    pub(crate) fn outer(&self) -> *mut Self {
        self.outer.load(Relaxed)
    }

    #[cfg(feature = "std")]
    pub(crate) fn set_outer(&self, outer: *mut Self) {
        self.outer.store(outer, Relaxed);
    }
}

impl Operation {
    /// The size that a call that was served requested, if it requested one.
    pub(crate) const fn requested(self) -> Option<u64> {
        match self {
            Self::Alloc { size } | Self::AllocZeroed { size } => Some(size as u64),
            Self::Grow { to, .. } | Self::Shrink { to, .. } => Some(to as u64),
            Self::Dealloc { .. } | Self::Failed { .. } => None,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_a_limit_is_not_over_it() {
        let counts = SizeCounts::new();
        counts.add(7);
        assert_eq!(counts.close(), None);
        counts.open(&SizeLimits::new(&[64, 8]).expect("2 fit"));
        for operation in [
            Operation::Alloc { size: 8 },
            Operation::AllocZeroed { size: 9 },
            Operation::Grow { from: 9, to: 65 },
            Operation::Shrink { from: 65, to: 64 },
            Operation::Dealloc { size: 1_000 },
            Operation::Failed { size: 2_000 },
        ] {
            operation
                .requested()
                .into_iter()
                .for_each(|size| counts.add(size));
        }
        let sizes = counts.close().expect("it was open");
        assert_eq!((sizes.largest, sizes.over()), (65, &[1, 3][..]));
        let both = sizes.with(&sizes);
        assert_eq!(Sizes::default().with(&sizes), sizes);
        assert_eq!((both.largest, both.over()), (65, &[2, 6][..]));
    }

    #[test]
    fn there_are_at_most_16_limits() {
        assert!(SizeLimits::new(&[1; SizeLimits::CAPACITY]).is_some());
        assert_eq!(SizeLimits::new(&[1; SizeLimits::CAPACITY + 1]), None);
        assert_eq!(SizeLimits::new(&[]), Some(SizeLimits::NONE));
    }
}
