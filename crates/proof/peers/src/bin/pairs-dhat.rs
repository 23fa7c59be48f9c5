//! Pairs of allocations with dhat, which tallies while its profiler runs.

use proof_pairs::mode;
use proof_peers::mode::DHAT_PROFILING;

proof_pairs::pairs_program!(dhat::Alloc = dhat::Alloc, mode::PLAIN, DHAT_PROFILING);
