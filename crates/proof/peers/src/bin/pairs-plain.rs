//! Pairs of allocations with a wrapper that only forwards.

use proof_peers::plain::Plain;

proof_peers::pairs_program!(Plain = Plain, PLAIN);
