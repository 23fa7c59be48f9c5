//! The functions of the C library that the tests call.

use std::ffi::{CStr, c_char, c_int, c_long, c_ulong, c_void};
use std::hint::black_box;
use std::ptr;

pub(crate) type Block = *mut c_void;

unsafe extern "C" {
    pub(crate) fn malloc(size: usize) -> Block;
    pub(crate) fn calloc(count: usize, size: usize) -> Block;
    pub(crate) fn realloc(block: Block, size: usize) -> Block;
    pub(crate) fn reallocarray(block: Block, count: usize, size: usize) -> Block;
    pub(crate) fn free(block: Block);
    pub(crate) fn memalign(alignment: usize, size: usize) -> Block;
    pub(crate) fn aligned_alloc(alignment: usize, size: usize) -> Block;
    pub(crate) fn posix_memalign(place: *mut Block, alignment: usize, size: usize) -> c_int;
    pub(crate) fn valloc(size: usize) -> Block;
    pub(crate) fn pvalloc(size: usize) -> Block;
    pub(crate) fn malloc_usable_size(block: Block) -> usize;
    pub(crate) fn strdup(text: *const c_char) -> *mut c_char;
    pub(crate) fn __errno_location() -> *mut c_int;
    pub(crate) fn fork() -> c_int;
    pub(crate) fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int;
    pub(crate) fn _exit(code: c_int) -> !;
    pub(crate) fn pthread_create(
        thread: *mut c_ulong,
        attributes: *const c_void,
        start: extern "C" fn(Block) -> Block,
        argument: Block,
    ) -> c_int;
    pub(crate) fn pthread_join(thread: c_ulong, value: *mut Block) -> c_int;
    pub(crate) fn pthread_key_create(key: *mut u32, destroy: extern "C" fn(Block)) -> c_int;
    pub(crate) fn pthread_setspecific(key: u32, value: *const c_void) -> c_int;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `RTLD_NEXT`: the definition after the program's own.
const NEXT: c_long = -1;

/// glibc's own function of this name.
pub(crate) fn glibcs(name: &CStr) -> *mut c_void {
    // SAFETY: the handle is valid for `dlsym`, and the name is a string.
    let found = unsafe { dlsym(ptr::without_provenance_mut(NEXT as usize), name.as_ptr()) };
    assert!(!found.is_null(), "{name:?}");
    found
}

pub(crate) fn set_errno(error: c_int) {
    // SAFETY: it has no arguments.
    let place = unsafe { __errno_location() };
    // SAFETY: the thread's own `errno`.
    unsafe { place.write(error) };
}

pub(crate) fn errno() -> c_int {
    // SAFETY: it has no arguments.
    let place = unsafe { __errno_location() };
    // SAFETY: the thread's own `errno`.
    unsafe { place.read() }
}

/// `malloc` and `free`, which the optimizer would otherwise remove.
pub(crate) fn take_and_free(size: usize) {
    // SAFETY: it accepts any size.
    let block = black_box(unsafe { malloc(black_box(size)) });
    // SAFETY: null, or a block that nothing else refers to.
    unsafe { free(block) };
}
