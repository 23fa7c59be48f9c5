//! The stack of a thread on Linux, with glibc and musl.

use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;

// The interface of POSIX threads. `pthread_t` is a number with glibc and a pointer with musl.
unsafe extern "C" {
    fn pthread_self() -> usize;
    fn pthread_getattr_np(thread: usize, attributes: *mut Attributes) -> c_int;
    fn pthread_attr_getstack(
        attributes: *const Attributes,
        start: *mut *mut c_void,
        size: *mut usize,
    ) -> c_int;
    fn pthread_attr_destroy(attributes: *mut Attributes) -> c_int;
}

/// Space for a `pthread_attr_t`, which has 56 bytes with glibc and with musl.
type Attributes = [u64; 16];

/// The addresses of the calling thread's stack; empty if they are unknown.
#[cold]
pub(crate) fn stack_of_thread() -> Range<usize> {
    let mut attributes: Attributes = [0; 16];
    // SAFETY: the function has no arguments.
    let thread = unsafe { pthread_self() };
    // SAFETY: the thread runs, and the space is large enough.
    if unsafe { pthread_getattr_np(thread, &raw mut attributes) } != 0 {
        return 0..0;
    }
    let (mut start, mut size) = (ptr::null_mut::<c_void>(), 0);
    // SAFETY: the attributes were initialised, and both places are valid.
    let error =
        unsafe { pthread_attr_getstack(&raw const attributes, &raw mut start, &raw mut size) };
    // SAFETY: the attributes were initialised, and are not used afterwards.
    unsafe { pthread_attr_destroy(&raw mut attributes) };
    if error != 0 {
        return 0..0;
    }
    start.addr()..start.addr().saturating_add(size)
}
