//! The functions that replace glibc's behave like glibc's: both get the same arguments.

use std::ffi::{CStr, c_int};
use std::hint::black_box;
use std::mem;
use std::ptr;

use crate::c::{self, Block};

/// The result of a call, as far as two calls of the same function can agree.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    code: c_int,
    errno: c_int,
    /// The requested alignment, if the block has it.
    aligned_to: Option<usize>,
    /// Whether the block is as large as requested.
    has_room: bool,
    is_null: bool,
}

const UNTOUCHED: c_int = 77;

fn answer(alignment: usize, size: usize, call: impl FnOnce() -> (c_int, Block)) -> Answer {
    c::set_errno(UNTOUCHED);
    let (code, block) = black_box(call());
    let errno = c::errno();
    // An alignment that is not a power of two is met only by chance.
    let aligned = !block.is_null() && alignment.is_power_of_two() && block.addr() % alignment == 0;
    // SAFETY: null, or a live block.
    let has_room = !block.is_null() && unsafe { c::malloc_usable_size(block) } >= size;
    // SAFETY: null, or a block that nothing else refers to.
    unsafe { c::free(block) };
    Answer {
        code,
        errno,
        aligned_to: aligned.then_some(alignment),
        has_room,
        is_null: block.is_null(),
    }
}

type Aligned = unsafe extern "C" fn(usize, usize) -> Block;
type Placing = unsafe extern "C" fn(*mut Block, usize, usize) -> c_int;
type Sized = unsafe extern "C" fn(usize) -> Block;
type Counted = unsafe extern "C" fn(usize, usize) -> Block;

fn glibcs_aligned(name: &CStr) -> Aligned {
    // SAFETY: glibc's function of this name has this type.
    unsafe { mem::transmute(c::glibcs(name)) }
}

fn glibcs_sized(name: &CStr) -> Sized {
    // SAFETY: glibc's function of this name has this type.
    unsafe { mem::transmute(c::glibcs(name)) }
}

pub(crate) fn aligned_functions_answer_as_glibcs_do() {
    let powers = (0..=12).map(|exponent| 1_usize << exponent);
    let alignments = powers.chain([0, 3, 12, 24, 48, 100, 1 << 62, (1 << 63) + 1, usize::MAX]);
    // SAFETY: glibc's function of this name has this type.
    let glibcs_posix: Placing = unsafe { mem::transmute(c::glibcs(c"posix_memalign")) };
    let functions = [
        (c::memalign as Aligned, glibcs_aligned(c"memalign")),
        (c::aligned_alloc, glibcs_aligned(c"aligned_alloc")),
    ];
    let mut aligned = 0;
    for alignment in alignments {
        for size in [0, 1, 33, 4_096, usize::MAX / 2] {
            for (ours, glibcs) in functions {
                let [ours, glibcs] = [ours, glibcs].map(|function| {
                    // SAFETY: it accepts any numbers.
                    let call = || unsafe { function(alignment, size) };
                    answer(alignment, size, || (0, call()))
                });
                assert_eq!(ours, glibcs, "{alignment} {size}");
            }
            let [ours, glibcs] = [c::posix_memalign as Placing, glibcs_posix].map(|function| {
                answer(alignment, size, || {
                    let mut block = ptr::null_mut();
                    // SAFETY: the place is valid, and the function checks the numbers.
                    let code = unsafe { function(&raw mut block, alignment, size) };
                    (code, block)
                })
            });
            assert_eq!(ours, glibcs, "{alignment} {size}");
            aligned += usize::from(ours.aligned_to.is_some());
            // The documented behaviour, in any version of glibc.
            let is_valid = alignment.is_power_of_two() && alignment >= size_of::<usize>();
            assert_eq!(ours.code == 22, !is_valid, "{alignment} {size}");
            assert!(!is_valid || ours.is_null || ours.aligned_to == Some(alignment));
        }
    }
    // Alignments of 8 to 4,096, with the four sizes for which there is memory.
    assert_eq!(aligned, 10 * 4);
    let [ours, glibcs] = [
        [c::valloc as Sized, c::pvalloc],
        [glibcs_sized(c"valloc"), glibcs_sized(c"pvalloc")],
    ]
    .map(|functions| {
        functions.map(|function| {
            // SAFETY: it accepts any size.
            [0, 1, 5_000, usize::MAX]
                .map(|size| answer(4_096, size, || (0, unsafe { function(size) })))
        })
    });
    assert_eq!(ours, glibcs);
}

pub(crate) fn refusals_leave_the_errno_that_glibcs_do() {
    const ENOMEM: c_int = 12;
    // SAFETY: glibc's function of this name has this type.
    let glibcs_calloc: Counted = unsafe { mem::transmute(c::glibcs(c"calloc")) };
    for function in [c::malloc as Sized, glibcs_sized(c"malloc")] {
        // SAFETY: it accepts any size.
        let [small, large] =
            [8, usize::MAX / 2].map(|size| answer(8, size, || (0, unsafe { function(size) })));
        assert_eq!((small.errno, small.is_null), (UNTOUCHED, false));
        assert_eq!((large.errno, large.is_null), (ENOMEM, true));
    }
    for function in [c::calloc as Counted, glibcs_calloc] {
        // SAFETY: it accepts any sizes.
        let [small, large] =
            [1, usize::MAX / 2].map(|count| answer(8, 4, || (0, unsafe { function(count, 4) })));
        assert_eq!((small.errno, small.is_null), (UNTOUCHED, false));
        assert_eq!((large.errno, large.is_null), (ENOMEM, true));
    }
    let overflow = answer(8, 8, || {
        // SAFETY: the function accepts null as a block.
        (0, unsafe {
            c::reallocarray(ptr::null_mut(), usize::MAX, 2)
        })
    });
    assert_eq!((overflow.errno, overflow.is_null), (ENOMEM, true));
    // `free` preserves the `errno` of an earlier failure.
    c::set_errno(UNTOUCHED);
    c::take_and_free(1 << 20);
    assert_eq!(c::errno(), UNTOUCHED);
}

pub(crate) fn blocks_go_from_one_function_to_any_other() {
    // SAFETY: glibc's function of this name has this type.
    let glibcs_free: unsafe extern "C" fn(Block) = unsafe { mem::transmute(c::glibcs(c"free")) };
    // SAFETY: it accepts any size.
    let ours = unsafe { c::malloc(100) };
    // SAFETY: a block of `malloc`, from either function.
    assert!(unsafe { c::malloc_usable_size(ours) } >= 100);
    // SAFETY: as above, and not used afterwards.
    unsafe { glibcs_free(ours) };
    // SAFETY: it accepts any size.
    let glibcs = unsafe { glibcs_sized(c"malloc")(100) };
    // SAFETY: a block of `malloc`, not used afterwards.
    let moved = unsafe { c::realloc(glibcs, 100_000) };
    // SAFETY: as above.
    unsafe { c::free(moved) };
    // SAFETY: it accepts any sizes.
    let zeroed = unsafe { c::calloc(1_000, 8) }.cast::<u64>();
    for index in 0..1_000 {
        // SAFETY: within the block.
        let number = unsafe { zeroed.add(index) };
        // SAFETY: as above; `calloc` wrote zeros.
        assert_eq!(unsafe { number.read() }, 0);
    }
    // SAFETY: a block of `calloc`, not used afterwards.
    unsafe { c::free(zeroed.cast()) };
}
