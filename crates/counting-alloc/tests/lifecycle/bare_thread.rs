//! A thread that std did not start. Nothing is allocated on it before its work begins,
//! so the first allocation of the work is the thread's first.

use std::ffi::{c_int, c_void};
use std::ptr;

use counting_alloc::{Tally, process_tally};

/// An integer as wide as a pointer on the systems of this test.
type Handle = usize;

unsafe extern "C" {
    fn pthread_create(
        thread: *mut Handle,
        attributes: *const c_void,
        start: unsafe extern "C" fn(*mut c_void) -> *mut c_void,
        argument: *mut c_void,
    ) -> c_int;
    fn pthread_join(thread: Handle, value: *mut *mut c_void) -> c_int;
}

/// The operations of the process while a thread does `work`, from its start to its end.
/// The work must not panic.
pub(crate) fn counted_of_a_bare_thread(mut work: fn()) -> Tally {
    unsafe extern "C" fn start(argument: *mut c_void) -> *mut c_void {
        // SAFETY: the argument is a pointer to the function below, which lives
        // until the thread is joined.
        let work = unsafe { *argument.cast::<fn()>() };
        work();
        ptr::null_mut()
    }
    let mut thread: Handle = 0;
    let before = process_tally();
    // SAFETY: `thread` is written to before the call returns, and `work` lives
    // until the thread was joined.
    let created = unsafe {
        pthread_create(
            &mut thread,
            ptr::null(),
            start,
            (&raw mut work).cast::<c_void>(),
        )
    };
    assert_eq!(created, 0);
    // SAFETY: the thread was created and is joined once.
    let joined = unsafe { pthread_join(thread, ptr::null_mut()) };
    assert_eq!(joined, 0);
    process_tally() - before
}
