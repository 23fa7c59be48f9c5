//! Subjects in a region: it is filled until it refuses, has the size that was asked for, and
//! is given back.

use allocator_lab::{Footprint, Heap, Report, Subject, layout};

/// Takes a block of this size, and returns its address unless it was refused.
fn take<S: Subject>(heap: &mut Heap<S>, bytes: usize) -> Option<usize> {
    let block = heap.take(layout(bytes, 16), &mut Report::default());
    block.map(|block| block.address())
}

/// Takes blocks of 16 MiB until a request is refused.
fn fill<S: Subject>(heap: &mut Heap<S>) -> Vec<usize> {
    (0..1_000).map_while(|_| take(heap, 16 << 20)).collect()
}

pub(crate) fn until_full<S: Subject>(subject: S) {
    let mut heap = Heap::new(subject, 1_000);
    let count = fill(&mut heap).len();
    // An allocator keeps less than one block for itself.
    let room = S::REGION_BYTES.unwrap() >> 24;
    assert!((room - 1..=room).contains(&count), "{count} blocks");
    heap.give_all();
    // All of it was joined again.
    assert!(take(&mut heap, S::REGION_BYTES.unwrap() / 2).is_some());
    heap.give_all();
    assert_eq!(fill(&mut heap).len(), count);
}

/// A block of half of the region fits, and no larger one beside it.
pub(crate) fn region_of<S: Subject>(bytes: usize, subject: &S) {
    let mut heap = Heap::new(subject.with_region(bytes).unwrap(), 2);
    assert_eq!(take(&mut heap, bytes + 1), None);
    assert!(take(&mut heap, bytes / 2).is_some());
    assert_eq!(take(&mut heap, bytes / 2 + 1), None);
}

pub(crate) fn two_regions<S: Subject>(one: &S, other: &S) {
    let [of_one, of_other] = [one, other].map(|subject| fill(&mut Heap::new(subject, 1_000)));
    assert!(of_one.iter().all(|block| !of_other.contains(block)));
    assert_eq!(of_one.len(), of_other.len());
}

/// The mapped memory of the process does not grow by one region with each turn.
pub(crate) fn no_growth(turn: impl Fn()) {
    let mapped = || Footprint::now().mapped;
    let before = mapped();
    for _ in 0..8 {
        turn();
    }
    let grown = mapped() - before;
    assert!(grown < 64 << 20, "{grown} bytes after 8 turns");
}
