//! Pairs of allocations with a wrapper that only forwards.

use counter_peers::wrappers::Plain;

counter_peers::contender!(Plain = Plain, PLAIN);
