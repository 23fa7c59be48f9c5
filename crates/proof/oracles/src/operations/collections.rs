//! std's collections, iterators and sorting.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hint::black_box;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    vec_pushes,
    vec_inserts_and_drains,
    vec_deque_wraps,
    hash_map_of_strings,
    btree_map_inserts_and_removes,
    sort_stable,
    sort_unstable,
    sort_by_cached_key,
    collect_of_unknown_length,
    collect_in_place,
];

fn vec_pushes() {
    let mut v = Vec::new();
    for n in 0..1_000_u64 {
        v.push(black_box(n));
    }
    black_box(v);
}

fn vec_inserts_and_drains() {
    let mut v: Vec<u16> = (0..64).collect();
    v.splice(10..20, black_box(500..600));
    v.insert(3, 7);
    let drained: Vec<u16> = v.drain(5..50).collect();
    v.retain(|n| n % 2 == 0);
    v.shrink_to(20);
    black_box((v, drained));
}

fn vec_deque_wraps() {
    let mut queue = VecDeque::new();
    for n in 0..300_u32 {
        queue.push_back(black_box(n));
        if n % 3 == 0 {
            queue.pop_front();
        }
    }
    queue.make_contiguous();
    queue.shrink_to_fit();
    black_box(queue);
}

fn hash_map_of_strings() {
    let mut map = HashMap::new();
    for n in 0..200 {
        *map.entry(format!("key {}", n % 50)).or_insert(0_u64) += n;
    }
    map.shrink_to_fit();
    black_box(map);
}

fn btree_map_inserts_and_removes() {
    let mut map = BTreeMap::new();
    for n in 0..500_u32 {
        map.insert(n.wrapping_mul(2_654_435_761), [n; 3]);
    }
    for n in (0..500_u32).step_by(2) {
        map.remove(&n.wrapping_mul(2_654_435_761));
    }
    black_box(map);
}

fn mixed(length: u64) -> Vec<u64> {
    (0..length)
        .map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .collect()
}

/// Allocates a scratch buffer.
fn sort_stable() {
    let mut v = mixed(2_000);
    v.sort();
    black_box(v);
}

/// Allocates no scratch buffer.
fn sort_unstable() {
    let mut v = mixed(2_000);
    v.sort_unstable();
    black_box(v);
}

fn sort_by_cached_key() {
    let mut v = mixed(100);
    v.sort_by_cached_key(ToString::to_string);
    black_box(v);
}

fn collect_of_unknown_length() {
    let v: Vec<u64> = black_box(0..500_u64).filter(|n| n % 7 != 0).collect();
    black_box(v);
}

/// Keeps the block of the source and shrinks it.
fn collect_in_place() {
    let wide: Vec<u64> = (0..101).collect();
    let narrow: Vec<u32> = black_box(wide).into_iter().map(|n| n as u32).collect();
    black_box(narrow);
}
