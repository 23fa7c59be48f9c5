//! What stands below the counter in a test, and what stands around it. In this
//! crate that is the system's allocator and nothing.

use std::alloc::System;

/// The allocator below the counter, or below a test's own recorder.
pub(crate) type Inner = System;

pub(crate) const INNER: Inner = System;

/// What the counter is wrapped in before it becomes the global allocator.
pub(crate) type Around<A> = A;

pub(crate) const fn around<A>(counter: A) -> Around<A> {
    counter
}
