//! [`Watched`]: the allocator below the counter, which tells a test of its calls, and refuses those
//! that the test wants to be refused.

use std::alloc::{GlobalAlloc, Layout};
use std::marker::PhantomData;
use std::ptr;

use own_process::inner::{INNER, Inner};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Alloc,
    AllocZeroed,
    Realloc,
    Dealloc,
}

/// One call of the inner allocator, with its arguments and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// The block of the call; null for a new one.
    pub(crate) block: *mut u8,
    pub(crate) layout: Layout,
    /// The new size of a `realloc`; otherwise 0.
    pub(crate) new_size: usize,
    /// The result; null for `dealloc` and for refused calls, and before the call.
    pub(crate) result: *mut u8,
}

impl Call {
    pub(crate) const fn new(
        method: Method,
        (block, layout, new_size): (*mut u8, Layout, usize),
        result: *mut u8,
    ) -> Self {
        Self {
            method,
            block,
            layout,
            new_size,
            result,
        }
    }
}

/// What the test does at each call.
pub(crate) trait Watch {
    /// Whether a request is refused; it is asked before the call.
    fn refuses(call: Call) -> bool;

    /// Hears of a call that was made or refused.
    fn saw(call: Call);
}

/// It has no size, like most allocators, if the allocator of the suite has none.
pub(crate) struct Watched<W>(Inner, PhantomData<W>);

impl<W: Watch> Watched<W> {
    pub(crate) const fn new() -> Self {
        Self(INNER, PhantomData)
    }

    /// Answers a request. `call` is what the allocator of the suite does.
    fn request(
        method: Method,
        arguments: (*mut u8, Layout, usize),
        call: impl FnOnce() -> *mut u8,
    ) -> *mut u8 {
        let is_refused = W::refuses(Call::new(method, arguments, ptr::null_mut()));
        let result = if is_refused { ptr::null_mut() } else { call() };
        W::saw(Call::new(method, arguments, result));
        result
    }
}

// SAFETY: every call goes to `Inner` with the same arguments, or returns null, which each method
// may. A test that allocates in its answer does so once, so the recursion ends.
unsafe impl<W: Watch> GlobalAlloc for Watched<W> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let call = || unsafe { self.0.alloc(layout) };
        Self::request(Method::Alloc, (ptr::null_mut(), layout, 0), call)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let call = || unsafe { self.0.alloc_zeroed(layout) };
        Self::request(Method::AllocZeroed, (ptr::null_mut(), layout, 0), call)
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let call = || unsafe { self.0.realloc(block, layout, new_size) };
        Self::request(Method::Realloc, (block, layout, new_size), call)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) };
        W::saw(Call::new(
            Method::Dealloc,
            (block, layout, 0),
            ptr::null_mut(),
        ));
    }
}
