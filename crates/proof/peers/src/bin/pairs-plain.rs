//! Pairs of allocations with a wrapper that only forwards.

use proof_peers::plain::Plain;

proof_peers::contender!(Plain = Plain, PLAIN);
