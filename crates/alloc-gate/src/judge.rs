//! Judging: turns gates, measurements and a baseline into an
//! [`Evaluation`](crate::evaluation::Evaluation).

mod applies;
mod compare;
mod evaluate;
mod hidden_reallocs;
mod in_baseline;
mod inputs;
mod judgement;
mod left_out;
mod matching;
mod nondeterministic;
mod rule;
mod series;
mod slack;
mod unreachable;
mod waiver;

pub(crate) use applies::holds;
pub use evaluate::{evaluate, unjudged};
pub use in_baseline::in_baseline;
pub use inputs::{DocumentState, Inputs, UncheckedBench};
pub use matching::Matching;
pub(crate) use slack::{Slack, worst};
