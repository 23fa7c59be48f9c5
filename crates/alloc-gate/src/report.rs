//! Reports: an [`Evaluation`] in several formats. Each is written into a `Write`. Reports decide
//! nothing.

use std::io::{self, Write};

use crate::evaluation::Evaluation;
use crate::report::document::Document;
use crate::report::export::export;
use crate::report::export::json;
use crate::report::export::json::object::Object;
use crate::report::export::runs::Runs;
use crate::report::format::Contents;

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
pub use export::github;
pub use export::runs::Repository;
pub use format::{Format, Report, Subject};
pub use verdict::{measured, verdict_line, verdict_of_all};
pub use view::{Detail, TableRows, View};

/// The evaluation of a run, or of several of different environments.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations<'d> {
    /// The evaluations.
    pub runs: &'d [Evaluation],
    /// What the format for a terminal shows of them.
    pub view: View<'d>,
    /// Where the sources are in a repository, for the formats whose paths are below its root.
    pub repository: Option<Repository<'d>>,
}

impl Contents for Evaluations<'_> {
    fn document(self, is_page: bool) -> Document {
        if is_page {
            check::pages(self.runs)
        } else {
            check::logs(self.runs, self.view)
        }
    }

    fn browser(self) -> Document {
        check::browser::pages(self.runs, self.view)
    }

    fn source(self) -> Option<String> {
        let mut origins = self.runs.iter().flat_map(|run| run.origins.iter());
        let commit = origins.find_map(|origin| origin.commit.as_deref());
        Repository::address(self.repository, self.view.source?, commit)
    }

    fn json(self) -> Object {
        json::reports(self.runs)
    }

    fn export(self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        let runs = Runs {
            evaluations: self.runs,
            repository: self.repository,
        };
        export(runs, format, out)
    }
}
