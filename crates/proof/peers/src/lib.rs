//! The cost of counting: counting-alloc compared with other counters by the same
//! program, in instructions and in time.
//!
//! A small program per counter, under `src/bin` or in proof-pairs, makes it the global
//! allocator and allocates in a loop. [`instructions`] counts the instructions of a pair (an
//! allocation and its deallocation) and checks the limits of counting-alloc. [`times`]
//! calls the counters directly, all in one process. The program `proof-peers` runs
//! both and writes design/performance.md.
#![expect(
    unsafe_code,
    reason = "allocators are called directly, without a collection's instructions around them"
)]

pub mod build;
pub mod callgrind;
pub mod counter;
pub mod error;
pub mod instructions;
pub mod locked;
pub mod machine;
pub mod mode;
pub mod page;
pub mod pair_cost;
pub mod times;
pub mod variant;
