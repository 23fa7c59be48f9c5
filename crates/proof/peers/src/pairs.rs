//! The program whose instructions are counted: it repeats a pair of operations in a
//! mode. [`pairs_program!`](crate::pairs_program!) makes one for
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

/// Two operations that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// `alloc` and `dealloc` of 64 bytes.
    Alloc,
    /// `alloc_zeroed` and `dealloc` of 64 bytes.
    AllocZeroed,
    /// A grow from 64 to 104 bytes, and a shrink back to 64.
    Realloc,
}

impl Pair {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Alloc, Self::AllocZeroed, Self::Realloc];

    /// The name on the command line and in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alloc => "alloc",
            Self::AllocZeroed => "alloc_zeroed",
            Self::Realloc => "realloc",
        }
    }
}

/// The `main` of `PROGRAM MODE PAIR NUMBER`. The exit code is 2 if the mode is not among
/// `modes`, or a word is invalid.
#[must_use]
pub fn main(modes: &[Mode]) -> ExitCode {
    let mut words = env::args().skip(1);
    let (mode, pair, number) = (words.next(), words.next(), words.next());
    let mode = modes
        .iter()
        .find(|known| Some(known.name) == mode.as_deref());
    let pair = Pair::ALL
        .into_iter()
        .find(|known| Some(known.name()) == pair.as_deref());
    let number = number.and_then(|number| number.parse().ok());
    let (Some(mode), Some(pair), Some(number)) = (mode, pair, number) else {
        return ExitCode::from(2);
    };
    // One arm for each pair: its loop contains no call but those of the allocator.
    mode.run(&mut || match pair {
        Pair::Alloc => repeat(number, |layout| {
            // SAFETY: the size is not zero.
            unsafe { alloc::alloc(layout) }
        }),
        Pair::AllocZeroed => repeat(number, |layout| {
            // SAFETY: the size is not zero.
            unsafe { alloc::alloc_zeroed(layout) }
        }),
        Pair::Realloc => resize(number),
    });
    ExitCode::SUCCESS
}

fn repeat(number: u64, request: impl Fn(Layout) -> *mut u8) {
    let layout = black_box(SMALL);
    for _ in 0..number {
        let block = black_box(request(layout));
        assert!(!block.is_null());
        // SAFETY: `block` is live, of this allocator and of this layout.
        unsafe { alloc::dealloc(block, layout) };
    }
}

fn resize(number: u64) {
    let (small, large) = (black_box(SMALL), black_box(LARGE));
    // SAFETY: the size is not zero.
    let mut block = unsafe { alloc::alloc(small) };
    assert!(!block.is_null());
    for _ in 0..number {
        // SAFETY: `block` is live, of this allocator and of this layout; the size is not
        // zero.
        block = black_box(unsafe { alloc::realloc(block, small, large.size()) });
        assert!(!block.is_null());
        // SAFETY: as above.
        block = black_box(unsafe { alloc::realloc(block, large, small.size()) });
        assert!(!block.is_null());
    }
    // SAFETY: `block` is live, of this allocator and of this layout.
    unsafe { alloc::dealloc(block, small) };
}

const SMALL: Layout = Layout::new::<[u64; 8]>();
const LARGE: Layout = Layout::new::<[u64; 13]>();
