//! Pairs of allocations with a wrapper that only forwards.

use proof_peers::wrappers::Plain;

proof_peers::contender!(Plain = Plain, PLAIN);
