//! All kinds of operations with divan's profiler, which tallies from the start.

use divan::AllocProfiler;
use proof_pairs::mode;

proof_pairs::mixed_program!(AllocProfiler = AllocProfiler::system(), mode::PLAIN);
