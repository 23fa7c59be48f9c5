//! Calls: the pair of 64 bytes with the allocator inlined into the loop, and with the
//! allocator behind a function.
//!
//! The other workloads are compiled anew for each subject, so that the fast path of an
//! allocator in Rust can become a part of their loops. A program whose
//! `#[global_allocator]` it is calls the functions `__rust_alloc` and `__rust_dealloc`
//! instead. The compiler generates them, with the methods of the allocator inside, and
//! without link-time optimization it inlines them nowhere. Each call costs a jump there and
//! back, with the size and the alignment as arguments.

use std::alloc::Layout;
use std::hint::black_box;

use alloc_scenario::{Axes, Definition, Scenario};

use crate::axis::axis_values;
use crate::entry::{Entry, available};
use crate::heap::{Heap, Memory};
use crate::plan::Plan;
use crate::registration::{CHECK, Calls, Recorded, SubjectSuite, Workload, checks};
use crate::subject::{Kind, Subject};
use crate::workload::pair::{self, pairs};

/// The size of the blocks.
pub const SIZE: usize = 64;

axis_values! {
    /// How the loop reaches the allocator.
    pub enum Through {
        /// It is inlined as far as the compiler does so, as in the other workloads.
        Inline = "inline",
        /// It is called, as the global allocator of a program.
        Function = "function",
    }
}

/// A subject behind functions that are not inlined.
#[derive(Debug)]
pub struct BehindFunctions<S>(S);

impl<S: Subject> BehindFunctions<S> {
    /// Puts the subject there.
    pub fn new(subject: S) -> Self {
        // With its address known elsewhere, a function can't be compiled for the arguments
        // of one loop.
        black_box(Self::take as fn(&Self, Layout) -> *mut u8);
        black_box(Self::give as unsafe fn(&Self, *mut u8, Layout));
        Self(subject)
    }
}

// SAFETY: the subject's own promise, passed on.
unsafe impl<S: Subject> Subject for BehindFunctions<S> {
    const KIND: Kind = S::KIND;
    const HAS_MEMORY: bool = S::HAS_MEMORY;
    const SHARED: bool = S::SHARED;

    #[inline(never)]
    fn take(&self, layout: Layout) -> *mut u8 {
        self.0.take(layout)
    }

    #[inline(never)]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.give(block, layout) }
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}

/// How the workload is measured and checked.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        let blocks = pair::blocks(SIZE);
        for through in Through::ALL {
            suite.scenario(
                "call",
                &[],
                Plan::SHORT,
                |b| b.axis("through", [through]).elements(|_| pair::PAIRS),
                |b, subject| match through {
                    Through::Inline => record(b, subject.opener(blocks)),
                    Through::Function => record(b, behind_functions(subject)),
                },
            );
        }
    }

    fn check<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(CHECK, &[], Plan::COUNTS, checks("call"), |b, subject| {
            record(b, behind_functions(subject))
        });
    }
}

fn behind_functions<S: Subject + 'static>(
    subject: &Entry<S>,
) -> impl Fn() -> Heap<BehindFunctions<S>> + Sync + 'static {
    let open = subject.open();
    move || {
        let subject = BehindFunctions::new(available(open()));
        Heap::new(subject, pair::blocks(SIZE))
    }
}

/// 1,000 pairs of 64 bytes, untouched.
fn record<S: Subject + 'static, A: Axes>(
    b: Scenario<'static, A>,
    open: impl Fn() -> Heap<S> + Sync + 'static,
) -> Definition<'static>
where
    A::Point: 'static,
{
    b.calls(move |_| open(), |heap| pairs(heap, SIZE, Memory::Untouched))
        .requests()
        .into()
}
