//! [`Recording`]: the result file of this process, if the environment asks for one.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process;

use alloc_results::{EnvironmentRecord, FailureRecord, Writer, protocol};

/// A result file that is being written, or nothing.
pub(crate) struct Recording(Option<Open>);

struct Open {
    path: PathBuf,
    writer: Writer<File>,
}

impl Recording {
    /// Begins the file, if the environment asks for one.
    pub(crate) fn begin(environment: &EnvironmentRecord) -> Result<Self, String> {
        let Some(folder) = env::var_os(protocol::RESULTS).filter(|folder| !folder.is_empty())
        else {
            return Ok(Self(None));
        };
        let name = format!("{}.{}.jsonl", environment.bench.target, process::id());
        let path = PathBuf::from(folder).join(name);
        let writer = (|| {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            // A file of this name has the stream of another suite of this process.
            // Both streams are kept, so that a reader sees that there are two.
            let file = File::options().append(true).create(true).open(&path)?;
            Writer::new(file, environment)
        })();
        let writer = writer.map_err(|error| failed(&path, &error))?;
        Ok(Self(Some(Open { path, writer })))
    }

    pub(crate) fn scenario(&mut self, line: &str) -> Result<(), String> {
        self.write(|writer| writer.scenario_line(line))
    }

    pub(crate) fn failure(&mut self, record: &FailureRecord) -> Result<(), String> {
        self.write(|writer| writer.failure(record))
    }

    pub(crate) fn end(self) -> Result<(), String> {
        if let Some(Open { path, writer }) = self.0 {
            writer.end().map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut Writer<File>) -> io::Result<()>,
    ) -> Result<(), String> {
        match &mut self.0 {
            Some(open) => write(&mut open.writer).map_err(|error| failed(&open.path, &error)),
            None => Ok(()),
        }
    }
}

fn failed(path: &std::path::Path, error: &io::Error) -> String {
    format!("failed to write the results to {}: {error}", path.display())
}
