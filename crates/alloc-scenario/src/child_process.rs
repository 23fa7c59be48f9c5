//! Measures a scenario in a process of its own. The bench starts its own executable,
//! and reads what the child process hands over in a private folder. The
//! child's standard streams are kept apart from the bench's. If the child leaves no
//! complete record, the scenario fails with a reason.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitStatus, Stdio};

use alloc_results::protocol;

use crate::console;
use crate::failure::NotMeasured;
use crate::plan::Plan;
use crate::selection::Entry;
use crate::table::Row;

/// The maximum number of bytes of a child's stderr that are shown.
const MAX_SHOWN: u64 = 16 << 10;

/// The full name of the scenario that this process was started to measure, as
/// [`fresh_process`](crate::Scenario::fresh_process) asks; `None` in the bench's own process,
/// which starts it.
///
/// `main` runs in each of these processes. There it can leave out what only other scenarios need,
/// even their registration.
#[must_use]
pub fn fresh_process_for() -> Option<String> {
    let name = env::var(protocol::FRESH).ok();
    name.filter(|name| !name.is_empty())
}

/// Measures a scenario by `here`, or in a process of its own if it is to have one. If this is that
/// process, reports to the bench that started it how far the scenario has come. `here` gets whether the
/// process is the scenario's own; `is_alone` is whether no other scenario was selected.
pub(crate) fn measure(
    entry: &Entry,
    is_fresh: bool,
    is_alone: bool,
    plan: &Plan,
    here: impl FnOnce(bool) -> Outcome,
) -> Outcome {
    match fresh_process_for() {
        None if is_fresh => measure_elsewhere(entry, plan),
        Some(name) if is_alone && name == entry.name => {
            hand(None)?;
            let measured = if is_fresh {
                here(true)
            } else {
                Err("was not measured: its child process did not measure it as such".into())
            };
            hand(Some(&measured))?;
            measured
        }
        None | Some(_) => here(false),
    }
}

/// Hands over what was measured; first that the measuring begins.
fn hand(measured: Option<&Outcome>) -> Result<(), String> {
    let Some(path) = env::var_os(protocol::FRESH_FILE) else {
        return Ok(());
    };
    let written = fs::write(&path, measured.map(written).unwrap_or_default());
    written.map_err(|error| format!("failed to write {}: {error}", Path::new(&path).display()))
}

/// Measures in a child process: the scenario's line of the results, and its row of the table.
fn measure_elsewhere(entry: &Entry, plan: &Plan) -> Outcome {
    let folder = Folder::new().map_err(|error| {
        format!("can't be measured in a process of its own: no folder for its results: {error}")
    })?;
    let (stderr, file) = (folder.0.join("stderr"), folder.0.join("handover"));
    let status = start(entry, plan, &file, &stderr)
        .map_err(|error| format!("can't be measured in its own process: {error}"))?;
    // It is there once the scenario is measured.
    let problem = match fs::read_to_string(&file).as_deref().map(read) {
        Ok(Some(Err(failure))) => {
            // The record has the message, and stderr has its context.
            console::pass_on(&tail(&stderr).unwrap_or_default());
            return Err(failure);
        }
        Ok(Some(measured)) if status.success() => return measured,
        Ok(Some(Ok(_))) => "it failed after measuring",
        Ok(None) => "the bench exited while it measured the scenario",
        Err(_) if !status.success() => "it ended before it measured the scenario",
        Err(_) => {
            "it did not register the scenario; `main` must register the same scenarios each time \
             and return the result of `Suite::finish`"
        }
    };
    Err(ended(status, problem, &stderr).into())
}

fn start(entry: &Entry, plan: &Plan, file: &Path, stderr: &Path) -> io::Result<ExitStatus> {
    // A file instead of a pipe: a grandchild that outlives the child would keep a
    // pipe open.
    let stderr = File::create(stderr)?;
    let mut command = own_executable()?;
    if let Some(left) = plan.left_of_bench() {
        command.env(protocol::TIMEOUT, left.as_millis().to_string());
    }
    if plan.quick {
        command.env(protocol::QUICK, "1");
    }
    command
        .args(["--bench", "--exact", "--", &entry.name])
        .env(protocol::FRESH, &entry.name)
        .env(protocol::FRESH_FILE, file)
        .env(protocol::SILENT, "1")
        .env_remove(protocol::RESULTS)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .status()
}

/// The command that starts this program again, as the runner of its platform starts programs.
fn own_executable() -> io::Result<Command> {
    let runner = env::var(protocol::RUNNER).unwrap_or_default();
    let program = env::current_exe()?;
    let mut words = runner
        .split_whitespace()
        .map(OsStr::new)
        .chain([program.as_os_str()]);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    Ok(command)
}

/// The message for a child that ended without a complete record.
fn ended(status: ExitStatus, problem: &str, stderr: &Path) -> String {
    let printed = match tail(stderr) {
        Ok(text) if text.trim().is_empty() => String::from("it printed no errors"),
        Ok(text) => format!("its stderr:\n{}", text.trim_end()),
        Err(error) => format!("its stderr can't be read: {error}"),
    };
    format!("was not measured: its own process ended ({status}): {problem}; {printed}")
}

/// The end of a file.
fn tail(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let skipped = length.saturating_sub(MAX_SHOWN);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(MAX_SHOWN).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(if skipped > 0 {
        format!("[{skipped} bytes omitted]\n{text}")
    } else {
        text.into_owned()
    })
}

/// A temporary folder of this process, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let parent = env::temp_dir();
        let builder = &mut DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
        // A killed process with the same id may have left folders.
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
        // A folder that can't be removed stays among the system's temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A scenario's line of the results and its row of the table, or why it has none. A process of a
/// scenario's own hands it to the bench that started it in a file of texts, each behind its length
/// in bytes: `5:hello`.
pub(crate) type Outcome = Result<(String, Row), NotMeasured>;

/// The text of the file.
fn written(outcome: &Outcome) -> String {
    let mut texts = Texts(String::new());
    match outcome {
        Err(NotMeasured { message, timed_out }) => {
            texts.add(if *timed_out { "timed out" } else { "failed" });
            texts.add(message);
        }
        Ok((line, row)) => {
            texts.add("measured");
            texts.add(line);
            texts.add_rows(&row.cells);
            texts.add_rows(&row.custom);
            texts.add_rows(&row.footnotes);
        }
    }
    texts.0
}

/// What the text says; `None` if it is not a whole one.
fn read(text: &str) -> Option<Outcome> {
    let mut texts = Texts(text);
    let kind = texts.next()?;
    let first = texts.next()?;
    if kind != "measured" {
        return Some(Err(NotMeasured {
            message: first,
            timed_out: kind == "timed out",
        }));
    }
    let row = Row {
        cells: texts.rows()?,
        custom: texts.rows()?,
        footnotes: texts.rows()?,
    };
    Some(Ok((first, row)))
}

/// The texts that are written so far, or still to be read.
struct Texts<T>(T);

impl Texts<String> {
    fn add(&mut self, text: &str) {
        self.0 += &format!("{}:{text}", text.len());
    }

    fn add_rows<const N: usize>(&mut self, rows: &[[String; N]]) {
        self.add(&rows.len().to_string());
        rows.iter().flatten().for_each(|text| self.add(text));
    }
}

impl Texts<&str> {
    fn next(&mut self) -> Option<String> {
        let (length, rest) = self.0.split_once(':')?;
        let (text, rest) = rest.split_at_checked(length.parse().ok()?)?;
        self.0 = rest;
        Some(text.to_owned())
    }

    fn rows<const N: usize>(&mut self) -> Option<Vec<[String; N]>> {
        let count: usize = self.next()?.parse().ok()?;
        let row = |_| {
            let texts: Option<Vec<String>> = (0..N).map(|_| self.next()).collect();
            texts?.try_into().ok()
        };
        (0..count).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_is_new_and_is_removed() {
        let (one, other) = (Folder::new().unwrap(), Folder::new().unwrap());
        assert_ne!(one.0, other.0);
        // The folder's name is free again, and another test may reuse it at once.
        let inside = one.0.join("a");
        fs::write(&inside, "").unwrap();
        drop(one);
        assert!(!inside.exists());
        assert!(other.0.exists());
    }

    #[test]
    fn the_end_of_a_long_file_is_shown() {
        let folder = Folder::new().unwrap();
        let path = folder.0.join("said");
        let most = "x".repeat(MAX_SHOWN as usize);
        fs::write(&path, &most).unwrap();
        assert_eq!(tail(&path).unwrap(), most);
        fs::write(&path, format!("abc{most}")).unwrap();
        assert_eq!(tail(&path).unwrap(), format!("[3 bytes omitted]\n{most}"));
    }

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_not() {
        let row = Row {
            cells: vec![["a: b", "1,000: 3\n"].map(str::to_owned); 2],
            custom: vec![["a", "", "2:", "3", "4", "5"].map(str::to_owned)],
            footnotes: vec![["", "  - a"].map(str::to_owned)],
        };
        let failed = NotMeasured {
            message: String::from("panicked: 7:x"),
            timed_out: true,
        };
        let line = String::from("{\"größe\":1}\n");
        for outcome in [Ok((line, row)), Err(failed)] {
            let text = written(&outcome);
            assert_eq!(read(&text[..text.len() - 1]), None);
            assert_eq!(read(&text), Some(outcome));
        }
    }
}
