//! The scalable allocator of oneTBB, from the shared library of the system, if that is
//! installed.
//!
//! It is one for the process. Each thread has bins of blocks of one size, and a cache of
//! large blocks. Other free large blocks go to a backend that all threads share, which joins
//! neighbours and returns a piece to the system when all of it is free. It tells the size
//! of a block.

use std::alloc::Layout;
use std::ffi::c_void;
use std::sync::OnceLock;

use super::shared_library::{SharedLibrary, malloc_aligns};
use crate::request;
use crate::subject::{Subject, Unavailable, resize_by_copy, take_and_zero};

const NAMES: [&str; 2] = ["libtbbmalloc.so.2", "libtbbmalloc.so"];

/// The one of the process: the functions of its library.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tbb {
    malloc: unsafe extern "C" fn(size: usize) -> *mut c_void,
    calloc: unsafe extern "C" fn(count: usize, size: usize) -> *mut c_void,
    free: unsafe extern "C" fn(block: *mut c_void),
    aligned_malloc: unsafe extern "C" fn(size: usize, align: usize) -> *mut c_void,
    aligned_free: unsafe extern "C" fn(block: *mut c_void),
    realloc: unsafe extern "C" fn(block: *mut c_void, size: usize) -> *mut c_void,
    aligned_realloc: unsafe extern "C" fn(*mut c_void, size: usize, align: usize) -> *mut c_void,
    msize: unsafe extern "C" fn(block: *mut c_void) -> usize,
}

pub(super) fn open() -> Result<Tbb, Unavailable> {
    static FOUND: OnceLock<Result<Tbb, Unavailable>> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

fn find() -> Result<Tbb, Unavailable> {
    // SAFETY: this library has functions of its own; only another one, the proxy, replaces
    // `malloc`.
    let library = unsafe { SharedLibrary::open(&NAMES, "Debian: libtbbmalloc2") }?;
    Ok(Tbb {
        // SAFETY: `void *scalable_malloc(size_t)`, as in scalable_allocator.h.
        malloc: unsafe { library.function("scalable_malloc") }?,
        // SAFETY: `void *scalable_calloc(size_t, size_t)`, as there.
        calloc: unsafe { library.function("scalable_calloc") }?,
        // SAFETY: `void scalable_free(void *)`, as there.
        free: unsafe { library.function("scalable_free") }?,
        // SAFETY: `void *scalable_aligned_malloc(size_t, size_t)`, as there.
        aligned_malloc: unsafe { library.function("scalable_aligned_malloc") }?,
        // SAFETY: `void scalable_aligned_free(void *)`, as there.
        aligned_free: unsafe { library.function("scalable_aligned_free") }?,
        // SAFETY: `void *scalable_realloc(void *, size_t)`, as there.
        realloc: unsafe { library.function("scalable_realloc") }?,
        // SAFETY: `void *scalable_aligned_realloc(void *, size_t, size_t)`, as there.
        aligned_realloc: unsafe { library.function("scalable_aligned_realloc") }?,
        // SAFETY: `size_t scalable_msize(void *)`, as there.
        msize: unsafe { library.function("scalable_msize") }?,
    })
}

// SAFETY: these functions promise a block of the size, or null, on all threads.
unsafe impl Subject for Tbb {
    const TELLS_SIZES: bool = true;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        if malloc_aligns(layout) {
            // SAFETY: any size may be requested.
            unsafe { (self.malloc)(layout.size()) }.cast()
        } else {
            // SAFETY: the alignment of a layout is a power of two, as the function requires.
            unsafe { (self.aligned_malloc)(layout.size(), layout.align()) }.cast()
        }
    }

    #[inline]
    fn take_zeroed(&self, layout: Layout) -> *mut u8 {
        if malloc_aligns(layout) {
            // SAFETY: any size may be requested.
            unsafe { (self.calloc)(1, layout.size()) }.cast()
        } else {
            take_and_zero(self, layout)
        }
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        if malloc_aligns(layout) {
            // SAFETY: the caller has the block from `take`, which allocated it by `malloc`.
            unsafe { (self.free)(block.cast()) }
        } else {
            // SAFETY: as above, by `aligned_malloc`.
            unsafe { (self.aligned_free)(block.cast()) }
        }
    }

    #[inline]
    unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let resized = request::layout(size, layout.align());
        match (malloc_aligns(layout), malloc_aligns(resized)) {
            // SAFETY: the caller has the block from `take`, which allocated it by `malloc`.
            (true, true) => unsafe { (self.realloc)(block.cast(), size) }.cast(),
            (false, false) => {
                // SAFETY: as above, by `aligned_malloc`.
                unsafe { (self.aligned_realloc)(block.cast(), size, layout.align()) }.cast()
            }
            // `give` frees the new block by the other function.
            // SAFETY: the caller's contract, passed on.
            _ => unsafe { resize_by_copy(self, block, layout, size) },
        }
    }

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { (self.msize)(block.cast()) })
    }
}
