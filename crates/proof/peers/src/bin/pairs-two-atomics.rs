//! Pairs of allocations with a wrapper that has two shared atomics.

use proof_shared::two_atomics::TwoAtomics;

proof_peers::contender!(TwoAtomics = TwoAtomics::new(), PLAIN);
