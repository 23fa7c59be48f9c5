//! std's collections, iterators and sorting.

use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{Hash, Hasher};
use std::hint::black_box;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    vec_pushes,
    vec_of_exact_capacity,
    vec_inserts_and_drains,
    vec_of_vecs,
    vec_deque_wraps,
    hash_map_of_strings,
    hash_set_of_numbers,
    btree_map_inserts_and_removes,
    btree_set_splits,
    binary_heap_pops,
    linked_list_splits,
    hashing,
    sort_stable,
    sort_unstable,
    sort_by_cached_key,
    collect_of_known_length,
    collect_of_unknown_length,
    collect_in_place,
    collect_of_results,
    boxed_slice,
];

fn vec_pushes() {
    let mut v = Vec::new();
    for n in 0..1_000_u64 {
        v.push(black_box(n));
    }
    black_box(v);
}

fn vec_of_exact_capacity() {
    let mut v = Vec::with_capacity(black_box(100));
    v.extend(0..100_u32);
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

fn vec_of_vecs() {
    let rows: Vec<Vec<u32>> = (0..20).map(|row| vec![row; row as usize]).collect();
    let copy = black_box(&rows).clone();
    black_box((rows, copy));
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

fn hash_set_of_numbers() {
    let evens: HashSet<u32> = (0..400).filter(|n| n % 2 == 0).collect();
    let threes: HashSet<u32> = (0..400).filter(|n| n % 3 == 0).collect();
    let both: BTreeSet<u32> = evens.intersection(&threes).copied().collect();
    black_box(both);
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

fn btree_set_splits() {
    let mut low: BTreeSet<u64> = (0..300).collect();
    let mut high = low.split_off(black_box(&120));
    high.append(&mut low);
    black_box(high);
}

fn binary_heap_pops() {
    let mut heap: BinaryHeap<Reverse<u32>> = (0..100).rev().map(Reverse).collect();
    heap.push(Reverse(7));
    let sorted: Vec<_> = std::iter::from_fn(|| heap.pop()).collect();
    black_box(sorted);
}

fn linked_list_splits() {
    let mut list: LinkedList<u8> = (0..30).collect();
    let mut rest = list.split_off(12);
    rest.append(&mut list);
    black_box(rest);
}

fn hashing() {
    let mut hasher = DefaultHasher::new();
    black_box(("text", 17_u64, [1_u8; 40])).hash(&mut hasher);
    black_box(hasher.finish());
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

fn collect_of_known_length() {
    let v: Vec<u64> = black_box(0..77_u64).map(|n| n * n).collect();
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

fn collect_of_results() {
    let numbers: Result<Vec<i32>, _> = "1 2 3 4 5 6 7".split(' ').map(str::parse).collect();
    let stopped: Result<Vec<i32>, _> = "1 2 three 4".split(' ').map(str::parse).collect();
    let _ = black_box((numbers, stopped));
}

fn boxed_slice() {
    let mut v = Vec::with_capacity(50);
    v.extend_from_slice(&[9_u16; 33]);
    let boxed = black_box(v).into_boxed_slice();
    black_box(boxed.into_vec());
}
