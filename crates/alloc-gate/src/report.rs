//! Reports: an [`Evaluation`] in several formats. Each format is a function that takes a
//! `Write`. Reports decide nothing.

use crate::evaluation::{Evaluation, Overrides};
use crate::report::document::{Block, Document, words};
use crate::results::Origin;

pub mod audit;
mod change;
mod check;
pub mod compare;
mod document;
pub mod explain;
mod export;
mod format;
pub mod page;
mod table;
mod tables;
mod verdict;
mod view;
mod words;
mod write;

pub use change::{change, difference, is_implied, plain_figure};
pub use check::{markdown, terminal};
pub use export::dhat::dhat;
pub use export::flame::flame;
pub use export::folded::{Folded, folded};
pub use export::stacks::{StackReport, Stacks};
pub use export::{github, json};
pub use format::Format;
use format::formats;
pub use verdict::{measured, verdict_line, verdict_of_all};
pub use view::{Detail, TableRows, View};

formats! {
    /// The formats of [`Evaluations`].
    EvaluationFormat for<'d> Evaluations<'d>:
    Terminal("terminal", "For people at a terminal and for logs") =
        |it: Evaluations<'_>, out| write::terminal(&check::logs(it.runs, it.view), out),
    Markdown("markdown", "For step summaries and comments") =
        |it: Evaluations<'_>, out| write::markdown(&check::pages(it.runs), out),
    Json("json", "For programs") = |it: Evaluations<'_>, out| json::write_all(it.runs, out),
}

/// The evaluation of a run, or of several of different environments.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations<'d> {
    /// The evaluations.
    pub runs: &'d [Evaluation],
    /// What the format for a terminal shows of them.
    pub view: View<'d>,
}

/// The line that says where, when and from which sources was measured.
fn environment(origins: &[Origin], overrides: &Overrides) -> Document {
    let Some(words) = words::environment_words(origins, overrides) else {
        return Vec::new();
    };
    vec![
        Block::Log(vec![words!("environment: {}", words.clone()).into()]),
        Block::Page(vec![words!("Environment: {}", words).into()]),
    ]
}
