//! Collections and strings of std, which allocate, grow, shrink and free.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::hash::BuildHasherDefault;
use std::rc::Rc;
use std::sync::{Arc, mpsc};

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
    suite.scenario("iterators collected", || {
        let words = black_box("a few words of text").split(' ');
        let long = words.filter(|word| word.len() > 1).map(str::to_uppercase);
        long.collect::<Vec<_>>().join("-")
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
    suite.scenario("tree map", || {
        let mut map: BTreeMap<_, _> = (0..black_box(50)).map(|key| (key, Box::new(key))).collect();
        let upper = map.split_off(&20);
        map.clear();
        upper.into_values().map(|value| *value).sum::<i32>()
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
    suite.scenario("sort by cached keys", || {
        let mut numbers: Vec<_> = (0..black_box(40_u32)).map(|n| n * 7 % 41).collect();
        numbers.sort_by_cached_key(|number| number.to_string());
        numbers
    });
    suite.scenario("deque that turns", || {
        let mut queue: VecDeque<_> = (0..black_box(5)).map(|n| vec![n; 4]).collect();
        for n in 0..30 {
            queue.push_back(vec![n; 9]);
            if n % 3 > 0 {
                queue.pop_front();
            }
        }
        queue.make_contiguous().len()
    });
    suite.scenario("linked lists", || {
        let mut one: LinkedList<_> = (0..black_box(12)).collect();
        let mut two = one.split_off(5);
        two.append(&mut one);
        two.pop_back();
        two
    });
    suite.scenario("reference counts", || {
        let shared = Arc::<str>::from(black_box("shared"));
        let cell = Rc::new(vec![Arc::clone(&shared); 6]);
        let weak = Rc::downgrade(&cell);
        drop(cell);
        (weak, shared)
    });
    suite.scenario("aligned to 64", || {
        #[repr(align(64))]
        #[derive(Clone)]
        struct Line([u8; 64]);
        let lines = vec![Line([black_box(1); 64]); 3];
        lines.iter().map(|line| u32::from(line.0[5])).sum::<u32>()
    });
    suite.scenario("channel", || {
        let (sender, receiver) = mpsc::channel();
        for number in 0..black_box(70_u8) {
            sender.send(vec![number; 3]).expect("there is a receiver");
        }
        drop(sender);
        receiver.iter().filter(|bytes| bytes[0] % 2 == 0).count()
    });
}
