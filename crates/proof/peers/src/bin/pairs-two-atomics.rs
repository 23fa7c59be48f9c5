//! Pairs of allocations with a wrapper that has two shared atomics.

use proof_pairs::mode;
use proof_shared::two_atomics::TwoAtomics;

proof_pairs::pairs_program!(TwoAtomics = TwoAtomics::new(), mode::PLAIN);
