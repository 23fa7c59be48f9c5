//! Allocates and frees 64 bytes again and again, for a tool that counts
//! instructions: `pairs MODE NUMBER`. `cargo xtask pairs` runs it.
//!
//! The modes differ in what stands between the loop and the system's allocator:
//! `plain` forwards and does nothing else, `counting` counts, `paused` is the
//! counter while it is switched off.
#![expect(
    unsafe_code,
    reason = "an allocator is called directly, without a collection's instructions around it"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use counting_alloc::{CountingAlloc, pause};

static PLAIN: Plain = Plain;
static COUNTING: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut words = env::args().skip(1);
    let (mode, number) = (words.next(), words.next());
    let Some(number) = number.and_then(|number| number.parse().ok()) else {
        return ExitCode::from(2);
    };
    match mode.as_deref() {
        Some("plain") => repeat(&PLAIN, number),
        Some("counting") => repeat(&COUNTING, number),
        Some("paused") => {
            let _paused = pause();
            repeat(&COUNTING, number);
        }
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}

#[inline(never)]
fn repeat(allocator: &impl GlobalAlloc, number: u64) {
    let layout = Layout::new::<[u64; 8]>();
    for _ in 0..number {
        // SAFETY: the size is not zero.
        let block = unsafe { allocator.alloc(black_box(layout)) };
        let block = black_box(block);
        assert!(!block.is_null());
        // SAFETY: `block` is live, of this allocator and of this layout.
        unsafe { allocator.dealloc(block, black_box(layout)) };
    }
}

/// What any wrapper costs at least.
struct Plain;

// SAFETY: both methods hand their arguments to `System`, and the defaults of the
// others are built on them.
unsafe impl GlobalAlloc for Plain {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }
}
