//! [`Array`]: a growable array for the capture of stacks. Its memory is the system's, so
//! that neither the inner allocator nor the counters see it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::{ptr, slice};

/// Plain values in memory of the system. Adding one fails without memory.
#[derive(Debug)]
pub(crate) struct Array<T> {
    start: *mut T,
    len: usize,
    capacity: usize,
}

impl<T: Copy> Array<T> {
    /// An array without memory.
    pub(crate) const fn new() -> Self {
        Self {
            start: ptr::null_mut(),
            len: 0,
            capacity: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the first `len` values are initialised, and `self` is borrowed.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    #[inline(always)]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: the first `len` values are initialised, and `self` is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends `value`; `false` without memory.
    #[inline]
    pub(crate) fn push(&mut self, value: T) -> bool {
        if self.len == self.capacity && !self.grow(self.len + 1) {
            return false;
        }
        let place = self.start.wrapping_add(self.len);
        // SAFETY: the place is inside of the memory, since `len` is below `capacity`.
        unsafe { place.write(value) };
        self.len += 1;
        true
    }

    /// Makes this `len` times `value`; `false` without memory, and then it is empty.
    pub(crate) fn fill(&mut self, len: usize, value: T) -> bool {
        self.len = 0;
        if len > self.capacity && !self.grow(len) {
            return false;
        }
        (0..len).all(|_| self.push(value))
    }

    /// Removes the values from `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, least: usize) -> bool {
        let capacity = least.max(64).max(self.capacity * 2);
        let Ok(layout) = Layout::array::<T>(capacity) else {
            return false;
        };
        // SAFETY: the size is not zero; no array is of values of size zero.
        let start = unsafe { System.alloc(layout) }.cast::<T>();
        if start.is_null() {
            return false;
        }
        if self.len > 0 {
            // SAFETY: both are valid for `len` values, and don't overlap.
            unsafe { ptr::copy_nonoverlapping(self.start, start, self.len) };
        }
        self.free();
        (self.start, self.capacity) = (start, capacity);
        true
    }
}

impl<T> Array<T> {
    fn free(&mut self) {
        if self.capacity == 0 {
            return;
        }
        let Ok(layout) = Layout::array::<T>(self.capacity) else {
            return;
        };
        let start = self.start.cast::<u8>();
        // SAFETY: `grow` got the memory from the same allocator with this layout.
        unsafe { System.dealloc(start, layout) };
    }
}

impl<T> Drop for Array<T> {
    fn drop(&mut self) {
        self.free();
    }
}
