//! The programs whose instructions are counted: each has a counter as its global
//! allocator, and repeats a pair of operations in a mode of that counter.
//!
//! The programs with counting-alloc and the plain wrapper are under `src/bin`; those
//! with other counters are in proof-peers.
#![expect(
    unsafe_code,
    reason = "allocators are called directly, without a collection's instructions around them"
)]

pub mod mixed;
pub mod mode;
pub mod pairs;
pub mod plain;
