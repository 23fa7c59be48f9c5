//! Pairs of allocations with a wrapper that has two shared atomics.

use counter_peers::wrappers::TwoAtomics;

counter_peers::contender!(TwoAtomics = TwoAtomics::new(), PLAIN);
