//! Pairs of allocations with dhat, which tallies while its profiler runs.

proof_peers::pairs_program!(dhat::Alloc = dhat::Alloc, PLAIN, DHAT_PROFILING);
