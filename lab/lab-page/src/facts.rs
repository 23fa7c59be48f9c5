//! Facts about the allocators that no measurement gives, each with its source, and their table.

use crate::query::{distinct, unavailable};
use crate::results::{Cell, Results};

/// The kind of an allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    System,
    Native,
    Rust,
    /// Gets one region of memory and nothing beyond it.
    Region,
    /// Gives all blocks back at once.
    Arena,
}

/// What is known of one subject, in the words of the table.
#[derive(Debug)]
pub struct Facts {
    pub subject: &'static str,
    /// The crate that it is called through; empty for the system's.
    pub package: &'static str,
    /// The library behind the crate, if it has a version of its own.
    pub library: &'static str,
    pub family: Family,
    pub language: &'static str,
    /// What a program needs besides the crate.
    pub needs: &'static str,
    pub no_std: &'static str,
    /// How threads share it.
    pub threads: &'static str,
    /// How it finds a free block, and how long a call takes if it requests no memory from the
    /// system.
    pub strategy: [&'static str; 2],
}

const fn fact(
    subject: &'static str,
    [package, library]: [&'static str; 2],
    family: Family,
    [language, needs]: [&'static str; 2],
    no_std: &'static str,
    threads: &'static str,
    strategy: [&'static str; 2],
) -> Facts {
    Facts {
        subject,
        package,
        library,
        family,
        language,
        needs,
        no_std,
        threads,
        strategy,
    }
}

pub const NIGHTLY: &str = "nightly Rust";

const LIBC: [&str; 2] = ["C", "-"];
const C: [&str; 2] = ["C", "a C compiler"];
const CPP: [&str; 2] = ["C++", "a C++ compiler"];
const RUST: [&str; 2] = ["Rust", "-"];

/// Runs without std, in memory that the program has.
pub const ALONE: &str = "yes";
const ON_ANOTHER: &str = "on another allocator";
const NO: &str = "no";

const CACHES: &str = "each has its own heap or cache";
const LOCK_FREE: &str = "no lock, except to add memory";
const LOCK: &str = "one lock";
const ONE: &str = "one thread alone";

const BINS: [&str; 2] = [
    "lists by size",
    "constant; a search where a list has several sizes",
];
const TREES: [&str; 2] = [
    "lists by size, trees for large blocks",
    "constant; the bits of its size for a large block",
];
const PAGES: [&str; 2] = ["pages of one size", "constant"];
const TWO_LEVELS: [&str; 2] = ["lists by two levels of size", "constant"];
const BUDDIES: [&str; 2] = [
    "powers of two, halved and joined",
    "taking: the powers; giving: a search of free blocks",
];
const HOLES: [&str; 2] = ["one list of holes, first fit", "a search of the holes"];
const BUMP: [&str; 2] = ["a cursor", "constant"];

/// All subjects in the order of the heat map, each below the source of its facts.
#[rustfmt::skip]
pub const FACTS: [Facts; 15] = [
    // malloc/malloc.c of glibc: arenas of bins, and a cache of small blocks for each thread
    fact("system", ["", ""], Family::System, LIBC, NO, CACHES, BINS),
    // mallopt(3): M_MMAP_THRESHOLD and M_TRIM_THRESHOLD
    fact("system-keep", ["", ""], Family::System, LIBC, NO, CACHES, BINS),
    // readme.md and c_src/mimalloc/v3/include/mimalloc.h of libmimalloc-sys 0.1.49
    fact("mimalloc", ["mimalloc", "mimalloc 3.3"], Family::Native, C, NO, CACHES, PAGES),
    // prctl(2): PR_SET_THP_DISABLE
    fact("mimalloc-4k", ["mimalloc", "mimalloc 3.3"], Family::Native, C, NO, CACHES, PAGES),
    // manual of jemalloc, IMPLEMENTATION NOTES; jemalloc/VERSION of tikv-jemalloc-sys 0.7.1
    fact("jemalloc", ["tikv-jemallocator", "jemalloc 5.3"], Family::Native, C, NO, CACHES, PAGES),
    // README.md of snmalloc: an allocator for each thread, messages between them; README.md
    // of snmalloc-sys 0.7.6
    fact("snmalloc", ["snmalloc-rs", "snmalloc 0.7"], Family::Native, CPP, NO, CACHES, PAGES),
    // README.md of rpmalloc 1.4: a heap for each thread; rpmalloc/CHANGELOG of rpmalloc-sys 0.2.3
    fact("rpmalloc", ["rpmalloc", "rpmalloc 1.4"], Family::Native, C, NO, CACHES, PAGES),
    // src/lib.rs and README.md of talc 5.1: `no_std`, `TalcLock`; bins in src/base/binning.rs
    fact("talc", ["talc", ""], Family::Rust, RUST, ALONE, LOCK, BINS),
    // src/lib.rs of dlmalloc 0.2: `no_std`, any `Allocator` of pages; a lock in src/global.rs; bins
    // and trees in src/dlmalloc.rs
    fact("dlmalloc", ["dlmalloc", ""], Family::Rust, RUST, ALONE, LOCK, TREES),
    // src/lib.rs of rlsf 0.2: `no_std`; `Tlsf::insert_free_block`; a lock in src/global.rs
    fact("rlsf", ["rlsf", ""], Family::Rust, RUST, ALONE, LOCK, TWO_LEVELS),
    // src/lib.rs of frusa 0.1: `no_std`, `feature(test)`, slabs; its pages come from another one
    fact("frusa", ["frusa", ""], Family::Rust, ["Rust", NIGHTLY], ON_ANOTHER, LOCK_FREE, PAGES),
    // src/lib.rs and README.md of talc 5.1: `no_std`, `TalcLock`, `Claim`
    fact("talc-claim", ["talc", ""], Family::Region, RUST, ALONE, LOCK, BINS),
    // src/lib.rs of buddy_system_allocator 0.13: `no_std`, `LockedHeap`; `dealloc` looks for the other
    // half in a list
    fact("buddy", ["buddy_system_allocator", ""], Family::Region, RUST, ALONE, LOCK, BUDDIES),
    // src/lib.rs of linked_list_allocator 0.10: `no_std`, `LockedHeap`; src/hole.rs
    fact("linked-list", ["linked_list_allocator", ""], Family::Region, RUST, ALONE, LOCK, HOLES),
    // README.md of bumpalo 3.20: `no_std`, but its chunks come from the global allocator
    fact("bumpalo", ["bumpalo", ""], Family::Arena, RUST, ON_ANOTHER, ONE, BUMP),
];

impl Facts {
    pub fn find(subject: &str) -> Option<&'static Self> {
        FACTS.iter().find(|facts| facts.subject == subject)
    }
}

/// The table of all facts, with the faults that the lab found.
pub fn markdown(results: &Results) -> String {
    let head = "| | version | language | needs | `no_std` | threads | finds a free block in | time of \
                a call | faults |\n|---|---|---|---|---|---|---|---|---|\n";
    let rows = FACTS.iter().map(|facts| {
        let [finds, time] = facts.strategy;
        let columns = [
            &format!("`{}`", facts.subject),
            &*version(results, facts),
            facts.language,
            facts.needs,
            facts.no_std,
            facts.threads,
            finds,
            time,
            &faults(results, facts),
        ];
        format!("| {} |\n", columns.join(" | "))
    });
    head.to_owned() + &rows.collect::<String>()
}

/// The library, the version and the licence of a subject, as they were measured.
fn version(results: &Results, facts: &Facts) -> String {
    let crates = &results.run.crates;
    let own = crates.iter().find(|one| one.subject == facts.subject);
    match own {
        _ if facts.family == Family::System => results.run.libc.clone(),
        None => String::new(),
        Some(own) => {
            let library = match facts.library {
                "" => String::new(),
                library => format!("{library}, "),
            };
            format!("{library}{} {}, {}", own.name, own.version, own.licence)
        }
    }
}

/// How many of its scenarios failed, and their workloads.
fn faults(results: &Results, facts: &Facts) -> String {
    let cells = results.cells.iter();
    let own = || {
        cells
            .clone()
            .filter(|cell| cell.subject() == Some(facts.subject))
    };
    if let Some(reason) = unavailable(own()) {
        return format!("not measured: {reason}");
    }
    let failed = || own().filter(|cell| cell.failure.is_some());
    let measured = own().filter(|cell| cell.unavailable.is_none());
    let workloads = distinct(failed().map(Cell::workload)).join(", ");
    let text = format!(
        "{} of {} scenarios {workloads}",
        failed().count(),
        measured.count()
    );
    text.trim_end().to_owned()
}
