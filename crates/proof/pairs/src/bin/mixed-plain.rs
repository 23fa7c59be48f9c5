//! All kinds of operations with a wrapper that only forwards.

use proof_pairs::mode;
use proof_pairs::plain::Plain;

proof_pairs::mixed_program!(Plain = Plain, mode::PLAIN);
