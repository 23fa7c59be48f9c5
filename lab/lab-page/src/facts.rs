//! Facts about the allocators that no measurement gives, each with its source: the family, the
//! language, what it needs, and how threads share it.

/// The kind of an allocator: the group in which the heat map and cards show it, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    System,
    Native,
    Rust,
    /// Gets one region of memory and nothing beyond it.
    Region,
    /// Gives all blocks back at once.
    Arena,
    /// An allocator of another crate, of which this table knows nothing.
    Other,
}

impl Family {
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Native => "C and C++",
            Self::Rust => "Pure Rust",
            Self::Region => "Fixed region",
            Self::Arena => "Arenas",
            Self::Other => "Others",
        }
    }
}

/// How threads share an allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    Caches,
    LockFree,
    Lock,
    One,
}

impl Threads {
    /// The end of a sentence about the allocator.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Caches => "each thread has a heap or a cache of its own",
            Self::LockFree => "threads share it without a lock, except to add memory",
            Self::Lock => "threads share it behind one lock",
            Self::One => "one thread alone can use it",
        }
    }
}

/// What a program needs besides the crate, to use an allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    C,
    Cpp,
    Library,
    Nightly,
}

impl Needs {
    /// The end of a sentence that begins with "needs".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Nothing => "no C compiler",
            Self::C => "a C compiler",
            Self::Cpp => "a C++ compiler",
            Self::Library => "an installed shared library",
            Self::Nightly => "nightly Rust",
        }
    }
}

/// How an allocator runs without std.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStd {
    Alone,
    OnAnother,
    No,
}

impl NoStd {
    pub const fn words(self) -> &'static str {
        match self {
            Self::Alone => "`no_std`: yes",
            Self::OnAnother => "`no_std`: yes, with memory from another allocator",
            Self::No => "`no_std`: no, it needs an operating system",
        }
    }
}

/// How an allocator finds a free block, by its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Bins,
    Trees,
    SizeClasses,
    TwoLevels,
    Buddies,
    Holes,
    Bump,
}

impl Strategy {
    /// The words of each, in the order of their declaration.
    pub const NAMES: [&str; 7] = [
        "lists by size",
        "lists by size, trees for large blocks",
        "pages of one size",
        "lists by two levels of size",
        "powers of two, halved and joined",
        "one list of holes, first fit",
        "a cursor",
    ];
    /// How long a call takes where no memory is requested from the system.
    pub const COSTS: [&str; 7] = [
        "constant; a search where a list has several sizes",
        "constant; the bits of its size for a large block",
        "constant",
        "constant",
        "taking: the powers; giving: a search of free blocks",
        "a search of the holes",
        "constant",
    ];
}

/// What is known of one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    pub subject: &'static str,
    /// The crate that it is called through, or Debian's package if it needs an installed
    /// library; empty for the system's.
    pub package: &'static str,
    pub family: Family,
    pub language: &'static str,
    pub needs: Needs,
    pub no_std: NoStd,
    pub threads: Threads,
    pub strategy: Strategy,
}

/// The library behind a crate or a package, as its source names it: the crate has a version of
/// its own.
const LIBRARIES: [(&str, &str); 6] = [
    // c_src/mimalloc/v3/include/mimalloc.h of libmimalloc-sys 0.1.49
    ("mimalloc", "mimalloc 3.3"),
    // rpmalloc/CHANGELOG of rpmalloc-sys 0.2.3
    ("rpmalloc", "rpmalloc 1.4"),
    // jemalloc/VERSION of tikv-jemalloc-sys 0.7.1
    ("tikv-jemallocator", "jemalloc 5.3"),
    // snmalloc/README.md of snmalloc-sys 0.7.6
    ("snmalloc-rs", "snmalloc 0.7"),
    // Debian's own changelogs
    ("libtbbmalloc2", "oneTBB 2021.8"),
    ("libtcmalloc-minimal4", "gperftools 2.10"),
];

impl Facts {
    /// The library behind the crate, if it has a name or a version of its own.
    pub fn library(&self) -> Option<&'static str> {
        let mut all = LIBRARIES.iter();
        let (_, library) = all.find(|(package, _)| *package == self.package)?;
        Some(library)
    }

    /// The facts about a subject; `None` for one of another crate.
    pub fn find(subject: &str) -> Option<&'static Self> {
        FACTS.iter().find(|facts| facts.subject == subject)
    }
}
pub fn family(subject: &str) -> Family {
    Facts::find(subject).map_or(Family::Other, |facts| facts.family)
}

/// A row of [`FACTS`].
const fn fact(
    subject: &'static str,
    package: &'static str,
    family: Family,
    (language, needs): (&'static str, Needs),
    no_std: NoStd,
    threads: Threads,
    strategy: Strategy,
) -> Facts {
    Facts {
        subject,
        package,
        family,
        language,
        needs,
        no_std,
        threads,
        strategy,
    }
}

const IN_C: (&str, Needs) = ("C", Needs::C);
const IN_CPP: (&str, Needs) = ("C++", Needs::Cpp);
const IN_LIBRARY: (&str, Needs) = ("C++", Needs::Library);
const IN_RUST: (&str, Needs) = ("Rust", Needs::Nothing);

/// The table, with the source of each row above it. Its order is that of rows within a family.
#[rustfmt::skip]
pub const FACTS: [Facts; 17] = [
    // glibc's malloc/malloc.c: arenas of bins, and a cache of small blocks for each thread
    fact("system", "", Family::System, ("C", Needs::Nothing), NoStd::No, Threads::Caches, Strategy::Bins),
    // mallopt(3): M_MMAP_THRESHOLD and M_TRIM_THRESHOLD
    fact("system-keep", "", Family::System, ("C", Needs::Nothing), NoStd::No, Threads::Caches, Strategy::Bins),
    // readme.md of mimalloc: a heap for each thread, of pages of one size
    fact("mimalloc", "mimalloc", Family::Native, IN_C, NoStd::No, Threads::Caches, Strategy::SizeClasses),
    // prctl(2): PR_SET_THP_DISABLE
    fact("mimalloc-4k", "mimalloc", Family::Native, IN_C, NoStd::No, Threads::Caches, Strategy::SizeClasses),
    // manual of jemalloc, IMPLEMENTATION NOTES: arenas, and a cache for each thread
    fact("jemalloc", "tikv-jemallocator", Family::Native, IN_C, NoStd::No, Threads::Caches, Strategy::SizeClasses),
    // README.md of snmalloc: an allocator for each thread, messages between them
    fact("snmalloc", "snmalloc-rs", Family::Native, IN_CPP, NoStd::No, Threads::Caches, Strategy::SizeClasses),
    // README.md of rpmalloc 1.4: a heap for each thread
    fact("rpmalloc", "rpmalloc", Family::Native, IN_C, NoStd::No, Threads::Caches, Strategy::SizeClasses),
    // src/tbbmalloc/frontend.cpp of oneTBB: bins of each thread
    fact("tbb", "libtbbmalloc2", Family::Native, IN_LIBRARY, NoStd::No, Threads::Caches, Strategy::SizeClasses),
    // docs/tcmalloc.html of gperftools: a cache for each thread
    fact("tcmalloc", "libtcmalloc-minimal4", Family::Native, IN_LIBRARY, NoStd::No, Threads::Caches, Strategy::SizeClasses),
    // src/lib.rs and README.md of talc 5.1: `no_std`, `TalcLock`; bins in src/base/binning.rs
    fact("talc", "talc", Family::Rust, IN_RUST, NoStd::Alone, Threads::Lock, Strategy::Bins),
    // src/lib.rs of dlmalloc 0.2: `no_std`, any `Allocator` of pages; a lock in src/global.rs; bins
    // and trees in src/dlmalloc.rs
    fact("dlmalloc", "dlmalloc", Family::Rust, IN_RUST, NoStd::Alone, Threads::Lock, Strategy::Trees),
    // src/lib.rs of rlsf 0.2: `no_std`; `Tlsf::insert_free_block`; a lock in src/global.rs
    fact("rlsf", "rlsf", Family::Rust, IN_RUST, NoStd::Alone, Threads::Lock, Strategy::TwoLevels),
    // src/lib.rs of frusa 0.1: `no_std`, `feature(test)`, slabs; its pages come from another one
    fact("frusa", "frusa", Family::Rust, ("Rust", Needs::Nightly), NoStd::OnAnother, Threads::LockFree, Strategy::SizeClasses),
    // src/lib.rs and README.md of talc 5.1: `no_std`, `TalcLock`, `Claim`
    fact("talc-claim", "talc", Family::Region, IN_RUST, NoStd::Alone, Threads::Lock, Strategy::Bins),
    // src/lib.rs of buddy_system_allocator 0.13: `no_std`, `LockedHeap`; `dealloc` looks for the other
    // half in a list
    fact("buddy", "buddy_system_allocator", Family::Region, IN_RUST, NoStd::Alone, Threads::Lock, Strategy::Buddies),
    // src/lib.rs of linked_list_allocator 0.10: `no_std`, `LockedHeap`; src/hole.rs
    fact("linked-list", "linked_list_allocator", Family::Region, IN_RUST, NoStd::Alone, Threads::Lock, Strategy::Holes),
    // README.md of bumpalo 3.20: `no_std`, but its chunks come from the global allocator
    fact("bumpalo", "bumpalo", Family::Arena, IN_RUST, NoStd::OnAnother, Threads::One, Strategy::Bump),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_unique_families_in_their_order_and_regions_without_a_system() {
        for (nth, facts) in FACTS.iter().enumerate() {
            assert_eq!(Facts::find(facts.subject), Some(facts));
            let is_alone = facts.no_std == NoStd::Alone;
            assert!(
                is_alone || facts.family != Family::Region,
                "{}",
                facts.subject
            );
            if nth > 0 {
                assert!(FACTS[nth - 1].family <= facts.family, "{}", facts.subject);
            }
        }
        assert_eq!(family("mine"), Family::Other);
    }
}
