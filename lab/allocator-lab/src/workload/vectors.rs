//! Vectors that grow in turns, as those that a program fills at the same time: each doubles
//! when it is full, and every byte is written.

use crate::entry::Need;
use crate::heap::{Heap, Resized};
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::{REQUESTS, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::workload::pattern;

/// How many vectors there are.
pub const VECTORS: usize = 64;

/// The first size of each in bytes.
pub const SMALLEST: usize = 64;

/// How often the size of each doubles: to 64 KiB.
pub const DOUBLINGS: u32 = 10;

/// The resizes of a call.
pub const RESIZES: u64 = VECTORS as u64 * DOUBLINGS as u64;

/// The bytes of all vectors in the end.
const BYTES: usize = (VECTORS * SMALLEST) << DOUBLINGS;

/// 64 vectors of 64 bytes double in turns to 64 KiB each, and are then given back. What a
/// vector has gained is written. It ends at the first refusal.
#[inline(never)]
pub fn vectors<S: Subject>(heap: &mut Heap<S>) -> Report {
    in_turns(heap, |heap, vector, size, report| {
        let resized = heap.resize(vector, size, report)?;
        heap.block(vector).fill_from(size / 2, pattern(vector));
        Some(resized)
    })
}

/// The same with contents that are verified before and after each resize, and with a search
/// for vectors that overlap.
pub fn vectors_filled<S: Subject>(heap: &mut Heap<S>) -> Report {
    in_turns(heap, |heap, vector, size, report| {
        let resized = heap.resize_filled(vector, size, report);
        report.overlapping += heap.overlapping();
        resized
    })
}

/// `resize` gets the index of a vector and its next size.
#[inline(always)]
fn in_turns<S: Subject>(
    heap: &mut Heap<S>,
    resize: impl Fn(&mut Heap<S>, usize, usize, &mut Report) -> Option<Resized>,
) -> Report {
    let mut report = Report::default();
    let mut grow = || {
        for vector in 0..VECTORS {
            let mut block = heap.take(layout(SMALLEST, ALIGN), &mut report)?;
            block.fill(pattern(vector));
        }
        for doubling in 1..=DOUBLINGS {
            for vector in 0..VECTORS {
                let _ = resize(heap, vector, SMALLEST << doubling, &mut report)?;
            }
        }
        Some(())
    };
    // The report has a refusal.
    let _ = grow();
    heap.give_all();
    report
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.found(
            "vectors",
            &[],
            Plan::VECTORS,
            REQUESTS,
            |b| b.elements(|_| RESIZES),
            |open, _| {
                let mut heap = open.heap(VECTORS);
                heap.anchor(2 * BYTES);
                heap
            },
            vectors,
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let needs = [Need::Memory];
        suite.check("vectors", &needs, Plan::COUNTS, VECTORS, vectors_filled);
    }
}
