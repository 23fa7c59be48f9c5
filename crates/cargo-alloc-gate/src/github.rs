//! Under GitHub Actions, failures are annotations on the lines of their scenarios.

use std::env;
use std::path::Path;

use alloc_gate::Evaluation;
use alloc_gate::report::github::annotations;

use crate::git::Git;
use crate::shell::Shell;

/// The variable that GitHub Actions sets to `true`.
const ACTIONS: &str = "GITHUB_ACTIONS";

/// Prints the annotations of what fails the check, under GitHub Actions. The files of
/// scenarios are relative to the workspace at `root`.
pub(crate) fn annotate(evaluations: &[Evaluation], root: &Path, shell: &Shell) {
    if env::var_os(ACTIONS).is_none_or(|value| value != "true") {
        return;
    }
    let git = Git::find(root).ok();
    let places = git.as_ref().map(|git| (git.top(), git.prefix()));
    for command in annotations(evaluations, |file| in_repository(file, places)) {
        shell.command(&command);
    }
}

/// The path of a file below the root of the repository, with `/`. `places` are the root, and
/// the path of the workspace below it.
fn in_repository(file: &str, places: Option<(&Path, &Path)>) -> String {
    let file = Path::new(file);
    let path = match places {
        Some((top, prefix)) => {
            let below = file.strip_prefix(top);
            below.map_or_else(|_| prefix.join(file), Path::to_path_buf)
        }
        None => file.to_path_buf(),
    };
    path.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_relative_to_the_root_of_the_repository() {
        let places = Some((Path::new("/work/repo"), Path::new("rust")));
        for (file, places, path) in [
            ("benches/a.rs", None, "benches/a.rs"),
            ("benches/a.rs", places, "rust/benches/a.rs"),
            ("codec\\benches\\a.rs", places, "rust/codec/benches/a.rs"),
            // As rustc names the files of a package outside of the workspace.
            ("/work/repo/other/a.rs", places, "other/a.rs"),
            ("/elsewhere/a.rs", places, "/elsewhere/a.rs"),
        ] {
            assert_eq!(in_repository(file, places), path);
        }
    }
}
