//! Pairs of allocations with stats_alloc, which tallies from the start.

use std::alloc::System;

use stats_alloc::StatsAlloc;

proof_peers::pairs_program!(StatsAlloc<System> = StatsAlloc::system(), PLAIN);
