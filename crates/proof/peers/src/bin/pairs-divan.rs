//! Pairs of allocations with divan's profiler, which tallies from the start.

use divan::AllocProfiler;
use proof_pairs::mode;

proof_pairs::pairs_program!(AllocProfiler = AllocProfiler::system(), mode::PLAIN);
