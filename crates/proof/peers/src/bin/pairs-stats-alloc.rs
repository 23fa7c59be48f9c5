//! Pairs of allocations with stats_alloc, which tallies from the start.

use std::alloc::System;

use proof_pairs::mode;
use stats_alloc::StatsAlloc;

proof_pairs::pairs_program!(StatsAlloc<System> = StatsAlloc::system(), mode::PLAIN);
