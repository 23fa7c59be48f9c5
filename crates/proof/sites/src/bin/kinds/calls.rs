//! Ways in which code calls code: recursion, trait objects, closures, panics.

use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use alloc_scenario::{Suite, black_box};

use crate::ON_PURPOSE;

pub(crate) fn add(suite: &mut Suite<'_>) {
    suite.scenario("recursion that keeps", || Tree::of_depth(black_box(6)));
    suite.scenario("recursion that frees", || descend(black_box(25)));
    suite.scenario_with("recursion deeper than stacks are kept", |b| {
        b.iterations(1).run(|()| descend(black_box(1_500)))
    });
    suite.scenario_with("deeper than stacks are kept", |b| {
        b.iterations(3).run(|()| sink(black_box(600)))
    });
    suite.scenario("many stacks", || {
        for path in 0..black_box(200) {
            black_box(walk(path, 8));
        }
    });
    suite.scenario("tail calls", || tail(black_box(4)));
    suite.scenario("trait objects", || {
        let shapes: [Rc<dyn Shape>; 3] = [Rc::new(Line(9)), Rc::new(Word("abc")), Rc::new(Line(2))];
        let mut drawn = String::new();
        for shape in &shapes {
            shape.draw(&mut drawn);
        }
        drawn
    });
    suite.scenario("panic that is caught", || {
        let caught = panic::catch_unwind(|| {
            let _frees = Frees(vec![1; black_box(80)]);
            panic!("{ON_PURPOSE}");
        });
        caught.is_err()
    });
    suite.scenario("unwinding through frames that free", || {
        let mut kept = Vec::new();
        let caught = panic::catch_unwind(AssertUnwindSafe(|| unwound(black_box(7), &mut kept)));
        (kept, caught.is_err())
    });
}

struct Tree(#[expect(dead_code, reason = "it is dropped")] Vec<Tree>);

impl Tree {
    fn of_depth(depth: u32) -> Self {
        match depth {
            0 => Self(Vec::new()),
            _ => Self((0..2).map(|_| Self::of_depth(depth - 1)).collect()),
        }
    }
}

/// Allocates before and after the inner call.
#[inline(never)]
fn descend(depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let before = black_box(vec![1_u8; depth]);
    let inner = descend(depth - 1);
    let after = black_box(vec![2_u8; inner % 50 + 1]);
    before.len() + after.len()
}

/// Allocates at some of the depths.
#[inline(never)]
fn sink(depth: usize) -> usize {
    let bytes = match depth % 100 {
        0 => black_box(vec![1_u8; depth + 1]),
        _ => Vec::new(),
    };
    let inner = if depth == 0 { 0 } else { sink(depth - 1) };
    bytes.len() + inner
}

/// Calls itself at one of two places, by the bits of `path`.
#[inline(never)]
fn walk(path: u32, depth: u32) -> usize {
    if depth == 0 {
        return black_box(vec![0_u8; 24]).len();
    }
    let below = if black_box(path & 1) == 0 {
        walk(path >> 1, depth - 1)
    } else {
        walk(path >> 1, depth - 1) + 1
    };
    black_box(below)
}

/// Optimized builds jump to `made`.
#[inline(never)]
fn tail(size: usize) -> Vec<u8> {
    made(size * 10)
}

#[inline(never)]
fn made(size: usize) -> Vec<u8> {
    vec![7; size]
}

trait Shape {
    fn draw(&self, to: &mut String);
}

struct Line(usize);

impl Shape for Line {
    fn draw(&self, to: &mut String) {
        to.push_str(&"-".repeat(self.0));
    }
}

struct Word(&'static str);

impl Shape for Word {
    fn draw(&self, to: &mut String) {
        to.extend(self.0.chars().flat_map(char::to_uppercase));
    }
}

/// Allocates and frees when it is dropped.
struct Frees(Vec<u8>);

impl Drop for Frees {
    fn drop(&mut self) {
        drop(black_box(self.0.clone()));
    }
}

#[inline(never)]
fn unwound(depth: usize, kept: &mut Vec<Vec<u8>>) {
    let _frees = Frees(vec![1; depth + 1]);
    kept.push(vec![2; depth + 10]);
    if depth == 0 {
        panic::resume_unwind(Box::new(ON_PURPOSE));
    }
    unwound(depth - 1, kept);
    kept.clear();
}
