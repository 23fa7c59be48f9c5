//! [`Entry`]: a subject with its name, as the lab keeps it, and [`Entrant`], the same
//! without its type.

use alloc_scenario::Suite;

use crate::heap::Heap;
use crate::lab::Extent;
use crate::memory::Footprint;
use crate::registration::{self, Workload};
use crate::shared::{Common, Shared};
use crate::subject::{Subject, Unavailable};

/// A subject that can be registered with any workload.
pub(crate) trait Entrant {
    /// Adds the scenarios of a workload on it.
    fn register(&self, suite: &mut Suite<'static>, workload: Workload, extent: Extent);

    /// The same subject under the name of a second measurement.
    fn again(&self) -> Box<dyn Entrant>;
}

/// What a workload needs of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Addresses alone.
    Addresses,
    /// Memory that can be written.
    Memory,
    /// Addresses of blocks that don't overlap.
    Places,
}

/// A subject by the function that opens it.
pub(crate) struct Entry<S> {
    pub(crate) name: String,
    pub(crate) open: fn() -> Result<S, Unavailable>,
    missing: Option<String>,
    /// What the process kept of the memory that opening the subject took, when that
    /// was tried. A library that was loaded stays.
    pub(crate) kept: Option<Footprint>,
}

impl<S> Clone for Entry<S> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            open: self.open,
            missing: self.missing.clone(),
            kept: self.kept,
        }
    }
}

impl<S: Subject + 'static> Entry<S> {
    pub(crate) fn new(name: &str, open: fn() -> Result<S, Unavailable>) -> Self {
        let before = Footprint::now().ok();
        let missing = open().err().map(|Unavailable(reason)| reason);
        let after = Footprint::now().ok();
        Self {
            name: name.to_owned(),
            open,
            missing,
            kept: before.zip(after).map(|(before, after)| after.since(before)),
        }
    }

    /// Why a workload with this need can't be measured on the subject.
    pub(crate) fn hindrance(&self, need: Need) -> Option<String> {
        let floor = match (S::HAS_MEMORY, need) {
            (false, Need::Memory) => Some("the floor has no memory to touch"),
            (false, Need::Places) => Some("the floor's blocks are all at one address"),
            (false, Need::Addresses) | (true, _) => None,
        };
        self.missing.clone().or(floor.map(str::to_owned))
    }

    /// A function that opens the subject for a scenario on one thread.
    pub(crate) fn opener(&self, blocks: usize) -> impl Fn() -> Heap<S> + Sync + 'static {
        let open = self.open;
        move || Heap::new(there(open()), blocks)
    }

    /// A function that opens the subject for all threads that call it: they share one
    /// as long as any of them has it.
    pub(crate) fn sharer(&self, blocks: usize) -> impl Fn() -> Heap<Shared<S>> + Sync + 'static {
        let common = Common::new(self.open);
        move || Heap::new(there(common.handle()), blocks)
    }
}

impl<S: Subject + 'static> Entrant for Entry<S> {
    fn register(&self, suite: &mut Suite<'static>, workload: Workload, extent: Extent) {
        registration::register(suite, self, workload, extent);
    }

    fn again(&self) -> Box<dyn Entrant> {
        let mut again = self.clone();
        again.name.push_str("-again");
        Box::new(again)
    }
}

/// It was there when it was added to the lab.
fn there<S>(opened: Result<S, Unavailable>) -> S {
    opened.unwrap_or_else(|missing| panic!("it was there a moment ago, but now: {missing}"))
}
