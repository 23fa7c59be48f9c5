//! The program whose instructions are counted: it allocates and frees 64 bytes,
//! a number of times, in a mode. Every contender has the same one, with its own
//! global allocator; [`contender!`](crate::contender!) writes it.

use std::alloc::{self, Layout};
use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use crate::mode::Mode;

/// The body of a program under `src/bin`: the global allocator, and a `main`
/// with the modes that make sense for it.
#[macro_export]
macro_rules! contender {
    ($type:ty = $allocator:expr, $($mode:ident),+) => {
        #[global_allocator]
        static ALLOCATOR: $type = $allocator;

        fn main() -> std::process::ExitCode {
            $crate::pairs::main(&[$($crate::mode::$mode),+])
        }
    };
}

/// `PROGRAM MODE NUMBER`: the exit code is 2 for a mode that is not among
/// `modes`, or for no number.
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
