//! [`Runs`]: the evaluations that an export for other programs is made of.

use std::collections::HashMap;
use std::path::Path;

use crate::evaluation::Evaluation;
use crate::printable::one_line;
use crate::results::MeasuredScenario;

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
        path.display().to_string().replace('\\', "/")
    }

    /// The address of a line, with `{path}` and `{line}`, of sources at a commit; `None` if it
    /// needs a commit that is not known.
    pub(in crate::report) fn address(
        repository: Option<Self>,
        source: &str,
        commit: Option<&str>,
    ) -> Option<String> {
        let source = source.replace("{path}", &Self::path(repository, "{path}"));
        match commit {
            Some(commit) => Some(source.replace("{commit}", commit)),
            None => (!source.contains("{commit}")).then_some(source),
        }
    }
}

/// The evaluations of a run, one for each environment.
#[derive(Clone, Copy)]
pub(in crate::report) struct Runs<'d> {
    pub(in crate::report) evaluations: &'d [Evaluation],
    pub(in crate::report) repository: Option<Repository<'d>>,
}

impl<'d> Runs<'d> {
    pub(super) fn path(self, file: &str) -> String {
        one_line(&Repository::path(self.repository, file))
    }

    /// The environment of an evaluation in brackets, if there are several.
    pub(super) fn environment(self, evaluation: &Evaluation) -> String {
        match evaluation.origins.first() {
            Some(origin) if self.evaluations.len() > 1 => format!(" ({})", origin.environment),
            Some(_) | None => String::new(),
        }
    }

    /// The measured scenarios, each with a name that no other one has.
    pub(super) fn scenarios(
        self,
    ) -> impl Iterator<Item = (String, &'d Evaluation, &'d MeasuredScenario)> {
        self.evaluations.iter().flat_map(move |evaluation| {
            let environment = self.environment(evaluation);
            let scenarios = evaluation.scenarios.iter();
            scenarios.map(move |measured| {
                let name = format!("{}{environment}", measured.label());
                (name, evaluation, measured)
            })
        })
    }
}

/// Names that readers tell results apart by. Two names can differ in hidden characters alone.
#[derive(Default)]
pub(super) struct Names(HashMap<String, usize>);

impl Names {
    /// The name in one line of at most 1,000 characters, with a number if another name was the
    /// same.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let name: String = one_line(name).chars().take(1_000).collect();
        let number = self.0.entry(name.clone()).or_default();
        *number += 1;
        match *number {
            1 => name,
            number => format!("{name} ({number})"),
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
