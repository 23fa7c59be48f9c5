//! The tcmalloc of gperftools, from the shared library of the system, if that is installed.
//!
//! It is one for the process. Each thread has caches of blocks of one size. They are filled
//! from lists that all threads share, and those from spans of pages, which are joined when
//! they are free and returned to the system little by little. It tells the size of a block.

use std::alloc::Layout;
use std::ffi::c_void;
use std::sync::OnceLock;

use super::shared_library::{SharedLibrary, malloc_aligns};
use crate::request;
use crate::subject::{Subject, Unavailable, resize_by_copy, take_and_zero};

/// The first has the allocator alone, the second also profilers.
const NAMES: [&str; 2] = ["libtcmalloc_minimal.so.4", "libtcmalloc.so.4"];

/// The one of the process: the functions of its library.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tcmalloc {
    malloc: unsafe extern "C" fn(size: usize) -> *mut c_void,
    calloc: unsafe extern "C" fn(count: usize, size: usize) -> *mut c_void,
    free: unsafe extern "C" fn(block: *mut c_void),
    memalign: unsafe extern "C" fn(align: usize, size: usize) -> *mut c_void,
    realloc: unsafe extern "C" fn(block: *mut c_void, size: usize) -> *mut c_void,
    malloc_size: unsafe extern "C" fn(block: *mut c_void) -> usize,
}

pub(super) fn open() -> Result<Tcmalloc, Unavailable> {
    static FOUND: OnceLock<Result<Tcmalloc, Unavailable>> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

fn find() -> Result<Tcmalloc, Unavailable> {
    // SAFETY: it has a `malloc` too, but a library that is loaded late and locally, as
    // here, does not replace the one of the process.
    let library = unsafe { SharedLibrary::open(&NAMES, "Debian: libtcmalloc-minimal4") }?;
    Ok(Tcmalloc {
        // SAFETY: `void *tc_malloc(size_t)`, as in gperftools/tcmalloc.h.
        malloc: unsafe { library.function("tc_malloc") }?,
        // SAFETY: `void *tc_calloc(size_t, size_t)`, as there.
        calloc: unsafe { library.function("tc_calloc") }?,
        // SAFETY: `void tc_free(void *)`, as there.
        free: unsafe { library.function("tc_free") }?,
        // SAFETY: `void *tc_memalign(size_t, size_t)`, as there.
        memalign: unsafe { library.function("tc_memalign") }?,
        // SAFETY: `void *tc_realloc(void *, size_t)`, as there.
        realloc: unsafe { library.function("tc_realloc") }?,
        // SAFETY: `size_t tc_malloc_size(void *)`, as there.
        malloc_size: unsafe { library.function("tc_malloc_size") }?,
    })
}

// SAFETY: these functions promise a block of the size, or null, on all threads.
unsafe impl Subject for Tcmalloc {
    const TELLS_SIZES: bool = true;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        if malloc_aligns(layout) {
            // SAFETY: any size may be requested.
            unsafe { (self.malloc)(layout.size()) }.cast()
        } else {
            // SAFETY: the alignment of a layout is a power of two, as the function requires.
            unsafe { (self.memalign)(layout.align(), layout.size()) }.cast()
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
    unsafe fn give(&self, block: *mut u8, _layout: Layout) {
        // SAFETY: the caller has the block from `take`, and this frees blocks of both kinds.
        unsafe { (self.free)(block.cast()) }
    }

    #[inline]
    unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A block that `realloc` moves is aligned as one of `malloc`.
        if malloc_aligns(request::layout(size, layout.align())) {
            // SAFETY: the caller has the block from `take`, and this takes blocks of both
            // kinds.
            unsafe { (self.realloc)(block.cast(), size) }.cast()
        } else {
            // SAFETY: the caller's contract, passed on.
            unsafe { resize_by_copy(self, block, layout, size) }
        }
    }

    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { (self.malloc_size)(block.cast()) })
    }
}
