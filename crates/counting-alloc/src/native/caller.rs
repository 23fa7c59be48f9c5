//! [`Caller`]: on whose behalf the calling thread calls `malloc` at present.

use core::cell::Cell;
use core::sync::atomic::Ordering::SeqCst;
use core::sync::atomic::compiler_fence;

/// Who makes the next calls of `malloc` on a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Caller {
    /// C code. A thread starts with this value, which is zero.
    C = 0,
    /// Rust's allocator, or this crate.
    Rust,
    /// The C library, whose next call proves that its calls arrive here.
    Probe,
    /// The C library, whose call has arrived.
    ProbeArrived,
    /// C code, but the next `free` is of memory that this crate made glibc take.
    CAfterOneFree,
}

thread_local! {
    static CALLER: Cell<Caller> = const { Cell::new(Caller::C) };
}

// The accesses are volatile. The compiler assumes that `malloc` and `strdup`
// neither read nor write memory of the program, so it would remove writes that
// only they read. An optimized build did so.

/// The caller at present.
#[inline(always)]
pub(super) fn caller() -> Caller {
    // Neither access fails: the thread-local has no destructor.
    CALLER
        .try_with(|cell| {
            // SAFETY: the place is the calling thread's own, and initialised.
            unsafe { cell.as_ptr().read_volatile() }
        })
        .unwrap_or(Caller::C)
}

/// Sets the caller of the calls that follow.
#[inline(always)]
pub(super) fn set_caller(caller: Caller) {
    let _ = CALLER.try_with(|cell| {
        // SAFETY: the place is the calling thread's own, and nothing refers to
        // it.
        unsafe { cell.as_ptr().write_volatile(caller) };
    });
}

/// Runs `f` with its calls of `malloc` counted as Rust's. `f` must not unwind.
#[inline(always)]
pub(crate) fn as_rust<T>(f: impl FnOnce() -> T) -> T {
    // An inner allocator may itself call Rust's allocator.
    let before = caller();
    set_caller(Caller::Rust);
    let value = fenced(f);
    set_caller(before);
    value
}

/// Runs `f`, and keeps the compiler from moving its calls over the code before and
/// after it.
#[inline(always)]
pub(super) fn fenced<T>(f: impl FnOnce() -> T) -> T {
    compiler_fence(SeqCst);
    let value = f();
    compiler_fence(SeqCst);
    value
}

/// Leaves the next `free` uncounted. For a destructor of a thread-local of this
/// crate: after it returns, glibc frees the note that it made of the destructor.
pub(crate) fn ignore_next_free() {
    set_caller(Caller::CAfterOneFree);
}
