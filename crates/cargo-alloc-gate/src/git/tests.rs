use std::fs;

use tempfile::TempDir;

use super::*;
use crate::exit_code::Code;

/// What users have configured in all of these repositories.
const HOSTILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/hostile.gitconfig");

/// A repository with a commit, in a folder of this name in a temporary one.
fn repository(name: &str) -> (TempDir, Git) {
    let temporary = tempfile::tempdir().unwrap();
    let git = init(&temporary.path().join(name));
    (temporary, git)
}

fn init(folder: &Path) -> Git {
    fs::create_dir_all(folder).unwrap();
    said(folder, ["init", "--quiet", "--initial-branch=main"]).unwrap();
    let git = Git::find(folder).unwrap().unwrap();
    write(&git, "lib.rs", "old\n");
    commit(&git);
    git.said(["config", "include.path", HOSTILE]).unwrap();
    git
}

fn write(git: &Git, file: &str, text: &str) {
    fs::write(git.top.join(file), text).unwrap();
}

fn commit(git: &Git) -> String {
    let person = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    let person = person.into_iter().chain(["-c", "commit.gpgSign=false"]);
    let args = ["commit", "--quiet", "--all", "--message=x"];
    git.said(["add", "--all"]).unwrap();
    git.said(person.chain(args)).unwrap();
    git.said(["rev-parse", "HEAD"]).unwrap()
}

/// Adds the repository `other` as the submodule `module`, and commits it.
fn add_submodule(git: &Git, other: &Git) {
    let file = ["-c", "protocol.file.allow=always"].map(OsStr::new);
    let add = ["submodule", "--quiet", "add", "--"].map(OsStr::new);
    let paths = [other.top.as_os_str(), "module".as_ref()];
    git.said(file.into_iter().chain(add).chain(paths)).unwrap();
    commit(git);
}

#[test]
#[cfg_attr(windows, ignore = "wine has no git")]
fn edits_are_found_whatever_is_configured() {
    let (_one, other) = repository("other");
    let (_two, git) = repository("project");
    write(&git, "sparse.rs", "old\n");
    add_submodule(&git, &other);
    let ignore = [
        "config",
        "--file=.gitmodules",
        "submodule.module.ignore",
        "all",
    ];
    git.said(ignore).unwrap();
    commit(&git);
    git.said(["update-index", "--skip-worktree", "sparse.rs"])
        .unwrap();
    fs::remove_file(git.top.join("sparse.rs")).unwrap();

    let found = || -> Vec<(PathBuf, bool)> {
        let found = git.uncommitted().unwrap().into_iter();
        let below = |path: &Path| path.strip_prefix(&git.top).unwrap().to_owned();
        found
            .map(|one| (below(&one.path), one.is_tracked))
            .collect()
    };
    assert_eq!(found(), []);
    for (edited, shown, is_tracked) in [
        ("lib.rs", "lib.rs", true),
        ("new.rs", "new.rs", false),
        ("module/lib.rs", "module", true),
        ("module/new.rs", "module", true),
    ] {
        let before = fs::read(git.top.join(edited)).ok();
        write(&git, edited, "new\n");
        assert_eq!(found(), [(PathBuf::from(shown), is_tracked)], "{edited}");
        match before {
            Some(before) => fs::write(git.top.join(edited), before).unwrap(),
            None => fs::remove_file(git.top.join(edited)).unwrap(),
        }
        assert_eq!(found(), [], "{edited}");
    }
}

#[test]
#[cfg(unix)]
fn a_repository_can_have_any_path() {
    for name in ["space ", "line\nbreak\n"] {
        let (temporary, git) = repository(name);
        let inner = git.top.join(name);
        fs::create_dir(&inner).unwrap();
        let found = Git::find(&inner).unwrap().unwrap();
        let real = temporary.path().canonicalize().unwrap();
        assert_eq!(found.top, real.join(name));
        assert_eq!(found.prefix, Path::new(&format!("{name}/")));
        assert_eq!(found.commits_of(&git.top, "lib.rs", 9).unwrap().len(), 1);
        let tree = real.join("tree\n");
        found.add_worktree(&tree, "HEAD").unwrap();
        assert!(tree.join("lib.rs").exists());
        found.remove_worktree(&tree).unwrap();
        assert!(!tree.exists());
    }
}

#[test]
#[cfg_attr(windows, ignore = "wine has no git")]
fn a_folder_without_a_repository_is_no_error_and_a_broken_repository_is() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    assert!(matches!(Git::find(folder), Ok(None)));
    fs::write(folder.join(".git"), "gitdir: /no/such/folder\n").unwrap();
    let failure = Git::find(folder).err().unwrap();
    assert_eq!(
        failure.in_short(),
        "git rev-parse failed: fatal: not a git repository: /no/such/folder"
    );
    assert_eq!(failure.code, Code::OutputFailed);
}

#[test]
fn the_error_of_git_comes_after_progress_and_before_its_advice() {
    let tree = "Preparing worktree (detached HEAD 1a2b3c4)\nerror: no space\nfatal: no reset\n";
    let trace = "12:00:00.000001 git.c:460  trace: built-in: git error: x\n";
    let owner = "fatal: detected dubious ownership in repository at '/r'\nTo add an exception for \
                 this directory, call:\n\n\tgit config --global --add safe.directory /r";
    for (said, error) in [
        (tree, Some("error: no space\nfatal: no reset")),
        (trace, None),
        (owner, Some(owner)),
        ("", None),
    ] {
        assert_eq!(error_of(said), error);
    }
    let failure = |said| failed(&["status".into()], said);
    assert_eq!(failure(owner).help, None);
    assert!(failure("fatal: x").help.is_some());
}

#[test]
#[cfg_attr(windows, ignore = "wine has no git")]
fn what_to_do_about_a_missing_commit_works() {
    let (temporary, git) = repository("far");
    git.said(["branch", "trunk"]).unwrap();
    git.said(["checkout", "--quiet", "-b", "topic"]).unwrap();
    for text in ["1\n", "2\n"] {
        write(&git, "lib.rs", text);
        commit(&git);
    }
    let mut far = OsString::from("file://");
    far.push(&git.top);
    let clone = |name: &str, options: &[&str]| {
        let near = temporary.path().join(name);
        let args = ["clone", "--quiet"].iter().chain(options).map(OsStr::new);
        said(temporary.path(), args.chain([&*far, near.as_os_str()])).unwrap();
        Git::find(&near).unwrap().unwrap()
    };
    let help = |git: &Git, reference: &str| git.commit(reference).unwrap_err().help.unwrap();

    let whole = clone("whole", &[]);
    assert_eq!(&*help(&whole, "main"), "did you mean `origin/main`?");
    assert!(help(&whole, "nosuch").starts_with("`git log --all --oneline` lists"));
    // The branch that is checked out there is the default one.
    assert_eq!(whole.usual_base().unwrap().unwrap(), "HEAD~1");
    whole
        .said(["checkout", "--quiet", "--detach", "HEAD~1"])
        .unwrap();
    assert_eq!(whole.usual_base().unwrap().unwrap(), "topic");
    whole.said(["branch", "--quiet", "-D", "topic"]).unwrap();
    assert_eq!(whole.usual_base().unwrap().unwrap(), "origin/topic");

    let shallow = clone("shallow", &["--depth=1"]);
    assert_eq!(shallow.usual_base().unwrap(), None);
    let fetched = help(&shallow, "origin/main");
    let command = "`git fetch --depth 1 origin main` gets it, as `FETCH_HEAD`";
    assert!(fetched.starts_with(command), "{fetched}");
    shallow
        .said(["fetch", "--quiet", "--depth=1", "origin", "main"])
        .unwrap();
    assert!(shallow.commit("FETCH_HEAD").is_ok());
    let history = help(&shallow, "HEAD~2");
    assert!(
        history.starts_with("`git fetch --unshallow` gets"),
        "{history}"
    );
    shallow.said(["fetch", "--quiet", "--unshallow"]).unwrap();
    assert!(shallow.commit("HEAD~2").is_ok());
}

#[test]
#[cfg_attr(windows, ignore = "wine has no git")]
fn a_worktree_has_the_submodules_that_are_here() {
    let (_one, inner) = repository("inner");
    let (_two, outer) = repository("outer");
    add_submodule(&outer, &inner);
    let (temporary, git) = repository("project");
    add_submodule(&git, &outer);
    let tree = temporary.path().join("tree");
    let head = git.commit("HEAD").unwrap();
    let missing = || {
        git.add_worktree(&tree, &head).unwrap();
        let missing = git.add_submodules(&tree, &head).unwrap();
        let files = ["module/lib.rs", "module/module/lib.rs"].map(|file| tree.join(file).exists());
        git.remove_worktree(&tree).unwrap();
        assert!(!tree.exists());
        (missing, files)
    };
    let (said, files) = missing();
    assert_eq!(files, [true, false]);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].starts_with(
            "in `module`, the submodule `module`, which is not checked out here; `git "
        )
    );
    let file = ["-c", "protocol.file.allow=always"];
    let update = ["submodule", "--quiet", "update", "--init", "--recursive"];
    git.said(file.into_iter().chain(update)).unwrap();
    assert_eq!(missing(), (vec![], [true, true]));
    assert_eq!(git.uncommitted().unwrap().len(), 0);
}
