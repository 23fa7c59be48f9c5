//! Blocks that outlive an iteration, or are older than it, and iterations that differ.

use std::mem;

use alloc_scenario::{Suite, black_box};

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.scenario("leak", || {
        mem::forget(black_box(vec![1_u8; 24]));
        drop(black_box(vec![1_u8; 50]));
    });
    suite.scenario_with("outputs that stay", |b| {
        b.drop_outside()
            .run(|()| (Box::new(black_box(7_u64)), vec![0_u8; 33]))
    });
    suite.scenario_with("older block freed", |b| {
        b.input(|()| (vec![1_u8; 64], vec![2_u8; 10]))
            .run(|(a, b)| {
                drop(a);
                let replaced = black_box(vec![3_u8; 20]);
                drop(b);
                replaced
            })
    });
    suite.scenario_with("older block freed before the peak", |b| {
        b.input(|()| vec![1_u8; 5_000]).run(|old| {
            drop(old);
            black_box(vec![3_u8; 2_000])
        })
    });
    suite.scenario_with("older block replaced", |b| {
        b.setup(|()| String::from("old"))
            .run(|state| *state = format!("{} new", black_box(1)))
    });
    suite.scenario_with("older block grown", |b| {
        b.input(|()| vec![1_u8; 10]).run(|mut old| {
            old.extend_from_slice(&[black_box(2); 90]);
            old.extend_from_slice(&[black_box(2); 900]);
            old
        })
    });
    suite.scenario_with("older block shrunk and kept", |b| {
        b.setup(|()| (Vec::new(), Vec::new()))
            .run(|(bytes, kept): &mut (Vec<u8>, Vec<_>)| {
                bytes.resize(black_box(500), 1);
                bytes.truncate(black_box(30));
                bytes.shrink_to_fit();
                kept.push(bytes.clone());
            })
    });
    suite.scenario("each tenth call", {
        let mut calls = 0_usize;
        move || {
            calls += 1;
            calls
                .is_multiple_of(10)
                .then(|| (vec![1_u8; calls], calls.to_string()))
        }
    });
    suite.scenario_with("address that comes back", |b| {
        b.run(|()| {
            for size in [black_box(40), 40, 41, 40] {
                drop(black_box(vec![1_u8; size]));
            }
            black_box(vec![1_u8; 40])
        })
    });
    suite.scenario_with("process of its own", |b| {
        b.fresh_process().run(|()| vec![black_box(1_u8); 77])
    });
}
