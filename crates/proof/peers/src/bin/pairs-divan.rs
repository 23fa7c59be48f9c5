//! Pairs of allocations with divan's profiler, which tallies from the start.

use divan::AllocProfiler;

proof_peers::pairs_program!(AllocProfiler = AllocProfiler::system(), PLAIN);
