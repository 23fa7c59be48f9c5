//! Code with marked lines that allocate.

use std::fmt::{self, Display, Formatter, Write};
use std::hint::black_box;

/// Allocates in three lines: once 24 bytes, twice 16 in all, and once 100.
#[inline(never)]
pub(crate) fn several() {
    let one = black_box(Vec::<u8>::with_capacity(24)); //@ vector
    let two = black_box(format!("{:>10}", black_box(7))); //@ text
    let all: Vec<u16> = (0..black_box(50)).collect(); //@ collected
    drop((one, two, black_box(all))); //@ dropped
}

/// Allocates in each call, and in one more line in one of them.
#[inline(never)]
pub(crate) fn more_in(one: u64, call: u64) {
    drop(black_box(vec![1_u8; 10])); //@ always
    if call == one {
        drop(black_box(vec![1_u8; 100])); //@ rare
    }
}

/// Allocates in twelve lines, 1 to 12 bytes.
#[inline(never)]
#[rustfmt::skip]
pub(crate) fn twelve() {
    drop(black_box(vec![1_u8; 1]));
    drop(black_box(vec![1_u8; 2]));
    drop(black_box(vec![1_u8; 3])); //@ three
    drop(black_box(vec![1_u8; 4]));
    drop(black_box(vec![1_u8; 5]));
    drop(black_box(vec![1_u8; 6]));
    drop(black_box(vec![1_u8; 7]));
    drop(black_box(vec![1_u8; 8]));
    drop(black_box(vec![1_u8; 9]));
    drop(black_box(vec![1_u8; 10]));
    drop(black_box(vec![1_u8; 11]));
    drop(black_box(vec![1_u8; 12])); //@ twelve
}

/// Returns 30 bytes, and has 1,000 more for a while.
#[inline(never)]
pub(crate) fn kept() -> Vec<u8> {
    let kept = vec![1_u8; 30]; //@ kept
    drop(black_box(vec![1_u8; 1000])); //@ peak
    kept
}

/// Allocates after an `await`.
pub(crate) async fn reply() -> String {
    std::future::ready(()).await;
    String::from("a reply") //@ reply
}

/// Allocates a million bytes.
#[inline(never)]
pub(crate) fn million() {
    drop(black_box(vec![1_u8; 1_000_000])); //@ million
}

/// Allocates 24 bytes.
#[inline(never)]
fn called() -> Vec<u8> {
    black_box(vec![1_u8; 24]) //@ called
}

/// Allocates twice in a function that it calls, and 32 bytes in a line of its own.
#[inline(never)]
pub(crate) fn calls() {
    let both = [(), ()].map(|()| called()); //@ caller
    let mut grown = black_box(Vec::new());
    grown.push(1_u64); //@ growing
    drop((both, black_box(grown)));
}

struct Range(u32, u32);

impl Display for Range {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{}..{}", self.0, self.1)) //@ made
    }
}

/// Prints into a text that is large enough.
#[inline(never)]
pub(crate) fn prints(text: &mut String) -> fmt::Result {
    write!(text, "{}", black_box(Range(1, 2)))
}
