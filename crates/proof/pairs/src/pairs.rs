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
    ($type:ty = $allocator:expr, $($mode:expr),+) => {
        #[global_allocator]
        static ALLOCATOR: $type = $allocator;

        fn main() -> std::process::ExitCode {
            $crate::pairs::main(
                &[$($mode),+],
                $crate::pairs::repeat,
                $crate::pairs::repeat_in_this_crate,
            )
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
    /// A `Box` of 64 bytes.
    Box,
    /// A `Vec` with a capacity of 64 bytes.
    Vec,
    /// A `vec!` of 64 zeroed bytes.
    ZeroedVec,
    /// A `Vec` whose capacity grows from 64 to 104 bytes and shrinks back to 64.
    ResizedVec,
    /// A `Vec` to which 64 bytes are pushed: an allocation and a grow.
    PushedVec,
}

impl Pair {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Alloc,
        Self::AllocZeroed,
        Self::Realloc,
        Self::Box,
        Self::Vec,
        Self::ZeroedVec,
        Self::ResizedVec,
        Self::PushedVec,
    ];

    /// The name on the command line and in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alloc => "alloc",
            Self::AllocZeroed => "alloc_zeroed",
            Self::Realloc => "realloc",
            Self::Box => "Box",
            Self::Vec => "Vec",
            Self::ZeroedVec => "zeroed Vec",
            Self::ResizedVec => "resized Vec",
            Self::PushedVec => "pushed Vec",
        }
    }
}

/// The crate in which the loop over the pairs is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// That of the global allocator, into which the compiler can inline the allocator.
    OwnCrate,
    /// Another one, which calls the global allocator through the linker.
    OtherCrate,
}

impl Caller {
    /// Both.
    pub const ALL: [Self; 2] = [Self::OwnCrate, Self::OtherCrate];

    /// The name on the command line and in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OwnCrate => "own crate",
            Self::OtherCrate => "other crate",
        }
    }
}

/// The `main` of `PROGRAM CALLER MODE PAIR NUMBER`. The exit code is 2 if the mode is not
/// among `modes`, or a word is invalid. The two functions repeat a pair, and are compiled in
/// the crate of the program and in this one.
#[must_use]
pub fn main(modes: &[Mode], own_crate: fn(Pair, u64), other_crate: fn(Pair, u64)) -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let [caller, mode, pair, number] = &words[..] else {
        return ExitCode::from(2);
    };
    let caller = Caller::ALL.into_iter().find(|known| known.name() == caller);
    let mode = modes.iter().find(|known| known.name == mode);
    let pair = Pair::ALL.into_iter().find(|known| known.name() == pair);
    let (Some(caller), Some(mode), Some(pair), Ok(number)) = (caller, mode, pair, number.parse())
    else {
        return ExitCode::from(2);
    };
    let repeat = match caller {
        Caller::OwnCrate => own_crate,
        Caller::OtherCrate => other_crate,
    };
    (mode.enter)(&mut || repeat(pair, number));
    ExitCode::SUCCESS
}

/// [`repeat`], compiled in this crate.
#[inline(never)]
pub fn repeat_in_this_crate(pair: Pair, number: u64) {
    repeat(pair, number);
}

/// Repeats `pair`, one of the raw ones, and nothing for others. It is `inline`, as are the functions that it calls, and so compiled in
/// the crate that uses it.
#[inline]
pub fn repeat(pair: Pair, number: u64) {
    // One arm for each pair: its loop calls nothing but the allocator.
    match pair {
        Pair::Alloc => allocate(number, |layout| {
            // SAFETY: the size is not zero.
            unsafe { alloc::alloc(layout) }
        }),
        Pair::AllocZeroed => allocate(number, |layout| {
            // SAFETY: the size is not zero.
            unsafe { alloc::alloc_zeroed(layout) }
        }),
        Pair::Realloc => resize(number),
        Pair::Box | Pair::Vec | Pair::ZeroedVec | Pair::ResizedVec | Pair::PushedVec => {}
    }
}

#[inline]
fn allocate(number: u64, request: impl Fn(Layout) -> *mut u8) {
    let layout = black_box(SMALL);
    for _ in 0..number {
        let block = black_box(request(layout));
        assert!(!block.is_null());
        // SAFETY: `block` is live, of this allocator and of this layout.
        unsafe { alloc::dealloc(block, layout) };
    }
}

#[inline]
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
