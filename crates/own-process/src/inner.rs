//! The allocator below the counter in a test, and the wrapper around it: the system's allocator
//! and nothing. The crate `proof-suites` runs the tests of counting-alloc over others, by features.

/// Defines the allocator below under a condition.
macro_rules! inner {
    ($condition:meta, $type:ty, $value:expr) => {
        /// The allocator below the counter, or below a test's own recorder.
        #[cfg($condition)]
        pub type Inner = $type;

        /// The allocator below.
        #[cfg($condition)]
        pub const INNER: Inner = $value;
    };
}

inner!(
    not(any(
        feature = "over-mimalloc",
        feature = "over-snmalloc",
        feature = "over-divan",
        feature = "over-dhat",
    )),
    std::alloc::System,
    std::alloc::System
);
inner!(
    feature = "over-mimalloc",
    mimalloc::MiMalloc,
    mimalloc::MiMalloc
);
inner!(
    feature = "over-snmalloc",
    snmalloc_rs::SnMalloc,
    snmalloc_rs::SnMalloc
);
inner!(
    feature = "over-divan",
    divan::AllocProfiler,
    divan::AllocProfiler::system()
);
inner!(feature = "over-dhat", dhat::Alloc, dhat::Alloc);

/// The wrapper around the counter, which becomes the global allocator.
#[cfg(not(feature = "inside-divan"))]
pub type Around<A> = A;

/// Wraps the counter.
#[cfg(not(feature = "inside-divan"))]
pub const fn around<A>(counter: A) -> Around<A> {
    counter
}

/// The wrapper around the counter, which becomes the global allocator.
#[cfg(feature = "inside-divan")]
pub type Around<A> = divan::AllocProfiler<A>;

/// Wraps the counter.
#[cfg(feature = "inside-divan")]
pub const fn around<A>(counter: A) -> Around<A> {
    divan::AllocProfiler::new(counter)
}
