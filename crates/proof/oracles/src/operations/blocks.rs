//! Rare requests: large, empty, aligned, refused, and resized to every side. Raw calls
//! make those that no collection makes.

use std::hint::black_box;

use crate::operation::{Operation, on_one_thread};
use crate::raw::{self, Block};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    nothing,
    eight_mebibytes,
    values_of_no_size,
    aligned_to_a_cache_line,
    aligned_vec_grows_and_shrinks,
    aligned_beyond_its_size,
    aligned_and_zeroed,
    shrunk_to_fit,
    realloc_to_the_same_size,
    refused_vec,
    refused_growth,
    refused_zeroes,
    refused_aligned_growth,
    every_kind_of_call,
];

/// 2^58 bytes on 64-bit targets: more than any of their processors can address.
const TOO_MUCH: usize = (isize::MAX as usize >> 5) + 1;

fn nothing() {}

fn eight_mebibytes() {
    let mut v = Vec::<u8>::with_capacity(black_box(8 << 20));
    v.push(1);
    black_box(v);
}

/// Calls no allocator.
fn values_of_no_size() {
    let mut v = vec![(); black_box(1_000)];
    v.push(());
    black_box((Box::new(()), v));
}

#[derive(Clone)]
#[repr(align(64))]
struct CacheLine([u8; 64]);

fn aligned_to_a_cache_line() {
    let line = black_box(Box::new(CacheLine([1; 64])));
    assert_eq!(line.0.as_ptr().addr() % 64, 0);
}

fn aligned_vec_grows_and_shrinks() {
    let mut lines = Vec::with_capacity(2);
    lines.resize(2, CacheLine([2; 64]));
    lines.reserve_exact(black_box(5));
    lines.truncate(1);
    lines.shrink_to_fit();
    black_box(lines);
}

/// C's `malloc` promises no alignment beyond the size.
fn aligned_beyond_its_size() {
    let mut block = Block::new(8, 16);
    block.resize(4);
}

fn aligned_and_zeroed() {
    drop(Block::zeroed(1_000, 256));
}

fn shrunk_to_fit() {
    let mut v = Vec::<u32>::with_capacity(1_000);
    for kept in [500, 100, 3, 0] {
        v.resize(kept, 1);
        v.shrink_to_fit();
    }
    black_box(v);
}

fn realloc_to_the_same_size() {
    Block::new(32, 8).resize(32);
}

fn refused_vec() {
    let mut v = Vec::<u8>::new();
    assert!(v.try_reserve_exact(black_box(TOO_MUCH)).is_err());
    black_box(v);
}

fn refused_growth() {
    let mut v = vec![1_u8; 40];
    assert!(v.try_reserve_exact(black_box(TOO_MUCH)).is_err());
    assert!(v.try_reserve(black_box(TOO_MUCH)).is_err());
    black_box(v);
}

fn refused_zeroes() {
    assert!(raw::refuses_zeroes(black_box(TOO_MUCH)));
}

fn refused_aligned_growth() {
    let mut lines = vec![CacheLine([3; 64])];
    assert!(lines.try_reserve_exact(black_box(TOO_MUCH / 64)).is_err());
    black_box(lines);
}

/// Every field of the tally is above zero, and no two are equal.
fn every_kind_of_call() {
    let mut block = Block::new(8, 8);
    for new_size in [18, 28, 58, 50, 50, 45, 45] {
        block.resize(new_size);
    }
    for _ in 0..6 {
        drop(Block::zeroed(100, 8));
    }
    black_box(Box::leak(Box::new([1_u8; 11])));
    for _ in 0..5 {
        refused_zeroes();
    }
}
