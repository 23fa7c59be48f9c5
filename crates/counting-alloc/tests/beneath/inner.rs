//! The allocator below the counter in a test, and the wrapper around it. In this crate
//! they are the system's allocator and nothing. The crate `proof-suites` runs the same
//! tests over other allocators, selected by its features.

/// The allocator below the counter, or below a test's own recorder.
pub(crate) use below::{INNER, Inner};

/// The wrapper around the counter, which becomes the global allocator.
pub(crate) use around::{Around, around};

#[cfg(not(any(
    feature = "over-mimalloc",
    feature = "over-snmalloc",
    feature = "over-divan",
    feature = "over-dhat",
    feature = "over-stats-alloc",
)))]
mod below {
    pub(crate) type Inner = std::alloc::System;
    pub(crate) const INNER: Inner = std::alloc::System;
}

#[cfg(feature = "over-mimalloc")]
mod below {
    pub(crate) type Inner = mimalloc::MiMalloc;
    pub(crate) const INNER: Inner = mimalloc::MiMalloc;
}

#[cfg(feature = "over-snmalloc")]
mod below {
    pub(crate) type Inner = snmalloc_rs::SnMalloc;
    pub(crate) const INNER: Inner = snmalloc_rs::SnMalloc;
}

#[cfg(feature = "over-divan")]
mod below {
    pub(crate) type Inner = divan::AllocProfiler;
    pub(crate) const INNER: Inner = divan::AllocProfiler::system();
}

#[cfg(feature = "over-dhat")]
mod below {
    pub(crate) type Inner = dhat::Alloc;
    pub(crate) const INNER: Inner = dhat::Alloc;
}

#[cfg(feature = "over-stats-alloc")]
mod below {
    use std::alloc::System;

    pub(crate) type Inner = stats_alloc::StatsAlloc<System>;
    pub(crate) const INNER: Inner = stats_alloc::StatsAlloc::system();
}

#[cfg(not(feature = "inside-divan"))]
mod around {
    pub(crate) type Around<A> = A;

    pub(crate) const fn around<A>(counter: A) -> Around<A> {
        counter
    }
}

#[cfg(feature = "inside-divan")]
mod around {
    pub(crate) type Around<A> = divan::AllocProfiler<A>;

    pub(crate) const fn around<A>(counter: A) -> Around<A> {
        divan::AllocProfiler::new(counter)
    }
}
