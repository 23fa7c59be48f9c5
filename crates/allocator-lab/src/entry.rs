//! [`Entry`]: a subject by its name and the function that opens it; [`Need`]: what a
//! workload requires of it.

use crate::heap::{Heap, Memory};
use crate::memory::Footprint;
use crate::shared::{Common, Shared};
use crate::subject::{GROWS, Kind, Subject, Unavailable};

/// A need of a workload besides addresses, which every subject has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Memory that can be written.
    Memory,
    /// Blocks that don't overlap.
    DistinctBlocks,
    /// Blocks that are given back one by one.
    SingleBlocks,
    /// Memory of a fixed size.
    Region,
    /// A system that tells how much memory a process has.
    Footprint,
}

impl Need {
    /// The needs of a workload that treats its blocks like this.
    #[must_use]
    pub const fn for_memory(memory: Memory) -> &'static [Self] {
        match memory {
            Memory::Untouched => &[],
            Memory::Touched => &[Self::Memory],
        }
    }
}

/// A subject of a lab. It is opened anew for each scenario.
pub struct Entry<S> {
    name: String,
    open: fn() -> Result<S, Unavailable>,
    /// Why there is none here.
    missing: Option<String>,
    /// The memory that the process kept when the subject was opened and dropped on
    /// trial. A library that was loaded stays.
    kept: Option<Footprint>,
}

impl<S: Subject + 'static> Entry<S> {
    /// Opens the subject once, to see whether it is available.
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

    /// The same subject, as a control under a name of its own.
    pub(crate) fn again(&self) -> Self {
        Self {
            name: format!("{}-again", self.name),
            open: self.open,
            missing: self.missing.clone(),
            kept: self.kept,
        }
    }

    /// The name, which is the value of the axis `subject`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The function that opens the subject.
    pub fn open(&self) -> fn() -> Result<S, Unavailable> {
        self.open
    }

    /// The memory that this process kept of an earlier opening; none where the system
    /// does not tell.
    pub fn kept(&self) -> Footprint {
        self.kept.unwrap_or_default()
    }

    /// Why a workload with these needs can't run on the subject here.
    pub(crate) fn unavailable(&self, needs: &[Need]) -> Option<String> {
        let unmet = |need: &Need| match need {
            Need::Memory if !S::HAS_MEMORY => Some("the floor has no memory to touch".into()),
            Need::DistinctBlocks if !S::HAS_MEMORY => {
                Some("the floor's blocks are all at one address".into())
            }
            Need::SingleBlocks if S::KIND == Kind::Arena => {
                Some("an arena gives no single block back".into())
            }
            Need::Region if S::REGION_BYTES.is_none() => Some(GROWS.into()),
            Need::Memory | Need::DistinctBlocks | Need::SingleBlocks | Need::Region => None,
            Need::Footprint => Footprint::now().err().map(|Unavailable(reason)| reason),
        };
        self.missing.clone().or(needs.iter().find_map(unmet))
    }

    /// A function that opens the subject for a scenario, with room for so many live
    /// blocks.
    pub fn opener(&self, blocks: usize) -> impl Fn() -> Heap<S> + Sync + 'static {
        let open = self.open;
        move || Heap::new(available(open()), blocks)
    }

    /// A function that opens the subject for all threads that call it: they share one
    /// as long as any of them has it.
    pub fn sharer(&self, blocks: usize) -> impl Fn() -> Heap<Shared<S>> + Sync + 'static {
        let common = Common::new(self.open);
        move || Heap::new(available(common.handle()), blocks)
    }
}

/// The subject, or the figure, that was available when the scenario was registered.
///
/// # Panics
///
/// When it has become unavailable since.
pub fn available<T>(result: Result<T, Unavailable>) -> T {
    result.unwrap_or_else(|missing| panic!("available before, but now: {missing}"))
}
