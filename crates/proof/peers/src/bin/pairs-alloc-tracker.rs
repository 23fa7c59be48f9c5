//! Pairs of allocations with alloc_tracker, which tallies from the start.

use std::alloc::System;

use alloc_tracker::Allocator;
use proof_pairs::mode;

proof_pairs::pairs_program!(Allocator<System> = Allocator::system(), mode::PLAIN);
