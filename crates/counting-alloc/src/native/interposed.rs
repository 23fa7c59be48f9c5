//! The program's `malloc` and related functions. They forward each call to glibc
//! and count it, unless Rust's allocator made it.
//!
//! The dynamic linker calls these functions before `main`, when thread-locals are
//! still all zeros, and threads call them at their very end. So nothing here
//! locks, unwinds, allocates or needs initialisation, and a zero in a thread-local
//! means "no counters yet". Threads without a block share one set of counters.
//! A call from C never makes a block, because the allocator that would make it may
//! be the caller.

pub(crate) mod caller;
pub(crate) mod counters;

use core::ffi::{c_char, c_int, c_void};
use core::hint::black_box;
use core::ptr;
use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use self::caller::{Caller, as_rust, caller, fenced, set_caller};
use self::counters::{Call, NativeCounters};
use crate::counters::Flags;
use crate::native::tally::NativeTally;
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
/// As in C. This holds for all functions below.
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
    // glibc refuses a product that overflows, so `block` is null then.
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
        // glibc treats this as `free`.
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
    // Before 2.38, glibc rounded such an alignment up, as `memalign` does.
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
    if !alignment.is_power_of_two() || alignment % size_of::<*mut c_void>() != 0 {
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
    // SAFETY: the function has no arguments and returns the address of the thread's
    // `errno`.
    let errno = unsafe { __errno_location() };
    // SAFETY: as above; only the calling thread uses it.
    unsafe { errno.write(error) };
}

/// The major and minor version; zeros if they can't be read.
fn glibc_version() -> (u32, u32) {
    // SAFETY: the function has no arguments and returns a static string.
    let mut text = unsafe { gnu_get_libc_version() };
    let mut numbers = [0_u32; 2];
    for number in &mut numbers {
        loop {
            // SAFETY: `text` is not past the string's terminating zero, at which
            // both loops stop.
            let byte = unsafe { text.read() } as u8;
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

/// Counts a request for `size` bytes that glibc answered with `block`, and returns
/// the block.
#[inline(always)]
fn given(block: *mut c_void, size: usize) -> *mut c_void {
    record(if block.is_null() {
        Call::Failed
    } else {
        Call::Alloc { size }
    });
    block
}

/// Counts a call of C code. A call of Rust's allocator costs one comparison here.
#[inline(always)]
fn record(call: Call) {
    let caller = caller();
    if caller != Caller::Rust {
        record_native(caller, call);
    }
}

#[inline(never)]
fn record_native(caller: Caller, call: Call) {
    match caller {
        Caller::Rust | Caller::ProbeArrived => return,
        Caller::C => {}
        Caller::Probe => return set_caller(Caller::ProbeArrived),
        Caller::CAfterOneFree => {
            if matches!(call, Call::Free) {
                return set_caller(Caller::C);
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
    let counters = threads::counters();
    // Calls in a pause and in an excluded region are not counted.
    if !counters.flags().contain(Flags::OFF) && ptr::eq(counters, &raw const block.main) {
        block.native.add(call, |counter, n| {
            counter.store(counter.load(Relaxed).wrapping_add(n), Relaxed);
        });
    }
}

/// The calls of threads without a block.
static SHARED: NativeCounters = NativeCounters::new();

/// The calls of all threads.
pub(super) fn total() -> NativeTally {
    REGISTRY
        .blocks()
        .fold(SHARED.read(), |sum, block| sum + block.native.read())
}

/// Whether the program's calls of `malloc` arrive here. It is unknown until a probe
/// was made, and does not change afterwards.
static COUNTED: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const ARRIVES: u8 = 1;
const GOES_ELSEWHERE: u8 = 2;

/// Whether calls of the C library arrive here.
#[inline]
pub(super) fn is_counted() -> bool {
    match COUNTED.load(Acquire) {
        UNKNOWN => probe(),
        known => known == ARRIVES,
    }
}

/// Makes the C library call `malloc`, and looks whether the call arrives here. A
/// call of this crate was bound when the program was linked, so it would say
/// nothing about the dynamic linker. The call is not counted.
#[cold]
fn probe() -> bool {
    let before = caller();
    set_caller(Caller::Probe);
    // SAFETY: the argument is a string. `black_box` keeps the copy from being
    // optimized away.
    let copy = fenced(|| black_box(unsafe { strdup(black_box(c"probe").as_ptr()) }));
    let arrived = caller() == Caller::ProbeArrived;
    set_caller(before);
    // SAFETY: null, or a block of `malloc` that nothing else refers to.
    as_rust(|| unsafe { free(copy.cast()) });
    if !copy.is_null() {
        let known = if arrived { ARRIVES } else { GOES_ELSEWHERE };
        COUNTED.store(known, Release);
    }
    arrived
}
