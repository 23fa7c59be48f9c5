//! [`Shared`]: a subject that several threads use.

use std::ops::Deref;
use std::sync::Arc;

use alloc_scenario::builder::Axes;
use alloc_scenario::{Scenario, Scope};

use crate::heap::Heap;
use crate::subject::{Kind, Subject};

/// Counts the allocations of all threads, with a note if these share no subject.
pub(crate) fn on_threads<S: Subject, A: Axes>(b: Scenario<'static, A>) -> Scenario<'static, A>
where
    A::Point: 'static,
{
    let b = b.scope(Scope::Process);
    match Shared::<S>::POSSIBLE {
        true => b,
        false => b.note("each thread has a subject of its own"),
    }
}

/// A handle to a subject that several threads use.
#[derive(Debug)]
pub struct Shared<S>(Arc<S>);

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

// SAFETY: it is only made of subjects with `SHARED`, which promises that several threads
// may use one at once. A bound by `Subject` would make rustdoc 1.95 panic.
unsafe impl<S> Send for Shared<S> {}

// SAFETY: as above.
unsafe impl<S> Sync for Shared<S> {}

impl<S: Subject> Shared<S> {
    /// Whether there can be one of this subject. Arenas are one per thread: a reset
    /// would take the blocks of the other threads back.
    pub const POSSIBLE: bool = S::SHARED && !matches!(S::KIND, Kind::Arena);

    /// A handle to this subject, whose clones are for other threads.
    pub fn new(subject: S) -> Self {
        assert!(Self::POSSIBLE, "a subject for one thread is not shared");
        Self(Arc::new(subject))
    }
}

impl<S> Deref for Shared<S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        &self.0
    }
}

// SAFETY: another thread may give back the blocks of the subject, as `SHARED` promises,
// and they are memory, which belongs to no thread.
unsafe impl<S> Send for Heap<Shared<S>> {}
