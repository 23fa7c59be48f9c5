//! The allocator below the counter. It records the calling thread's calls and its
//! results, and refuses a request on demand.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr;

use own_process::inner::{INNER, Inner};

/// A recorder over the allocator that the suite runs on.
pub(crate) struct Recorder(Inner);

impl Recorder {
    pub(crate) const fn new() -> Self {
        Self(INNER)
    }
}

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
    /// The result; null for `dealloc` and for refused calls.
    pub(crate) result: *mut u8,
}

/// The number of calls of a step that are kept. All calls are counted.
const KEPT: usize = 2;

/// The calls that the thread's inner allocator saw since [`watch`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    number: usize,
    calls: [Option<Call>; KEPT],
}

const NOTHING: Seen = Seen {
    number: 0,
    calls: [None; KEPT],
};

thread_local! {
    // Neither has a destructor, so both live as long as the thread.
    static SEEN: Cell<Seen> = const { Cell::new(NOTHING) };
    static REFUSING: Cell<bool> = const { Cell::new(false) };
}

/// Forgets the calling thread's calls.
pub(crate) fn watch() {
    SEEN.set(NOTHING);
}

/// Makes the calling thread's next request fail.
pub(crate) fn refuse_next() {
    REFUSING.set(true);
}

/// The calling thread's calls since [`watch`].
pub(crate) fn seen() -> Seen {
    SEEN.get()
}

impl Seen {
    /// Whether exactly `call` was made.
    pub(crate) fn is_only(&self, call: Call) -> bool {
        self.number == 1 && self.calls[0] == Some(call)
    }
}

fn keep(call: Call) -> *mut u8 {
    let mut seen = SEEN.get();
    if let Some(place) = seen.calls.get_mut(seen.number) {
        *place = Some(call);
    }
    seen.number += 1;
    SEEN.set(seen);
    call.result
}

/// Keeps a call that may be refused. `call` is what the allocator below does.
fn answer(
    method: Method,
    block: *mut u8,
    layout: Layout,
    new_size: usize,
    call: impl FnOnce() -> *mut u8,
) -> *mut u8 {
    let result = if REFUSING.replace(false) {
        ptr::null_mut()
    } else {
        call()
    };
    keep(Call {
        method,
        block,
        layout,
        new_size,
        result,
    })
}

// SAFETY: every call goes to `Inner` with the same arguments, or returns null,
// which each method may.
unsafe impl GlobalAlloc for Recorder {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let call = || unsafe { self.0.alloc(layout) };
        answer(Method::Alloc, ptr::null_mut(), layout, 0, call)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let call = || unsafe { self.0.alloc_zeroed(layout) };
        answer(Method::AllocZeroed, ptr::null_mut(), layout, 0, call)
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        let call = || unsafe { self.0.realloc(block, layout, new_size) };
        answer(Method::Realloc, block, layout, new_size, call)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.dealloc(block, layout) };
        keep(Call {
            method: Method::Dealloc,
            block,
            layout,
            new_size: 0,
            result: ptr::null_mut(),
        });
    }
}
