//! [`Entry`]: a subject by its name and the function that opens it; [`Need`]: what a
//! workload requires of it.

use std::cell::OnceCell;

use alloc_scenario::fresh_process_for;

use crate::crew::Crew;
use crate::heap::Heap;
use crate::report::Report;
use crate::shared::Shared;
use crate::subject::{GROWS, Kind, Subject, Unavailable};

/// A need of a workload besides addresses, which every subject has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Memory that keeps what was written to it.
    Memory,
    /// Blocks that don't overlap.
    DistinctBlocks,
    /// Blocks that are given back one by one.
    SingleBlocks,
    /// Memory of a fixed size.
    Region,
    /// Blocks that another thread may give back.
    OtherThreads,
}

/// A subject of a lab. It is opened anew for each scenario.
pub struct Entry<S> {
    name: String,
    open: fn() -> Result<S, Unavailable>,
    /// Why there is no such subject on this machine.
    missing: OnceCell<Option<String>>,
}

impl<S: Subject + 'static> Entry<S> {
    pub(crate) fn new(name: String, open: fn() -> Result<S, Unavailable>) -> Self {
        Self {
            name,
            open,
            missing: OnceCell::new(),
        }
    }

    /// Opens the subject at the first call, to see whether it is available. The process of a
    /// scenario, which is started for one that is, measures what the first opening costs.
    fn missing(&self) -> Option<String> {
        let open = || (self.open)().err().map(|Unavailable(reason)| reason);
        let missing = || match fresh_process_for() {
            Some(_) => None,
            None => open(),
        };
        self.missing.get_or_init(missing).clone()
    }

    /// The name, which is the value of the axis `subject`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why a workload with these needs can't run on the subject here.
    pub(crate) fn unavailable(&self, needs: &[Need]) -> Option<String> {
        let unmet = |need: &Need| match need {
            Need::Memory if !S::HAS_MEMORY => Some("the floor keeps no contents".into()),
            Need::DistinctBlocks if !S::HAS_MEMORY => {
                Some("the floor's blocks are all at one address".into())
            }
            Need::Region if S::REGION_BYTES.is_none() => Some(GROWS.into()),
            Need::Region | Need::Memory | Need::DistinctBlocks => None,
            Need::SingleBlocks => match S::KIND {
                Kind::Arena => Some("an arena gives no single block back".into()),
                Kind::General => None,
            },
            Need::OtherThreads if !Shared::<S>::POSSIBLE => Some(
                "each thread has a subject of its own, and gives its blocks back itself".into(),
            ),
            Need::OtherThreads => None,
        };
        let unmet = || needs.iter().find_map(unmet);
        self.missing().or_else(unmet)
    }

    /// What opens the subject for a scenario.
    pub(crate) fn opening(&self) -> Opener<S> {
        Opener(self.open)
    }
}

/// Opens a subject for a scenario.
#[derive(Debug)]
pub struct Opener<S>(fn() -> Result<S, Unavailable>);

impl<S> Clone for Opener<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Opener<S> {}

impl<S: Subject + 'static> Opener<S> {
    /// A new subject.
    pub fn subject(self) -> S {
        available((self.0)())
    }

    /// A heap of a new subject, with room for this many live blocks.
    pub fn heap(self, blocks: usize) -> Heap<S> {
        Heap::new(self.subject(), blocks)
    }

    /// A function that makes heaps of a new subject, which all threads that call it share.
    pub fn shared(self, blocks: usize) -> impl Fn() -> Heap<Shared<S>> + Send + Sync + 'static {
        let shared = Shared::new(self.subject());
        move || Heap::new(shared.clone(), blocks)
    }

    /// Threads that do the same, on the subject that they share if that is possible.
    pub(crate) fn crew(self, threads: usize, blocks: usize, part: impl Alike) -> Crew {
        if Shared::<S>::POSSIBLE {
            Crew::with_own(threads, self.shared(blocks), move |heap| part.pass(heap))
        } else {
            Crew::with_own(
                threads,
                move || self.heap(blocks),
                move |heap| part.pass(heap),
            )
        }
    }
}

/// What each thread of a workload does, on any subject.
pub(crate) trait Alike: Copy + Send + 'static {
    fn pass<S: Subject>(self, heap: &mut Heap<S>) -> Report;
}

/// The subject, or the figure, that was available when the scenario was registered.
pub fn available<T>(result: Result<T, Unavailable>) -> T {
    result.unwrap_or_else(|missing| panic!("available before, but now: {missing}"))
}
