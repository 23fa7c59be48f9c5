//! The allocators that the lab compares, each behind an adapter. Every name is always
//! listed: an allocator that is not built in says so when it is opened.
//!
//! A new allocator is an adapter below, a line in one of the lists, and perhaps a
//! [program](crate::compilation::PROGRAMS).

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
#[cfg(feature = "snmalloc")]
mod snmalloc;
mod system;
#[cfg(feature = "talc")]
mod talc;

use crate::floor::Floor;
use crate::subject::{Subject, Unavailable};

/// A lab, or a test: gets each subject with its type.
pub trait Visitor {
    /// Gets a subject. `open` makes a new one, or says why there is none here.
    fn subject<S: Subject + Send + 'static>(
        &mut self,
        name: &'static str,
        open: fn() -> Result<S, Unavailable>,
    ) -> &mut Self;
}

/// Why an allocator is missing. Its type is that of a subject that is compiled anyway.
pub fn absent(reason: &str) -> Result<Floor, Unavailable> {
    Err(Unavailable(reason.to_owned()))
}

/// The subject that `$open` makes if the feature is on, and otherwise one that says how to
/// get it.
macro_rules! subject {
    ($visitor:ident, $name:literal, $feature:literal $(, $which:literal)? => $open:expr) => {
        #[cfg(feature = $feature)]
        $visitor.subject($name, $open);
        #[cfg(not(feature = $feature))]
        $visitor.subject($name, || {
            absent(concat!("built without the feature `", $feature, "`", $($which)?))
        });
    };
}

/// The allocators that need no C compiler, the system's first: with the default features, they are available everywhere.
pub fn portable(visitor: &mut impl Visitor) {
    visitor.subject("system", system::open);
    visitor.subject("system-keep", system::open_keep);
    subject!(visitor, "talc", "talc" => talc::open);
    subject!(visitor, "talc-claim", "talc" => talc::open_claim);
    subject!(visitor, "dlmalloc", "dlmalloc" => dlmalloc::open);
    subject!(visitor, "rlsf", "rlsf" => rlsf::open);
    subject!(visitor, "buddy", "buddy" => buddy::open);
    subject!(visitor, "linked-list", "linked-list" => linked_list::open);
    subject!(visitor, "bumpalo", "bumpalo" => bumpalo::open);
}

/// All allocators, the system's first.
pub fn all(visitor: &mut impl Visitor) {
    portable(visitor);
    subject!(visitor, "mimalloc", "mimalloc",
        ", which needs a C compiler: `--features c`" => mimalloc::open);
    subject!(visitor, "rpmalloc", "rpmalloc",
        ", which needs a C compiler: `--features c`" => rpmalloc::open);
    subject!(visitor, "snmalloc", "snmalloc",
        ", which needs a C++ compiler: `--features c`" => snmalloc::open);
    subject!(visitor, "jemalloc", "jemalloc",
        ", which a C compiler and make build in minutes: `--features jemalloc`" => jemalloc::open);
    #[cfg(all(feature = "frusa", frusa))]
    visitor.subject("frusa", frusa::open);
    #[cfg(not(all(feature = "frusa", frusa)))]
    visitor.subject("frusa", || {
        absent(
            "not built in, because it compiles on nightly Rust only: `--features frusa` with \
             RUSTFLAGS=\"--cfg frusa\", and a nightly compiler or RUSTC_BOOTSTRAP=frusa",
        )
    });
}
