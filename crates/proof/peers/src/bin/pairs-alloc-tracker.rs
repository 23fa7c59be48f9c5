//! Pairs of allocations with alloc_tracker, which tallies from the start.

use std::alloc::System;

use alloc_tracker::Allocator;

proof_peers::pairs_program!(Allocator<System> = Allocator::system(), PLAIN);
