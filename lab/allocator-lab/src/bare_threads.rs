//! [`run`]: threads of the C library, without those parts of std that allocate.
//!
//! A thread of std looks for the guard page of its stack as it begins, for which glibc allocates
//! on that thread, and so maps an arena of 64 MiB. The memory of a thread would be mostly that.

use std::mem::MaybeUninit;
use std::process;
use std::ptr;

/// Runs each part on a thread of its own and `meanwhile` on this one, and waits for all. A
/// part that panics, or a thread that can't be started, aborts the process: the others would
/// wait for it.
pub(crate) fn run<P: FnOnce() + Send, R, const N: usize>(
    parts: [P; N],
    meanwhile: impl FnOnce() -> R,
) -> R {
    let mut parts = parts.map(Some);
    let _joined = JoinOnDrop(parts.each_mut().map(|part| {
        let mut thread = MaybeUninit::uninit();
        let part = ptr::from_mut(part).cast();
        // SAFETY: `part` is of the type that `begin` expects, and is neither moved nor used
        // here until the thread has ended.
        let outcome =
            unsafe { libc::pthread_create(thread.as_mut_ptr(), ptr::null(), begin::<P>, part) };
        if outcome != 0 {
            process::abort();
        }
        // SAFETY: the call has succeeded, and so has filled it in.
        unsafe { thread.assume_init() }
    }));
    meanwhile()
}

/// Waits for threads, also when what is done meanwhile panics.
struct JoinOnDrop<const N: usize>([libc::pthread_t; N]);

impl<const N: usize> Drop for JoinOnDrop<N> {
    fn drop(&mut self) {
        for &thread in &self.0 {
            // SAFETY: the thread was started, and nobody else waits for it.
            unsafe { libc::pthread_join(thread, ptr::null_mut()) };
        }
    }
}

/// A panic does not leave this function: it aborts.
extern "C" fn begin<P: FnOnce()>(part: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: `run` passes a part of this type, and does not use it until this thread ends.
    let part = unsafe { &mut *part.cast::<Option<P>>() };
    if let Some(part) = part.take() {
        part();
    }
    ptr::null_mut()
}
