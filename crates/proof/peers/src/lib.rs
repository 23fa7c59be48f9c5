//! What counting costs: counting-alloc beside other counters, with the same
//! program, in instructions and in time.
//!
//! One tiny program per counter, under `src/bin`, makes it the global allocator
//! and allocates in a loop; [`instructions`] counts what a pair takes in it and
//! holds ours to limits. [`times`] calls the counters directly, all in one
//! process. The program `proof-peers` runs both and writes design/performance.md.
//!
//! It measures what others would see. It knows nothing of how counting-alloc
//! works, and nothing of gates.
#![expect(
    unsafe_code,
    reason = "allocators are called directly, without a collection's instructions around them"
)]

pub mod callgrind;
pub mod contender;
pub mod error;
pub mod files;
pub mod instructions;
pub mod locked;
pub mod machine;
pub mod mode;
pub mod page;
pub mod pairs;
pub mod parts;
pub mod plain;
pub mod plot;
pub mod times;
