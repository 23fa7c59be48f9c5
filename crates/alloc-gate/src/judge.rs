//! Judging: turns gates, measurements and a baseline into an
//! [`Evaluation`](crate::evaluation::Evaluation).

mod compare;
mod evaluate;
mod failures;
mod findings;
mod gate;
mod inputs;
mod kept;
mod matching;
mod missing;
mod notes;
mod referred;
mod rule;
mod run;
mod series;

pub use evaluate::{evaluate, in_baseline, unjudged};
pub use failures::to_explain;
pub(crate) use failures::{Excess, Failure, Judged, excess, failures, more, subject, worse};
pub use inputs::{DocumentState, Inputs, UncheckedBench};
pub use matching::Matching;
