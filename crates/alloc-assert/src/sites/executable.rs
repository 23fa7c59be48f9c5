//! The functions and lines of the test's own executable, and [`OwnCode`]: which files are the
//! user's own.

use std::any::type_name_of_val;
use std::collections::HashMap;
use std::env;
use std::panic::Location;
use std::path::{Path, PathBuf};

use alloc_symbols::is_std;
use alloc_symbols::{Error, Executable, Frame, Symbols};

use crate::sites::excerpt::Code;

/// Opens the file of this process; on Linux, even if another one has taken its path.
pub(super) fn open() -> Result<Executable, Error> {
    let path = if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        env::current_exe().unwrap_or_default()
    };
    Executable::open(path)
}

/// The symbols of this process.
pub(super) fn symbols(executable: &Executable) -> Result<Symbols<'_>, Error> {
    executable.symbols(type_name_of_val(&anchor))
}

/// Its own address. The addresses of stacks are relative to it.
#[inline(never)]
pub(super) fn anchor() -> usize {
    let anchor: fn() -> usize = anchor;
    anchor as usize
}

/// The code below the folder in which cargo started the compiler: the root of the workspace.
pub(super) struct OwnCode {
    root: PathBuf,
    has_lines: bool,
    /// The paths of files below the root; `None` for files of others.
    paths: HashMap<String, Option<String>>,
}

impl OwnCode {
    /// Finds the root by the file of `place`, which measured: the compiler got it relative to the
    /// root, and it is absolute in the line tables.
    pub(super) fn find(place: &Location<'_>, stacks: &[Vec<Frame>], has_lines: bool) -> Self {
        // The closure that was measured is in that file, if it is no function of another one.
        let root = stacks.iter().find_map(|stack| {
            stack.iter().rev().find_map(|frame| {
                let folder = frame.file.as_deref()?.strip_suffix(place.file())?;
                folder.strip_suffix(['/', '\\']).map(PathBuf::from)
            })
        });
        // Cargo starts a test in the folder of its package, which is inside of the root.
        let folder = env::current_dir().unwrap_or_default();
        let around = |root: &&Path| root.join(place.file()).is_file();
        let root = root.unwrap_or_else(|| {
            let root = folder.ancestors().find(around);
            root.unwrap_or(&folder).to_owned()
        });
        let mut code = Self {
            root,
            has_lines,
            paths: HashMap::new(),
        };
        for file in stacks
            .iter()
            .flatten()
            .filter_map(|one| one.file.as_deref())
        {
            if !code.paths.contains_key(file) {
                code.paths.insert(file.to_owned(), code.path_in(file));
            }
        }
        code
    }

    /// The path of an own file, relative to the root.
    pub(super) fn path(&self, file: &str) -> Option<&str> {
        self.paths.get(file)?.as_deref()
    }

    /// The line of an own frame.
    pub(super) fn line(&self, frame: &Frame) -> Option<Code> {
        Some(Code {
            file: self.root.join(self.path(frame.file.as_deref()?)?),
            line: frame.line?.try_into().ok()?,
            column: frame.column.and_then(|column| column.try_into().ok()),
        })
    }

    /// Whether a frame is in own code. Without line tables, all but the standard library is.
    pub(super) fn owns(&self, frame: &Frame) -> bool {
        match &frame.file {
            Some(file) => self.path(file).is_some(),
            None => !self.has_lines && frame.has_name() && !is_std(&frame.function),
        }
    }

    fn path_in(&self, file: &str) -> Option<String> {
        let path = Path::new(file).strip_prefix(&self.root).ok()?;
        let folders = path.ancestors().skip(1);
        // The last one is the root itself.
        let mut inside = folders.filter(|folder| !folder.as_os_str().is_empty());
        let is_of_others = inside.any(|folder| is_of_others(&self.root.join(folder)));
        (!is_of_others).then(|| path.to_string_lossy().into_owned())
    }
}

/// Whether a folder is a vendored package, or one of build outputs or downloaded packages.
fn is_of_others(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).exists();
    has(".cargo-checksum.json") || has("CACHEDIR.TAG")
}

#[cfg(test)]
mod tests {
    use std::{fs, process};

    use super::*;

    #[test]
    fn packages_of_others_are_not_own_code() {
        let root = env::temp_dir().join(format!("alloc-assert-{}", process::id()));
        for (folder, marker) in [
            ("vendor/dep", ".cargo-checksum.json"),
            ("target", "CACHEDIR.TAG"),
        ] {
            fs::create_dir_all(root.join(folder)).expect("a temporary folder");
            fs::write(root.join(folder).join(marker), "").expect("a temporary file");
        }
        let code = OwnCode {
            root: root.clone(),
            has_lines: true,
            paths: HashMap::new(),
        };
        let path = |file: &str| code.path_in(&root.join(file).to_string_lossy());
        for own in [
            "src/lib.rs",
            "build.rs",
            "crates/a/tests/b.rs",
            "vendor/own.rs",
        ] {
            assert_eq!(path(own).as_deref(), Some(own));
        }
        for other in [
            "vendor/dep/src/lib.rs",
            "target/debug/build/a/out/generated.rs",
        ] {
            assert_eq!(path(other), None);
        }
        assert_eq!(
            code.path_in("/rustc/0123/library/alloc/src/vec/mod.rs"),
            None
        );
        assert_eq!(code.path_in("src/lib.rs"), None);
        fs::remove_dir_all(&root).expect("it was made above");
    }
}
