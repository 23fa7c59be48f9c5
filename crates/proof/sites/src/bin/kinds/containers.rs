//! Collections and strings of std, which allocate, grow, shrink and free.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::BuildHasherDefault;

use alloc_scenario::{Suite, black_box};

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.scenario("vector that grows", || {
        let mut numbers = Vec::new();
        for number in 0..black_box(100_u64) {
            numbers.push(number);
        }
        numbers
    });
    suite.scenario("format!", || {
        format!("{:>20} of {}", black_box(7), black_box("ten"))
    });
    // The default hasher has random keys.
    suite.scenario("hash map that grows", || {
        let mut map = HashMap::<_, _, BuildHasherDefault<DefaultHasher>>::default();
        for key in 0..black_box(60_u32) {
            map.insert(key.to_string(), vec![key]);
        }
        map.retain(|_, value| value[0] % 3 == 0);
        map.shrink_to_fit();
        map.len()
    });
    suite.scenario("zeroed", || {
        (vec![0_u8; black_box(300)], vec![0_u64; black_box(9)])
    });
    suite.scenario("shrunk", || {
        let mut bytes = vec![1_u8; black_box(4_000)];
        for length in [3_000, 700, 20, 1] {
            bytes.truncate(length);
            bytes.shrink_to_fit();
        }
        bytes.into_boxed_slice()
    });
    suite.scenario("refused", || {
        let mut bytes = vec![1_u8; black_box(10)];
        let refused = bytes.try_reserve_exact(black_box(1 << 58));
        let never = Vec::<u64>::new().try_reserve(black_box(1 << 58));
        (bytes, refused.is_err(), never.is_err())
    });
    suite.scenario("aligned to 64", || {
        #[repr(align(64))]
        #[derive(Clone)]
        struct Line([u8; 64]);
        let lines = vec![Line([black_box(1); 64]); 3];
        lines.iter().map(|line| u32::from(line.0[5])).sum::<u32>()
    });
}
