//! The allocator of the planted program: it walks the stack of each allocation of a site, and
//! prints the return addresses relative to `anchor`.

use std::alloc::{GlobalAlloc, Layout, System};
#[cfg(not(target_env = "msvc"))]
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

const WORDS: usize = 1 << 18;

static ARMED: AtomicBool = AtomicBool::new(false);
static LOCKED: AtomicBool = AtomicBool::new(false);
static USED: AtomicUsize = AtomicUsize::new(0);
/// The stacks of a site, each with its length before it.
static STACKS: [AtomicUsize; WORDS] = [const { AtomicUsize::new(0) }; WORDS];

#[cfg(not(target_env = "msvc"))]
unsafe extern "C-unwind" {
    fn _Unwind_Backtrace(
        callback: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

pub struct Recorder;

// SAFETY: all calls go to the system's allocator.
unsafe impl GlobalAlloc for Recorder {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        record();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        record();
        unsafe { System.realloc(block, layout, size) }
    }
}

#[cfg(not(target_env = "msvc"))]
fn walk() {
    unsafe { _Unwind_Backtrace(frame, std::ptr::null_mut()) };
}

#[cfg(not(target_env = "msvc"))]
extern "C" fn frame(context: *mut c_void, _: *mut c_void) -> c_int {
    let at = USED.fetch_add(1, SeqCst);
    STACKS[at].store(unsafe { _Unwind_GetIP(context) }, SeqCst);
    0
}

#[cfg(target_env = "msvc")]
fn walk() {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn RtlCaptureStackBackTrace(skip: u32, most: u32, to: *mut usize, hash: *mut u32) -> u16;
    }
    let mut addresses = [0; 500];
    let hash = std::ptr::null_mut();
    let length = unsafe { RtlCaptureStackBackTrace(0, 500, addresses.as_mut_ptr(), hash) };
    for &address in &addresses[..length.into()] {
        STACKS[USED.fetch_add(1, SeqCst)].store(address, SeqCst);
    }
}

#[inline(never)]
fn record() {
    if !ARMED.load(SeqCst) {
        return;
    }
    while LOCKED.swap(true, SeqCst) {}
    let length = USED.fetch_add(1, SeqCst);
    walk();
    STACKS[length].store(USED.load(SeqCst) - length - 1, SeqCst);
    LOCKED.store(false, SeqCst);
}

#[inline(never)]
pub fn anchor() -> usize {
    black_box(0x5eed)
}

/// Runs one site, and prints the stacks of its allocations.
#[inline(never)]
pub fn site<T>(name: &str, run: impl FnOnce() -> T) {
    let anchor = anchor as fn() -> usize as usize;
    USED.store(0, SeqCst);
    ARMED.store(true, SeqCst);
    let value = black_box(run());
    ARMED.store(false, SeqCst);
    drop(value);
    println!("site {name}");
    let mut at = 0;
    while at < USED.load(SeqCst) {
        let length = STACKS[at].load(SeqCst);
        print!("stack");
        for word in &STACKS[at + 1..=at + length] {
            print!(" {}", word.load(SeqCst).wrapping_sub(anchor) as isize);
        }
        println!();
        at += length + 1;
    }
}
