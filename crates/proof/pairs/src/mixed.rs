//! A program with all kinds of operations at many call sites, as most programs are. There
//! the compiler inlines the allocator into functions of std, which it inlines into their
//! callers unless they have become too large.
#![expect(
    clippy::extra_unused_type_parameters,
    reason = "a parameter lets a function be compiled in the crate that calls it"
)]

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::rc::Rc;

use crate::pairs::{self, Pair};

/// The body of a program under `src/bin`: as [`pairs_program!`](crate::pairs_program!), with
/// all kinds of operations in it.
#[macro_export]
macro_rules! mixed_program {
    ($type:ty = $allocator:expr, $($mode:expr),+) => {
        #[global_allocator]
        static ALLOCATOR: $type = $allocator;

        fn main() -> std::process::ExitCode {
            /// Compiles the functions in this crate.
            struct OwnCrate;

            $crate::pairs::main(
                &[$($mode),+],
                $crate::mixed::repeat::<OwnCrate>,
                $crate::mixed::repeat_in_this_crate,
            )
        }
    };
}

/// Stands for this crate in [`repeat_in_this_crate`].
struct ThisCrate;

/// [`repeat`], compiled in this crate.
#[inline(never)]
pub fn repeat_in_this_crate(pair: Pair, number: u64) {
    repeat::<ThisCrate>(pair, number);
}

/// Repeats `pair`, after the other kinds of operations. It and the functions that it calls
/// are generic, and so compiled in the crate of `C`, each by itself.
pub fn repeat<C>(pair: Pair, number: u64) {
    many_call_sites::<C>();
    match pair {
        Pair::Alloc | Pair::AllocZeroed | Pair::Realloc => raw::<C>(pair, number),
        Pair::Box => boxes::<C>(number),
        Pair::Vec => vectors::<C>(number),
        Pair::ZeroedVec => zeroed_vectors::<C>(number),
        Pair::ResizedVec => resized_vectors::<C>(number),
        Pair::PushedVec => pushed_vectors::<C>(number),
    }
}

#[inline(never)]
fn raw<C>(pair: Pair, number: u64) {
    pairs::repeat(pair, number);
}

#[inline(never)]
fn boxes<C>(number: u64) {
    for _ in 0..number {
        black_box(Box::new(black_box([0_u64; 8])));
    }
}

#[inline(never)]
fn vectors<C>(number: u64) {
    for _ in 0..number {
        black_box(Vec::<u64>::with_capacity(black_box(8)));
    }
}

#[inline(never)]
fn zeroed_vectors<C>(number: u64) {
    for _ in 0..number {
        black_box(vec![0_u64; black_box(8)]);
    }
}

#[inline(never)]
fn resized_vectors<C>(number: u64) {
    let mut vector = vec![0_u64; black_box(8)];
    for _ in 0..number {
        vector.reserve_exact(black_box(5));
        black_box(&mut vector);
        vector.shrink_to_fit();
        black_box(&mut vector);
    }
}

#[inline(never)]
fn pushed_vectors<C>(number: u64) {
    for _ in 0..number {
        let mut vector = Vec::<u64>::new();
        for element in 0..black_box(8) {
            vector.push(element);
        }
        black_box(vector);
    }
}

/// Allocates in ways that programs do: collections, text, shared values, elements of several
/// sizes and alignments.
#[inline(never)]
fn many_call_sites<C>() {
    let number = black_box(3_usize);
    black_box(Vec::<u8>::with_capacity(number));
    black_box(Vec::<[u32; 3]>::with_capacity(number));
    black_box(Vec::<[u128; 2]>::with_capacity(number));
    black_box(vec![0_u8; number]);
    black_box(vec![0_u32; number]);
    black_box(vec![1_u16; number]);
    black_box(vec![String::from("text"); number]);
    black_box((0..number).collect::<Vec<_>>());
    black_box((0..number).map(Box::new).collect::<Vec<_>>());
    black_box((0..number).map(|at| at.to_string()).collect::<String>());
    black_box(format!("{number} of {number}"));
    black_box((0..number).zip(0..).collect::<HashMap<usize, usize>>());
    black_box((0..number).zip(0..).collect::<BTreeMap<usize, usize>>());
    black_box(Rc::new(number));
    black_box(Rc::<str>::from("shared"));
    black_box(vec![number; number].into_boxed_slice());
    let mut grown = Vec::new();
    for at in 0..number {
        grown.push(at as u8);
        grown.extend_from_slice(black_box(b"more"));
    }
    grown.shrink_to_fit();
    black_box(grown);
    let mut text = String::new();
    text.push_str(black_box("a longer text"));
    text.reserve(number);
    black_box(text);
}
