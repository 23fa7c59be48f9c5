//! [`Recording`]: the result file of this process, if the environment requests one.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use alloc_results::{EnvironmentRecord, FailureRecord, Writer, protocol};

/// A result file that is being written.
pub(crate) struct Recording {
    path: PathBuf,
    writer: Writer<File>,
}

impl Recording {
    /// Begins the file, if the environment requests one.
    pub(crate) fn begin(environment: &EnvironmentRecord) -> Result<Option<Self>, String> {
        let Some(folder) = env::var_os(protocol::RESULTS).filter(|folder| !folder.is_empty())
        else {
            return Ok(None);
        };
        let name = format!("{}.{}.jsonl", environment.bench.target, process::id());
        let path = Path::new(&folder).join(name);
        let begun = fs::create_dir_all(&folder).and_then(|()| {
            // A file of this name has the stream of another suite of this process.
            // Both streams are kept, so that a reader sees that there are two.
            let file = File::options().append(true).create(true).open(&path)?;
            Writer::new(file, environment)
        });
        let writer = begun.map_err(|error| failed(&path, &error))?;
        Ok(Some(Self { path, writer }))
    }

    pub(crate) fn scenario(&mut self, line: &str) -> Result<(), String> {
        let written = self.writer.scenario_line(line);
        written.map_err(|error| failed(&self.path, &error))
    }

    pub(crate) fn failure(&mut self, record: &FailureRecord) -> Result<(), String> {
        let written = self.writer.failure(record);
        written.map_err(|error| failed(&self.path, &error))
    }

    pub(crate) fn end(self) -> Result<(), String> {
        let Self { path, writer } = self;
        let ended = writer.end();
        ended.map(drop).map_err(|error| failed(&path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("failed to write the results to {}: {error}", path.display())
}
