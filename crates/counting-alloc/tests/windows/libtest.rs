//! Keeps libtest's own thread out of the counts in the build without std, where the
//! counter can't tell threads apart. With `--test-threads=1`, that thread starts a
//! thread for each test and waits for it, and its allocations until then would be in a
//! window. They bypass the counter, to the allocator below.

/// A counter, and the flag that keeps that thread out of it.
pub(crate) use apart::{Apart, apart};

#[cfg(feature = "std")]
mod apart {
    pub(crate) type Apart<A> = A;

    pub(crate) const fn apart<A>(counter: A) -> Apart<A> {
        counter
    }
}

#[cfg(not(feature = "std"))]
#[expect(unsafe_code, reason = "it implements GlobalAlloc")]
mod apart {
    use std::alloc::{GlobalAlloc, Layout};
    use std::cell::Cell;
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::Relaxed;

    use own_process::inner::INNER;

    /// A counter that the first thread of the process bypasses.
    pub(crate) struct Apart<A>(A);

    pub(crate) const fn apart<A>(counter: A) -> Apart<A> {
        Apart(counter)
    }

    /// Whether anything was allocated yet. The first thread allocates first.
    static BEGUN: AtomicBool = AtomicBool::new(false);

    thread_local! {
        /// It has no destructor, so it lives as long as the thread.
        static IS_FIRST: Cell<Option<bool>> = const { Cell::new(None) };
    }

    fn is_first() -> bool {
        IS_FIRST.get().unwrap_or_else(|| {
            let is_first = !BEGUN.swap(true, Relaxed);
            IS_FIRST.set(Some(is_first));
            is_first
        })
    }

    // SAFETY: every call goes to `A`, which forwards it to `INNER`, or directly to
    // `INNER`, with the same arguments, so either may free a block of the other.
    unsafe impl<A: GlobalAlloc> GlobalAlloc for Apart<A> {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            if is_first() {
                // SAFETY: the caller's contract, passed on.
                return unsafe { INNER.alloc(layout) };
            }
            // SAFETY: the caller's contract, passed on.
            unsafe { self.0.alloc(layout) }
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            if is_first() {
                // SAFETY: the caller's contract, passed on.
                return unsafe { INNER.alloc_zeroed(layout) };
            }
            // SAFETY: the caller's contract, passed on.
            unsafe { self.0.alloc_zeroed(layout) }
        }

        unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
            if is_first() {
                // SAFETY: the caller's contract, passed on.
                return unsafe { INNER.realloc(block, layout, new_size) };
            }
            // SAFETY: the caller's contract, passed on.
            unsafe { self.0.realloc(block, layout, new_size) }
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            if is_first() {
                // SAFETY: the caller's contract, passed on.
                return unsafe { INNER.dealloc(block, layout) };
            }
            // SAFETY: the caller's contract, passed on.
            unsafe { self.0.dealloc(block, layout) };
        }
    }
}
