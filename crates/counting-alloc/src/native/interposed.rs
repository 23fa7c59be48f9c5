//! `malloc` and its kin, in front of glibc's: each call is handed to glibc and
//! counted, unless it is what became of a call of Rust's allocator.
//!
//! The dynamic linker calls these before `main`, when not even thread-locals
//! have got their values, and threads call them at their very end. So nothing
//! here locks, unwinds, allocates or waits for anything to be set up: all
//! thread-locals that are read start as zeros, which mean "nobody's". A thread
//! without a block counts in a place that all such threads share; a block is
//! never taken up for C's sake, because the allocator that makes one may be
//! what calls `malloc`.

use core::cell::Cell;
use core::ffi::{c_char, c_int, c_void};
use core::hint::black_box;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use core::sync::atomic::{AtomicU8, compiler_fence};

use super::NativeTally;
use crate::sheet::Flags;
use crate::sync::AtomicU64;
use crate::threads::{self, REGISTRY};

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
    fn __libc_valloc(size: usize) -> *mut c_void;
    fn __libc_pvalloc(size: usize) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
    fn gnu_get_libc_version() -> *const c_char;
    fn strdup(text: *const c_char) -> *mut c_char;
}

const ENOMEM: c_int = 12;
const EINVAL: c_int = 22;

/// # Safety
///
/// As in C. So are all of them.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: the caller's contract, which is the same.
    let block = unsafe { __libc_malloc(size) };
    given(block, size)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: the caller's contract, which is the same.
    let block = unsafe { __libc_calloc(count, size) };
    // A product that overflows was refused.
    given(block, count.wrapping_mul(size))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the caller's contract, which is the same.
    let moved = unsafe { __libc_realloc(block, size) };
    if block.is_null() {
        return given(moved, size);
    }
    record(if !moved.is_null() {
        Call::Realloc { size }
    } else if size == 0 {
        // To glibc this is `free`.
        Call::Free
    } else {
        Call::Failed
    });
    moved
}

#[unsafe(no_mangle)]
unsafe extern "C" fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let Some(size) = count.checked_mul(size) else {
        record(Call::Failed);
        set_errno(ENOMEM);
        return ptr::null_mut();
    };
    // SAFETY: the caller's contract, which is the same.
    unsafe { realloc(block, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: *mut c_void) {
    if !block.is_null() {
        record(Call::Free);
    }
    // SAFETY: the caller's contract, which is the same.
    unsafe { __libc_free(block) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: the caller's contract, which is the same.
    let block = unsafe { __libc_memalign(alignment, size) };
    given(block, size)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    // Before 2.38 glibc rounded such an alignment up, as `memalign` does.
    if !alignment.is_power_of_two() && glibc_version() >= (2, 38) {
        record(Call::Failed);
        set_errno(EINVAL);
        return ptr::null_mut();
    }
    // SAFETY: the caller's contract, which is the same.
    let block = unsafe { __libc_memalign(alignment, size) };
    given(block, size)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(
    place: *mut *mut c_void,
    alignment: usize,
    size: usize,
) -> c_int {
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<*mut c_void>()) {
        record(Call::Failed);
        return EINVAL;
    }
    // SAFETY: the caller's contract, and `alignment` is a power of two.
    let block = unsafe { __libc_memalign(alignment, size) };
    if given(block, size).is_null() {
        return ENOMEM;
    }
    // SAFETY: the caller vouches for `place`.
    unsafe { place.write(block) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn valloc(size: usize) -> *mut c_void {
    // SAFETY: the caller's contract, which is the same.
    let block = unsafe { __libc_valloc(size) };
    given(block, size)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pvalloc(size: usize) -> *mut c_void {
    // SAFETY: the caller's contract, which is the same.
    let block = unsafe { __libc_pvalloc(size) };
    given(block, size)
}

fn set_errno(error: c_int) {
    // SAFETY: takes nothing, and gives the address of the thread's `errno`.
    let errno = unsafe { __errno_location() };
    // SAFETY: as above; it is the calling thread's alone.
    unsafe { errno.write(error) };
}

/// Major and minor; zeros if they can't be read.
fn glibc_version() -> (u32, u32) {
    // SAFETY: takes nothing, and gives a static string.
    let mut text = unsafe { gnu_get_libc_version() };
    let mut numbers = [0_u32; 2];
    for number in &mut numbers {
        loop {
            // SAFETY: `text` is not past the string's terminating zero, which
            // is no digit and no dot.
            let byte = unsafe { text.read() }.cast_unsigned();
            if byte == 0 {
                break;
            }
            // SAFETY: the byte at `text` is not the last of the string.
            text = unsafe { text.add(1) };
            if !byte.is_ascii_digit() {
                break;
            }
            *number = number.wrapping_mul(10) + u32::from(byte - b'0');
        }
    }
    (numbers[0], numbers[1])
}

/// Whether the calling thread's calls count, and what for.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Calls {
    /// They are C's.
    Native = 0,
    /// They are what became of a call of Rust's allocator, or our own.
    Ours,
    /// The next call proves that calls come here.
    Probing,
    /// It did.
    Seen,
    /// The next `free` is of something of ours, the others are C's.
    NativeButOneFree,
}

thread_local! {
    static CALLS: Cell<Calls> = const { Cell::new(Calls::Native) };
}

// Volatile: to the compiler, `malloc` and `strdup` neither read nor write
// anything of the program's, so that what is written for them to see would be
// left out; an optimized build did so.

#[inline(always)]
fn calls() -> Calls {
    // Neither fails: the thread-local has no destructor.
    CALLS
        .try_with(|cell| {
            // SAFETY: the place is the calling thread's own, and initialised.
            unsafe { cell.as_ptr().read_volatile() }
        })
        .unwrap_or(Calls::Native)
}

#[inline(always)]
fn set_calls(calls: Calls) {
    let _ = CALLS.try_with(|cell| {
        // SAFETY: the place is the calling thread's own, and nothing refers to
        // it.
        unsafe { cell.as_ptr().write_volatile(calls) };
    });
}

/// Runs `f`, whose calls of `malloc` are not C's. It does not unwind.
#[inline(always)]
pub(crate) fn ours<T>(f: impl FnOnce() -> T) -> T {
    // What an inner allocator calls may be Rust's allocator again.
    let before = calls();
    set_calls(Calls::Ours);
    let value = fenced(f);
    set_calls(before);
    value
}

/// Runs `f` with all of its calls after what comes before, and before what comes
/// after; for the same reason.
#[inline(always)]
fn fenced<T>(f: impl FnOnce() -> T) -> T {
    compiler_fence(SeqCst);
    let value = f();
    compiler_fence(SeqCst);
    value
}

/// For a destructor of a thread-local of ours: once it returns, glibc frees
/// what it noted it down with, which was ours too.
pub(crate) fn pass_over_next_free() {
    set_calls(Calls::NativeButOneFree);
}

/// One call, with the size in it.
#[derive(Clone, Copy)]
enum Call {
    Alloc { size: usize },
    Realloc { size: usize },
    Free,
    Failed,
}

/// Counts a request for `size` bytes that was answered with `block`, and passes
/// that on.
#[inline(always)]
fn given(block: *mut c_void, size: usize) -> *mut c_void {
    record(if block.is_null() {
        Call::Failed
    } else {
        Call::Alloc { size }
    });
    block
}

/// Rust's own calls come by here too, and pass with one comparison.
#[inline(always)]
fn record(call: Call) {
    let calls = calls();
    if calls != Calls::Ours {
        record_native(calls, call);
    }
}

#[inline(never)]
fn record_native(calls: Calls, call: Call) {
    match calls {
        Calls::Ours | Calls::Seen => return,
        Calls::Native => {}
        Calls::Probing => return set_calls(Calls::Seen),
        Calls::NativeButOneFree => {
            if matches!(call, Call::Free) {
                return set_calls(Calls::Native);
            }
        }
    }
    let Some(block) = threads::own_block() else {
        if !REGISTRY.is_paused() {
            SHARED.add(call, |counter, n| {
                counter.fetch_add(n, Relaxed);
            });
        }
        return;
    };
    let sheet = threads::sheet();
    // Neither in a pause nor in a region that is excluded from counting.
    if !sheet.flags().contain(Flags::OFF) && ptr::eq(sheet, &raw const block.main) {
        block.native.add(call, |counter, n| {
            counter.store(counter.load(Relaxed).wrapping_add(n), Relaxed);
        });
    }
}

/// Counters of the calls of one thread, or of all that have no block.
#[derive(Debug)]
pub(crate) struct Counters {
    allocs: AtomicU64,
    bytes: AtomicU64,
    reallocs: AtomicU64,
    realloc_bytes: AtomicU64,
    frees: AtomicU64,
    failed: AtomicU64,
}

/// What threads without a block do.
static SHARED: Counters = Counters::new();

impl Counters {
    pub(crate) const fn new() -> Self {
        Self {
            allocs: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            reallocs: AtomicU64::new(0),
            realloc_bytes: AtomicU64::new(0),
            frees: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    #[inline(always)]
    fn add(&self, call: Call, add: impl Fn(&AtomicU64, u64)) {
        match call {
            Call::Alloc { size } => {
                add(&self.allocs, 1);
                add(&self.bytes, size as u64);
            }
            Call::Realloc { size } => {
                add(&self.reallocs, 1);
                add(&self.realloc_bytes, size as u64);
            }
            Call::Free => add(&self.frees, 1),
            Call::Failed => add(&self.failed, 1),
        }
    }

    /// Adds all of `tally`, from any thread.
    pub(crate) fn add_tally(&self, tally: NativeTally) {
        self.allocs.fetch_add(tally.allocs, Relaxed);
        self.bytes.fetch_add(tally.bytes, Relaxed);
        self.reallocs.fetch_add(tally.reallocs, Relaxed);
        self.realloc_bytes.fetch_add(tally.realloc_bytes, Relaxed);
        self.frees.fetch_add(tally.frees, Relaxed);
        self.failed.fetch_add(tally.failed, Relaxed);
    }

    pub(crate) fn read(&self) -> NativeTally {
        // As above: whatever was called before may have written.
        compiler_fence(SeqCst);
        NativeTally {
            allocs: self.allocs.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            reallocs: self.reallocs.load(Relaxed),
            realloc_bytes: self.realloc_bytes.load(Relaxed),
            frees: self.frees.load(Relaxed),
            failed: self.failed.load(Relaxed),
        }
    }
}

/// What all threads did.
pub(super) fn total() -> NativeTally {
    REGISTRY
        .blocks()
        .fold(SHARED.read(), |sum, block| sum + block.native.read())
}

/// Whether calls come here: known once a probe was made. Which `malloc` a
/// program has does not change while it runs.
static COUNTED: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const COMES_HERE: u8 = 1;
const GOES_ELSEWHERE: u8 = 2;

/// Whether the C library's own calls were seen to come here.
#[inline]
pub(super) fn is_counted() -> bool {
    match COUNTED.load(Acquire) {
        UNKNOWN => probe(),
        known => known == COMES_HERE,
    }
}

/// Has the C library call `malloc`: a call of ours would be bound when the
/// program was linked, and prove nothing about what the dynamic linker did.
/// It is counted nowhere.
#[cold]
fn probe() -> bool {
    let before = calls();
    set_calls(Calls::Probing);
    // SAFETY: the argument is a string. Its copy is not optimized away: the
    // pointer is looked at in a way that the compiler can't see.
    let copy = fenced(|| black_box(unsafe { strdup(black_box(c"probe").as_ptr()) }));
    let seen = calls() == Calls::Seen;
    set_calls(before);
    // SAFETY: null, or a block of `malloc` that nobody else knows of.
    ours(|| unsafe { free(copy.cast()) });
    if !copy.is_null() {
        let known = if seen { COMES_HERE } else { GOES_ELSEWHERE };
        COUNTED.store(known, Release);
    }
    seen
}
