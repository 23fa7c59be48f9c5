//! [`Block`]: safe hands for calls of the global allocator that no collection
//! makes, such as a `realloc` to the same size.
#![expect(
    unsafe_code,
    reason = "no safe interface asks for an equal-sized realloc or for aligned zeroes"
)]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::hint::black_box;

/// A block that raw calls make, resize and free.
#[derive(Debug)]
pub struct Block {
    /// A live block of `layout`.
    at: *mut u8,
    /// Its size is not zero.
    layout: Layout,
}

impl Block {
    /// A block of `size` bytes, which must not be none.
    #[must_use]
    pub fn new(size: usize, align: usize) -> Self {
        let layout = layout(size, align);
        // SAFETY: `layout` makes none of size zero.
        Self::there(unsafe { alloc(layout) }, layout)
    }

    /// The same, zeroed.
    #[must_use]
    pub fn zeroed(size: usize, align: usize) -> Self {
        let layout = layout(size, align);
        // SAFETY: `layout` makes none of size zero.
        Self::there(unsafe { alloc_zeroed(layout) }, layout)
    }

    /// Asks for `size` bytes instead, even if that is the present size.
    pub fn resize(&mut self, size: usize) {
        let resized = layout(size, self.layout.align());
        // SAFETY: `at` is live with `self.layout`, and the new size makes a
        // layout that is not of size zero.
        let at = unsafe { realloc(self.at, self.layout, size) };
        assert!(!at.is_null(), "a small block was refused");
        self.at = black_box(at);
        self.layout = resized;
    }

    /// For what `alloc` or `alloc_zeroed` returned.
    fn there(at: *mut u8, layout: Layout) -> Self {
        assert!(!at.is_null(), "a small block was refused");
        let at = black_box(at);
        Self { at, layout }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `at` is live with this layout, and gone after this.
        unsafe { dealloc(self.at, self.layout) };
    }
}

/// Whether the global allocator refuses that many zeroed bytes, as it should.
#[must_use]
pub fn refuses_zeroes(size: usize) -> bool {
    let layout = layout(size, 8);
    // SAFETY: `layout` makes none of size zero.
    let at = unsafe { alloc_zeroed(layout) };
    // Otherwise the optimizer takes the call away, and assumes that it succeeds.
    let at = black_box(at);
    if !at.is_null() {
        drop(Block { at, layout });
        return false;
    }
    true
}

/// A layout that is not of size zero.
fn layout(size: usize, align: usize) -> Layout {
    assert_ne!(size, 0);
    match Layout::from_size_align(size, align) {
        Ok(layout) => layout,
        Err(error) => panic!("{error}"),
    }
}
