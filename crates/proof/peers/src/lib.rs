//! The cost of counting: counting-alloc compared with other counters by the same
//! program, in instructions.
//!
//! A small program per counter, under `src/bin` or in proof-pairs, makes it the global
//! allocator and allocates in a loop. [`instructions`] counts the instructions of a pair (an
//! allocation and its deallocation) and checks the limits of counting-alloc.

pub mod build;
pub mod callgrind;
pub mod counter;
pub mod error;
pub mod instructions;
pub mod locked;
pub mod pair_cost;
pub mod tables;
pub mod variant;
