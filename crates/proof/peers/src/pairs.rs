//! The program whose instructions are counted: it allocates and frees 64 bytes, a
//! number of times, in a mode. [`pairs_program!`](crate::pairs_program!) makes one for
//! each counter, which differ in the global allocator only.

use std::alloc::{self, Layout};
use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use crate::mode::Mode;

/// The body of a program under `src/bin`: the global allocator, and a `main`
/// with the modes that the counter supports.
#[macro_export]
macro_rules! pairs_program {
    ($type:ty = $allocator:expr, $($mode:ident),+) => {
        #[global_allocator]
        static ALLOCATOR: $type = $allocator;

        fn main() -> std::process::ExitCode {
            $crate::pairs::main(&[$($crate::mode::$mode),+])
        }
    };
}

/// The `main` of `PROGRAM MODE NUMBER`. The exit code is 2 if the mode is not among
/// `modes`, or the number is invalid.
#[must_use]
pub fn main(modes: &[Mode]) -> ExitCode {
    let mut words = env::args().skip(1);
    let (mode, number) = (words.next(), words.next());
    let mode = modes
        .iter()
        .find(|known| Some(known.name) == mode.as_deref());
    let number = number.and_then(|number| number.parse().ok());
    let (Some(mode), Some(number)) = (mode, number) else {
        return ExitCode::from(2);
    };
    mode.run(&mut || repeat(number));
    ExitCode::SUCCESS
}

#[inline(never)]
fn repeat(number: u64) {
    let layout = black_box(Layout::new::<[u64; 8]>());
    for _ in 0..number {
        // SAFETY: the size is not zero.
        let block = unsafe { alloc::alloc(layout) };
        let block = black_box(block);
        assert!(!block.is_null());
        // SAFETY: `block` is live, of this allocator and of this layout.
        unsafe { alloc::dealloc(block, layout) };
    }
}
