//! The atomics of the crate: the atomics of the platform, or, in models of several threads, of the
//! model checker. `cargo xtask ci models` runs the models with `--cfg loom`.

#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU64, AtomicUsize, fence,
};
#[cfg(not(all(test, loom)))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, fence};

/// A constructor that is `const`, as statics need it. It is not `const` with the
/// model checker, whose atomics have no `const` constructors.
macro_rules! constructor {
    ($(#[$attribute:meta])* $visibility:vis fn new($($argument:ident: $type:ty),*) -> Self $body:block) => {
        $(#[$attribute])*
        #[cfg(not(all(test, loom)))]
        $visibility const fn new($($argument: $type),*) -> Self $body

        $(#[$attribute])*
        #[cfg(all(test, loom))]
        $visibility fn new($($argument: $type),*) -> Self $body
    };
}
