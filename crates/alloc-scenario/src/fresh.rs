//! A scenario in a process of its own: the bench starts itself for it, and reads
//! what that process recorded into a folder that nobody else knows. Standard
//! streams of the process are kept apart from the bench's, and no end of it is
//! lost: without a whole record there is a failure that says why.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitStatus, Stdio};

use alloc_results::{ScenarioRecord, Stream, protocol, read_streams};

use crate::console;
use crate::selection::{Entry, Selection};

/// The most bytes of what a process said that are shown.
const MOST_SAID: u64 = 16 << 10;

/// Whether this process was started for the one scenario that is selected.
pub(crate) fn is_own_process(selection: &Selection<'_>) -> bool {
    match &selection.entries[..] {
        [entry] => env::var_os(protocol::FRESH).is_some_and(|name| *name == *entry.name),
        _ => false,
    }
}

/// Whether this process was started for any scenario, and so must not start another.
pub(crate) fn is_any_child() -> bool {
    env::var_os(protocol::FRESH).is_some_and(|name| !name.is_empty())
}

/// Measures in a process of its own; or says in words that follow the scenario's
/// name why there is no record.
pub(crate) fn measure(entry: &Entry) -> Result<ScenarioRecord, String> {
    let folder = Folder::new().map_err(|error| {
        format!("can't be measured in a process of its own: no folder for its results: {error}")
    })?;
    let said = folder.0.join("stderr");
    let status = start(entry, &folder.0, &said)
        .map_err(|error| format!("can't be measured in a process of its own: {error}"))?;
    let mut record = None;
    let problem = match stream(&folder.0, &entry.name) {
        Ok(stream) => {
            if let Some(failure) = stream.failures.into_iter().next() {
                // It has the message; what the process said leads up to it.
                console::pass_on(&tail(&said).unwrap_or_default());
                return Err(failure.message);
            }
            record = stream.scenarios.into_iter().next();
            String::from("it measured, and then failed")
        }
        Err(problem) => problem,
    };
    match record {
        Some(record) if status.success() && record.fresh => Ok(record),
        Some(record) if !record.fresh => Err(String::from(
            "was not measured: its own process did not know that it was one",
        )),
        _ => Err(ended(status, &problem, &said)),
    }
}

fn start(entry: &Entry, folder: &Path, said: &Path) -> io::Result<ExitStatus> {
    // Into a file and not a pipe: a process that outlives the one that is waited for
    // would keep a pipe open.
    let stderr = File::create(said)?;
    Command::new(env::current_exe()?)
        .args(["--bench", "--exact", "--", &entry.name])
        .env(protocol::FRESH, &entry.name)
        .env(protocol::RESULTS, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .status()
}

/// The stream that announced the scenario; a process can have several suites.
fn stream(folder: &Path, name: &str) -> Result<Stream, String> {
    let files = result_files(folder).map_err(|error| error.to_string())?;
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let streams = read_streams(&file.to_string_lossy(), &text);
        let streams = streams.map_err(|error| error.problem.to_string())?;
        let mut streams = streams.into_iter();
        if let Some(stream) = streams.find(|stream| stream.environment.planned == [name]) {
            return Ok(stream);
        }
    }
    Err(String::from(
        "no suite of it has the scenario; `main` has to register the same ones each time, and to \
         return what `Suite::finish` returns",
    ))
}

fn result_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("jsonl")) {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

fn ended(status: ExitStatus, problem: &str, said: &Path) -> String {
    let said = match tail(said) {
        Ok(said) if said.trim().is_empty() => String::from("it said nothing"),
        Ok(said) => format!("it said:\n{}", said.trim_end()),
        Err(error) => format!("what it said can't be read: {error}"),
    };
    format!("was not measured: its own process ended ({status}): {problem}; {said}")
}

/// The end of what a process said.
fn tail(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let skipped = length.saturating_sub(MOST_SAID);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(MOST_SAID).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(if skipped > 0 {
        format!("[{skipped} bytes are left out]\n{text}")
    } else {
        text.into_owned()
    })
}

/// A folder of this process alone, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let parent = env::temp_dir();
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        // A process of the same id may have left folders when it was killed.
        for number in 0_u64.. {
            let path = parent.join(format!("alloc-scenario-{}-{number}", process::id()));
            match builder.create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("every name is taken"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What can't be removed from the folder for temporary files stays there.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_one_each_and_gone_in_the_end() {
        let (one, other) = (Folder::new().unwrap(), Folder::new().unwrap());
        assert_ne!(one.0, other.0);
        // The folder's name is free again, and another test may have it at once.
        let inside = one.0.join("a");
        fs::write(&inside, "").unwrap();
        drop(one);
        assert!(!inside.exists());
        assert!(other.0.exists());
    }

    #[test]
    fn of_much_that_was_said_the_end_is_shown() {
        let folder = Folder::new().unwrap();
        let path = folder.0.join("said");
        let most = "x".repeat(MOST_SAID as usize);
        fs::write(&path, &most).unwrap();
        assert_eq!(tail(&path).unwrap(), most);
        fs::write(&path, format!("abc{most}")).unwrap();
        assert_eq!(
            tail(&path).unwrap(),
            format!("[3 bytes are left out]\n{most}")
        );
    }
}
