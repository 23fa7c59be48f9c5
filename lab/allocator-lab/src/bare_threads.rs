//! [`run`]: threads of the C library, without those parts of std that allocate.
//!
//! On Linux a thread of std looks for the guard page of its stack as it begins, for which
//! glibc allocates on that thread, and so maps an arena of 64 MiB. The memory of a thread
//! would be mostly that.

/// Runs each part on a thread of its own and `meanwhile` on this one, and waits for all. A
/// part that panics, or a thread that can't be started, aborts the process: the others would
/// wait for it.
#[cfg(unix)]
pub(crate) fn run<P, T, R, const N: usize>(
    parts: [P; N],
    meanwhile: impl FnOnce() -> R,
) -> ([Option<T>; N], R)
where
    P: FnOnce() -> T + Send,
    T: Send,
{
    use std::mem::MaybeUninit;
    use std::ptr;

    let mut tasks = parts.map(|part| Task {
        part: Some(part),
        result: None,
    });
    let joined = JoinOnDrop(tasks.each_mut().map(|task| {
        let mut thread = MaybeUninit::uninit();
        let task = ptr::from_mut(task).cast();
        // SAFETY: `task` is of the type that `begin` expects, and is neither moved nor used
        // here until the thread has ended.
        let outcome =
            unsafe { libc::pthread_create(thread.as_mut_ptr(), ptr::null(), begin::<P, T>, task) };
        if outcome != 0 {
            std::process::abort();
        }
        // SAFETY: the call has succeeded, and so has filled it in.
        unsafe { thread.assume_init() }
    }));
    let meanwhile = meanwhile();
    drop(joined);
    (tasks.map(|task| task.result), meanwhile)
}

/// The part of a thread, and later its result.
#[cfg(unix)]
struct Task<P, T> {
    part: Option<P>,
    result: Option<T>,
}

/// Waits for threads, also when what is done meanwhile panics.
#[cfg(unix)]
struct JoinOnDrop<const N: usize>([libc::pthread_t; N]);

#[cfg(unix)]
impl<const N: usize> Drop for JoinOnDrop<N> {
    fn drop(&mut self) {
        for &thread in &self.0 {
            // SAFETY: the thread was started, and nobody else waits for it.
            unsafe { libc::pthread_join(thread, std::ptr::null_mut()) };
        }
    }
}

/// A panic does not leave this function: it aborts.
#[cfg(unix)]
extern "C" fn begin<P: FnOnce() -> T, T>(task: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: `run` passes a task of this type, and does not use it until this thread ends.
    let task = unsafe { &mut *task.cast::<Task<P, T>>() };
    task.result = task.part.take().map(|part| part());
    std::ptr::null_mut()
}

/// Elsewhere nobody calls it: no system but Linux tells the memory of a process.
#[cfg(not(unix))]
pub(crate) fn run<P, T, R, const N: usize>(
    parts: [P; N],
    meanwhile: impl FnOnce() -> R,
) -> ([Option<T>; N], R)
where
    P: FnOnce() -> T + Send,
{
    (parts.map(|part| Some(part())), meanwhile())
}
