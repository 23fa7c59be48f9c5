//! Subjects in a region: it is filled until it refuses, has the size that was asked for, and
//! is given back.

use allocator_lab::{Subject, layout};

/// Takes blocks of 16 MiB until a request is refused.
fn fill<S: Subject>(subject: &S) -> Vec<*mut u8> {
    let next = || subject.take(layout(16 << 20, 16));
    let until_null = |block: &*mut u8| !block.is_null();
    std::iter::repeat_with(next)
        .take(1_000)
        .take_while(until_null)
        .collect()
}

fn give_each<S: Subject>(subject: &S, blocks: Vec<*mut u8>) {
    for block in blocks {
        // SAFETY: it was taken with this layout, and is given back once.
        unsafe { subject.give(block, layout(16 << 20, 16)) };
    }
}

pub(crate) fn until_full<S: Subject>(name: &'static str, subject: S) {
    let blocks = fill(&subject);
    let count = blocks.len();
    // An allocator keeps less than one block for itself.
    let room = S::REGION_BYTES.unwrap() >> 24;
    assert!(
        (room - 1..=room).contains(&count),
        "{count} blocks of {name}"
    );
    give_each(&subject, blocks);
    // All of it was joined again.
    let half = layout(S::REGION_BYTES.unwrap() / 2, 16);
    let whole = subject.take(half);
    assert!(!whole.is_null());
    // SAFETY: it was taken with this layout, and is given back once.
    unsafe { subject.give(whole, half) };
    let again = fill(&subject);
    assert_eq!(again.len(), count);
    give_each(&subject, again);
}

/// A block of half of the region fits, and no larger one beside it.
pub(crate) fn region_of<S: Subject>(bytes: usize, subject: &S) {
    let region = subject.with_region(bytes).unwrap();
    let half = layout(bytes / 2, 16);
    assert!(region.take(layout(bytes + 1, 16)).is_null());
    let block = region.take(half);
    assert!(!block.is_null());
    assert!(region.take(layout(bytes / 2 + 1, 16)).is_null());
    // SAFETY: it was taken with this layout, and is given back once.
    unsafe { region.give(block, half) };
}

pub(crate) fn two_regions<S: Subject>(one: &S, other: &S) {
    let (of_one, of_other) = (fill(one), fill(other));
    let common = of_one
        .iter()
        .filter(|block| of_other.contains(block))
        .count();
    assert_eq!(common, 0);
    assert_eq!(of_one.len(), of_other.len());
    give_each(one, of_one);
    give_each(other, of_other);
}

/// The mapped memory of the process does not grow by one region with each turn.
pub(crate) fn no_growth(turn: impl Fn()) {
    let mapped = || {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        let pages: usize = pages.split(' ').next().unwrap().parse().unwrap();
        pages * 4096
    };
    let before = mapped();
    for _ in 0..8 {
        turn();
    }
    let grown = mapped().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes after 8 turns");
}
