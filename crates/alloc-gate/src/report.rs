//! Reports: an [`Evaluation`], a comparison or lines of code in several formats. Each is laid out
//! once, and written into a `Write`. Reports decide nothing.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use crate::evaluation::Evaluation;
use crate::report::compare::Comparison;
use crate::report::text::Block;
use crate::sites::{Explained, normal};

mod check;
pub mod compare;
pub mod explain;
pub mod github;
mod json;
mod junit;
pub mod page;
mod text;
mod verdict;
mod write;

pub use text::{change, difference, is_implied};
pub use verdict::{measured, verdict_line, verdict_of_all};

named! {
    /// The formats of a [`Report`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Format {
        /// The one for a terminal. It may have styles.
        Terminal = "terminal",
        /// The one for step summaries.
        Markdown = "markdown",
        /// The page for a browser.
        Html = "html",
        /// The one for programs.
        Json = "json",
        /// The verdicts as tests.
        Junit = "junit",
    }
}

impl Format {
    /// What the format is for, in a few words.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Terminal => "For people at a terminal and for logs",
            Self::Markdown => "For step summaries and comments",
            Self::Html => "For a browser: one file, which loads nothing",
            Self::Json => "For programs",
            Self::Junit => "For CI systems that show tests",
        }
    }

    /// The format that a file with this ending has, if only one can be meant.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "html" => Some(Self::Html),
            "md" => Some(Self::Markdown),
            "xml" => Some(Self::Junit),
            _ => None,
        }
    }

    /// Whether only verdicts can be written in it.
    #[must_use]
    pub fn needs_verdicts(self) -> bool {
        self == Self::Junit
    }
}

/// Which parts of an evaluation the report for a terminal shows, and what reports know.
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'v> {
    /// The scenarios in the tables of values. `None` shows all if there are few rows, those
    /// that changed if there are many, and none after a failure.
    pub rows: Option<TableRows>,
    /// How much is shown.
    pub detail: Detail,
    /// A branch that commands can compare with, for the advice.
    pub base: Option<&'v str>,
    /// The address of a line of the sources, with `{path}`, and `{commit}` and `{line}` where they
    /// belong.
    pub source: Option<&'v str>,
}

named! {
    /// The scenarios in the tables of values, from the widest selection to the narrowest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum TableRows {
        /// All scenarios.
        All = "all",
        /// Those that are new, that differ from the baseline, or that failed.
        Changed = "changed",
        /// Those that failed.
        Failed = "failed",
        /// None.
        None = "none",
    }
}

/// How much a report for a terminal shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Only what fails the check.
    Quiet,
    /// Everything but the gates that hold.
    #[default]
    Normal,
    /// The gates that hold too, and all items of long lists.
    Verbose,
}

/// The data of a report.
pub trait Report: Copy {
    /// Writes the report. In a terminal with a `width`, sentences end there.
    ///
    /// # Errors
    ///
    /// When `out` can't be written, or the format [needs verdicts](Format::needs_verdicts) and the
    /// data have none.
    fn write(self, format: Format, width: Option<usize>, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes blocks for people. `source` is the address of a line of the sources.
fn write_blocks(
    blocks: &[Block],
    format: Format,
    width: Option<usize>,
    source: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Markdown => write::markdown(blocks, out),
        Format::Html => write::html(blocks, source, out),
        Format::Terminal | Format::Json | Format::Junit => write::terminal(blocks, width, out),
    }
}

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

impl Report for Evaluations<'_> {
    fn write(self, format: Format, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Json => json::write_check(self.runs, out),
            Format::Junit => junit::junit(self.runs, self.repository, out),
            Format::Terminal | Format::Markdown | Format::Html => {
                let mut origins = self.runs.iter().flat_map(|run| run.origins.iter());
                let commit = origins.find_map(|origin| origin.commit.as_deref());
                let source = self.view.source;
                let source = source.and_then(|it| Repository::address(self.repository, it, commit));
                let blocks = check::document(self.runs, self.view, format != Format::Terminal);
                write_blocks(&blocks, format, width, source.as_deref(), out)
            }
        }
    }
}

impl Report for Comparison<'_> {
    fn write(self, format: Format, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        match (format, self.evaluation) {
            (Format::Json, _) => json::write(&json::compare(self), out),
            (Format::Junit, Some(evaluation)) => {
                junit::junit(std::slice::from_ref(evaluation), self.repository, out)
            }
            (Format::Junit, None) => Err(no_verdicts()),
            (Format::Terminal | Format::Markdown | Format::Html, _) => {
                let (source, head) = (self.source, Some(&*self.sides.head));
                let source = source.and_then(|it| Repository::address(self.repository, it, head));
                let blocks = compare::document(self, format != Format::Terminal);
                write_blocks(&blocks, format, width, source.as_deref(), out)
            }
        }
    }
}

impl Report for &[Explained] {
    fn write(self, format: Format, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Json => json::write(&json::explain(self), out),
            Format::Junit => Err(no_verdicts()),
            Format::Terminal | Format::Markdown | Format::Html => write_blocks(
                &explain::document(self, format != Format::Terminal),
                format,
                width,
                None,
                out,
            ),
        }
    }
}

fn no_verdicts() -> io::Error {
    io::Error::new(ErrorKind::Unsupported, "there are no verdicts")
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
    /// The path of a file below the root of the repository, with `/`; a file outside of
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
        assert_eq!(Repository::path(None, "benches/a.rs"), "benches/a.rs");
        for (file, path) in [
            ("benches/a.rs", "rust/benches/a.rs"),
            ("codec\\benches\\a.rs", "rust/codec/benches/a.rs"),
            // As rustc names the files of a package outside of the workspace.
            ("/ws/repo/other/a.rs", "other/a.rs"),
            ("/elsewhere/a.rs", "/elsewhere/a.rs"),
        ] {
            assert_eq!(Repository::path(repository, file), path);
        }
    }
}
