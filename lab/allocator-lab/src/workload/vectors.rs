//! Vectors that grow in turns, as those that a program fills at the same time: each doubles
//! when it is full, and every byte is written.

use crate::heap::Heap;
use crate::report::{REQUESTS, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Plan, SubjectSuite};
use crate::workload::pattern;

/// How many vectors there are.
pub const VECTORS: usize = 64;

/// The first size of each in bytes.
const SMALLEST: usize = 64;

/// How often the size of each doubles: to 64 KiB.
const DOUBLINGS: u32 = 10;

/// 64 vectors of 64 bytes double in turns to 64 KiB each, and are then given back. What a
/// vector has gained is written. It ends at the first refusal.
#[inline(never)]
pub fn vectors<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    let mut grow = || {
        for vector in 0..VECTORS {
            let mut block = heap.take(layout(SMALLEST, ALIGN), &mut report)?;
            block.fill(pattern(vector));
        }
        for doubling in 1..=DOUBLINGS {
            for vector in 0..VECTORS {
                let size = SMALLEST << doubling;
                let mut block = heap.resize(vector, size, &mut report)?;
                block.fill_from(size / 2, pattern(vector));
            }
        }
        Some(())
    };
    // The report has a refusal.
    let _ = grow();
    heap.give_all();
    report
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.found(
        "vectors",
        &[],
        Plan(5, 50),
        REQUESTS,
        |b| b.elements(|_| VECTORS as u64 * u64::from(DOUBLINGS)),
        |open, _| {
            let mut heap = open.heap(VECTORS);
            heap.anchor((2 * VECTORS * SMALLEST) << DOUBLINGS);
            heap
        },
        vectors,
    );
}
