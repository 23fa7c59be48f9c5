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

use crate::subject::Subject;

/// A lab, or a test: gets each subject with its type.
pub trait Visitor {
    /// Gets a subject, which `open` makes anew.
    fn subject<S: Subject + 'static>(&mut self, name: &'static str, open: fn() -> S);

    /// Gets the name of a subject that this build lacks, and how to get it.
    fn missing(&mut self, name: &'static str, why: &'static str);
}

/// Passes on the subjects: those whose feature is off as missing.
macro_rules! subjects {
    ($visitor:ident: $($name:literal $feature:literal $($needs:literal)? => $open:expr,)*) => {$(
        #[cfg(feature = $feature)]
        $visitor.subject($name, $open);
        #[cfg(not(feature = $feature))]
        $visitor.missing(
            $name,
            concat!("built without the feature `", $feature, "`", $(", which needs ", $needs)?),
        );
    )*};
}

/// The allocators that need no C compiler, the system's first: with the default features, they are
/// available everywhere.
pub fn portable(visitor: &mut impl Visitor) {
    visitor.subject("system", system::open);
    #[cfg(target_env = "gnu")]
    visitor.subject("system-keep", system::open_keep);
    #[cfg(not(target_env = "gnu"))]
    visitor.missing(
        "system-keep",
        "built without glibc, whose parameters it sets",
    );
    subjects!(visitor:
        "talc" "talc" => talc::open,
        "talc-claim" "talc" => talc::open_claim,
        "dlmalloc" "dlmalloc" => dlmalloc::open,
        "rlsf" "rlsf" => rlsf::open,
        "buddy" "buddy" => buddy::open,
        "linked-list" "linked-list" => linked_list::open,
        "bumpalo" "bumpalo" => bumpalo::open,
    );
}

/// All allocators, the system's first.
pub fn all(visitor: &mut impl Visitor) {
    portable(visitor);
    subjects!(visitor:
        "mimalloc" "mimalloc" "a C compiler: `-F c`" => mimalloc::open,
        "rpmalloc" "rpmalloc" "a C compiler: `-F c`" => rpmalloc::open,
        "snmalloc" "snmalloc" "a C++ compiler: `-F c`" => snmalloc::open,
        "jemalloc" "jemalloc" "a C compiler, make and minutes" => jemalloc::open,
    );
    #[cfg(all(feature = "frusa", frusa))]
    visitor.subject("frusa", frusa::open);
    #[cfg(not(all(feature = "frusa", frusa)))]
    visitor.missing(
        "frusa",
        "built without the feature `frusa`, which needs RUSTFLAGS=\"--cfg frusa\" and a nightly \
         compiler or RUSTC_BOOTSTRAP=frusa",
    );
}
