//! [`Shared`]: a subject that several threads use; [`Common`] opens it.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use alloc_scenario::{Axes, Scenario, Scope};

use crate::heap::Heap;
use crate::subject::{Kind, Subject, Unavailable};

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
pub struct Shared<S>(Arc<AcrossThreads<S>>);

/// A subject that is opened at the first request for it, and is then shared as long as
/// there is a handle.
#[derive(Debug)]
pub struct Common<S> {
    open: fn() -> Result<S, Unavailable>,
    present: Mutex<Weak<AcrossThreads<S>>>,
}

/// A subject with [`Subject::SHARED`]; only [`Common::handle`] makes one.
#[derive(Debug)]
struct AcrossThreads<S>(S);

// SAFETY: it is only made of subjects with `SHARED`, which promises that several threads
// may use one at once. A bound by `Subject` would make rustdoc 1.95 panic.
unsafe impl<S> Send for AcrossThreads<S> {}

// SAFETY: as above.
unsafe impl<S> Sync for AcrossThreads<S> {}

impl<S: Subject> Shared<S> {
    /// Whether there can be one of this subject. Arenas are one per thread: a reset
    /// would take the blocks of the other threads back.
    pub const POSSIBLE: bool = S::SHARED && !matches!(S::KIND, Kind::Arena);
}

impl<S: Subject> Common<S> {
    /// Opens the subject with this function.
    pub fn new(open: fn() -> Result<S, Unavailable>) -> Self {
        Self {
            open,
            present: Mutex::new(Weak::new()),
        }
    }

    /// A handle to the subject that others use, or else to a new one.
    pub fn handle(&self) -> Result<Shared<S>, Unavailable> {
        assert!(
            Shared::<S>::POSSIBLE,
            "a subject for one thread is not shared"
        );
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(subject) = present.upgrade() {
            return Ok(Shared(subject));
        }
        let subject = Arc::new(AcrossThreads((self.open)()?));
        *present = Arc::downgrade(&subject);
        Ok(Shared(subject))
    }
}

// SAFETY: another thread may give back the blocks of the subject, as `SHARED` promises,
// and they are memory, which belongs to no thread.
unsafe impl<S> Send for Heap<Shared<S>> {}

impl<S> Deref for Shared<S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        &self.0.0
    }
}
