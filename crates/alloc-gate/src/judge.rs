//! Judging: gates, measurements and a baseline become an
//! [`Evaluation`](crate::evaluation::Evaluation).

mod applies;
mod compare;
mod evaluate;
mod inputs;
mod matching;
mod rule;
mod series;
mod waiver;

pub(crate) use applies::holds;
pub use evaluate::{evaluate, unjudged};
pub use inputs::{DocumentState, Inputs};
pub use matching::Matching;
