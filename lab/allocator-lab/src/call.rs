//! [`Call`]: a workload that is one function on a heap, for benches outside of the lab.

use crate::entry::Need;
use crate::heap::Heap;
use crate::plan::Plan;
use crate::registration::{Calls, Recorded, SubjectSuite, Workload};
use crate::report::Report;
use crate::subject::Subject;

/// A workload without axes: one function, which is measured on every subject.
///
/// [`Call`] registers it: `Standard.and(Call(Frame))`. A workload with axes, or with figures
/// of its own, implements [`Workload`].
pub trait OneCall {
    /// The name of its scenarios.
    const NAME: &'static str;

    /// What it needs; the floors, which have no memory, run a workload that needs none.
    const NEEDS: &'static [Need] = &[];

    /// How many blocks are live at once, at most.
    const BLOCKS: usize;

    /// Makes the requests of one call, and gives all blocks back.
    fn call<S: Subject>(&self, heap: &mut Heap<S>) -> Report;
}

/// Makes a [`Workload`] of a function.
#[derive(Clone, Copy, Debug)]
pub struct Call<W>(pub W);

impl<W: OneCall + Copy + 'static> Workload for Call<W> {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let workload = self.0;
        suite.scenario(
            W::NAME,
            W::NEEDS,
            Plan::SHORT,
            // It has no other axis than `subject`.
            |b| b,
            |b, subject| {
                let open = subject.opener(W::BLOCKS);
                b.calls(move |_| open(), move |heap| workload.call(heap))
                    .requests()
                    .into()
            },
        );
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let workload = self.0;
        suite.check(W::NAME, W::NEEDS, Plan::COUNTS, W::BLOCKS, move |heap| {
            workload.call(heap)
        });
    }
}
