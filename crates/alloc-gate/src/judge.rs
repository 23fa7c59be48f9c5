//! Judging: turns gates, measurements and a baseline into an
//! [`Evaluation`](crate::evaluation::Evaluation).

mod compare;
mod evaluate;
mod failures;
mod findings;
mod gate;
mod in_baseline;
mod inputs;
mod judgement;
mod left_out;
mod matching;
mod notes;
mod referred;
mod rule;
mod run;
mod series;

pub use evaluate::{evaluate, unjudged};
pub use failures::to_explain;
pub(crate) use failures::{Excess, Failure, Judged, excess, failures, more};
pub use in_baseline::in_baseline;
pub use inputs::{DocumentState, Inputs, UncheckedBench};
pub use matching::Matching;
