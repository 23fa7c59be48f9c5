//! Pairs of allocations with a wrapper that only forwards.

use proof_pairs::mode;
use proof_pairs::plain::Plain;

proof_pairs::pairs_program!(Plain = Plain, mode::PLAIN);
