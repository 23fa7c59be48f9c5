//! Result files: finds those that are named, and those in folders that are named, reads and
//! writes them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use alloc_gate::one_line;
use alloc_results::{Stream, Writer, read_streams};

use crate::failure::Failure;
use crate::files;
use crate::partitions::{different_build, is_built_like};

/// A file with results.
pub(crate) struct ResultFile {
    pub(crate) path: PathBuf,
    /// Whether a folder was named, and not the file itself.
    pub(crate) in_folder: bool,
}

const RECORD: &str = "`cargo alloc-gate run` records results, and prints the paths";

/// The files that are named, and the `*.jsonl` files of each folder that is named and of
/// the folders in it, as CI systems unpack artifacts.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<ResultFile>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(ResultFile {
                path: path.clone(),
                in_folder: false,
            });
            continue;
        }
        let files = in_folder(path).map_err(|error| unreadable(path, &error))?;
        if files.is_empty() {
            return Err(Failure::bench_failed(format!(
                "no results found in {}: neither it nor a folder in it has a `*.jsonl` file",
                path.display()
            ))
            .help("`cargo alloc-gate run --output DIR` writes results to a folder"));
        }
        found.extend(files.into_iter().map(|path| ResultFile {
            path,
            in_folder: true,
        }));
    }
    Ok(found)
}

/// The streams of result files.
#[derive(Default)]
pub(crate) struct Streams {
    /// What was measured.
    pub(crate) results: Vec<Stream>,
    /// What was measured again with call stacks and their frames, for the lines of results.
    pub(crate) lines: Vec<Stream>,
}

/// Reads the streams of a file. Those with lines follow the results that they belong to.
pub(crate) fn read(path: &Path) -> Result<Streams, Failure> {
    let text = files::read(path).map_err(|error| unreadable(path, &error))?;
    let not_used = "the file was not used; measure again with `cargo alloc-gate run`";
    let streams = read_streams(&path.display().to_string(), &text)
        .map_err(|error| Failure::bench_failed(error.to_string()).help(not_used))?;
    let mut read = Streams::default();
    for stream in streams {
        if !has_frames(&stream) {
            read.results.push(stream);
            continue;
        }
        let bench = one_line(&stream.environment.bench.to_string());
        let what = match read.results.last() {
            None => format!("the results come after the lines of {bench}"),
            Some(results) => match difference(results, &stream) {
                None => {
                    read.lines.push(stream);
                    continue;
                }
                Some(what) => format!("the lines of {bench} and the results differ in {what}"),
            },
        };
        let what = format!("{}: {what}", path.display());
        return Err(Failure::bench_failed(what).help(not_used));
    }
    Ok(read)
}

/// Whether the stacks of a stream have frames, which a bench does not record.
fn has_frames(stream: &Stream) -> bool {
    let executable = &stream.environment.executable;
    executable.as_ref().is_some_and(|one| one.frames.is_some())
}

/// Whether lines are those of the results.
pub(crate) fn is_of(lines: &Stream, results: &Stream) -> bool {
    let (one, other) = (&lines.environment, &results.environment);
    one.bench == other.bench && is_built_like(one, other)
}

/// What shows that lines are not those of the results.
fn difference(results: &Stream, lines: &Stream) -> Option<&'static str> {
    let (one, other) = (&results.environment, &lines.environment);
    let is_planned = |name| one.planned.contains(name);
    [
        (one.bench != other.bench, "their bench"),
        (!is_built_like(one, other), "how the bench was built"),
        (one.dirty != other.dirty, "uncommitted changes"),
        (!other.planned.iter().all(is_planned), "their scenarios"),
    ]
    .into_iter()
    .find_map(|(differs, what)| differs.then_some(what))
    .or_else(|| different_build(one, other))
}

/// The streams as the text of a file.
pub(crate) fn text<'s>(streams: impl IntoIterator<Item = &'s Stream>) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for stream in streams {
        let mut writer = Writer::new(text, &stream.environment)?;
        for scenario in &stream.scenarios {
            writer.scenario(scenario)?;
        }
        for failure in &stream.failures {
            writer.failure(failure)?;
        }
        text = writer.end()?;
    }
    Ok(text)
}

/// Writes a stream with lines behind the results in a file.
pub(crate) fn append(path: &Path, lines: &Stream) -> Result<(), Failure> {
    let results = files::read(path);
    let results = results.map_err(|error| unreadable(path, &error))?;
    let lines = text([lines]).map_err(|error| files::failed(path, &error))?;
    files::write(path, &[results.as_bytes(), &lines].concat())
}

fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(entries(&path)?);
        } else {
            files.push(path);
        }
    }
    files.retain(|path| {
        let is_named = path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        is_named && !path.is_dir()
    });
    Ok(files)
}

/// The paths in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::bench_failed(format!(
        "failed to read results from {}: {error}",
        path.display()
    ))
    .help(RECORD)
}
