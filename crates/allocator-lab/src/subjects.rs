//! Which allocators there are, each behind a small adapter and under a name that it
//! has whatever is built in. What is measured with them is not known here.

#[cfg(feature = "buddy")]
mod buddy;
#[cfg(feature = "bumpalo")]
mod bumpalo;
#[cfg(feature = "dlmalloc")]
mod dlmalloc;
#[cfg(all(feature = "frusa", frusa))]
mod frusa;
#[cfg(feature = "jemalloc")]
mod jemalloc;
#[cfg(feature = "linked-list")]
mod linked_list;
#[cfg(feature = "mimalloc")]
mod mimalloc;
#[cfg(any(feature = "buddy", feature = "linked-list", feature = "talc"))]
mod region;
#[cfg(feature = "rlsf")]
mod rlsf;
#[cfg(feature = "rpmalloc")]
mod rpmalloc;
#[cfg(feature = "dlopen")]
mod shared_library;
#[cfg(feature = "snmalloc")]
mod snmalloc;
mod system;
#[cfg(feature = "talc")]
mod talc;
#[cfg(feature = "dlopen")]
mod tbb;
#[cfg(feature = "dlopen")]
mod tcmalloc;

use std::alloc::Layout;

use crate::subject::{Subject, Unavailable};

/// What takes subjects in by name: a lab, or a test of them.
pub trait Visitor {
    /// Takes one in. `open` makes a new one, or says why there is none here.
    fn subject<S: Subject + Send + 'static>(
        &mut self,
        name: &'static str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self;
}

/// Every allocator that this crate knows, the system's first. Those that are not
/// built in or not installed are among them, and say so when they are opened.
pub fn all(visitor: &mut impl Visitor) {
    portable(visitor);
    built_from_c(visitor);
    installed(visitor);
    for_nightly(visitor);
}

/// Those that need neither a C compiler nor a library of the machine, the system's
/// first: with the default features, they are there wherever this is built.
pub fn portable(visitor: &mut impl Visitor) {
    visitor.subject("system", system::open);
    pure_rust(visitor);
}

/// Takes in what `$open` makes if `$feature` is on, and otherwise one that says how to
/// have it.
macro_rules! subject {
    ($visitor:ident, $name:literal, $feature:literal $needs:literal, $open:expr) => {
        #[cfg(feature = $feature)]
        $visitor.subject($name, $open);
        #[cfg(not(feature = $feature))]
        $visitor.subject($name, || {
            Absent::because(concat!(
                "built without the feature `",
                $feature,
                "`",
                $needs
            ))
        });
    };
}

fn pure_rust(visitor: &mut impl Visitor) {
    subject!(visitor, "talc", "talc" "", talc::open);
    subject!(visitor, "talc-claim", "talc" "", talc::open_claim);
    subject!(visitor, "dlmalloc", "dlmalloc" "", dlmalloc::open);
    subject!(visitor, "rlsf", "rlsf" "", rlsf::open);
    subject!(visitor, "buddy", "buddy" "", buddy::open);
    subject!(visitor, "linked-list", "linked-list" "", linked_list::open);
    subject!(visitor, "bumpalo", "bumpalo" "", bumpalo::open);
}

fn built_from_c(visitor: &mut impl Visitor) {
    subject!(
        visitor,
        "mimalloc",
        "mimalloc" ", which needs a C compiler: `--features c`",
        mimalloc::open
    );
    subject!(
        visitor,
        "rpmalloc",
        "rpmalloc" ", which needs a C compiler: `--features c`",
        rpmalloc::open
    );
    subject!(
        visitor,
        "snmalloc",
        "snmalloc" ", which needs a C++ compiler: `--features c`",
        snmalloc::open
    );
    subject!(
        visitor,
        "jemalloc",
        "jemalloc" ", which a C compiler and make build in minutes: `--features jemalloc`",
        jemalloc::open
    );
}

fn installed(visitor: &mut impl Visitor) {
    subject!(
        visitor,
        "tbb",
        "dlopen" ", which finds what is installed",
        tbb::open
    );
    subject!(
        visitor,
        "tcmalloc",
        "dlopen" ", which finds what is installed",
        tcmalloc::open
    );
}

fn for_nightly(visitor: &mut impl Visitor) {
    #[cfg(all(feature = "frusa", frusa))]
    visitor.subject("frusa", frusa::open);
    #[cfg(not(all(feature = "frusa", frusa)))]
    visitor.subject("frusa", || {
        Absent::because(
            "not built in, because it compiles on nightly Rust only: `--features frusa` with \
             RUSTFLAGS=\"--cfg frusa\", and a nightly compiler or RUSTC_BOOTSTRAP=frusa",
        )
    });
}

/// A subject that there is none of: the type of one that is left out.
#[derive(Debug)]
pub enum Absent {}

impl Absent {
    /// Says why.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn because(reason: &str) -> Result<Self, Unavailable> {
        Err(Unavailable(reason.into()))
    }
}

// SAFETY: nobody has one to call this on.
unsafe impl Subject for Absent {
    fn take(&self, _layout: Layout) -> *mut u8 {
        match *self {}
    }

    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {
        match *self {}
    }
}
