//! Reports: an [`Evaluation`] in several formats. Each is written into a `Write`. Reports decide
//! nothing.

use std::io::{self, Write};
use std::path::Path;

use crate::evaluation::Evaluation;
use crate::report::document::Document;
use crate::report::format::Contents;
use crate::report::json::object::Object;
use crate::sites::normal;

mod change;
mod check;
pub mod compare;
mod document;
pub mod explain;
mod format;
pub mod github;
mod json;
mod junit;
pub mod page;
mod table;
mod verdict;
mod view;
mod words;
mod write;

pub use change::{change, difference, is_implied};
pub use format::{Format, Report};
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

    fn junit(self, out: &mut dyn Write) -> io::Result<()> {
        junit::junit(self.runs, self.repository, out)
    }
}

/// Where the sources are in a repository.
#[derive(Clone, Copy, Debug)]
pub struct Repository<'d> {
    /// The root of the repository.
    pub top: &'d Path,
    /// The path of the workspace below it.
    pub prefix: &'d Path,
}

impl Repository<'_> {
    /// The path of a file below the root of the repository, with `/`; that of a file outside of
    /// it as it is.
    #[must_use]
    pub fn path(repository: Option<Self>, file: &str) -> String {
        let file = Path::new(file);
        let path = match repository {
            Some(Self { top, prefix }) => {
                let below = file.strip_prefix(top);
                below.map_or_else(|_| prefix.join(file), Path::to_path_buf)
            }
            None => file.to_path_buf(),
        };
        normal(&path.display().to_string())
    }

    /// The address of a line, with `{path}` and `{line}`, of sources at a commit; `None` if it
    /// needs a commit that is not known.
    fn address(repository: Option<Self>, source: &str, commit: Option<&str>) -> Option<String> {
        let source = source.replace("{path}", &Self::path(repository, "{path}"));
        match commit {
            Some(commit) => Some(source.replace("{commit}", commit)),
            None => (!source.contains("{commit}")).then_some(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_relative_to_the_root_of_the_repository() {
        let repository = Some(Repository {
            top: Path::new("/ws/repo"),
            prefix: Path::new("rust"),
        });
        for (file, repository, path) in [
            ("benches/a.rs", None, "benches/a.rs"),
            ("benches/a.rs", repository, "rust/benches/a.rs"),
            (
                "codec\\benches\\a.rs",
                repository,
                "rust/codec/benches/a.rs",
            ),
            // As rustc names the files of a package outside of the workspace.
            ("/ws/repo/other/a.rs", repository, "other/a.rs"),
            ("/elsewhere/a.rs", repository, "/elsewhere/a.rs"),
        ] {
            assert_eq!(Repository::path(repository, file), path);
        }
    }
}
