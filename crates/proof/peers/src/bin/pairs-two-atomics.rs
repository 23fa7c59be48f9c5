//! Pairs of allocations with a wrapper that has two shared atomics.

use proof_shared::two_atomics::TwoAtomics;

proof_peers::pairs_program!(TwoAtomics = TwoAtomics::new(), PLAIN);
