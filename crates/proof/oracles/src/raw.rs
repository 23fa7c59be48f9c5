//! [`Block`]: a safe interface to calls of the global allocator that no collection
//! makes, such as a `realloc` to the same size.
#![expect(
    unsafe_code,
    reason = "no safe interface asks for an equal-sized realloc or for aligned zeroes"
)]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::hint::black_box;

/// A block that is allocated, resized and freed by raw calls.
#[derive(Debug)]
pub struct Block {
    /// A live block of `layout`.
    at: *mut u8,
    /// Its size is not zero.
    layout: Layout,
}

impl Block {
    /// A block of `size` bytes, which must not be zero.
    #[must_use]
    pub fn new(size: usize, align: usize) -> Self {
        let layout = layout(size, align);
        // SAFETY: the layout is not of size zero.
        Self::from_ptr(unsafe { alloc(layout) }, layout)
    }

    /// A zeroed block of `size` bytes, which must not be zero.
    #[must_use]
    pub fn zeroed(size: usize, align: usize) -> Self {
        let layout = layout(size, align);
        // SAFETY: the layout is not of size zero.
        Self::from_ptr(unsafe { alloc_zeroed(layout) }, layout)
    }

    /// Reallocates to `size` bytes, even if that is the present size.
    pub fn resize(&mut self, size: usize) {
        let resized = layout(size, self.layout.align());
        // SAFETY: `at` is live with `self.layout`, and the new size is not zero and
        // makes a valid layout.
        let at = unsafe { realloc(self.at, self.layout, size) };
        assert!(!at.is_null(), "a small block was refused");
        self.at = black_box(at);
        self.layout = resized;
    }

    /// The block that `alloc` or `alloc_zeroed` returned.
    fn from_ptr(at: *mut u8, layout: Layout) -> Self {
        assert!(!at.is_null(), "a small block was refused");
        let at = black_box(at);
        Self { at, layout }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `at` is live with this layout, and is not used after this.
        unsafe { dealloc(self.at, self.layout) };
    }
}

/// Whether the global allocator refuses `size` zeroed bytes.
#[must_use]
pub fn refuses_zeroes(size: usize) -> bool {
    let layout = layout(size, 8);
    // SAFETY: the layout is not of size zero.
    let at = unsafe { alloc_zeroed(layout) };
    // Without this the optimizer removes the call and assumes that it succeeds.
    let at = black_box(at);
    if !at.is_null() {
        drop(Block { at, layout });
        return false;
    }
    true
}

/// The layout of `size` bytes, which must not be zero.
fn layout(size: usize, align: usize) -> Layout {
    assert_ne!(size, 0);
    match Layout::from_size_align(size, align) {
        Ok(layout) => layout,
        Err(error) => panic!("{error}"),
    }
}
